#pragma once

#include <cstdint>
#include <istream>
#include <optional>
#include <string>
#include <type_traits>

namespace headroom {

// Little-endian fields from a file of known size. A read beyond the end gives nothing and moves nothing, so
// that no length taken from a file is ever trusted before it is compared with what is there.
class ByteReader {
public:
    ByteReader(std::istream& stream, std::uint64_t size) : m_stream(stream), m_size(size) {}

    [[nodiscard]] std::uint64_t at() const { return m_at; }
    [[nodiscard]] std::uint64_t size() const { return m_size; }
    [[nodiscard]] std::uint64_t left() const { return m_size - m_at; }

    template <typename T>
    [[nodiscard]] std::optional<T> number()
    {
        static_assert(std::is_unsigned_v<T>);
        unsigned char bytes[sizeof(T)] = {};
        if (!take(reinterpret_cast<char*>(bytes), sizeof(T)))
            return std::nullopt;
        T value = 0;
        for (std::size_t i = sizeof(T); i-- > 0;)
            value = static_cast<T>(static_cast<std::uint64_t>(value) << 8U | bytes[i]);
        return value;
    }

    [[nodiscard]] std::optional<std::string> text(std::uint64_t length)
    {
        if (length > left())
            return std::nullopt;
        std::string value(static_cast<std::size_t>(length), '\0');
        if (!take(value.data(), length))
            return std::nullopt;
        return value;
    }

    [[nodiscard]] bool skip(std::uint64_t length)
    {
        if (length > left())
            return false;
        m_at += length;
        m_stream.seekg(static_cast<std::streamoff>(m_at));
        return static_cast<bool>(m_stream);
    }

private:
    bool take(char* to, std::uint64_t length)
    {
        if (length > left() || !m_stream.read(to, static_cast<std::streamsize>(length)))
            return false;
        m_at += length;
        return true;
    }

    std::istream& m_stream;
    std::uint64_t m_size;
    std::uint64_t m_at = 0;
};

} // namespace headroom
