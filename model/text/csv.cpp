#include "model/text/csv.h"

#include "model/base/quantity_text.h"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>
#include <unordered_set>

namespace headroom {

namespace {

constexpr std::size_t problemLimit = 50; // a file of another kind would report every line

class CsvScanner {
public:
    CsvScanner(std::string_view text, const std::string& name) : m_text(text), m_name(name) {}

    Result<std::vector<CsvRecord>> records()
    {
        while (m_at < m_text.size() && m_problems.size() < problemLimit)
            record();
        if (!m_problems.empty())
            return refuse(std::move(m_problems));
        return std::move(m_records);
    }

private:
    [[nodiscard]] bool atLineEnd() const
    {
        return m_at >= m_text.size() || m_text[m_at] == '\n'
            || (m_text[m_at] == '\r' && (m_at + 1 == m_text.size() || m_text[m_at + 1] == '\n'));
    }
    void passLineEnd()
    {
        if (m_at < m_text.size() && m_text[m_at] == '\r')
            ++m_at;
        if (m_at < m_text.size())
            ++m_at;
        newLine();
    }
    void newLine()
    {
        ++m_line;
        m_lineStart = m_at;
    }
    [[nodiscard]] std::size_t column() const { return m_at - m_lineStart + 1; }
    void report(std::size_t line, std::size_t column, Message what)
    {
        m_problems.push_back({fmt::format("{}:{}:{}", m_name, line, column), std::move(what), {}});
    }

    void record()
    {
        CsvRecord record{.line = m_line, .cells = {}, .columns = {}};
        if (atLineEnd()) {
            passLineEnd();
            m_records.push_back(std::move(record));
            return;
        }
        for (;;) {
            record.columns.push_back(column());
            record.cells.push_back(m_text.substr(m_at).starts_with('"') ? quoted() : plain());
            if (++m_cells > csvCellLimit) {
                report(m_line, column(),
                       say("more than {} cells: not a table of measurements", csvCellLimit));
                m_at = m_text.size();
                return;
            }
            if (atLineEnd())
                break;
            ++m_at; // the comma
        }
        passLineEnd();
        m_records.push_back(std::move(record));
    }

    std::string plain()
    {
        const std::size_t begin = m_at;
        while (!atLineEnd() && m_text[m_at] != ',') {
            if (m_text[m_at] == '\0')
                report(m_line, column(), "a NUL byte: this is not a text file");
            ++m_at;
            if (m_problems.size() >= problemLimit)
                m_at = m_text.size();
        }
        return std::string(m_text.substr(begin, m_at - begin));
    }

    std::string quoted()
    {
        const std::size_t line = m_line;
        const std::size_t start = column();
        std::string cell;
        for (++m_at; m_at < m_text.size(); ++m_at) {
            const char c = m_text[m_at];
            if (c == '"' && m_text.substr(m_at + 1).starts_with('"')) {
                ++m_at;
            } else if (c == '"') {
                ++m_at;
                afterQuote();
                return cell;
            }
            cell += c;
            if (c == '\n') {
                ++m_line;
                m_lineStart = m_at + 1;
            }
        }
        report(line, start, "the quote that opens here is never closed");
        return cell;
    }
    void afterQuote()
    {
        if (atLineEnd() || m_text[m_at] == ',')
            return;
        report(m_line, column(), "expected a comma or the end of the line after a closing quote");
        while (!atLineEnd() && m_text[m_at] != ',')
            ++m_at;
    }

    std::string_view m_text;
    const std::string& m_name;
    std::size_t m_at = 0;
    std::size_t m_line = 1;
    std::size_t m_lineStart = 0;
    std::size_t m_cells = 0;
    std::vector<CsvRecord> m_records;
    Problems m_problems;
};

void checkHeader(const CsvTable& table, const CsvRecord& header, Problems& problems)
{
    std::unordered_set<std::string_view> seen;
    for (std::size_t i = 0; i < table.header.size(); ++i) {
        if (!table.header[i].empty() && !seen.insert(table.header[i]).second)
            problems.push_back({fmt::format("{}:{}:{}", table.name, header.line, header.columns[i]),
                                say("the column '{}' stands twice in the header", table.header[i]),
                                {}});
    }
}

} // namespace

Result<std::vector<CsvRecord>> readCsvRecords(std::string_view text, const std::string& name)
{
    if (text.starts_with("\xEF\xBB\xBF"))
        text.remove_prefix(3);
    return CsvScanner(text, name).records();
}

std::optional<std::size_t> CsvTable::column(std::string_view title) const
{
    const auto found = std::find(header.begin(), header.end(), title);
    if (found == header.end())
        return std::nullopt;
    return static_cast<std::size_t>(found - header.begin());
}

std::string CsvTable::place(const CsvRecord& record, std::size_t column) const
{
    return fmt::format("{}:{}:{} {}", name, record.line, record.columns.at(column), header.at(column));
}

Result<CsvTable> readCsvTable(std::string_view text, const std::string& name)
{
    Result<std::vector<CsvRecord>> records = readCsvRecords(text, name);
    if (!records)
        return refuse(std::move(records.error()));
    std::erase_if(*records, [](const CsvRecord& record) { return record.cells.empty(); });
    if (records->empty())
        return refuse(name + ":1:1", "the file is empty, expected a header line");
    CsvTable table{.name = name, .header = records->front().cells, .records = {}};
    Problems problems;
    checkHeader(table, records->front(), problems);
    for (std::size_t i = 1; i < records->size() && problems.size() < problemLimit; ++i) {
        const CsvRecord& record = (*records)[i];
        if (record.cells.size() != table.header.size())
            problems.push_back(
                {fmt::format("{}:{}:1", name, record.line),
                 say("expected {} cells as in the header, got {}", table.header.size(), record.cells.size()),
                 "a comma inside a cell needs quotes around the cell"});
    }
    if (!problems.empty())
        return refuse(std::move(problems));
    records->erase(records->begin());
    table.records = std::move(*records);
    return table;
}

bool isFormula(std::string_view text)
{
    if (text.size() < 2 || std::string_view("=+-@\t\r").find(text.front()) == std::string_view::npos)
        return false;
    // A signed amount, "-3.1 %" or "+5 GB", is none: a figure and nothing to reckon with.
    const bool amount = (text.front() == '+' || text.front() == '-') && text[1] >= '0' && text[1] <= '9'
        && text.find_first_of("+-*/^&=<>(|!@", 1) == std::string_view::npos;
    return !amount && !numberFromText(text);
}

std::string csvCell(std::string_view asIs)
{
    const std::string text = (isFormula(asIs) ? "'" : "") + std::string(asIs);
    if (text.find_first_of(",\"\r\n") == std::string::npos)
        return text;
    std::string out = "\"";
    for (const char c : text)
        out += c == '"' ? std::string("\"\"") : std::string(1, c);
    return out + '"';
}

} // namespace headroom
