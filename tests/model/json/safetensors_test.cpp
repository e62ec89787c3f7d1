#include "model/count/parameters.h"
#include "model/import/import_model.h"
#include "model/import/safetensors.h"
#include "tests/model/json/gguf_builder.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

using namespace headroom;
namespace fs = std::filesystem;

namespace {

std::string little(std::uint64_t value) { return GgufBuilder::number(value); }

Result<std::vector<StoredTensor>> readBytes(const std::string& bytes, std::uint64_t size)
{
    std::istringstream stream(bytes);
    return readSafetensors(stream, size, "m.safetensors");
}
Result<std::vector<StoredTensor>> readTensors(const std::string& header, std::uint64_t data)
{
    return readBytes(little(header.size()) + header, 8 + header.size() + data);
}
std::string refusal(const Result<std::vector<StoredTensor>>& tensors)
{
    return tensors ? "accepted"
                   : tensors.error().front().where + ": " + tensors.error().front().what.english();
}
std::string refusal(const std::string& header, std::uint64_t data)
{
    return refusal(readTensors(header, data));
}
// A header with one tensor `t` of this description.
std::string oneTensor(const std::string& description, std::uint64_t data)
{
    return refusal("{\"t\": {" + description + "}}", data);
}

// A folder of its own, removed at the end.
class Folder {
public:
    explicit Folder(const std::string& name)
    {
        std::string unique = (fs::temp_directory_path() / "headroom-XXXXXX").string();
        REQUIRE(mkdtemp(unique.data()) != nullptr);
        m_root = unique;
        m_path = m_root / name;
        fs::create_directories(m_path);
    }
    ~Folder() { fs::remove_all(m_root); }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

    fs::path write(const std::string& name, const std::string& bytes) const
    {
        std::ofstream(m_path / name, std::ios::binary) << bytes;
        return m_path / name;
    }
    [[nodiscard]] const fs::path& path() const { return m_path; }

private:
    fs::path m_root;
    fs::path m_path;
};

std::string safetensors(const std::string& header, std::uint64_t data)
{
    return little(header.size()) + header + std::string(data, '\0');
}

const std::string tinyConfig
    = R"({"architectures": ["LlamaForCausalLM"], "hidden_size": 8, "intermediate_size": 16,
    "num_attention_heads": 2, "num_hidden_layers": 1, "vocab_size": 10, "max_position_embeddings": 64, "tie_word_embeddings": true, "torch_dtype": "bfloat16"})";

std::string importProblem(const fs::path& path)
{
    const auto model = importModel(path);
    return model ? "accepted" : model.error().front().what.english();
}

} // namespace

TEST_CASE("a safetensors header gives the bytes of every tensor")
{
    const auto tensors = readTensors(
        R"({"__metadata__": {"format": "pt"}, "b": {"dtype": "F32", "shape": [3], "data_offsets": [12, 24]},
        "a": {"dtype": "BF16", "shape": [2, 3], "data_offsets": [0, 12]}})",
        24);
    REQUIRE_MESSAGE(tensors.has_value(), refusal(tensors));
    REQUIRE(tensors->size() == 2);
    CHECK((*tensors)[1]
          == StoredTensor{
              .name = "a", .type = "BF16", .shape = {2, 3}, .elements = 6, .offset = 0, .bytes = 12});
    CHECK((*tensors)[0].bytes == 12);
}

TEST_CASE("every element type has its width, those below a byte too")
{
    const std::vector<std::pair<std::string, std::uint64_t>> bytesOf8{
        {"BOOL", 8}, {"F4", 4},      {"F6_E2M3", 6}, {"F6_E3M2", 6}, {"U8", 8},
        {"I8", 8},   {"F8_E5M2", 8}, {"F8_E4M3", 8}, {"F8_E8M0", 8}, {"I16", 16},
        {"U16", 16}, {"F16", 16},    {"BF16", 16},   {"I32", 32},    {"U32", 32},
        {"F32", 32}, {"C64", 64},    {"F64", 64},    {"I64", 64},    {"U64", 64}};
    for (const auto& [type, bytes] : bytesOf8)
        CHECK(oneTensor("\"dtype\": \"" + type + "\", \"shape\": [8], \"data_offsets\": [0, "
                            + std::to_string(bytes) + "]",
                        bytes)
              == "accepted");
}

TEST_CASE("empty tensors and scalars are tensors")
{
    CHECK(oneTensor(R"("dtype": "F32", "shape": [], "data_offsets": [0, 4])", 4) == "accepted");
    CHECK(oneTensor(R"("dtype": "F32", "shape": [0, 7], "data_offsets": [0, 0])", 0) == "accepted");
    CHECK(refusal("{}", 0) == "accepted");
}

TEST_CASE("broken safetensors files are refused at their place")
{
    CHECK(refusal(readBytes("", 0))
          == "m.safetensors:byte 0: the file has 0 bytes, its first 8 are the length of a header");
    CHECK(refusal(readBytes("1234567", 7))
          == "m.safetensors:byte 0: the file has 7 bytes, its first 8 are the length of a header");
    CHECK(refusal(readBytes(little(1), 8)) == "m.safetensors:byte 0: a header of 1 bytes, 0 follow");
    CHECK(refusal(readBytes(little(0), 8))
              .starts_with("m.safetensors (header):1:1: expected a value, the text ends here"));
    CHECK(refusal(readBytes(little(100'000'001), 1'000'000'000))
          == "m.safetensors:byte 0: a header of 100000001 bytes: the format allows 100000000");
    CHECK(refusal(readBytes(little(0xFFFFFFFFFFFFFFFF), 64))
          == "m.safetensors:byte 0: a header of 18446744073709551615 bytes: the format allows 100000000");
    CHECK(refusal(readBytes(little(50) + "{}", 10))
          == "m.safetensors:byte 0: a header of 50 bytes, 2 follow");
    CHECK(refusal("[]", 0) == "m.safetensors (header):1:1: expected an object of tensors, got a list of 0");
    CHECK(refusal("null", 0) == "m.safetensors (header):1:1: expected an object of tensors, got null");
    CHECK(refusal("{", 0)
          == "m.safetensors (header):1:2: expected a key in quotes or '}', the text ends here");
    CHECK(refusal("{}x", 0)
          == "m.safetensors (header):1:3: expected the end of the text after the value, got more");
    CHECK(refusal(std::string(5000, '['), 0)
          == "m.safetensors (header):1:65: nested more than 64 levels deep");
    CHECK(refusal("{\"a\": {}, \"a\": {}}", 0)
          == "m.safetensors (header):1:16: the key \"a\" stands twice in this object");
    CHECK(refusal("\xFF\xFE", 0) == "m.safetensors (header):1:1: expected a value, got the byte 0xff");
    CHECK(refusal("{\"t\": 5}", 0) == "m.safetensors (header):1:7 t: expected a known 'dtype', got nothing");
    CHECK(refusal("{\"t\": []}", 0) == "m.safetensors (header):1:7 t: expected a known 'dtype', got nothing");
    CHECK(refusal("{\"t\": null}", 0)
          == "m.safetensors (header):1:7 t: expected a known 'dtype', got nothing");
    CHECK(oneTensor("", 0) == "m.safetensors (header):1:7 t: expected a known 'dtype', got nothing");
    CHECK(oneTensor(R"("dtype": "F33", "shape": [1], "data_offsets": [0, 4])", 4)
          == "m.safetensors (header):1:17 t.dtype: expected a known 'dtype', got \"F33\"");
    CHECK(oneTensor(R"("dtype": "f32", "shape": [1], "data_offsets": [0, 4])", 4)
          == "m.safetensors (header):1:17 t.dtype: expected a known 'dtype', got \"f32\"");
    CHECK(oneTensor(R"("dtype": 32, "shape": [1], "data_offsets": [0, 4])", 4)
          == "m.safetensors (header):1:17 t.dtype: expected a known 'dtype', got 32");
    CHECK(oneTensor(R"("dtype": "F32", "data_offsets": [0, 4])", 4)
          == "m.safetensors (header):1:7 t: expected 'shape' as a list, got nothing");
    CHECK(oneTensor(R"("dtype": "F32", "shape": 1, "data_offsets": [0, 4])", 4)
          == "m.safetensors (header):1:33 t.shape: expected 'shape' as a list, got 1");
    CHECK(oneTensor(R"("dtype": "F32", "shape": [-1], "data_offsets": [0, 4])", 4)
          == "m.safetensors (header):1:34 t.shape[0]: -1 makes an impossible size");
    CHECK(oneTensor(R"("dtype": "F32", "shape": [1.5], "data_offsets": [0, 4])", 4)
          == "m.safetensors (header):1:34 t.shape[0]: 1.5 makes an impossible size");
    CHECK(oneTensor(R"("dtype": "F32", "shape": ["1"], "data_offsets": [0, 4])", 4)
          == "m.safetensors (header):1:34 t.shape[0]: \"1\" makes an impossible size");
    CHECK(oneTensor(R"("dtype": "F32", "shape": [NaN], "data_offsets": [0, 4])", 4)
          == "m.safetensors (header):1:34 t.shape[0]: NaN makes an impossible size");
    CHECK(oneTensor(R"("dtype": "F32", "shape": [1e300], "data_offsets": [0, 4])", 4)
          == "m.safetensors (header):1:34 t.shape[0]: 1e300 makes an impossible size");
    CHECK(oneTensor(R"("dtype": "F32", "shape": [9223372036854775807], "data_offsets": [0, 4])", 4)
          == "m.safetensors (header):1:34 t.shape[0]: 9223372036854775807 makes an impossible size");
    CHECK(oneTensor(R"("dtype": "F32", "shape": [4294967296, 4294967296], "data_offsets": [0, 4])", 4)
          == "m.safetensors (header):1:46 t.shape[1]: 4294967296 makes an impossible size");
    CHECK(oneTensor(R"("dtype": "F32", "shape": [1])", 4)
          == "m.safetensors (header):1:7 t: expected 'data_offsets' as [begin, end], got nothing");
    CHECK(oneTensor(R"("dtype": "F32", "shape": [1], "data_offsets": 4)", 4)
          == "m.safetensors (header):1:54 t.data_offsets: expected 'data_offsets' as [begin, end], got 4");
    CHECK(oneTensor(R"("dtype": "F32", "shape": [1], "data_offsets": [0])", 4)
          == "m.safetensors (header):1:54 t.data_offsets: expected 'data_offsets' as [begin, end], got a "
             "list of 1");
    CHECK(oneTensor(R"("dtype": "F32", "shape": [1], "data_offsets": [0, 4, 8])", 4)
          == "m.safetensors (header):1:54 t.data_offsets: expected 'data_offsets' as [begin, end], got a "
             "list of 3");
    CHECK(oneTensor(R"("dtype": "F32", "shape": [1], "data_offsets": [4, 0])", 4)
          == "m.safetensors (header):1:54 t.data_offsets: expected 'data_offsets' as [begin, end], got a "
             "list of 2");
    CHECK(oneTensor(R"("dtype": "F32", "shape": [1], "data_offsets": [-4, 0])", 4)
          == "m.safetensors (header):1:54 t.data_offsets: expected 'data_offsets' as [begin, end], got a "
             "list of 2");
    CHECK(oneTensor(R"("dtype": "F32", "shape": [1], "data_offsets": ["0", 4])", 4)
          == "m.safetensors (header):1:54 t.data_offsets: expected 'data_offsets' as [begin, end], got a "
             "list of 2");
    CHECK(oneTensor(R"("dtype": "F32", "shape": [1], "data_offsets": [0, 18446744073709551616])", 4)
          == "m.safetensors (header):1:54 t.data_offsets: expected 'data_offsets' as [begin, end], got a "
             "list of 2");
    CHECK(oneTensor(R"("dtype": "F32", "shape": [2], "data_offsets": [0, 4])", 4)
          == "m.safetensors (header):1:54 t.data_offsets: 2 values of F32 take 8 bytes, the offsets span 4");
    CHECK(oneTensor(R"("dtype": "BF16", "shape": [2], "data_offsets": [0, 8])", 8)
          == "m.safetensors (header):1:55 t.data_offsets: 2 values of BF16 take 4 bytes, the offsets span 8");
    CHECK(oneTensor(R"("dtype": "F32", "shape": [1], "data_offsets": [0, 4])", 3)
          == "m.safetensors (header):1:54 t.data_offsets: the tensor ends at byte 4 of the data, the file at "
             "3");
    CHECK(oneTensor(R"("dtype": "F32", "shape": [1], "data_offsets": [0, 4])", 0)
          == "m.safetensors (header):1:54 t.data_offsets: the tensor ends at byte 4 of the data, the file at "
             "0");
    CHECK(
        oneTensor(R"("dtype": "F32", "shape": [1], "data_offsets": [4, 8])", 8)
        == "m.safetensors (header):1:7 t: the tensor starts at byte 4 of the data, the one before ends at 0");
    CHECK(oneTensor(R"("dtype": "F32", "shape": [1], "data_offsets": [0, 4])", 5)
          == "m.safetensors (header):1:1: the tensors take 4 bytes, the file holds 5 behind its header");
    CHECK(
        refusal(
            R"({"a": {"dtype": "U8", "shape": [4], "data_offsets": [0, 4]}, "b": {"dtype": "U8", "shape": [4], "data_offsets": [2, 6]}})",
            6)
        == "m.safetensors (header):1:67 b: the tensor starts at byte 2 of the data, the one before ends at "
           "4");
}

TEST_CASE("a header cut anywhere is refused, wherever the cut falls")
{
    const std::string header = R"({"a": {"dtype": "U8", "shape": [4], "data_offsets": [0, 4]}})";
    const std::string bytes = safetensors(header, 4);
    for (std::size_t length = 0; length < bytes.size(); ++length)
        CHECK_FALSE(readBytes(bytes.substr(0, length), length).has_value());
    CHECK(readBytes(bytes, bytes.size()).has_value());
}

TEST_CASE("a folder with a configuration and its weights is imported with their bytes")
{
    const Folder folder("Tiny-1.5B");
    folder.write("config.json", tinyConfig);
    const auto bare = importModel(folder.path());
    REQUIRE_MESSAGE(bare.has_value(), importProblem(folder.path()));
    CHECK(bare->llm.id == "tiny-1.5b");
    CHECK(!bare->stored);
    const std::int64_t parameters = countParameters(bare->llm).total;
    const std::string header = R"({"w": {"dtype": "BF16", "shape": [)" + std::to_string(parameters)
        + R"(], "data_offsets": [0, )" + std::to_string(2 * parameters) + "]}}";
    folder.write("model.safetensors", safetensors(header, static_cast<std::uint64_t>(2 * parameters)));
    const auto model = importModel(folder.path());
    REQUIRE_MESSAGE(model.has_value(), importProblem(folder.path()));
    REQUIRE(model->stored.has_value());
    CHECK(model->stored->bytes == static_cast<std::uint64_t>(2 * parameters));
    CHECK(model->stored->byType.at("BF16").elements == parameters);
    CHECK(model->warnings.empty());
    CHECK(importModel(folder.path() / "model.safetensors")->llm.id == "tiny-1.5b");
}

TEST_CASE("an index leads to its shards, names those that are missing and follows no path out of its folder")
{
    const Folder folder("sharded");
    folder.write("config.json", tinyConfig);
    const auto index = [&](const std::string& map) {
        return folder.write("model.safetensors.index.json",
                            "{\"metadata\": {\"total_size\": 8}, \"weight_map\": " + map + "}");
    };
    folder.write("model-00001-of-00002.safetensors",
                 safetensors(R"({"a": {"dtype": "U8", "shape": [4], "data_offsets": [0, 4]}})", 4));
    const fs::path file
        = index(R"({"a": "model-00001-of-00002.safetensors", "b": "model-00002-of-00002.safetensors"})");
    const auto partly = importModel(file);
    REQUIRE_MESSAGE(partly.has_value(), importProblem(file));
    CHECK(partly->stored->bytes == 4);
    REQUIRE(partly->stored->missing.size() == 1);
    CHECK(partly->warnings.size() == 1);
    folder.write("model-00002-of-00002.safetensors",
                 safetensors(R"({"b": {"dtype": "F16", "shape": [2], "data_offsets": [0, 4]}})", 4));
    CHECK(importModel(folder.path())->stored->bytes == 8);
    index(R"({"a": "../../etc/passwd"})");
    CHECK(importProblem(file) == "expected the name of a file beside this one, got \"../../etc/passwd\"");
    index(R"({"a": 5})");
    CHECK(importProblem(file) == "expected the name of a file beside this one, got 5");
    index(R"({"c": "model-00001-of-00002.safetensors"})");
    CHECK(importProblem(file) == "1 of its tensors are not in model-00001-of-00002.safetensors");
    index("[]");
    CHECK(importProblem(file) == "expected 'weight_map': the file of every tensor");
}

TEST_CASE("files that cannot be imported are refused with what would help")
{
    const Folder folder("refused");
    CHECK(importProblem(folder.path() / "nothing.gguf") == "there is no such file or folder");
    CHECK(importProblem(folder.path())
          == "there is no config.json: tensors alone do not say how many heads share them");
    CHECK(importProblem(folder.write("lone.safetensors", safetensors("{}", 0)))
          == "there is no config.json: tensors alone do not say how many heads share them");
    CHECK(importProblem(folder.write("model.bin", "x"))
          == "expected a config.json, a folder with one, a .safetensors or a .gguf file");
    CHECK(importProblem(folder.write("empty.gguf", ""))
          == "expected the letters GGUF: this is no llama.cpp model");
    CHECK(importProblem(folder.write("part-00001-of-00002.gguf", GgufBuilder().file()))
          == "there is no such file");
    CHECK(importProblem(folder.write("config.json", "")) == "expected a value, the text ends here");
}
