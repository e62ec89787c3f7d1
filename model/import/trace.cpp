#include "model/import/trace.h"

#include "model/text/csv.h"
#include "model/text/json_document.h"
#include "model/text/text_file.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

namespace headroom {

namespace {

constexpr double latestArrival = 1e10; // seconds; as a time of the clock the year 2286

using serve::Request;
using serve::Workload;

constexpr std::uintmax_t traceFileLimit = 1ULL << 30U; // ten million lines
constexpr std::size_t lineProblemLimit = 50;
constexpr std::int64_t longestPrompt = 16 * (1 << 20);
constexpr std::int32_t mooncakeBlock
    = 512; // tokens behind one hash id, kvcache-ai/Mooncake FAST25-release/traces

// "2023-11-16 18:17:03.9799600" (or with a T, or a trailing Z) in seconds.
std::optional<double> secondsOfTimestamp(std::string_view text)
{
    if (text.ends_with('Z'))
        text.remove_suffix(1);
    if (text.size() < 19 || text[4] != '-' || text[7] != '-' || (text[10] != ' ' && text[10] != 'T')
        || text[13] != ':' || text[16] != ':')
        return std::nullopt;
    const auto year = wholeCell<int>(text.substr(0, 4));
    const auto month = wholeCell<unsigned>(text.substr(5, 2));
    const auto day = wholeCell<unsigned>(text.substr(8, 2));
    const auto hour = wholeCell<unsigned>(text.substr(11, 2));
    const auto minute = wholeCell<unsigned>(text.substr(14, 2));
    const auto second = wholeCell<double>(text.substr(17));
    if (!year || !month || !day || !hour || !minute || !second || *hour > 23 || *minute > 59
        || !(*second >= 0) || *second >= 61)
        return std::nullopt;
    const std::chrono::year_month_day date{std::chrono::year(*year), std::chrono::month(*month),
                                           std::chrono::day(*day)};
    if (!date.ok())
        return std::nullopt;
    const auto days = static_cast<double>(std::chrono::sys_days(date).time_since_epoch().count());
    return ((days * 24 + *hour) * 60 + *minute) * 60 + *second;
}

// Spellings of a column in published traces.
struct Spelling {
    std::string_view title;
    double secondsPerUnit = 1;
    bool timestamp = false;
};
constexpr std::array arrivalColumns{Spelling{"arrival_s"}, Spelling{"arrived_at"},
                                    Spelling{"TIMESTAMP", 1, true}, Spelling{"start_offset_ns", 1e-9}};
constexpr std::array<std::string_view, 4> promptColumns{"prompt_tokens", "ContextTokens",
                                                        "num_prefill_tokens", "input_tokens"};
constexpr std::array<std::string_view, 3> outputColumns{"output_tokens", "GeneratedTokens",
                                                        "num_decode_tokens"};

class TraceTable {
public:
    explicit TraceTable(const CsvTable& table) : m_table(table)
    {
        for (const Spelling& spelling : arrivalColumns)
            if (!m_arrival && (m_arrival = table.column(spelling.title)))
                m_spelling = spelling;
        m_prompt = firstOf(promptColumns);
        m_output = firstOf(outputColumns);
        m_class = table.column("class");
        m_session = table.column("session");
        m_prefix = table.column("prefix_tokens");
        if (!m_spelling.timestamp && m_spelling.secondsPerUnit == 1) {
            m_firstToken = table.column("first_token_s");
            m_lastToken = table.column("last_token_s");
        }
    }

    [[nodiscard]] Problems missing() const
    {
        Problems problems;
        const auto expect = [&](const std::optional<std::size_t>& column, std::string_view title) {
            if (!column)
                problems.push_back(
                    {m_table.name + ":1", say("has no column '{}'", asIs(title)),
                     "a trace needs arrival_s, prompt_tokens and output_tokens (or the columns of the "
                     "Azure trace)"});
        };
        expect(m_arrival, "arrival_s");
        expect(m_prompt, "prompt_tokens");
        expect(m_output, "output_tokens");
        return problems;
    }

    [[nodiscard]] Result<Workload> read()
    {
        Workload workload;
        workload.classes.clear();
        workload.requests.reserve(m_table.records.size());
        for (const CsvRecord& record : m_table.records) {
            if (m_problems.size() >= lineProblemLimit)
                break;
            workload.requests.push_back(request(record, workload));
            if (m_firstToken && m_lastToken)
                workload.recorded.push_back(recordedTimes(record, workload.requests.back().arrival));
        }
        if (workload.classes.empty())
            workload.classes.emplace_back();
        if (!m_problems.empty())
            return refuse(std::move(m_problems));
        return workload;
    }

private:
    template <std::size_t N>
    [[nodiscard]] std::optional<std::size_t> firstOf(const std::array<std::string_view, N>& titles) const
    {
        for (const std::string_view title : titles)
            if (const auto column = m_table.column(title))
                return column;
        return std::nullopt;
    }

    void report(const CsvRecord& record, std::size_t column, Message what)
    {
        m_problems.push_back({m_table.place(record, column), std::move(what), {}});
    }

    std::int32_t tokens(const CsvRecord& record, std::size_t column, std::int64_t least)
    {
        const std::string& text = record.cells[column];
        const auto value = wholeCell<std::int64_t>(text);
        if (!value || *value < least || *value > longestPrompt) {
            report(
                record, column,
                say("expected a whole number of tokens from {} to {}, got '{}'", least, longestPrompt, text));
            return 1;
        }
        return static_cast<std::int32_t>(*value);
    }

    Seconds arrival(const CsvRecord& record)
    {
        const std::string& text = record.cells[*m_arrival];
        const std::optional<double> value
            = m_spelling.timestamp ? secondsOfTimestamp(text) : wholeCell<double>(text);
        if (!value || !std::isfinite(*value)) {
            report(record, *m_arrival,
                   m_spelling.timestamp
                       ? say("expected a time such as '2023-11-16 18:17:03.97', got '{}'", text)
                       : say("expected a number of seconds, got '{}'", text));
            return {};
        }
        if (!m_spelling.timestamp && *value < 0)
            report(record, *m_arrival, say("an arrival is not before 0, got '{}'", text));
        if (*value * m_spelling.secondsPerUnit > latestArrival)
            report(record, *m_arrival, say("an arrival is at most {:g} s, got '{}'", latestArrival, text));
        return Seconds(*value * m_spelling.secondsPerUnit);
    }

    Request request(const CsvRecord& record, Workload& workload)
    {
        Request request{.arrival = arrival(record),
                        .promptTokens = tokens(record, *m_prompt, 1),
                        .outputTokens = tokens(record, *m_output, 1)};
        if (m_class)
            request.classIndex = classOf(record, workload);
        if (m_session && !record.cells[*m_session].empty())
            request.session
                = m_sessions
                      .try_emplace(record.cells[*m_session], static_cast<std::int32_t>(m_sessions.size()))
                      .first->second;
        if (m_prefix && !record.cells[*m_prefix].empty()) {
            const std::int32_t prefix = tokens(record, *m_prefix, 0);
            if (prefix > request.promptTokens)
                report(
                    record, *m_prefix,
                    say("expected a part of the prompt's {} tokens, got {}", request.promptTokens, prefix));
            (request.session >= 0 ? request.sessionTokens : request.systemTokens) = prefix;
        }
        return request;
    }

    serve::RecordedTimes recordedTimes(const CsvRecord& record, Seconds arrival)
    {
        const serve::RecordedTimes times{.firstToken = notBefore(arrival, record, *m_firstToken),
                                         .lastToken = notBefore(arrival, record, *m_lastToken)};
        if (times.lastToken < times.firstToken)
            report(record, *m_lastToken, "the last token is before the first");
        return times;
    }

    Seconds notBefore(Seconds arrival, const CsvRecord& record, std::size_t column)
    {
        const std::string& text = record.cells[column];
        const auto value = wholeCell<double>(text);
        if (value && std::isfinite(*value) && *value >= arrival.base())
            return Seconds(*value);
        report(record, column,
               say("expected seconds on the clock of the arrival, not before {}, got '{}'", arrival.base(),
                   text));
        return arrival;
    }

    std::uint16_t classOf(const CsvRecord& record, Workload& workload)
    {
        const std::string& name = record.cells[*m_class];
        for (std::size_t i = 0; i < workload.classes.size(); ++i)
            if (workload.classes[i].name == name)
                return static_cast<std::uint16_t>(i);
        constexpr std::size_t most = 1000;
        if (workload.classes.size() == most) {
            report(record, *m_class, say("is one class too many: at most {}", most));
            return 0;
        }
        workload.classes.push_back({.name = name, .targets = {}});
        return static_cast<std::uint16_t>(workload.classes.size() - 1);
    }

    const CsvTable& m_table;
    Problems m_problems;
    Spelling m_spelling;
    std::optional<std::size_t> m_arrival, m_prompt, m_output, m_class, m_session, m_prefix, m_firstToken,
        m_lastToken;
    std::map<std::string, std::int32_t, std::less<>> m_sessions;
};

class MooncakeLines {
public:
    [[nodiscard]] Result<Workload> read(std::string_view text, const std::string& name)
    {
        Result<std::vector<JsonDocument>> lines = JsonDocument::parseLines(text, name);
        if (!lines)
            return refuse(std::move(lines.error()));
        m_workload.hashedTokens = mooncakeBlock;
        for (const JsonDocument& line : *lines)
            if (m_problems.size() < lineProblemLimit)
                add(line.root());
        if (!m_problems.empty())
            return refuse(std::move(m_problems));
        return std::move(m_workload);
    }

private:
    void report(const JsonValue& at, Message what)
    {
        m_problems.push_back({at.place(), std::move(what), {}});
    }

    std::int32_t tokens(const JsonValue& line, std::string_view key)
    {
        const JsonValue value = line[key];
        const std::optional<std::int64_t> whole = value.whole();
        if (whole && *whole >= 1 && *whole <= longestPrompt)
            return static_cast<std::int32_t>(*whole);
        report(value ? value : line,
               value ? say("expected '{}', a whole number of tokens from 1 to {}, got {}", asIs(key),
                           longestPrompt, value.shown())
                     : say("expected '{}', a whole number of tokens from 1 to {}", asIs(key), longestPrompt));
        return 1;
    }

    void add(const JsonValue& line)
    {
        if (!line.isObject())
            return report(line,
                          "expected an object with timestamp, input_length, output_length and hash_ids");
        const JsonValue timestamp = line["timestamp"];
        const std::optional<double> milliseconds = timestamp.number();
        if (!milliseconds)
            report(timestamp ? timestamp : line, "expected 'timestamp', a number of milliseconds");
        else if (*milliseconds < 0)
            report(timestamp, say("an arrival is not before 0, got {}", timestamp.shown()));
        else if (*milliseconds / 1000 > latestArrival)
            report(timestamp, say("an arrival is at most {:g} s, got {}", latestArrival, timestamp.shown()));
        Request request{.arrival = Seconds(milliseconds.value_or(0) / 1000),
                        .promptTokens = tokens(line, "input_length"),
                        .outputTokens = tokens(line, "output_length")};
        request.hashBegin = static_cast<std::uint32_t>(m_workload.prefixHashes.size());
        if (const JsonValue hashes = line["hash_ids"]) {
            if (!hashes.isArray() || hashes.size() > std::numeric_limits<std::uint16_t>::max())
                return report(hashes,
                              say("expected at most {} hash ids in brackets",
                                  std::numeric_limits<std::uint16_t>::max()));
            request.hashCount = static_cast<std::uint16_t>(hashes.size());
            for (JsonValue hash = hashes.firstChild(); hash; hash = hash.next())
                addHash(hash);
        }
        m_workload.requests.push_back(request);
    }

    void addHash(const JsonValue& hash)
    {
        const std::optional<std::int64_t> whole = hash.whole();
        if (!whole || *whole < 0 || *whole > std::numeric_limits<std::uint32_t>::max())
            report(hash, say("expected a whole number from 0 to 4294967295, got {}", hash.shown()));
        m_workload.prefixHashes.push_back(static_cast<std::uint32_t>(whole.value_or(0)));
    }

    Workload m_workload;
    Problems m_problems;
};

// From 0 s on, in the order of arrival.
Workload aligned(Workload workload)
{
    const std::vector<Request>& given = workload.requests;
    std::vector<std::size_t> order(given.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return given[a].arrival < given[b].arrival; });
    const Seconds first = given[order.front()].arrival;
    std::vector<Request> requests;
    std::vector<serve::RecordedTimes> recorded;
    requests.reserve(given.size());
    recorded.reserve(workload.recorded.size());
    for (const std::size_t i : order) {
        requests.push_back(given[i]);
        requests.back().arrival -= first;
        if (!workload.recorded.empty())
            recorded.push_back(
                {workload.recorded[i].firstToken - first, workload.recorded[i].lastToken - first});
    }
    workload.requests = std::move(requests);
    workload.recorded = std::move(recorded);
    return workload;
}

} // namespace

Result<Workload> readTrace(std::string_view text, const std::string& name)
{
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos)
        return refuse(name, "holds no requests");
    Result<Workload> workload = Workload{};
    if (text[first] == '{') {
        workload = MooncakeLines().read(text, name);
    } else {
        const Result<CsvTable> table = readCsvTable(text, name);
        if (!table)
            return refuse(table.error());
        TraceTable trace(*table);
        if (Problems missing = trace.missing(); !missing.empty())
            return refuse(std::move(missing));
        workload = trace.read();
    }
    if (!workload)
        return workload;
    if (workload->requests.empty())
        return refuse(name, "holds no requests");
    return aligned(std::move(*workload));
}

Result<Workload> readTraceFile(const std::filesystem::path& file)
{
    const Result<std::string> text = readTextFile(file, traceFileLimit);
    if (!text)
        return refuse(text.error());
    return readTrace(*text, file.string());
}

} // namespace headroom
