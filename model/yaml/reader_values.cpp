// Values of one kind: numbers, flags, quantities, types, choices.
#include "model/base/spelling.h"
#include "model/yaml/reader.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

namespace headroom {

namespace {

Message rangeText(Between range)
{
    const bool bounded = range.high < std::numeric_limits<double>::max();
    if (range.low == positive.low)
        return bounded ? say("above 0 and at most {}", numberText(range.high)) : say("above 0");
    if (bounded)
        return say("from {} to {}", numberText(range.low), numberText(range.high));
    return range.low == 0 ? say("0 or more") : say("at least {}", numberText(range.low));
}

} // namespace

std::optional<double> MapReader::numberOf(const YamlNode& node, std::string_view key, Between range)
{
    if (node.kind != YamlNode::Kind::Scalar) {
        reportAt(node, key, say("expected a number, got {}", kindName(node)));
        return std::nullopt;
    }
    const Result<double> number = numberFromText(node.text);
    if (!number) {
        const Problem& problem = number.error().front();
        reportAt(node, key, problem.what, problem.hint);
        return std::nullopt;
    }
    if (*number < range.low || *number > range.high) {
        reportAt(node, key, say("expected a number {}, got {}", rangeText(range), node.text.substr(0, 60)));
        return std::nullopt;
    }
    return *number;
}

double MapReader::number(std::string_view key, Between range)
{
    return required(key) ? maybeNumber(key, range).value_or(0) : 0;
}

std::optional<double> MapReader::maybeNumber(std::string_view key, Between range)
{
    const YamlNode* const node = asked(key);
    return node != nullptr ? numberOf(*node, key, range) : std::nullopt;
}

std::vector<double> MapReader::numbers(std::string_view key, Between range)
{
    return required(key) ? maybeNumbers(key, range) : std::vector<double>{};
}

std::vector<double> MapReader::maybeNumbers(std::string_view key, Between range)
{
    std::vector<double> out;
    const YamlNode* const list = listAt(key);
    if (list == nullptr)
        return out;
    for (const YamlNode& item : list->items)
        if (const std::optional<double> number = numberOf(item, key, range))
            out.push_back(*number);
    return out;
}

std::optional<std::int64_t> MapReader::wholeOf(const YamlNode& node, std::string_view key, std::int64_t low,
                                               std::int64_t high)
{
    std::int64_t number = 0;
    const std::string& text = node.text;
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool whole
        = node.kind == YamlNode::Kind::Scalar && !text.empty() && end == text.data() + text.size();
    if (whole && status == std::errc{} && number >= low && number <= high)
        return number;
    const Message got
        = node.kind == YamlNode::Kind::Scalar ? say("'{}'", text.substr(0, 60)) : Message(kindName(node));
    const Message range = high >= mostWhole
        ? say("of at least {}", low)
        : say("from {} to {}", asIs(fmt::format("{}", low)), asIs(fmt::format("{}", high)));
    const bool grouped = text.find_first_of(",_'") != std::string::npos;
    reportAt(node, key, say("expected a whole number {}, got {}", range, got),
             grouped ? say("write digits without separators") : Message());
    return std::nullopt;
}

std::int64_t MapReader::whole(std::string_view key, std::int64_t low, std::int64_t high)
{
    return required(key) ? maybeWhole(key, low, high).value_or(low) : low;
}

std::optional<std::int64_t> MapReader::maybeWhole(std::string_view key, std::int64_t low, std::int64_t high)
{
    const YamlNode* const node = asked(key);
    return node != nullptr ? wholeOf(*node, key, low, high) : std::nullopt;
}

std::vector<std::int64_t> MapReader::maybeWholes(std::string_view key, std::int64_t low, std::int64_t high)
{
    std::vector<std::int64_t> out;
    const YamlNode* const list = listAt(key);
    if (list == nullptr)
        return out;
    for (const YamlNode& item : list->items)
        if (const std::optional<std::int64_t> number = wholeOf(item, key, low, high))
            out.push_back(*number);
    return out;
}

int MapReader::count(std::string_view key, int low, int high)
{
    return static_cast<int>(whole(key, low, high));
}

std::optional<int> MapReader::maybeCount(std::string_view key, int low, int high)
{
    const std::optional<std::int64_t> number = maybeWhole(key, low, high);
    return number ? std::optional(static_cast<int>(*number)) : std::nullopt;
}

bool MapReader::flag(std::string_view key) { return required(key) && maybeFlag(key).value_or(false); }

std::optional<bool> MapReader::maybeFlag(std::string_view key)
{
    const YamlNode* const node = scalarAt(key, "true or false");
    if (node == nullptr)
        return std::nullopt;
    if (node->text == "true" || node->text == "false")
        return node->text == "true";
    reportAt(*node, key, say("expected true or false, got '{}'", node->text.substr(0, 60)));
    return std::nullopt;
}

std::optional<double> MapReader::quantityIn(std::string_view key, Dim dim, Between range)
{
    const YamlNode* const node = scalarAt(key, "a number with its unit");
    if (node == nullptr)
        return std::nullopt;
    const Result<double> base = quantityFromText(node->text, dim);
    if (!base) {
        const Problem& problem = base.error().front();
        reportAt(*node, key, problem.what, problem.hint);
        return std::nullopt;
    }
    if (*base < range.low || *base > range.high) {
        reportAt(*node, key,
                 say("expected a quantity {}, got '{}'", rangeText(range), node->text.substr(0, 60)));
        return std::nullopt;
    }
    return *base;
}

std::optional<DType> MapReader::dtypeOf(const YamlNode& node, std::string_view key)
{
    if (node.kind == YamlNode::Kind::Scalar)
        if (const std::optional<DType> type = dtypeFromName(node.text))
            return type;
    std::vector<std::string> names;
    for (const DTypeFacts& facts : allDTypes())
        names.emplace_back(facts.name);
    reportAt(node, key, say("'{}' is no number type", node.text.substr(0, 60)),
             say("one of {}", joinedNames(names, ", ")));
    return std::nullopt;
}

DType MapReader::dtype(std::string_view key)
{
    return required(key) ? maybeDType(key).value_or(DType::Bf16) : DType::Bf16;
}

std::optional<DType> MapReader::maybeDType(std::string_view key)
{
    const YamlNode* const node = asked(key);
    return node != nullptr ? dtypeOf(*node, key) : std::nullopt;
}

std::vector<DType> MapReader::dtypes(std::string_view key)
{
    std::vector<DType> out;
    const YamlNode* const list = required(key) ? listAt(key) : nullptr;
    if (list == nullptr)
        return out;
    for (const YamlNode& item : list->items)
        if (const std::optional<DType> type = dtypeOf(item, key))
            out.push_back(*type);
    return out;
}

std::optional<MathUnit> MapReader::maybeMathUnit(std::string_view key)
{
    const YamlNode* const node = scalarAt(key, "an arithmetic such as bf16");
    if (node == nullptr)
        return std::nullopt;
    const std::optional<MathUnit> unit = mathUnitFromName(node->text);
    if (!unit)
        reportAt(*node, key, say("'{}' is no arithmetic", node->text.substr(0, 60)),
                 "one of fp32, tf32, fp16, bf16, fp8, int8, fp4, int4");
    return unit;
}

std::optional<std::size_t> MapReader::choiceIn(std::string_view key, const std::vector<std::string>& names)
{
    const YamlNode* const node = scalarAt(key, "one word");
    if (node == nullptr)
        return std::nullopt;
    const auto found = std::find(names.begin(), names.end(), node->text);
    if (found != names.end())
        return static_cast<std::size_t>(found - names.begin());
    const Message hint = spellingHint(node->text, names);
    reportAt(*node, key,
             say("expected one of {}, got '{}'", joinedNames(names, ", "), node->text.substr(0, 60)), hint);
    return std::nullopt;
}

} // namespace headroom
