#include "model/base/spelling.h"
#include "model/yaml/reader.h"
#include "model/yaml/writer.h"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <random>
#include <vector>

using namespace headroom;
using namespace headroom::literals;

namespace {

struct Card {
    std::string name;
    Bytes memory;
    BytesPerSecond bandwidth;
};

Result<Card> readCard(const std::string& text)
{
    return readYaml(text, "x.yaml", [](MapReader& in) {
        Card card;
        card.name = in.text("name");
        MapReader memory = in.map("memory");
        card.memory = memory.quantity<Dim{.byte = 1}>("capacity", positive);
        card.bandwidth = memory.quantity<Dim{.byte = 1, .second = -1}>("bandwidth", positive);
        memory.finish();
        return card;
    });
}

Problem only(const std::string& text)
{
    const Result<Card> card = readCard(text);
    REQUIRE_FALSE(card);
    CHECK(card.error().size() == 1);
    return card.error().front();
}

std::string bandwidth(const std::string& value)
{
    return "name: X\nmemory:\n  capacity: 80 GiB\n  bandwidth: " + value + "\n";
}

} // namespace

TEST_CASE("a group is read with its units")
{
    const Result<Card> card = readCard(bandwidth("4.8 TB/s"));
    REQUIRE(card);
    CHECK(card->memory == 80.0_GiB);
    CHECK(card->bandwidth == 4.8_TB_per_s);
}

TEST_CASE("every problem is reported at once, with its place and what was meant")
{
    const Result<Card> card = readCard("nam: X\nmemory:\n  bandwidth: 4.8 Gb/s\n  capcity: 80 GiB\n");
    REQUIRE_FALSE(card);
    const Problems& problems = card.error();
    REQUIRE(problems.size() == 5);
    CHECK(problems[0] == Problem{"x.yaml:1:1 name", "is missing", ""});
    CHECK(problems[1] == Problem{"x.yaml:3:3 memory.capacity", "is missing", ""});
    CHECK(problems[2].where == "x.yaml:3:14 memory.bandwidth");
    CHECK(problems[2].what.english() == "expected a rate such as '4.8 TB/s', got '4.8 Gb/s'");
    CHECK(problems[2].hint.english() == "a bit is not a unit here: write '600 MB/s'");
    CHECK(
        problems[3]
        == Problem{"x.yaml:4:3 memory.capcity", "unknown key", say("did you mean {}?", asIs("'capacity'"))});
    CHECK(problems[4] == Problem{"x.yaml:1:1 nam", "unknown key", say("did you mean {}?", asIs("'name'"))});
}

TEST_CASE("a wrong quantity says what would be right")
{
    CHECK(only(bandwidth("4.8")).hint.english() == "a number needs its unit, after a blank");
    CHECK(only(bandwidth("4.8TB/s")).what.english() == "expected a rate such as '4.8 TB/s', got '4.8TB/s'");
    CHECK(only(bandwidth("4.8 GB")).hint.english() == "'GB' measures something else");
    CHECK(only(bandwidth("4.8 tb/s")).hint.english() == "write 'TB/s'");
    CHECK(only(bandwidth("fast")).what.english() == "expected a rate such as '4.8 TB/s', got 'fast'");
    CHECK(only(bandwidth("-1 TB/s")).what.english() == "expected a quantity above 0, got '-1 TB/s'");
    CHECK(only(bandwidth("nan TB/s")).what.english() == "'nan TB/s' is not a finite number");
    CHECK(only(bandwidth("inf TB/s")).what.english() == "'inf TB/s' is not a finite number");
    CHECK(only(bandwidth("1e999 TB/s")).what.english() == "'1e999 TB/s' is beyond the range of numbers");
    CHECK(only(bandwidth("1e300 TB/s")).what.english() == "'1e300 TB/s' is beyond the range of numbers");
    CHECK(only(bandwidth("[4.8 TB/s]")).what.english() == "expected a number with its unit, got a list");
    CHECK(only(bandwidth("")).what.english() == "expected a number with its unit, got nothing");
    CHECK(quantityFromText<Dim{.flop = 1, .second = -1}>("312 TFLOPS").error().front().hint.english()
          == "write '312 TFLOP/s'; peaks are dense: halve a figure quoted with sparsity");
}

TEST_CASE("text that is no YAML of ours is refused, never thrown over")
{
    const auto refused = [](const std::string& text) {
        const Result<YamlNode> tree = parseYaml(text, "x.yaml");
        REQUIRE_FALSE(tree);
        REQUIRE_FALSE(tree.error().empty());
        return tree.error().front();
    };
    CHECK(refused("").what.english() == "the file is empty");
    CHECK(refused("# only a comment\n").what.english() == "the file is empty");
    CHECK(refused("a: &x 1\nb: *x\n")
          == Problem{"x.yaml:1:4", "anchors and aliases are not used here", "write the value out in full"});
    CHECK(refused("a: !!binary aGk=\n").what.english().starts_with("the tag"));
    CHECK(refused("a: 1\n---\nb: 2\n").what.english() == "a second document starts here");
    CHECK(refused("a: 1\nb: 2\na: 3\n")
          == Problem{"x.yaml:3:1 a", "the key stands here a second time", "keep one of the two"});
    CHECK(refused("a: [1, 2\n").where.starts_with("x.yaml:"));
    CHECK(refused("[a]: 1\n").what.english() == "a key must be a plain word");
    CHECK(refused(std::string("a: 1\0b", 6)).what.english()
          == "a control character (0x00) cannot stand in YAML");
    std::string nested;
    for (int i = 0; i < 40; ++i)
        nested += "- ";
    CHECK(refused(nested + "a").what.english() == "nested deeper than 32 levels");
    CHECK_FALSE(refused(std::string(100'000, '[')).what.empty());
    CHECK(refused(std::string((std::size_t{4} << 20) + 1, 'a')).what.english().find("longest file")
          != std::string::npos);
    std::string many = "a: [0";
    for (int i = 0; i < 500'000; ++i)
        many += ",0";
    CHECK(refused(many + "]\n").what.english() == "more than 500000 values in one file");
}

TEST_CASE("a quantity's text reads back as exactly the same number")
{
    std::mt19937_64 random(7);
    std::uniform_real_distribution<double> exponent(-12, 18);
    for (int i = 0; i < 2000; ++i) {
        const double base = std::pow(10, exponent(random));
        CHECK(*quantityFromText<Dim{.byte = 1}>(quantityText(Bytes(base))) == Bytes(base));
        CHECK(*quantityFromText<Dim{.second = 1}>(quantityText(Seconds(base))) == Seconds(base));
        CHECK(*quantityFromText<Dim{.second = -1, .dollar = 1}>(quantityText(DollarsPerSecond(base)))
              == DollarsPerSecond(base));
    }
    CHECK(quantityText(4.8_TB_per_s) == "4.8 TB/s");
    CHECK(quantityText(80.0_GiB) == "80 GiB");
    CHECK(quantityText(80.0_GB) == "80 GB");
    CHECK(quantityText(Seconds(4.5e-6)) == "4.5 us");
    CHECK(quantityText(dollarsPerHour(1.29)) == "1.29 USD/h");
    CHECK(quantityText(Watts(700)) == "700 W");
    CHECK(quantityText(Bytes(0)) == "0 B");
    CHECK(*quantityFromText<Dim{.second = 1}>("4.5 us") == 4.5_us);
}

TEST_CASE("what the writer writes reads back equal")
{
    const std::vector<std::string> awkward{
        "",    " lead",       "a: b",      "# no",        "null",        "~",   "true", "12",
        "- x", "it's \"so\"", "tab\there", "line\nbreak", "back\\slash", "[x]", "{y}",  "%a",
        "@b",  "…",           "语言模型",  "a, b",        "&a",          "*a",  "? x"};
    MapWriter out;
    out.texts("list", awkward);
    for (std::size_t i = 0; i < awkward.size(); ++i)
        out.text("t" + std::to_string(i), awkward[i]);
    out.map("group", [&](MapWriter& group) {
        group.number("third", 1.0 / 3);
        group.maps("items", std::array{1, 2}, [](MapWriter& item, int i) {
            item.whole("i", i);
            item.numbers("more", std::array{0.1, 1e-300});
            item.map("deep", [](MapWriter& deep) { deep.flag("yes", true); });
        });
        group.maps("none", std::vector<int>{}, [](MapWriter&, int) {});
    });
    const auto checked = readYaml(out.yaml(), "x.yaml", [&](MapReader& in) {
        CHECK(in.texts("list") == awkward);
        for (std::size_t i = 0; i < awkward.size(); ++i)
            CHECK(in.text("t" + std::to_string(i)) == awkward[i]);
        MapReader group = in.map("group");
        CHECK(group.number("third") == 1.0 / 3);
        std::int64_t expected = 1;
        for (MapReader& item : group.maps("items")) {
            CHECK(item.whole("i") == expected++);
            CHECK(item.numbers("more") == std::vector{0.1, 1e-300});
            MapReader deep = item.map("deep");
            CHECK(deep.flag("yes"));
            deep.finish();
            item.finish();
        }
        CHECK(group.maps("none").empty());
        group.finish();
        return true;
    });
    if (!checked)
        FAIL(checked.error().front().where << " " << checked.error().front().what.english());
}

TEST_CASE("each group names a source that exists, and each source is used")
{
    const auto read = [](const std::string& text) {
        return readYaml(text, "x.yaml", [](MapReader& in) {
            SourceReader sources(in);
            MapReader memory = in.map("memory");
            sources.cite(memory, "memory");
            memory.finish();
            return sources.finish();
        });
    };
    const auto good = read("memory: {source: sheet, confidence: low}\nsources: {sheet: A datasheet}\n");
    REQUIRE(good);
    CHECK(*good == std::vector{Citation{"memory", "A datasheet", Confidence::Low}});
    const auto bad = read("memory: {source: shet}\nsources: {sheet: A datasheet}\n");
    REQUIRE_FALSE(bad);
    CHECK(bad.error()[0]
          == Problem{"x.yaml:1:18 memory.source", say("'{}' does not stand under 'sources:'", asIs("shet")),
                     say("did you mean {}?", asIs("'sheet'"))});
    CHECK(bad.error()[1].what.english() == "no group names the source 'sheet'");
}

TEST_CASE("whole numbers, flags and number types are strict")
{
    const auto read = readYaml("a: 1.5\nb: 99999999999999999999\nc: yes\nd: 1,024\ne: bf61\nf: -1\n",
                               "x.yaml", [](MapReader& in) {
                                   in.whole("a");
                                   in.whole("b");
                                   in.flag("c");
                                   in.whole("d");
                                   in.dtype("e");
                                   in.count("f");
                                   return 0;
                               });
    REQUIRE_FALSE(read);
    REQUIRE(read.error().size() == 6);
    CHECK(read.error()[0].what.english() == "expected a whole number of at least 0, got '1.5'");
    CHECK(read.error()[1].what.english()
          == "expected a whole number of at least 0, got '99999999999999999999'");
    CHECK(read.error()[2].what.english() == "expected true or false, got 'yes'");
    CHECK(read.error()[3].hint.english() == "write digits without separators");
    CHECK(read.error()[4].what.english() == "'bf61' is no number type");
    CHECK(read.error()[5].what.english() == "expected a whole number from 0 to 2147483647, got '-1'");
}

TEST_CASE("the distance between two spellings counts swaps once")
{
    CHECK(editDistance("h100", "h100") == 0);
    CHECK(editDistance("h100", "H100") == 0);
    CHECK(editDistance("h100", "h200") == 1);
    CHECK(editDistance("vllm", "vlml") == 1);
    CHECK(editDistance("", "abc") == 3);
    const std::vector<std::string> known{"a100-sxm-80gb", "h100-sxm-80gb", "l4"};
    CHECK(nearestSpellings("h100-smx-80gb", known).front() == "h100-sxm-80gb");
    CHECK(nearestSpellings("quantum", known).empty());
}
