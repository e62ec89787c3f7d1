#include "model/import/safetensors.h"

#include "model/text/byte_reader.h"
#include "model/text/json_document.h"
#include "model/text/text_file.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fstream>
#include <set>

namespace headroom {

namespace {

constexpr std::uint64_t longestHeader = 100'000'000; // the format's own limit (safetensors, tensor.rs)
constexpr std::uint64_t longestIndex = 64U << 20U;

struct ElementType {
    std::string_view name;
    std::uint64_t bits;
};
constexpr std::array elementTypes{
    ElementType{"BOOL", 8},    ElementType{"F4", 4},   ElementType{"F6_E2M3", 6}, ElementType{"F6_E3M2", 6},
    ElementType{"U8", 8},      ElementType{"I8", 8},   ElementType{"F8_E5M2", 8}, ElementType{"F8_E4M3", 8},
    ElementType{"F8_E8M0", 8}, ElementType{"I16", 16}, ElementType{"U16", 16},    ElementType{"F16", 16},
    ElementType{"BF16", 16},   ElementType{"I32", 32}, ElementType{"U32", 32},    ElementType{"F32", 32},
    ElementType{"C64", 64},    ElementType{"F64", 64}, ElementType{"I64", 64},    ElementType{"U64", 64},
};

class TensorListReader {
public:
    TensorListReader(JsonValue header, std::uint64_t dataBytes) : m_header(header), m_data(dataBytes) {}

    Result<std::vector<StoredTensor>> read()
    {
        if (!m_header.isObject())
            fail(m_header, say("expected an object of tensors, got {}", m_header.shown()));
        for (JsonValue entry = m_header.firstChild(); entry && m_problems.size() < 50; entry = entry.next())
            if (entry.key() != "__metadata__")
                tensor(entry);
        if (m_problems.empty())
            checkPlaces();
        if (!m_problems.empty())
            return refuse(std::move(m_problems));
        return std::move(m_tensors);
    }

private:
    void fail(JsonValue value, Message what) { m_problems.push_back({value.place(), std::move(what), {}}); }

    void tensor(JsonValue entry)
    {
        StoredTensor tensor{.name = std::string(entry.key()), .elements = 1};
        const auto* const type
            = std::find_if(elementTypes.begin(), elementTypes.end(), [&](const ElementType& known) {
                  return known.name == entry["dtype"].text().value_or("");
              });
        if (type == elementTypes.end())
            return fail(entry["dtype"] ? entry["dtype"] : entry,
                        say("expected a known 'dtype', got {}", entry["dtype"].shown()));
        const JsonValue shape = entry["shape"];
        if (!shape.isArray())
            return fail(shape ? shape : entry, say("expected 'shape' as a list, got {}", shape.shown()));
        for (JsonValue extent = shape.firstChild(); extent; extent = extent.next()) {
            const auto value = extent.whole();
            constexpr std::int64_t most = std::int64_t{1} << 46; // 70 trillion elements
            if (!value || *value < 0 || (tensor.elements > 0 && *value > most / tensor.elements))
                return fail(extent, say("{} makes an impossible size", extent.shown()));
            tensor.shape.push_back(*value);
            tensor.elements *= *value;
        }
        tensor.type = type->name;
        tensor.bytes = (static_cast<std::uint64_t>(tensor.elements) * type->bits + 7) / 8;
        place(entry, tensor);
    }

    void place(JsonValue entry, StoredTensor& tensor)
    {
        const JsonValue offsets = entry["data_offsets"];
        const auto begin = offsets.firstChild().whole();
        const auto end = offsets.firstChild().next().whole();
        if (offsets.size() != 2 || !begin || !end || *begin < 0 || *end < *begin)
            return fail(offsets ? offsets : entry,
                        say("expected 'data_offsets' as [begin, end], got {}", offsets.shown()));
        const auto bytes = static_cast<std::uint64_t>(*end - *begin);
        if (bytes != tensor.bytes)
            return fail(offsets,
                        say("{} values of {} take {} bytes, the offsets span {}", tensor.elements,
                            asIs(tensor.type), tensor.bytes, bytes));
        if (static_cast<std::uint64_t>(*end) > m_data)
            return fail(offsets, say("the tensor ends at byte {} of the data, the file at {}", *end, m_data));
        tensor.offset = static_cast<std::uint64_t>(*begin);
        m_tensors.push_back(std::move(tensor));
    }

    void checkPlaces()
    {
        std::vector<const StoredTensor*> order;
        for (const StoredTensor& tensor : m_tensors)
            order.push_back(&tensor);
        std::stable_sort(order.begin(), order.end(), [](const StoredTensor* a, const StoredTensor* b) {
            return a->offset != b->offset ? a->offset < b->offset : a->bytes < b->bytes;
        });
        std::uint64_t end = 0;
        for (const StoredTensor* const tensor : order) {
            if (tensor->offset != end)
                return fail(m_header[tensor->name],
                            say("the tensor starts at byte {} of the data, the one before ends at {}",
                                tensor->offset, end));
            end += tensor->bytes;
        }
        if (end != m_data)
            fail(m_header,
                 say("the tensors take {} bytes, the file holds {} behind its header", end, m_data));
    }

    JsonValue m_header;
    std::uint64_t m_data;
    std::vector<StoredTensor> m_tensors;
    Problems m_problems;
};

Result<std::vector<StoredTensor>> readPart(StoredWeights& weights, const std::filesystem::path& file)
{
    auto tensors = readSafetensors(file);
    if (tensors) {
        weights.files.push_back(file.string());
        for (const StoredTensor& tensor : *tensors)
            weights.add(tensor);
    }
    return tensors;
}

Result<StoredWeights> readIndex(const std::filesystem::path& file)
{
    Result<std::string> text = readTextFile(file, longestIndex);
    if (!text)
        return refuse(std::move(text.error()));
    const Result<JsonDocument> document = JsonDocument::parse(std::move(*text), file.string());
    if (!document)
        return refuse(document.error());
    const JsonValue map = document->root()["weight_map"];
    if (!map.isObject() || map.size() == 0)
        return refuse((map ? map : document->root()).place(),
                      "expected 'weight_map': the file of every tensor");
    Problems problems;
    std::map<std::string, std::set<std::string_view>> shards;
    for (JsonValue entry = map.firstChild(); entry && problems.size() < 50; entry = entry.next()) {
        const std::string shard(entry.text().value_or(""));
        // Only names beside the index: a path from a downloaded file leads nowhere else.
        if (shard.empty() || shard.find_first_of("/\\") != std::string::npos || shard == "..")
            problems.push_back({entry.place(),
                                say("expected the name of a file beside this one, got {}", entry.shown()),
                                {}});
        else
            shards[shard].insert(entry.key());
    }
    StoredWeights weights;
    for (const auto& [shard, names] : shards) {
        const std::filesystem::path part = file.parent_path() / shard;
        std::error_code error;
        if (!std::filesystem::exists(part, error)) {
            weights.missing.push_back(part.string());
            continue;
        }
        const auto tensors = readPart(weights, part);
        if (!tensors) {
            problems.insert(problems.end(), tensors.error().begin(), tensors.error().end());
            continue;
        }
        std::set<std::string_view> unseen = names;
        for (const StoredTensor& tensor : *tensors)
            unseen.erase(tensor.name);
        if (!unseen.empty())
            problems.push_back({map[*unseen.begin()].place(),
                                say("{} of its tensors are not in {}", unseen.size(), shard),
                                {}});
    }
    if (!problems.empty())
        return refuse(std::move(problems));
    return weights;
}

} // namespace

Result<std::vector<StoredTensor>> readSafetensors(std::istream& stream, std::uint64_t size,
                                                  const std::string& name)
{
    ByteReader bytes(stream, size);
    const auto length = bytes.number<std::uint64_t>();
    if (!length)
        return refuse(name + ":byte 0",
                      say("the file has {} bytes, its first 8 are the length of a header", size));
    if (*length > longestHeader)
        return refuse(
            name + ":byte 0",
            say("a header of {} bytes: the format allows {}", std::to_string(*length), longestHeader),
            "is this a safetensors file?");
    if (*length > bytes.left())
        return refuse(name + ":byte 0",
                      say("a header of {} bytes, {} follow", std::to_string(*length), bytes.left()),
                      "was the download cut short?");
    const std::string header = bytes.text(*length).value_or("");
    const JsonLimits limits{.bytes = longestHeader};
    const Result<JsonDocument> document = JsonDocument::parse(header, name + " (header)", limits);
    if (!document)
        return refuse(document.error());
    return TensorListReader(document->root(), bytes.left()).read();
}

Result<std::vector<StoredTensor>> readSafetensors(const std::filesystem::path& file)
{
    std::error_code error;
    if (!std::filesystem::is_regular_file(file, error))
        return refuse(file.string(), "there is no such file");
    const std::uint64_t size = std::filesystem::file_size(file, error);
    std::ifstream stream(file, std::ios::binary);
    if (error || !stream)
        return refuse(file.string(), "cannot be read");
    return readSafetensors(stream, size, file.string());
}

Result<StoredWeights> readSafetensorsWeights(const std::filesystem::path& file)
{
    if (file.extension() == ".json")
        return readIndex(file);
    StoredWeights weights;
    const auto tensors = readPart(weights, file);
    if (!tensors)
        return refuse(tensors.error());
    return weights;
}

} // namespace headroom
