#include "model/text/json_document.h"

#include <doctest/doctest.h>

using namespace headroom;

namespace {

JsonDocument parsed(const std::string& text)
{
    auto document = JsonDocument::parse(text, "t.json");
    REQUIRE_MESSAGE(document.has_value(), text);
    return std::move(*document);
}

// "place what" of the one problem.
std::string refusal(std::string text, const JsonLimits& limits = {})
{
    const auto document = JsonDocument::parse(std::move(text), "t.json", limits);
    REQUIRE(!document.has_value());
    REQUIRE(document.error().size() == 1);
    return document.error().front().where + " " + document.error().front().what.english();
}

} // namespace

TEST_CASE("every kind of value is read")
{
    const JsonDocument document = parsed(
        R"({"a": [1, -2.5e3, 4096.0], "b": {"c": "x\ny", "d": null}, "e": true, "f": false, "g": ""})");
    const JsonValue root = document.root();
    CHECK(root.size() == 5);
    const JsonValue list = root["a"];
    CHECK(list.size() == 3);
    CHECK(list.firstChild().whole() == 1);
    CHECK(list.firstChild().next().number() == -2500);
    CHECK(list.firstChild().next().whole() == -2500);
    CHECK(list.firstChild().next().next().whole() == 4096);
    CHECK(!list.firstChild().next().next().next());
    CHECK(root["b"]["c"].text() == "x\ny");
    CHECK(root["b"]["d"].isNull());
    CHECK(root["e"].boolean() == true);
    CHECK(root["f"].boolean() == false);
    CHECK(root["g"].text() == "");
    CHECK(!root["nothing"]);
    CHECK(!root["e"]["deeper"]);
    CHECK(!root["b"]["c"].number());
}

TEST_CASE("the words that Python writes for what is no number are read as such")
{
    const JsonDocument document = parsed("[NaN, Infinity, -Infinity]");
    for (JsonValue value = document.root().firstChild(); value; value = value.next()) {
        CHECK(value.type() == JsonType::NonFinite);
        CHECK(!value.number());
        CHECK(!value.whole());
    }
}

TEST_CASE("escapes become UTF-8, halves of pairs the replacement character")
{
    CHECK(parsed(R"("\u0041\u00e9\u20ac\ud83d\ude00\/\"")").root().text()
          == "A\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80/\"");
    CHECK(parsed(R"("\ud83d")").root().text() == "\xEF\xBF\xBD");
    CHECK(parsed(R"("\ud83d\u0041")").root().text()
          == "\xEF\xBF\xBD"
             "A");
    CHECK(parsed(R"("\ude00")").root().text() == "\xEF\xBF\xBD");
    CHECK(parsed("\"\xE4\xBD\xA0\"").root().text() == "\xE4\xBD\xA0");
}

TEST_CASE("a value knows its line, column and path")
{
    const JsonDocument document = parsed("{\n \"a\": [1,\n  {\"b\": 2}]\n}");
    CHECK(document.root().place() == "t.json:1:1");
    CHECK(document.root()["a"].place() == "t.json:2:7 a");
    CHECK(document.root()["a"].firstChild().next()["b"].place() == "t.json:3:9 a[1].b");
}

TEST_CASE("each line of JSON lines is a document that knows where it stands")
{
    const auto documents = JsonDocument::parseLines("{\"a\": 1}\n\n{\"a\": 2}\r\n", "t.jsonl");
    REQUIRE(documents.has_value());
    REQUIRE(documents->size() == 2);
    CHECK((*documents)[1].root()["a"].place() == "t.jsonl:3:7 a");
    CHECK(JsonDocument::parseLines("{}\n{]\n", "t.jsonl").error().front().where == "t.jsonl:2:2");
}

TEST_CASE("numbers that do not fit are no numbers, whole numbers are exact")
{
    const JsonDocument document
        = parsed("[9223372036854775807, 9223372036854775808, 1e400, 1e-400, 1.5, -0, 1e15]");
    JsonValue value = document.root().firstChild();
    CHECK(value.whole() == 9223372036854775807);
    value = value.next();
    CHECK(!value.whole());
    value = value.next();
    CHECK(!value.number());
    CHECK(!value.whole());
    value = value.next().next();
    CHECK(!value.whole());
    CHECK(value.number() == 1.5);
    CHECK(value.next().whole() == 0);
    CHECK(value.next().next().whole() == 1000000000000000);
}

TEST_CASE("what is not JSON is refused where it goes wrong")
{
    CHECK(refusal("") == "t.json:1:1 expected a value, the text ends here");
    CHECK(refusal("  \n ") == "t.json:2:2 expected a value, the text ends here");
    CHECK(refusal("{") == "t.json:1:2 expected a key in quotes or '}', the text ends here");
    CHECK(refusal("[1, 2") == "t.json:1:6 expected ',' or ']', the text ends here");
    CHECK(refusal("[1,]") == "t.json:1:4 expected a value, got ']'");
    CHECK(refusal("{\"a\": 1,}") == "t.json:1:9 expected a key in quotes, got '}'");
    CHECK(refusal("{a: 1}") == "t.json:1:2 expected a key in quotes or '}', got 'a'");
    CHECK(refusal("{\"a\" 1}") == "t.json:1:6 expected ':' after the key, got '1'");
    CHECK(refusal("{\"a\":\n 1 \"b\": 2}") == "t.json:2:4 expected ',' or '}', got '\"'");
    CHECK(refusal("[1}") == "t.json:1:3 expected ',' or ']', got '}'");
    CHECK(refusal("{} x") == "t.json:1:4 expected the end of the text after the value, got more");
    CHECK(refusal("'a'") == "t.json:1:1 expected a value, got '''");
    CHECK(refusal("nul") == "t.json:1:1 expected a value, got 'n'");
    CHECK(refusal("// no") == "t.json:1:1 expected a value, got '/'");
    CHECK(refusal("\"open") == "t.json:1:1 the text ends inside the string that starts here");
    CHECK(refusal("\"a\nb\"") == "t.json:1:3 a control character in a string: got the byte 0x0a");
    CHECK(refusal("\"\\x\"") == "t.json:1:3 unknown escape, got 'x'");
    CHECK(refusal("\"\\u12g4\"") == "t.json:1:6 expected four hexadecimal digits after \\u, got 'g'");
    CHECK(refusal("\"\\u12") == "t.json:1:6 expected four hexadecimal digits after \\u, the text ends here");
    CHECK(refusal("\"\\") == "t.json:1:3 unknown escape, the text ends here");
    CHECK(refusal("01") == "t.json:1:2 a number does not start with 0");
    CHECK(refusal("1.") == "t.json:1:3 expected a digit, the text ends here");
    CHECK(refusal("-") == "t.json:1:2 expected a digit, the text ends here");
    CHECK(refusal("-x") == "t.json:1:2 expected a digit, got 'x'");
    CHECK(refusal("1e+") == "t.json:1:4 expected a digit, the text ends here");
    CHECK(refusal("+1") == "t.json:1:1 expected a value, got '+'");
    CHECK(refusal("\"\xFF\"") == "t.json:1:2 not UTF-8 text: got the byte 0xff");
    CHECK(refusal("\"\xC0\x80\"") == "t.json:1:2 not UTF-8 text: got the byte 0xc0");
    CHECK(refusal("\"\xED\xA0\x80\"") == "t.json:1:2 not UTF-8 text: got the byte 0xed");
    CHECK(refusal("\"\xF4\x90\x80\x80\"") == "t.json:1:2 not UTF-8 text: got the byte 0xf4");
    CHECK(refusal("\"\xE2\x82") == "t.json:1:2 not UTF-8 text: got the byte 0xe2");
    CHECK(refusal(std::string("{\0}", 3)) == "t.json:1:2 expected a key in quotes or '}', got the byte 0x00");
}

TEST_CASE("a key that stands twice is refused, however large the object")
{
    CHECK(refusal("{\"a\": 1,\n \"a\": 2}") == "t.json:2:7 the key \"a\" stands twice in this object");
    CHECK(refusal("{\"a\": 1, \"\\u0061\": 2}") == "t.json:1:20 the key \"a\" stands twice in this object");
    std::string large = "{";
    for (int i = 0; i < 1000; ++i)
        large += "\"k" + std::to_string(i) + "\": 0, ";
    CHECK(refusal(large + "\"k500\": 1}").ends_with("the key \"k500\" stands twice in this object"));
}

TEST_CASE("size, depth and number of values are bounded")
{
    CHECK(refusal("[1, 2]", {.bytes = 5}) == "t.json:1:1 the text has 6 bytes, at most 5 are read");
    CHECK(refusal("[1, 2]", {.values = 2}) == "t.json:1:5 more than 2 values, that is no file of this kind");
    CHECK(refusal("[[[1]]]", {.depth = 2}) == "t.json:1:3 nested more than 2 levels deep");
    CHECK(refusal(std::string(1'000'000, '[')) == "t.json:1:65 nested more than 64 levels deep");
    CHECK(refusal(std::string(1'000'000, '{')) == "t.json:1:2 expected a key in quotes or '}', got '{'");
    std::string deep;
    for (int i = 0; i < 100'000; ++i)
        deep += "{\"a\":";
    CHECK(refusal(deep) == "t.json:1:321 nested more than 64 levels deep");
}
