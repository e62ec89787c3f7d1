#include "model/ask/spans.h"

#include <algorithm>
#include <array>
#include <utility>

namespace headroom::ask {

using enum Meaning;

namespace {

class Machines {
public:
    explicit Machines(const Draft& draft) : m_draft(draft) {}

    std::vector<Span> all()
    {
        for (std::size_t i = 0; i < m_draft.size(); ++i)
            if (m_draft.at(i).kind == ItemKind::Gpu && !boxes(i) && !countBefore(i))
                countAfter(i);
        for (std::size_t i = 0; i < m_draft.size(); ++i)
            bare(i);
        const bool boxed = std::any_of(m_spans.begin(), m_spans.end(), [](const Span& span) {
            return span.dimension == Dimension::Box && span.boxSize == 0;
        });
        for (Span& span : m_spans) // "two boxes of MI355X or two of B200"
            if (boxed && span.dimension == Dimension::Count && span.boxSize == 0 && span.parts.size() == 2
                && m_draft.at(span.gpu - 1).text == "of")
                span.dimension = Dimension::Box;
        return std::move(m_spans);
    }

private:
    [[nodiscard]] bool isFree(std::size_t i) const
    {
        return m_draft.isNumber(i) && std::none_of(m_spans.begin(), m_spans.end(), [i](const Span& span) {
                   return std::find(span.parts.begin(), span.parts.end(), i) != span.parts.end();
               });
    }

    // "two H100 servers with 8 GPUs each", "2 台 H100 服务器，每台 8 卡".
    bool boxes(std::size_t gpu)
    {
        const std::size_t behind = m_draft.is(m_draft.next(gpu), Box) ? m_draft.next(gpu) : none;
        const std::size_t before = m_draft.is(m_draft.previous(gpu), Box) ? m_draft.previous(gpu) : none;
        const bool several = behind != none && (m_draft.at(behind).text.ends_with('s') || before != none);
        std::size_t number = before != none ? m_draft.previous(before) : m_draft.previous(gpu);
        const std::size_t classifier = before != none && m_draft.is(number, Box) ? number : none;
        if (classifier != none) // "4 台 DGX H100"
            number = m_draft.previous(classifier);
        if (!isFree(number) || m_draft.at(number).kilo
            || (before == none
                && (!several || m_draft.isNumber(m_draft.previous(number)) || number + 1 < gpu)))
            return false;
        std::size_t last = behind != none ? behind : gpu;
        std::vector<std::size_t> parts{number, gpu, last};
        if (before != none)
            parts.push_back(before);
        if (classifier != none)
            parts.push_back(classifier);
        std::size_t j = m_draft.next(last);
        if (m_draft.is(j, Comma))
            j = m_draft.next(j);
        std::size_t inEach = none;
        if (m_draft.is(j, Every) && m_draft.is(m_draft.next(j), Box)
            && m_draft.isNumber(m_draft.next(m_draft.next(j)))) {
            inEach = m_draft.next(m_draft.next(j));
            parts.insert(parts.end(), {j, m_draft.next(j)});
        } else if (m_draft.isNumber(j) && m_draft.is(m_draft.next(j), Card)
                   && m_draft.is(m_draft.next(m_draft.next(j)), Box)) { // "4 台 910B 八卡服务器"
            inEach = j;
            parts.push_back(m_draft.next(m_draft.next(j)));
        } else if (m_draft.isNumber(j)
                   && m_draft.is(m_draft.next(j), Each)) { // "three H100 servers (8 each)"
            inEach = j;
            parts.push_back(m_draft.next(j));
        } else if (m_draft.isNumber(j) && m_draft.is(m_draft.next(j), Card)
                   && m_draft.isAny(m_draft.next(m_draft.next(j)), {Each, Per})) {
            inEach = j;
            parts.push_back(m_draft.next(m_draft.next(j)));
        }
        if (inEach == none) { // of the usual size, or asked for
            add(m_draft.at(number).value, 0, Dimension::Box, gpu, std::move(parts));
            return true;
        }
        parts.push_back(inEach);
        if (m_draft.is(m_draft.next(inEach), Card))
            parts.push_back(m_draft.next(inEach));
        if (m_draft.is(m_draft.next(parts.back()), Box)) // "8 per server"
            parts.push_back(m_draft.next(parts.back()));
        add(m_draft.at(number).value * m_draft.at(inEach).value, m_draft.at(inEach).value, Dimension::Count,
            gpu, std::move(parts));
        return true;
    }

    bool countBefore(std::size_t gpu)
    {
        std::size_t j = m_draft.previous(gpu);
        std::vector<std::size_t> parts{gpu};
        while (m_draft.isAny(j, {Times, Card}) && parts.size() < 3) {
            parts.push_back(j);
            j = m_draft.previous(j);
        }
        const bool signs = parts.size() > 1;
        const bool ofPair = j != none && j > 1 && m_draft.at(j - 1).text == "/" && m_draft.isNumber(j - 2);
        if (!isFree(j) || (!signs && (m_draft.at(j).kilo || ofPair))) // "100/20 h100"
            return false;
        // "500 on H100" counts something else.
        const bool apart = !signs
            && (j + 2 < gpu
                || (j + 1 < gpu && m_draft.at(j + 1).text != "-" && m_draft.at(j + 1).text != "of"
                    && m_draft.at(j + 1).text != "的" && !m_draft.at(j + 1).is(Total)));
        if (apart || (!signs && m_draft.is(m_draft.previous(j), Equals)))
            return false;
        parts.push_back(j);
        double count = m_draft.at(j).value;
        double boxSize = 0;
        std::size_t first = j;
        std::size_t box = m_draft.previous(j);
        if (m_draft.is(box, Times))
            box = m_draft.previous(box);
        if (m_draft.is(box, Box) && isFree(m_draft.previous(box))) { // "2 nodes of 8 H100", "2 台 8 卡 H100"
            first = m_draft.previous(box);
            boxSize = count;
            count *= m_draft.at(first).value;
            parts.insert(parts.end(), {box, first});
        }
        if (const std::size_t every = m_draft.previous(box);
            m_draft.is(box, Box) && m_draft.is(every, Every)) { // "5 台服务器，每台 4 张 L40S"
            std::size_t boxes = m_draft.previous(every);
            if (m_draft.is(boxes, Comma))
                boxes = m_draft.previous(boxes);
            if (m_draft.is(boxes, Box) && isFree(m_draft.previous(boxes))) {
                first = m_draft.previous(boxes);
                boxSize = count;
                count *= m_draft.at(first).value;
                parts.insert(parts.end(), {box, every, boxes, first});
            }
        }
        if (const std::size_t behind = m_draft.next(gpu); m_draft.is(behind, Box)) { // "two 8-GPU H100 nodes"
            parts.push_back(behind);
            if (const std::size_t number = m_draft.previous(first); isFree(number)) {
                first = number;
                boxSize = m_draft.at(j).value;
                count *= m_draft.at(number).value;
                parts.push_back(number);
            } else if (const std::size_t after = m_draft.next(behind);
                       isFree(after) && m_draft.is(m_draft.touching(after), Box)) { // "8 卡 H100 服务器两台"
                boxSize = m_draft.at(j).value;
                count *= m_draft.at(after).value;
                parts.insert(parts.end(), {after, m_draft.touching(after)});
            }
        }
        // "how many boxes of 8": the 8 is the size of a box, not of the service.
        const std::size_t before = m_draft.previous(first);
        const bool ofBoxes = m_draft.is(before, Box) && m_draft.is(m_draft.previous(before), HowMany);
        if ((m_draft.is(before, HowMany) && parts.size() > 2) || ofBoxes) {
            add(count, count, Dimension::Box, gpu, std::move(parts));
            return true;
        }
        const bool most = m_draft.is(before, AtMost); // "on at most 4 H100": as many or fewer
        if (most)
            parts.push_back(before);
        add(count, boxSize, Dimension::Count, gpu, std::move(parts));
        m_spans.back().bound = most ? AtMost : Filler;
        return true;
    }

    // "H200 x2", "H800 8 张", "H100*8".
    void countAfter(std::size_t gpu)
    {
        const std::size_t a = m_draft.next(gpu);
        const std::size_t b = a == none ? none : m_draft.next(a);
        if (m_draft.is(a, Times) && isFree(b)) {
            add(m_draft.at(b).value, 0, Dimension::Count, gpu, {gpu, a, b});
        } else if (isFree(a) && m_draft.is(b, Card) && b - a <= 2) {
            std::vector<std::size_t> parts{gpu, a, b};
            const std::size_t box = m_draft.previous(gpu); // "2 台 H20 8 卡"
            double boxes = 1;
            if (m_draft.is(box, Box) && isFree(m_draft.previous(box))) {
                boxes = m_draft.at(m_draft.previous(box)).value;
                parts.insert(parts.end(), {box, m_draft.previous(box)});
            } else if (const std::size_t behind = m_draft.next(b);
                       isFree(behind) && m_draft.is(m_draft.touching(behind), Box)) { // "H20 八卡机一台"
                boxes = m_draft.at(behind).value;
                parts.insert(parts.end(), {behind, m_draft.touching(behind)});
            }
            add(m_draft.at(a).value * boxes, 0, Dimension::Count, gpu, std::move(parts));
        }
    }

    // "2 台 8 卡", "max 4 GPUs per server": cards whose type stands elsewhere or is open.
    void bare(std::size_t i)
    {
        std::size_t card = m_draft.touching(i);
        if (isFree(i) && m_draft.isNumber(card) && m_draft.is(m_draft.touching(card), Bytes)
            && m_draft.is(m_draft.touching(m_draft.touching(card)), Card))
            return add(m_draft.at(i).value, 0, Dimension::Card, none, {i}); // "a single 48GB card"
        if (!isFree(i) || !m_draft.is(card, Card))
            return;
        const std::size_t box = m_draft.previous(i);
        const std::size_t per = m_draft.next(card);
        if ((m_draft.is(box, HowMany) && m_draft.at(box).text.ends_with("台"))
            || (m_draft.is(box, Box) && m_draft.is(m_draft.previous(box), HowMany))) // "几台 8 卡机"
            return add(m_draft.at(i).value, m_draft.at(i).value, Dimension::Box, none, {i, card});
        if (isFree(per) && m_draft.at(per).value == 1 && per == card + 1
            && m_draft.is(m_draft.touching(per), Box))
            return add(m_draft.at(i).value, m_draft.at(i).value, Dimension::Box, none,
                       {i, card, per, m_draft.touching(per)}); // "8 卡一台"
        if (m_draft.is(box, Box) && isFree(m_draft.previous(box))) {
            const std::size_t boxes = m_draft.previous(box);
            add(m_draft.at(i).value * m_draft.at(boxes).value, m_draft.at(i).value, Dimension::Card, none,
                {i, card, box, boxes});
        } else if (m_draft.isAny(per, {Per, Each, Every}) && m_draft.is(m_draft.next(per), Box)) {
            std::vector<std::size_t> parts{i, card, per, m_draft.next(per)};
            if (m_draft.isAny(m_draft.previous(i), {AtMost, AtLeast}))
                parts.push_back(m_draft.previous(i));
            add(m_draft.at(i).value, m_draft.at(i).value, Dimension::Box, none, std::move(parts));
        } else if (m_draft.is(box, Box) && m_draft.is(m_draft.previous(box), Every)) { // "每台 8 卡"
            add(m_draft.at(i).value, m_draft.at(i).value, Dimension::Box, none,
                {i, card, box, m_draft.previous(box)});
        }
    }

    void add(double value, double boxSize, Dimension dimension, std::size_t gpu,
             std::vector<std::size_t> parts)
    {
        std::sort(parts.begin(), parts.end());
        parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
        Span span{.value = value, .dimension = dimension, .boxSize = boxSize};
        if (const std::size_t to = parts.front(); to > 1 && m_draft.at(to).isNumber() && isFree(to - 2)
            && rangeFrom(m_draft, to - 2) == to) { // "2-4 nodes of 8 H200"
            span.from = value * m_draft.at(to - 2).value / m_draft.at(to).value;
            parts.insert(parts.begin(), {to - 2, to - 1});
        }
        span.number
            = *std::find_if(parts.begin(), parts.end(), [&](std::size_t i) { return m_draft.isNumber(i); });
        span.first = parts.front();
        span.last = parts.back();
        span.gpu = gpu;
        span.parts = std::move(parts);
        m_spans.push_back(std::move(span));
    }

    const Draft& m_draft;
    std::vector<Span> m_spans;
};

} // namespace

std::vector<Span> machineSpans(const Draft& draft) { return Machines(draft).all(); }

} // namespace headroom::ask
