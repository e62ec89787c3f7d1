#include "model/words/items.h"
#include "model/words/names.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace headroom::ask {

namespace {

// "a Llama of 70 billion parameters", "700 亿参数的 Llama".
void readParameters(Item& item, const Item& after, const Vocabulary& vocabulary)
{
    constexpr double fewest = 1e8;
    constexpr double billion = 1e9;
    if (!item.isNumber() || item.value < fewest || (after.text != "参数" && !after.text.starts_with("param")))
        return;
    const std::string size = fmt::format("{:g}b", item.value / billion);
    if (auto found = vocabulary.model(size)) {
        item.kind = ItemKind::Model;
        item.match = Names::shipped().usual(*std::move(found), size);
        item.text = size;
    }
}

// Items from the first to the last become the first.
void fold(std::vector<Item>& items, std::size_t first, std::size_t last)
{
    const auto at = [&](std::size_t i) { return items.begin() + static_cast<std::ptrdiff_t>(i); };
    items[first].end = items[last].end;
    items.erase(at(first + 1), at(last + 1));
}

// The same with what one of them is.
void foldAround(std::vector<Item>& items, std::size_t first, std::size_t last, std::size_t named)
{
    Item item = std::move(items[named]);
    item.begin = items[first].begin;
    item.spaceBefore = items[first].spaceBefore;
    items[first] = std::move(item);
    fold(items, first, last);
}

void makeFiller(Item& item)
{
    item.kind = ItemKind::Word;
    item.meaning = Meaning::Filler;
}

// The accelerator of this name that has so much memory.
std::optional<NameMatch> withMemory(const Vocabulary& vocabulary, const Item& gpu, const Item& gigabytes)
{
    return vocabulary.gpu(fmt::format("{} {:g}gb", gpu.text, gigabytes.value));
}

// Neighbours become one item; over other words the size is left as a word that says nothing more.
void join(std::vector<Item>& items, std::size_t size, std::size_t family, NameMatch both)
{
    const auto [first, last] = std::minmax(size, family);
    items[family].match = std::move(both);
    for (std::size_t i = first + 1; i < last; ++i)
        if (!items[i].is(Meaning::Filler) && !items[i].is(Meaning::Comma) && items[i].text != "参数")
            return makeFiller(items[size]);
    foldAround(items, first, last, family);
}

// Whether a name begins here: "8h100".
bool countsGpu(const std::vector<Atom>& atoms, std::size_t at, const Vocabulary& vocabulary)
{
    for (std::size_t last = std::min(atoms.size(), at + 4); last > at; --last)
        if (vocabulary.gpu(joined(atoms, at, last)))
            return true;
    return false;
}

} // namespace

bool isSizeAlone(const Item& item)
{
    return item.kind == ItemKind::Model && item.text.find_first_not_of("0123456789. b") == std::string::npos;
}

bool endsInCount(const Item& item, const std::vector<Atom>& atoms, std::size_t last,
                 const Vocabulary& vocabulary)
{
    std::size_t counted = last;
    if (last < atoms.size() && (atoms[last].text == "x" || atoms[last].text == "*"))
        ++counted;
    return item.kind == ItemKind::Model && item.match.how == NameMatch::How::Alias
        && atoms[last - 1].kind == AtomKind::Digits && atoms[last - 1].spaceBefore && counted < atoms.size()
        && atoms[counted].kind != AtomKind::Symbol && countsGpu(atoms, counted, vocabulary);
}

std::size_t identifierAtoms(const std::vector<Atom>& atoms, std::size_t first, const Vocabulary& vocabulary)
{
    const auto isPart = [&](std::size_t i) {
        return atoms[i].kind == AtomKind::Letters || atoms[i].kind == AtomKind::Digits;
    };
    const auto joins = [&](std::size_t i) { // "gpt-5", but "4-8" is a range
        return i > first && i + 1 < atoms.size() && !atoms[i + 1].spaceBefore && isPart(i + 1)
            && (atoms[i].text == "." || atoms[i].text == "_"
                || (atoms[i].text == "-"
                    && (atoms[i - 1].kind != AtomKind::Digits || atoms[i + 1].kind != AtomKind::Digits)));
    };
    std::size_t end = first;
    bool letters = false;
    bool digits = false;
    for (; end < atoms.size() && (end == first || !atoms[end].spaceBefore) && (isPart(end) || joins(end));
         ++end) {
        letters = letters || atoms[end].kind == AtomKind::Letters;
        digits = digits || atoms[end].kind == AtomKind::Digits;
    }
    const bool version = end - first >= 3 && atoms[first].text.find('.') != std::string::npos; // "0.9.2"
    if ((!letters && !version) || !digits)
        return 1;
    // "8k", "20tps" and "2xh200" are a number and what it counts.
    if (atoms[first].kind == AtomKind::Digits && first + 1 < atoms.size()
        && (phraseAt(atoms, first + 1) || atoms[first + 1].text == "x"
            || countsGpu(atoms, first + 1, vocabulary)))
        return 1;
    return end - first;
}

void joinSizeAndFamily(std::vector<Item>& items, const Vocabulary& vocabulary)
{
    for (std::size_t i = 0; i + 1 < items.size(); ++i)
        readParameters(items[i], items[i + 1], vocabulary);
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (!isSizeAlone(items[i]))
            continue;
        for (std::size_t j = 0; j < items.size(); ++j) {
            if (j == i || items[j].kind != ItemKind::Model || isSizeAlone(items[j]))
                continue;
            // "a 3B model (Llama 3.2 3B)", "Qwen3-30B-A3B has 30 billion parameters"
            if (items[j].text.find(items[i].text) != std::string::npos)
                makeFiller(items[i]);
            else if (auto both
                     = vocabulary.model(Names::shipped().respelled(items[j].text) + " " + items[i].text))
                join(items, i, j, *std::move(both));
            else
                continue;
            break;
        }
    }
}

void readForms(std::vector<Item>& items, const Vocabulary& vocabulary)
{
    for (std::size_t i = 0, gpu = items.size(); i < items.size(); ++i) {
        Item& item = items[i];
        if (item.kind == ItemKind::Gpu)
            gpu = i;
        if (gpu >= items.size() || gpu == i)
            continue;
        const std::string family = items[gpu].text.substr(0, items[gpu].text.find_first_of(" -"));
        const bool ends = i + 1 == items.size() || items[i + 1].is(Meaning::Comma) // it counts nothing
            || items[i + 1].is(Meaning::Filler, Meaning::Or) || items[i + 1].isNumber()
            || items[i + 1].kind == ItemKind::Model;
        const bool beside = gpu + 1 == i || (gpu + 2 == i && items[gpu + 1].text == "-");
        if (item.text == "pcie" || item.text == "sxm" || item.text == "nvl") {
            const std::string rest = items[gpu].text.substr(family.size()); // "A100 80G PCIe"
            if (auto same = beside ? vocabulary.gpu(family + " " + item.text + rest) : std::nullopt) {
                items[gpu].match = *std::move(same);
                fold(items, gpu, i);
                i = gpu;
            } else if (auto other = vocabulary.gpu(family + " " + item.text)) {
                item.kind = ItemKind::Gpu;
                item.match = *std::move(other);
            }
        } else if (item.isNumber() && beside && ends && !item.kilo && item.value >= 16) {
            if (auto other = withMemory(vocabulary, items[gpu], item)) {
                items[gpu].match = *std::move(other);
                makeFiller(item);
            }
        }
    }
}

void joinMemoryAndGpu(std::vector<Item>& items, const Vocabulary& vocabulary)
{
    for (std::size_t i = 0; i + 2 < items.size(); ++i) {
        const std::string& unit = items[i + 1].text;
        const std::size_t gpu = items[i + 2].is(Meaning::Filler) ? i + 3 : i + 2;
        if (!items[i].isNumber()
            || (!unit.starts_with("gb") && unit != "g" && unit != "g 的" && unit != "g的")
            || gpu >= items.size() || items[gpu].kind != ItemKind::Gpu)
            continue;
        if (auto both = withMemory(vocabulary, items[gpu], items[i])) {
            items[gpu].match = *std::move(both);
            foldAround(items, i, gpu, gpu);
        }
    }
}

} // namespace headroom::ask
