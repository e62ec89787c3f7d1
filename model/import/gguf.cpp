#include "model/import/gguf.h"

#include "model/text/byte_reader.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <set>

namespace headroom {

namespace {

// Elements and bytes of one block (ggml-common.h, ggml.c type_traits of llama.cpp).
struct BlockType {
    std::uint32_t code;
    std::string_view name;
    std::uint32_t elements;
    std::uint32_t bytes;
};
constexpr std::array blockTypes{
    BlockType{0, "F32", 1, 4},         BlockType{1, "F16", 1, 2},         BlockType{2, "Q4_0", 32, 18},
    BlockType{3, "Q4_1", 32, 20},      BlockType{6, "Q5_0", 32, 22},      BlockType{7, "Q5_1", 32, 24},
    BlockType{8, "Q8_0", 32, 34},      BlockType{9, "Q8_1", 32, 36},      BlockType{10, "Q2_K", 256, 84},
    BlockType{11, "Q3_K", 256, 110},   BlockType{12, "Q4_K", 256, 144},   BlockType{13, "Q5_K", 256, 176},
    BlockType{14, "Q6_K", 256, 210},   BlockType{15, "Q8_K", 256, 292},   BlockType{16, "IQ2_XXS", 256, 66},
    BlockType{17, "IQ2_XS", 256, 74},  BlockType{18, "IQ3_XXS", 256, 98}, BlockType{19, "IQ1_S", 256, 50},
    BlockType{20, "IQ4_NL", 32, 18},   BlockType{21, "IQ3_S", 256, 110},  BlockType{22, "IQ2_S", 256, 82},
    BlockType{23, "IQ4_XS", 256, 136}, BlockType{24, "I8", 1, 1},         BlockType{25, "I16", 1, 2},
    BlockType{26, "I32", 1, 4},        BlockType{27, "I64", 1, 8},        BlockType{28, "F64", 1, 8},
    BlockType{29, "IQ1_M", 256, 56},   BlockType{30, "BF16", 1, 2},       BlockType{34, "TQ1_0", 256, 54},
    BlockType{35, "TQ2_0", 256, 66},   BlockType{39, "MXFP4", 32, 17},    BlockType{40, "NVFP4", 64, 36},
};

enum class ValueType : std::uint32_t { U8, I8, U16, I16, U32, I32, F32, Bool, String, Array, U64, I64, F64 };
constexpr std::array<std::uint64_t, 13> valueBytes{1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};
constexpr std::array<std::string_view, 13> valueNames{"u8",   "i8",     "u16",  "i16", "u32", "i32", "f32",
                                                      "bool", "string", "list", "u64", "i64", "f64"};

constexpr std::uint64_t longestKept = 4096; // lists for each layer; the vocabulary's are longer
constexpr std::uint64_t longestName = 1024;
constexpr std::uint64_t longestText = 16U << 20U;          // chat templates are a few kilobytes
constexpr std::uint64_t keyMinimum = 8 + 4 + 1;            // length of the key, type, a one-byte value
constexpr std::uint64_t tensorMinimum = 8 + 4 + 8 + 4 + 8; // length of the name, one dimension, type, offset

class GgufReader {
public:
    GgufReader(std::istream& stream, std::uint64_t size, const std::string& name) : m_bytes(stream, size)
    {
        m_header.name = name;
    }

    Result<GgufHeader> read()
    {
        const auto counts = start();
        if (counts) {
            for (std::uint64_t i = 0; i < counts->keys && sound(); ++i)
                key();
            if (sound())
                readAlignment();
            for (std::uint64_t i = 0; i < counts->tensors && sound(); ++i)
                tensor();
        }
        if (sound())
            placeTensors();
        if (!sound())
            return refuse(std::move(m_problems));
        return std::move(m_header);
    }

private:
    struct Counts {
        std::uint64_t tensors = 0;
        std::uint64_t keys = 0;
    };

    [[nodiscard]] bool sound() const { return m_problems.empty(); }
    void fail(std::uint64_t at, Message what, Message hint = {})
    {
        if (!sound())
            return; // what follows is noise
        m_problems.push_back(
            {fmt::format("{}:byte {}", m_header.name, at), std::move(what), std::move(hint)});
    }
    void ends(const Message& inside)
    {
        if (sound())
            fail(m_bytes.at(), say("the file ends inside {}", inside));
    }

    std::optional<Counts> start()
    {
        if (m_bytes.text(4).value_or("") != "GGUF") {
            fail(0, "expected the letters GGUF: this is no llama.cpp model");
            return std::nullopt;
        }
        const auto version = m_bytes.number<std::uint32_t>();
        if (version && (*version == 0x02000000 || *version == 0x03000000))
            fail(4, "a big-endian file is not read");
        else if (version && *version != 2 && *version != 3)
            fail(4, say("expected version 2 or 3, got {}", *version),
                 *version == 1 ? say("convert it with a recent llama.cpp") : Message());
        const auto tensors = m_bytes.number<std::uint64_t>();
        const auto keys = m_bytes.number<std::uint64_t>();
        if (!keys)
            ends("the header");
        if (!sound())
            return std::nullopt;
        m_header.version = *version;
        if (*keys > m_bytes.left() / keyMinimum || *tensors > m_bytes.left() / tensorMinimum)
            fail(8,
                 say("{} tensors and {} keys do not fit into the {} bytes that follow",
                     std::to_string(*tensors), std::to_string(*keys), m_bytes.left()));
        return Counts{*tensors, *keys};
    }

    std::string text(std::uint64_t limit, const Message& what)
    {
        const std::uint64_t at = m_bytes.at();
        const auto length = m_bytes.number<std::uint64_t>();
        if (length && (*length > limit || *length > m_bytes.left())) {
            fail(at,
                 say("{} of {} bytes: {} are left in the file, at most {} are read", what,
                     std::to_string(*length), m_bytes.left(), limit));
            return {};
        }
        auto value = length ? m_bytes.text(*length) : std::nullopt;
        if (!value)
            ends(what);
        return std::move(value).value_or(std::string());
    }

    void key()
    {
        const std::uint64_t at = m_bytes.at();
        std::string name = text(longestName, "a key");
        const std::uint64_t typeAt = m_bytes.at();
        const auto type = m_bytes.number<std::uint32_t>();
        if (!type)
            ends(say("the key '{}'", name));
        if (!sound())
            return;
        if (*type >= valueBytes.size())
            return fail(typeAt, say("the key '{}' has a value of unknown type {}", name, *type));
        GgufValue value = this->value(static_cast<ValueType>(*type), name);
        if (sound() && !m_header.metadata.emplace(name, std::move(value)).second)
            fail(at, say("the key '{}' stands twice", name));
    }

    GgufValue value(ValueType type, const std::string& name)
    {
        if (type == ValueType::String)
            return text(longestText, say("the text of '{}'", name));
        if (type == ValueType::Array)
            return list(name);
        return scalar(type, name);
    }

    GgufValue scalar(ValueType type, const std::string& name)
    {
        const std::uint64_t width = valueBytes.at(static_cast<std::size_t>(type));
        std::uint64_t raw = 0;
        for (std::uint64_t i = 0; i < width; ++i) {
            const auto byte = m_bytes.number<std::uint8_t>();
            if (!byte) {
                ends(say("the value of '{}'", name));
                return raw;
            }
            raw |= static_cast<std::uint64_t>(*byte) << (8 * i);
        }
        switch (type) {
        case ValueType::Bool:
            return raw != 0;
        case ValueType::F32:
            return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(raw)));
        case ValueType::F64:
            return std::bit_cast<double>(raw);
        case ValueType::I8:
            return static_cast<std::int64_t>(static_cast<std::int8_t>(raw));
        case ValueType::I16:
            return static_cast<std::int64_t>(static_cast<std::int16_t>(raw));
        case ValueType::I32:
            return static_cast<std::int64_t>(static_cast<std::int32_t>(raw));
        case ValueType::I64:
            return static_cast<std::int64_t>(raw);
        default:
            return raw;
        }
    }

    GgufValue list(const std::string& name)
    {
        const std::uint64_t at = m_bytes.at();
        const auto type = m_bytes.number<std::uint32_t>();
        const auto length = m_bytes.number<std::uint64_t>();
        if (!length) {
            ends(say("the list '{}'", name));
            return GgufList{};
        }
        const bool known = *type < valueBytes.size() && static_cast<ValueType>(*type) != ValueType::Array;
        if (!known) {
            fail(at,
                 say("the list '{}' holds values of {} type {}", name,
                     *type < valueBytes.size() ? say("nested") : say("unknown"), *type));
            return GgufList{};
        }
        const auto elementType = static_cast<ValueType>(*type);
        const std::uint64_t width
            = std::max<std::uint64_t>(valueBytes.at(*type), elementType == ValueType::String ? 8 : 1);
        if (*length > m_bytes.left() / width) {
            fail(at,
                 say("the list '{}' of {} {} values does not fit into the {} bytes that follow", name,
                     std::to_string(*length), asIs(valueNames.at(*type)), m_bytes.left()));
            return GgufList{};
        }
        return elements(elementType, *length, name);
    }

    GgufList elements(ValueType type, std::uint64_t length, const std::string& name)
    {
        GgufList list{.length = length};
        if (type == ValueType::String) {
            for (std::uint64_t i = 0; i < length && sound(); ++i) {
                const std::uint64_t at = m_bytes.at();
                const auto bytes = m_bytes.number<std::uint64_t>();
                if (!bytes || !m_bytes.skip(*bytes))
                    fail(at, say("the file ends inside text {} of the list '{}'", i, name));
            }
        } else if (length <= longestKept) {
            for (std::uint64_t i = 0; i < length && sound(); ++i)
                list.numbers.push_back(asNumber(scalar(type, name)));
        } else if (!m_bytes.skip(length * valueBytes.at(static_cast<std::size_t>(type)))) {
            ends(say("the list '{}'", name));
        }
        return list;
    }

    static double asNumber(const GgufValue& value)
    {
        return std::visit(
            [](const auto& v) -> double {
                if constexpr (std::is_arithmetic_v<std::decay_t<decltype(v)>>)
                    return static_cast<double>(v);
                else
                    return 0;
            },
            value);
    }

    void readAlignment()
    {
        const auto given = m_header.count("general.alignment");
        if (!m_header.metadata.contains("general.alignment"))
            return;
        constexpr std::uint64_t largest = 1U << 20U;
        if (!given || *given == 0 || *given > largest || !std::has_single_bit(*given))
            return fail(m_bytes.at(), say("general.alignment: expected a power of two up to {}", largest));
        m_header.alignment = *given;
    }

    void tensor()
    {
        const std::uint64_t at = m_bytes.at();
        StoredTensor tensor;
        tensor.name = text(longestName, "a tensor's name");
        const auto dimensions = m_bytes.number<std::uint32_t>();
        if (dimensions && (*dimensions == 0 || *dimensions > 4))
            return fail(at, say("tensor '{}': expected 1 to 4 dimensions, got {}", tensor.name, *dimensions));
        tensor.elements = 1;
        for (std::uint32_t i = 0; sound() && dimensions && i < *dimensions; ++i) {
            const auto extent = m_bytes.number<std::uint64_t>();
            if (!extent)
                break;
            constexpr auto most = static_cast<std::uint64_t>(std::int64_t{1} << 46); // 70 trillion elements
            if (*extent == 0 || *extent > most / static_cast<std::uint64_t>(tensor.elements))
                return fail(at,
                            say("tensor '{}': a dimension of {} makes an impossible size", tensor.name,
                                std::to_string(*extent)));
            tensor.shape.push_back(static_cast<std::int64_t>(*extent));
            tensor.elements *= static_cast<std::int64_t>(*extent);
        }
        const auto type = m_bytes.number<std::uint32_t>();
        const auto offset = m_bytes.number<std::uint64_t>();
        if (!offset)
            ends(say("the description of tensor '{}'", tensor.name));
        if (!sound())
            return;
        tensor.offset = *offset;
        sized(tensor, *type, at);
        if (sound() && !m_names.insert(tensor.name).second)
            fail(at, say("tensor '{}' stands twice", tensor.name));
        m_header.tensors.push_back(std::move(tensor));
        m_positions.push_back(at);
    }

    void sized(StoredTensor& tensor, std::uint32_t code, std::uint64_t at)
    {
        const auto* const type = std::find_if(blockTypes.begin(), blockTypes.end(),
                                              [&](const BlockType& known) { return known.code == code; });
        if (type == blockTypes.end())
            return fail(at, say("tensor '{}' has the unknown type {}", tensor.name, code));
        if (tensor.shape.front() % type->elements != 0)
            return fail(at,
                        say("tensor '{}': rows of {} are no whole blocks of {} ({})", tensor.name,
                            tensor.shape.front(), type->elements, asIs(type->name)));
        if (tensor.offset % m_header.alignment != 0)
            return fail(at,
                        say("tensor '{}': the offset {} is no multiple of the alignment {}", tensor.name,
                            std::to_string(tensor.offset), m_header.alignment));
        tensor.type = type->name;
        tensor.bytes = static_cast<std::uint64_t>(tensor.elements) / type->elements * type->bytes;
    }

    // The data starts at the next multiple of the alignment; every tensor must end inside the file, none may
    // overlap.
    void placeTensors()
    {
        const std::uint64_t start
            = (m_bytes.at() + m_header.alignment - 1) / m_header.alignment * m_header.alignment;
        m_header.dataStart = start;
        const std::uint64_t data = m_bytes.size() > start ? m_bytes.size() - start : 0;
        std::vector<std::size_t> order(m_header.tensors.size());
        for (std::size_t i = 0; i < order.size(); ++i)
            order[i] = i;
        std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            return m_header.tensors[a].offset < m_header.tensors[b].offset;
        });
        std::uint64_t end = 0;
        for (const std::size_t i : order) {
            const StoredTensor& tensor = m_header.tensors[i];
            if (tensor.offset > data || tensor.bytes > data - tensor.offset)
                return fail(m_positions[i],
                            say("tensor '{}' needs {} bytes from byte {} on, the file ends at {}",
                                tensor.name, tensor.bytes, std::to_string(tensor.offset), data),
                            "positions count from the start of the weights; was the download cut short?");
            if (tensor.offset < end)
                return fail(m_positions[i], say("tensor '{}' overlaps another one", tensor.name));
            end = tensor.offset + tensor.bytes;
        }
    }

    ByteReader m_bytes;
    GgufHeader m_header;
    std::vector<std::uint64_t> m_positions;
    std::set<std::string> m_names;
    Problems m_problems;
};

} // namespace

Result<GgufHeader> readGguf(std::istream& stream, std::uint64_t size, const std::string& name)
{
    return GgufReader(stream, size, name).read();
}

Result<GgufHeader> readGguf(const std::filesystem::path& file)
{
    std::error_code error;
    if (!std::filesystem::is_regular_file(file, error))
        return refuse(file.string(), "there is no such file");
    const std::uint64_t size = std::filesystem::file_size(file, error);
    std::ifstream stream(file, std::ios::binary);
    if (error || !stream)
        return refuse(file.string(), "cannot be read");
    return readGguf(stream, size, file.string());
}

} // namespace headroom
