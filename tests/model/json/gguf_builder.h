#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

// Writes llama.cpp files byte by byte, as the format's description says and without the reader's help.
class GgufBuilder {
public:
    template <typename T>
    static std::string number(T value)
    {
        std::string bytes;
        for (std::size_t i = 0; i < sizeof(T); ++i)
            bytes += static_cast<char>(static_cast<std::uint64_t>(value) >> (8 * i));
        return bytes;
    }
    static std::string text(const std::string& value) { return number<std::uint64_t>(value.size()) + value; }

    GgufBuilder& key(const std::string& name, std::uint32_t type, const std::string& value)
    {
        m_keys += text(name) + number(type) + value;
        ++m_keyCount;
        return *this;
    }
    GgufBuilder& u32(const std::string& name, std::uint32_t value) { return key(name, 4, number(value)); }
    GgufBuilder& f32(const std::string& name, float value)
    {
        return key(name, 6, number(std::bit_cast<std::uint32_t>(value)));
    }
    GgufBuilder& string(const std::string& name, const std::string& value)
    {
        return key(name, 8, text(value));
    }
    GgufBuilder& texts(const std::string& name, const std::vector<std::string>& values)
    {
        std::string bytes = number<std::uint32_t>(8) + number<std::uint64_t>(values.size());
        for (const std::string& value : values)
            bytes += text(value);
        return key(name, 9, bytes);
    }
    GgufBuilder& u32s(const std::string& name, const std::vector<std::uint32_t>& values)
    {
        std::string bytes = number<std::uint32_t>(4) + number<std::uint64_t>(values.size());
        for (const std::uint32_t value : values)
            bytes += number(value);
        return key(name, 9, bytes);
    }

    // `bytes` is what the tensor takes; the next one starts at the next multiple of the alignment.
    GgufBuilder& tensor(const std::string& name, const std::vector<std::uint64_t>& shape, std::uint32_t type,
                        std::uint64_t bytes)
    {
        m_tensors += text(name) + number(static_cast<std::uint32_t>(shape.size()));
        for (const std::uint64_t extent : shape)
            m_tensors += number(extent);
        m_tensors += number(type) + number(m_data);
        m_data += (bytes + alignment - 1) / alignment * alignment;
        ++m_tensorCount;
        return *this;
    }

    [[nodiscard]] std::string header() const
    {
        std::string bytes
            = "GGUF" + number(version) + number(m_tensorCount) + number(m_keyCount) + m_keys + m_tensors;
        bytes.resize((bytes.size() + alignment - 1) / alignment * alignment, '\0');
        return bytes;
    }
    // A file needs the room of its weights, not the weights.
    [[nodiscard]] std::uint64_t size() const { return header().size() + m_data; }
    [[nodiscard]] std::string file() const { return header() + std::string(m_data, '\0'); }

    std::uint32_t version = 3;
    std::uint64_t alignment = 32;

private:
    std::string m_keys;
    std::string m_tensors;
    std::uint64_t m_keyCount = 0;
    std::uint64_t m_tensorCount = 0;
    std::uint64_t m_data = 0;
};
