#include "model/count/parameters.h"
#include "model/import/gguf_model.h"
#include "tests/model/json/gguf_builder.h"

#include <doctest/doctest.h>

#include <sstream>

using namespace headroom;

namespace {

Result<GgufHeader> read(const std::string& bytes, std::uint64_t size)
{
    std::istringstream stream(bytes);
    return readGguf(stream, size, "m.gguf");
}
Result<GgufHeader> read(const GgufBuilder& builder) { return read(builder.header(), builder.size()); }

std::string firstProblem(const Result<GgufHeader>& header)
{
    return header ? "accepted" : header.error().front().where + ": " + header.error().front().what.english();
}

// Two layers of 64 wide, 4 heads over 2 of 16, an MLP of 96, a vocabulary of 100; matrices in Q4_0 and F16.
GgufBuilder completeLlama(bool tied = false, bool experts = false)
{
    GgufBuilder b;
    b.string("general.architecture", "llama").string("general.name", "Tiny").u32("general.file_type", 2);
    b.u32("llama.block_count", 2).u32("llama.context_length", 2048);
    b.u32("llama.attention.head_count", 4).u32("llama.rope.dimension_count", 16);
    b.f32("llama.attention.layer_norm_rms_epsilon", 1e-5F);
    if (experts)
        b.u32("llama.expert_used_count", 2);
    b.tensor("token_embd.weight", {64, 100}, 1, 64 * 100 * 2);
    b.tensor("output_norm.weight", {64}, 0, 64 * 4);
    if (!tied)
        b.tensor("output.weight", {64, 100}, 1, 64 * 100 * 2);
    b.tensor("rope_freqs.weight", {8}, 0, 32);
    for (const std::string layer : {"blk.0.", "blk.1."}) {
        b.tensor(layer + "attn_norm.weight", {64}, 0, 256).tensor(layer + "ffn_norm.weight", {64}, 0, 256);
        b.tensor(layer + "attn_q.weight", {64, 64}, 2, 64 * 64 / 32 * 18);
        b.tensor(layer + "attn_k.weight", {64, 32}, 2, 64 * 32 / 32 * 18);
        b.tensor(layer + "attn_v.weight", {64, 32}, 2, 64 * 32 / 32 * 18);
        b.tensor(layer + "attn_output.weight", {64, 64}, 2, 64 * 64 / 32 * 18);
        if (experts) {
            b.tensor(layer + "ffn_gate_inp.weight", {64, 4}, 0, 64 * 4 * 4);
            b.tensor(layer + "ffn_gate_exps.weight", {64, 96, 4}, 2, 4 * 64 * 96 / 32 * 18);
            b.tensor(layer + "ffn_up_exps.weight", {64, 96, 4}, 2, 4 * 64 * 96 / 32 * 18);
            b.tensor(layer + "ffn_down_exps.weight", {96, 64, 4}, 2, 4 * 64 * 96 / 32 * 18);
        } else {
            b.tensor(layer + "ffn_gate.weight", {64, 96}, 2, 64 * 96 / 32 * 18);
            b.tensor(layer + "ffn_up.weight", {64, 96}, 2, 64 * 96 / 32 * 18);
            b.tensor(layer + "ffn_down.weight", {96, 64}, 2, 64 * 96 / 32 * 18);
        }
    }
    return b;
}

Result<GgufModel> model(const GgufBuilder& builder)
{
    auto header = read(builder);
    REQUIRE_MESSAGE(header.has_value(), firstProblem(header));
    return readGgufModel({std::move(*header)});
}
std::string modelProblem(const GgufBuilder& builder)
{
    const auto result = model(builder);
    return result ? "accepted" : result.error().front().where + ": " + result.error().front().what.english();
}

struct BrokenFile {
    std::string name;
    std::string bytes;
    std::uint64_t size;
    std::string problem;
};

std::string start(std::uint64_t tensors, std::uint64_t keys, std::uint32_t version = 3)
{
    return "GGUF" + GgufBuilder::number(version) + GgufBuilder::number(tensors) + GgufBuilder::number(keys);
}

GgufBuilder one(const std::vector<std::uint64_t>& shape, std::uint32_t type)
{
    GgufBuilder b;
    b.tensor("t", shape, type, 0);
    return b;
}

} // namespace

TEST_CASE("the header of a llama.cpp file is read with the bytes of every tensor")
{
    const auto header = read(completeLlama());
    REQUIRE_MESSAGE(header.has_value(), firstProblem(header));
    CHECK(header->version == 3);
    CHECK(header->text("general.name") == "Tiny");
    CHECK(header->count("llama.block_count") == 2);
    CHECK(header->number("llama.attention.layer_norm_rms_epsilon") == doctest::Approx(1e-5));
    const StoredTensor* const q = header->tensor("blk.1.attn_q.weight");
    REQUIRE(q != nullptr);
    CHECK(q->type == "Q4_0");
    CHECK(q->bytes == 64 * 64 / 32 * 18);
    CHECK(header->dataStart % 32 == 0);
}

TEST_CASE("every block type has the size that llama.cpp gives it")
{
    struct Row {
        std::uint32_t code;
        std::string name;
        std::uint64_t bytesOf256; // from ggml-common.h: bytes per block over elements per block
    };
    const std::vector<Row> rows{
        {0, "F32", 1024},   {1, "F16", 512},     {2, "Q4_0", 144},  {3, "Q4_1", 160},    {6, "Q5_0", 176},
        {7, "Q5_1", 192},   {8, "Q8_0", 272},    {9, "Q8_1", 288},  {10, "Q2_K", 84},    {11, "Q3_K", 110},
        {12, "Q4_K", 144},  {13, "Q5_K", 176},   {14, "Q6_K", 210}, {15, "Q8_K", 292},   {16, "IQ2_XXS", 66},
        {17, "IQ2_XS", 74}, {18, "IQ3_XXS", 98}, {19, "IQ1_S", 50}, {20, "IQ4_NL", 144}, {21, "IQ3_S", 110},
        {22, "IQ2_S", 82},  {23, "IQ4_XS", 136}, {24, "I8", 256},   {25, "I16", 512},    {26, "I32", 1024},
        {27, "I64", 2048},  {28, "F64", 2048},   {29, "IQ1_M", 56}, {30, "BF16", 512},   {34, "TQ1_0", 54},
        {35, "TQ2_0", 66},  {39, "MXFP4", 136},  {40, "NVFP4", 144}};
    for (const Row& row : rows) {
        GgufBuilder b;
        b.tensor("t", {256, 3}, row.code, 3 * row.bytesOf256);
        const auto header = read(b);
        REQUIRE_MESSAGE(header.has_value(), row.name, firstProblem(header));
        CHECK(header->tensors.front().type == row.name);
        CHECK(header->tensors.front().bytes == 3 * row.bytesOf256);
    }
}

TEST_CASE("tensors become the architecture, counted to the element")
{
    const auto imported = model(completeLlama());
    REQUIRE(imported.has_value());
    const Llm& llm = imported->llm;
    CHECK(llm.layers.size() == 2);
    REQUIRE(llm.kinds.size() == 1);
    CHECK(llm.kinds[0].attention().queryHeads == 4);
    CHECK(llm.kinds[0].attention().kvHeads == 2);
    CHECK(llm.kinds[0].attention().headDim == 16);
    CHECK(llm.kinds[0].mlp.intermediate == 96);
    CHECK(!llm.tiedHead);
    CHECK(llm.nativeQuantization->type == DType::Q4_0);
    constexpr std::int64_t layer = 64 * (64 + 32 + 32 + 64) + 3 * 64 * 96 + 2 * 64;
    CHECK(countParameters(llm).total == 2 * 6400 + 64 + 2 * layer);
    CHECK(imported->stored.elements == 2 * 6400 + 64 + 2 * layer + 8); // and the rotary table
    constexpr std::uint64_t matrices = 64 * (64 + 32 + 32 + 64) + 3 * 64 * 96;
    CHECK(imported->stored.bytes == 2 * 12800 + 256 + 32 + 2 * (matrices / 32 * 18 + 512));
    CHECK(imported->stored.byType.at("Q4_0").bytes == 2 * matrices / 32 * 18);
    CHECK(model(completeLlama(true))->llm.tiedHead);
}

TEST_CASE("expert tensors become a mixture")
{
    const auto imported = model(completeLlama(false, true));
    REQUIRE(imported.has_value());
    const Mlp& mlp = imported->llm.kinds[0].mlp;
    CHECK(mlp.kind == MlpKind::Moe);
    CHECK(mlp.experts == 4);
    CHECK(mlp.expertsPerToken == 2);
    CHECK(mlp.expertIntermediate == 96);
}

TEST_CASE("a model whose tensors are more than its architecture is not imported")
{
    GgufBuilder extra = completeLlama();
    extra.tensor("blk.1.mystery.weight", {32}, 0, 128);
    CHECK(modelProblem(extra).starts_with("m.gguf: its tensors hold "));
    GgufBuilder unknown;
    unknown.string("general.architecture", "qwen7").tensor("t", {32}, 0, 128);
    CHECK(modelProblem(unknown)
          == "m.gguf: architecture qwen7 is not known: it is not counted rather than guessed");
    GgufBuilder nameless;
    nameless.tensor("t", {32}, 0, 128);
    CHECK(modelProblem(nameless) == "m.gguf: the metadata has no 'general.architecture'");
    GgufBuilder headless;
    headless.string("general.architecture", "llama")
        .u32("llama.block_count", 1)
        .tensor("token_embd.weight", {64, 2}, 0, 512);
    headless.tensor("blk.0.attn_q.weight", {64, 64}, 0, 64 * 64 * 4);
    CHECK(modelProblem(headless) == "m.gguf: 'llama.attention.head_count' is missing");
    GgufBuilder tableless;
    tableless.string("general.architecture", "llama").tensor("t", {32}, 0, 128);
    CHECK(modelProblem(tableless) == "m.gguf: there is no matrix 'token_embd.weight'");
    GgufBuilder layers;
    layers.string("general.architecture", "llama").u32("llama.block_count", 4'000'000'000U);
    layers.tensor("token_embd.weight", {64, 2}, 0, 512);
    CHECK(modelProblem(layers)
          == "m.gguf: 'llama.block_count' is 4000000000, at most 1073741824 is possible");
}

TEST_CASE("a file cut anywhere in its header is refused, wherever the cut falls")
{
    const GgufBuilder whole = completeLlama();
    const std::string bytes = whole.header();
    for (std::size_t length = 0; length + 32 < bytes.size(); ++length)
        CHECK_FALSE(read(bytes.substr(0, length), length).has_value());
    CHECK(read(bytes, whole.size()).has_value());
    CHECK(firstProblem(read(bytes, whole.size() - 1)).find("needs 3456 bytes") != std::string::npos);
}

TEST_CASE("a file that shrinks while it is read is refused")
{
    const std::string bytes = completeLlama().header();
    for (std::size_t length = 0; length + 32 < bytes.size(); length += 7)
        CHECK_FALSE(read(bytes.substr(0, length), completeLlama().size()).has_value());
}

TEST_CASE("broken llama.cpp files are refused at the byte that is wrong")
{
    const auto n64 = [](std::uint64_t v) { return GgufBuilder::number(v); };
    const auto n32 = [](std::uint32_t v) { return GgufBuilder::number(v); };
    const auto t = [](const std::string& v) { return GgufBuilder::text(v); };
    constexpr std::uint64_t huge = 0xFFFFFFFFFFFFFFFF;
    std::vector<BrokenFile> all{
        {"empty", "", 0, "m.gguf:byte 0: expected the letters GGUF: this is no llama.cpp model"},
        {"other magic", "GGML" + start(0, 0).substr(4), 24,
         "m.gguf:byte 0: expected the letters GGUF: this is no llama.cpp model"},
        {"half a magic", "GG", 2, "m.gguf:byte 0: expected the letters GGUF: this is no llama.cpp model"},
        {"no version", "GGUF", 4, "m.gguf:byte 4: the file ends inside the header"},
        {"version 1", start(0, 0, 1), 24, "m.gguf:byte 4: expected version 2 or 3, got 1"},
        {"version 4", start(0, 0, 4), 24, "m.gguf:byte 4: expected version 2 or 3, got 4"},
        {"big-endian", start(0, 0, 0x03000000), 24, "m.gguf:byte 4: a big-endian file is not read"},
        {"no counts", start(0, 0).substr(0, 20), 20, "m.gguf:byte 16: the file ends inside the header"},
        {"tensors without room", start(1, 0), 24,
         "m.gguf:byte 8: 1 tensors and 0 keys do not fit into the 0 bytes that follow"},
        {"2^64 tensors", start(huge, 0), 24,
         "m.gguf:byte 8: 18446744073709551615 tensors and 0 keys do not fit into the 0 bytes that follow"},
        {"2^64 keys", start(0, huge), 24,
         "m.gguf:byte 8: 0 tensors and 18446744073709551615 keys do not fit into the 0 bytes that follow"},
        {"key of 2^64", start(0, 1) + n64(huge) + std::string(40, 'x'), 72,
         "m.gguf:byte 24: a key of 18446744073709551615 bytes: 40 are left in the file, at most 1024 are "
         "read"},
        {"key of 2000", start(0, 1) + t(std::string(2000, 'k')) + n32(4) + n32(0), 24 + 8 + 2000 + 8,
         "m.gguf:byte 24: a key of 2000 bytes: 2008 are left in the file, at most 1024 are read"},
        {"type 13", start(0, 1) + t("k") + n32(13) + n64(0), 24 + 9 + 12,
         "m.gguf:byte 33: the key 'k' has a value of unknown type 13"},
        {"type 2^32", start(0, 1) + t("k") + n32(0xFFFFFFFF) + n64(0), 45,
         "m.gguf:byte 33: the key 'k' has a value of unknown type 4294967295"},
        {"value cut", start(0, 1) + t("key") + n32(10) + "abc", 24 + 11 + 4 + 3,
         "m.gguf:byte 42: the file ends inside the value of 'key'"},
        {"text of 2^64", start(0, 1) + t("k") + n32(8) + n64(huge), 24 + 9 + 4 + 8,
         "m.gguf:byte 37: the text of 'k' of 18446744073709551615 bytes: 0 are left in the file, at most "
         "16777216 are read"},
        {"text cut", start(0, 1) + t("k") + n32(8) + n64(5) + "abcd", 49,
         "m.gguf:byte 37: the text of 'k' of 5 bytes: 4 are left in the file, at most 16777216 are read"},
        {"list of lists", start(0, 1) + t("k") + n32(9) + n32(9) + n64(1) + n64(0), 57,
         "m.gguf:byte 37: the list 'k' holds values of nested type 9"},
        {"list of type 99", start(0, 1) + t("k") + n32(9) + n32(99) + n64(1) + n64(0), 57,
         "m.gguf:byte 37: the list 'k' holds values of unknown type 99"},
        {"list of 2^63", start(0, 1) + t("k") + n32(9) + n32(4) + n64(1ULL << 63U) + n64(0), 57,
         "m.gguf:byte 37: the list 'k' of 9223372036854775808 u32 values does not fit into the 8 bytes that "
         "follow"},
        {"2^61 texts", start(0, 1) + t("k") + n32(9) + n32(8) + n64(1ULL << 61U) + n64(0), 57,
         "m.gguf:byte 37: the list 'k' of 2305843009213693952 string values does not fit into the 8 bytes "
         "that follow"},
        {"list cut", start(0, 1) + t("k") + n32(9) + n32(4), 41,
         "m.gguf:byte 41: the file ends inside the list 'k'"},
        {"text in a list cut", start(0, 1) + t("k") + n32(9) + n32(8) + n64(1) + n64(9) + "abc", 60,
         "m.gguf:byte 49: the file ends inside text 0 of the list 'k'"},
        {"key twice", start(0, 2) + t("k") + n32(4) + n32(1) + t("k") + n32(4) + n32(1), 24 + 34,
         "m.gguf:byte 41: the key 'k' stands twice"},
        {"alignment 0", start(0, 1) + t("general.alignment") + n32(4) + n32(0), 24 + 25 + 8,
         "m.gguf:byte 57: general.alignment: expected a power of two up to 1048576"},
        {"alignment 48", start(0, 1) + t("general.alignment") + n32(4) + n32(48), 57,
         "m.gguf:byte 57: general.alignment: expected a power of two up to 1048576"},
        {"alignment as text", start(0, 1) + t("general.alignment") + n32(8) + t("32"), 63,
         "m.gguf:byte 63: general.alignment: expected a power of two up to 1048576"},
        {"name of 2^64", start(1, 0) + n64(huge) + std::string(40, '\0'), 72,
         "m.gguf:byte 24: a tensor's name of 18446744073709551615 bytes: 40 are left in the file, at most "
         "1024 are read"},
        {"no dimension", start(1, 0) + t("t") + n32(0) + n32(0) + n64(0) + n64(0), 57,
         "m.gguf:byte 24: tensor 't': expected 1 to 4 dimensions, got 0"},
        {"five dimensions", start(1, 0) + t("t") + n32(5) + std::string(40, '\1'), 77,
         "m.gguf:byte 24: tensor 't': expected 1 to 4 dimensions, got 5"},
        {"2^32 dimensions", start(1, 0) + t("t") + n32(0xFFFFFFFF) + std::string(40, '\1'), 77,
         "m.gguf:byte 24: tensor 't': expected 1 to 4 dimensions, got 4294967295"},
        {"description cut", start(1, 0) + t("tttttttt") + n32(1) + n64(4) + n32(0) + std::string(4, '\0'), 60,
         "m.gguf:byte 56: the file ends inside the description of tensor 'tttttttt'"},
    };
    const auto built
        = [&](const std::string& name, const GgufBuilder& b, std::uint64_t data, const std::string& problem) {
              all.push_back({name, b.header(), b.header().size() + data, problem});
          };
    built("dimension 0", one({0}, 0), 64,
          "m.gguf:byte 24: tensor 't': a dimension of 0 makes an impossible size");
    built("dimension 2^64", one({huge}, 0), 64,
          "m.gguf:byte 24: tensor 't': a dimension of 18446744073709551615 makes an impossible size");
    built("product overflows", one({1ULL << 32U, 1ULL << 32U}, 0), 64,
          "m.gguf:byte 24: tensor 't': a dimension of 4294967296 makes an impossible size");
    built("type 4 was removed", one({32}, 4), 64, "m.gguf:byte 24: tensor 't' has the unknown type 4");
    built("type 31 was removed", one({32}, 31), 64, "m.gguf:byte 24: tensor 't' has the unknown type 31");
    built("type 2^32", one({32}, 0xFFFFFFFF), 64,
          "m.gguf:byte 24: tensor 't' has the unknown type 4294967295");
    built("half a block", one({48}, 2), 64,
          "m.gguf:byte 24: tensor 't': rows of 48 are no whole blocks of 32 (Q4_0)");
    built("half a super block", one({128}, 12), 64,
          "m.gguf:byte 24: tensor 't': rows of 128 are no whole blocks of 256 (Q4_K)");
    built("data cut", one({64}, 0), 255,
          "m.gguf:byte 24: tensor 't' needs 256 bytes from byte 0 on, the file ends at 255");
    built("no data", one({64}, 0), 0,
          "m.gguf:byte 24: tensor 't' needs 256 bytes from byte 0 on, the file ends at 0");
    GgufBuilder twice;
    twice.tensor("t", {32}, 0, 128).tensor("t", {32}, 0, 128);
    built("tensor twice", twice, 256, "m.gguf:byte 57: tensor 't' stands twice");
    GgufBuilder over;
    over.tensor("a", {64}, 0, 128).tensor("b", {64}, 0, 256);
    built("overlap", over, 512, "m.gguf:byte 57: tensor 'b' overlaps another one");
    std::string odd = one({8}, 0).header();
    odd[24 + 9 + 4 + 8 + 4] = 1; // the offset
    all.push_back({"odd offset", odd, odd.size() + 64,
                   "m.gguf:byte 24: tensor 't': the offset 1 is no multiple of the alignment 32"});
    std::string far = one({8}, 0).header();
    for (std::size_t i = 0; i < 8; ++i)
        far[24 + 9 + 4 + 8 + 4 + i] = i == 0 ? '\xE0' : '\xFF';
    all.push_back(
        {"offset 2^64", far, far.size() + 64,
         "m.gguf:byte 24: tensor 't' needs 32 bytes from byte 18446744073709551584 on, the file ends at 64"});
    CHECK(all.size() >= 40);
    for (const BrokenFile& row : all) {
        CAPTURE(row.name);
        CHECK(firstProblem(read(row.bytes, row.size)) == row.problem);
    }
}

TEST_CASE("the parts of a split model are named from any of them")
{
    const auto parts = ggufParts("dir/big-00002-of-00003.gguf");
    REQUIRE(parts.size() == 3);
    CHECK(parts[0] == "dir/big-00001-of-00003.gguf");
    CHECK(parts[2] == "dir/big-00003-of-00003.gguf");
    CHECK(ggufParts("dir/small.gguf") == std::vector<std::filesystem::path>{"dir/small.gguf"});
    CHECK(ggufParts("dir/none-00001-of-00000.gguf").size() == 1);
}
