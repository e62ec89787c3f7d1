#include "model/ask/rules.h"

#include <stdexcept>

namespace headroom::ask {

Reach Reach::all()
{
    Reach all;
    all.kinds.set();
    all.texts.set();
    return all;
}

namespace {

void addWord(Reach& reach, Meaning word)
{
    if (static_cast<std::size_t>(word) >= Reach::meanings)
        throw std::logic_error("more meanings than rules keep apart");
    reach.kinds.set(static_cast<std::size_t>(word));
}

// What a word has to be.
Reach kindsOf(const Test& test)
{
    Reach reach = Reach::all();
    const auto kind = constantCalled<ItemKind>(test.name);
    const bool number = test.name.starts_with('#');
    const bool word = test.name.empty() && test.word != Meaning::Filler;
    if (!number && !word && !kind && test.name != "Filler" && test.name != "$")
        return reach;
    reach.kinds.reset();
    if (number || kind)
        reach.kinds.set(Reach::of(number ? ItemKind::Number : *kind));
    for (std::size_t i = 0; kind == ItemKind::Word && i < Reach::meanings; ++i)
        reach.kinds.set(i);
    if (word || test.name == "Filler")
        addWord(reach, test.word);
    if (test.name == "$")
        for (const Meaning end : {Meaning::Comma, Meaning::YesNo})
            addWord(reach, end);
    return reach;
}

// "'text'", "'text*'": how it has to begin, where that is told.
void begin(Reach& reach, std::string_view text)
{
    const bool whole = !text.ends_with('*');
    text.remove_suffix(whole ? 0 : 1);
    if (text.starts_with('*') || (!whole && text.size() < 3))
        return;
    reach.texts.reset();
    reach.texts.set(Reach::of(text));
}

} // namespace

Reach reachOf(const Tests& any)
{
    Reach either;
    for (const std::vector<Test>& all : any) {
        Reach both = Reach::all();
        const auto keep = [&](const Reach& other) {
            both.kinds &= other.kinds;
            both.texts &= other.texts;
        };
        for (const Test& test : all) {
            if (test.negated)
                continue;
            if (!test.set.empty())
                for (const Tests& within : test.set)
                    keep(reachOf(within));
            else if (Reach one = kindsOf(test); test.name.empty() && test.word == Meaning::Filler) {
                begin(one, test.text);
                keep(one);
            } else
                keep(one);
        }
        either.add(both);
    }
    return either;
}

} // namespace headroom::ask
