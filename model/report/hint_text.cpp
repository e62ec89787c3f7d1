#include "model/report/hint_text.h"

#include "model/base/chance_text.h"
#include "model/report/layout_text.h"
#include "model/report/text_page.h"
#include "model/resolve/money.h"

#include <cmath>
#include <fmt/format.h>

namespace headroom {

namespace {

class HintLine : TextPage {
public:
    HintLine(const Hint& hint, ask::Language language) : TextPage(language), m_hint(hint) {}

    std::string written() &&
    {
        std::string out = say2("{} (`{}`): ", "{}（`{}`）：", tell(m_hint.change), m_hint.flags);
        out += m_hint.saved > 0 ? saving() : carrying();
        if (m_hint.kind != Hint::Kind::Target && m_hint.answer.confidence > 0)
            out += say2(", {} sure", "，把握 {}", chanceText(m_hint.answer.confidence));
        if (m_hint.kind == Hint::Kind::Types)
            out += say("; answers may get worse: test them", "；回答质量可能下降，请先测试");
        return out;
    }

private:
    [[nodiscard]] std::string withPrice(const Candidate& c) const
    {
        const Service& service = c.point.prediction.service;
        return service.priceKnown
            ? fmt::format("{}{}", say(", ", "，"), people(perHour(service.price), Measure::HourlyPrice))
            : std::string();
    }

    [[nodiscard]] std::string saving() const
    {
        const bool priced = m_hint.answer.point.prediction.service.priceKnown
            && m_hint.instead.point.prediction.service.priceKnown;
        return say2(priced ? "{} ({}){} in place of {}{}: {:.0f} % less"
                           : "{} ({}){} in place of {}{}: {:.0f} % fewer",
                    "{}（{}）{}，代替 {}{}：省 {:.0f} %", machinesText(m_hint.answer),
                    tell(layoutText(m_hint.answer)), withPrice(m_hint.answer), machinesText(m_hint.instead),
                    withPrice(m_hint.instead), m_hint.saved * 100);
    }

    [[nodiscard]] std::string carrying() const
    {
        const bool users = m_hint.scenario.objective != Objective::MostThroughput;
        const auto carried = [&](const Candidate& c) {
            return users
                ? people(c.maxConcurrency, Measure::Whole)
                : people(c.point.prediction.service.outputTokensPerSecond.value.base(), Measure::TokenRate);
        };
        return say2(users ? "{} ({}) carry {} users at once in place of {}, most likely: {:.0f} % more"
                          : "{} ({}): {} in total in place of {}: {:.0f} % more",
                    users ? "{}（{}）最可能支持 {} 个并发用户，原为 {}：多 {:.0f} %"
                          : "{}（{}）：总吞吐 {}，原为 {}：多 {:.0f} %",
                    machinesText(m_hint.answer), tell(layoutText(m_hint.answer)), carried(m_hint.answer),
                    carried(m_hint.instead), m_hint.more * 100);
    }

    const Hint& m_hint;
};

} // namespace

std::string hintText(const Hint& hint, ask::Language language) { return HintLine(hint, language).written(); }

} // namespace headroom
