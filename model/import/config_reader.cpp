#include "model/import/config_reader.h"

#include "model/base/spelling.h"

#include <fmt/format.h>
#include <limits>

namespace headroom {

namespace {

// No dimension of a model is beyond this; products of two stay inside 64 bits.
constexpr std::int64_t largestCount = std::int64_t{1} << 30;

} // namespace

ConfigReader ConfigReader::within(std::string_view key) const { return {find({key}), *m_problems}; }

JsonValue ConfigReader::find(Keys keys) const
{
    for (const std::string_view key : keys) {
        const JsonValue value = m_object[key];
        if (value && !value.isNull())
            return value;
    }
    return {};
}

void ConfigReader::report(JsonValue value, Message what, Message hint) const
{
    m_problems->push_back({value.place(), std::move(what), std::move(hint)});
}

void ConfigReader::report(Keys keys, Message what, Message hint) const
{
    const JsonValue value = find(keys);
    report(value ? value : m_object, std::move(what), std::move(hint));
}

std::int64_t ConfigReader::checked(JsonValue value, std::int64_t least) const
{
    const auto number = value.whole();
    if (number && *number >= least && *number <= largestCount)
        return *number;
    report(value, say("expected a whole number from {} to {}, got {}", least, largestCount, value.shown()));
    return 1;
}

std::int64_t ConfigReader::count(Keys keys) const
{
    if (const JsonValue value = find(keys))
        return checked(value, 1);
    for (const std::string_view key : keys)
        if (m_object[key]) {
            report(m_object[key], say("expected a whole number from 1 to {}, got null", largestCount));
            return 1;
        }
    std::vector<std::string> present;
    for (JsonValue member = m_object.firstChild(); member && present.size() < 500; member = member.next())
        present.emplace_back(member.key());
    const std::string_view key = *keys.begin();
    report(m_object, say("'{}' is missing", asIs(key)), spellingHint(key, present));
    return 1;
}

int ConfigReader::smallCount(Keys keys) const { return static_cast<int>(count(keys)); }

std::int64_t ConfigReader::countOr(Keys keys, std::int64_t classDefault) const
{
    const JsonValue value = find(keys);
    return value ? checked(value, 0) : classDefault;
}

int ConfigReader::smallCountOr(Keys keys, int classDefault) const
{
    return static_cast<int>(countOr(keys, classDefault));
}

double ConfigReader::realOr(Keys keys, double classDefault) const
{
    const JsonValue value = find(keys);
    if (!value)
        return classDefault;
    if (const auto number = value.number())
        return *number;
    report(value, say("expected a finite number, got {}", value.shown()));
    return classDefault;
}

bool ConfigReader::flagOr(Keys keys, bool classDefault) const
{
    const JsonValue value = find(keys);
    if (!value)
        return classDefault;
    if (const auto flag = value.boolean())
        return *flag;
    report(value, say("expected true or false, got {}", value.shown()));
    return classDefault;
}

std::string ConfigReader::textOr(Keys keys, std::string_view classDefault) const
{
    const JsonValue value = find(keys);
    if (!value)
        return std::string(classDefault);
    if (const auto text = value.text())
        return std::string(*text);
    report(value, say("expected text in quotes, got {}", value.shown()));
    return std::string(classDefault);
}

std::vector<std::int64_t> ConfigReader::perLayer(Keys keys, std::size_t layers) const
{
    const JsonValue value = find(keys);
    if (!value.isArray())
        return std::vector<std::int64_t>(layers, value ? checked(value, 0) : count(keys));
    std::vector<std::int64_t> numbers;
    if (value.size() < layers)
        report(value, say("expected {} numbers, one for each layer, got {}", layers, value.size()));
    for (JsonValue item = value.firstChild(); item && numbers.size() < layers; item = item.next())
        numbers.push_back(checked(item, 0));
    numbers.resize(layers, 1);
    return numbers;
}

std::vector<std::string> ConfigReader::layerWords(Keys keys, std::size_t layers) const
{
    const JsonValue value = find(keys);
    if (!value)
        return {};
    if (!value.isArray() || value.size() != layers) {
        report(value, say("expected a list of {} words, one for each layer, got {}", layers, value.shown()));
        return {};
    }
    std::vector<std::string> words;
    for (JsonValue item = value.firstChild(); item; item = item.next()) {
        const auto text = item.text();
        if (!text)
            report(item, say("expected text in quotes, got {}", item.shown()));
        words.emplace_back(text.value_or(""));
    }
    return words;
}

} // namespace headroom
