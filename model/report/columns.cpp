#include "model/report/columns.h"

#include "model/base/quantity_text.h"
#include "model/report/text_page.h"
#include "model/text/csv.h"

#include <algorithm>
#include <cmath>

namespace headroom {

namespace {

bool isNumber(const Cell& cell)
{
    return std::holds_alternative<double>(cell) || std::holds_alternative<Interval>(cell);
}

std::string plain(double number) { return std::isfinite(number) ? numberText(number) : std::string(); }

// A pipe would end a Markdown cell.
std::string inMarkdown(std::string text)
{
    for (std::size_t at = text.find('|'); at != std::string::npos; at = text.find('|', at + 2))
        text.insert(at, "\\");
    return text;
}

} // namespace

Message cellMessage(const ColumnHead& head, const Cell& cell)
{
    if (const auto* text = std::get_if<std::string>(&cell))
        return asIs(*text);
    if (const auto* words = std::get_if<Message>(&cell))
        return *words;
    if (const auto* number = std::get_if<double>(&cell))
        return inUnits(*number, head.measure);
    if (const auto* truth = std::get_if<bool>(&cell))
        return *truth ? say("yes") : say("no");
    if (const auto* range = std::get_if<Interval>(&cell))
        return inUnits(range->value, range->low, range->high, head.measure);
    return {};
}

std::string cellText(const ColumnHead& head, const Cell& cell) { return cellMessage(head, cell).english(); }

std::string textTable(const Table& table) { return textTable(table, &Message::english); }

std::string textTable(const Table& table, const std::function<std::string(const Message&)>& tell)
{
    const std::size_t count = table.heads.size();
    std::vector<std::size_t> widths(count);
    std::vector<bool> right(count);
    std::vector<std::vector<std::string>> lines(1);
    for (const ColumnHead& head : table.heads)
        lines.front().push_back(tell(head.title));
    for (const std::vector<Cell>& row : table.rows) {
        std::vector<std::string>& line = lines.emplace_back();
        for (std::size_t i = 0; i < count; ++i) {
            line.push_back(tell(cellMessage(table.heads[i], row[i])));
            right[i] = right[i] || isNumber(row[i]);
        }
    }
    for (const auto& line : lines)
        for (std::size_t i = 0; i < count; ++i)
            widths[i] = std::max(widths[i], widthOf(line[i]));
    std::string out;
    for (const auto& line : lines) {
        std::string text;
        for (std::size_t i = 0; i < count; ++i) {
            const std::string padding(widths[i] - widthOf(line[i]), ' ');
            text += i == 0 ? "" : "  ";
            text += right[i] ? padding + line[i] : line[i] + padding;
        }
        text.erase(text.find_last_not_of(' ') + 1);
        out += text + '\n';
    }
    return out;
}

std::string markdownTable(const Table& table) { return markdownTable(table, &Message::english); }

std::string markdownTable(const Table& table, const std::function<std::string(const Message&)>& tell)
{
    std::string out = "|";
    std::string rule = "|";
    for (std::size_t i = 0; i < table.heads.size(); ++i) {
        out += ' ' + inMarkdown(tell(table.heads[i].title)) + " |";
        rule += !table.rows.empty() && isNumber(table.rows.front()[i]) ? "---:|" : "---|";
    }
    out += '\n' + rule + '\n';
    for (const std::vector<Cell>& row : table.rows) {
        out += '|';
        for (std::size_t i = 0; i < table.heads.size(); ++i)
            out += ' ' + inMarkdown(tell(cellMessage(table.heads[i], row[i]))) + " |";
        out += '\n';
    }
    return out;
}

std::string csvHeader(std::span<const ColumnHead> heads)
{
    std::string out;
    for (const ColumnHead& head : heads) {
        const std::string key = head.key;
        out += (out.empty() ? "" : ",") + key;
        if (head.interval)
            out += ',' + key + "_low," + key + "_high";
    }
    return out + '\n';
}

std::string csvRow(std::span<const ColumnHead> heads, std::span<const Cell> cells)
{
    std::string out;
    for (std::size_t i = 0; i < heads.size(); ++i) {
        out += i == 0 ? "" : ",";
        if (const auto* text = std::get_if<std::string>(&cells[i]))
            out += csvCell(*text);
        else if (const auto* words = std::get_if<Message>(&cells[i]))
            out += csvCell(words->english());
        else if (const auto* number = std::get_if<double>(&cells[i]))
            out += plain(*number);
        else if (const auto* truth = std::get_if<bool>(&cells[i]))
            out += *truth ? "true" : "false";
        else if (const auto* range = std::get_if<Interval>(&cells[i]))
            out += plain(range->value) + ',' + plain(range->low) + ',' + plain(range->high);
        if (heads[i].interval && !std::holds_alternative<Interval>(cells[i]))
            out += ",,";
    }
    return out + '\n';
}

std::string csvTable(const Table& table)
{
    std::string out = csvHeader(table.heads);
    for (const std::vector<Cell>& row : table.rows)
        out += csvRow(table.heads, row);
    return out;
}

} // namespace headroom
