#include "model/report/choices_text.h"

#include "model/advise/choices.h"
#include "model/base/chance_text.h"
#include "model/report/layout_text.h"
#include "model/report/text_page.h"
#include "model/resolve/money.h"
#include "model/scenario/stated_load.h"

#include <fmt/format.h>

namespace headroom {

namespace {

class ChoicesPage : TextPage {
public:
    ChoicesPage(const SizingPlan& plan, ask::Language language) : TextPage(language), m_plan(plan) {}

    std::string written() &&
    {
        const Choices choices = choicesOf(m_plan);
        for (std::size_t i = 0; i < choices.all.size(); ++i)
            line(i == 0 ? say("Choices", "选择") : "", described(choices.all[i]));
        if (!choices.all.empty())
            line(say("Recommended", "推荐"),
                 say2("{}: {}", "{}：{}", named(choices.all[choices.recommended]),
                      tell(recommendedText(choices.because))));
        for (const Candidate* each : choices.unpriced)
            line(each == choices.unpriced.front() ? say("Not priced", "价格未知") : "",
                 say2("would be {} ({}), price unknown: --price", "可用 {}（{}），价格未知：请给出 --price",
                      machinesText(*each), tell(layoutText(*each))));
        return std::move(*this).text();
    }

private:
    [[nodiscard]] std::string named(const Choice& choice) const
    {
        std::string out;
        for (const ChoiceKind kind : choice.kinds)
            out += std::string(out.empty() ? "" : say(", ", "、")) + tell(choiceText(kind));
        return out;
    }

    [[nodiscard]] std::string_view evidence(Source source) const
    {
        switch (source) {
        case Source::Exact:
            return say("physical limits", "物理极限");
        case Source::MeasuredHere:
            return say("measured here", "本机实测");
        case Source::MeasuredPublished:
            return say("published timings", "已发表实测");
        case Source::SameFamily:
            return say("timings of its family", "同系列实测");
        case Source::Prior:
            break;
        }
        return say("estimates", "估计");
    }

    // "safe: 2 × H100 (TP 2), 35.8 tokens/s for each user, $4.92/h, 97 % sure, published timings".
    [[nodiscard]] std::string described(const Choice& choice) const
    {
        const Candidate& c = *choice.service;
        const Service& service = c.point.prediction.service;
        const std::string_view joint = say(", ", "，");
        std::string out = say2("{}: {} ({}), {} for each user", "{}：{}（{}），每用户 {}", named(choice),
                               machinesText(c), tell(layoutText(c)),
                               people(c.point.tokensPerSecondPerUser.value.base(), Measure::TokenRate));
        out += joint;
        out += service.priceKnown ? people(perHour(service.price), Measure::HourlyPrice)
                                  : std::string(say("price unknown: --price", "价格未知：请给出 --price"));
        if (mayMiss(m_plan.scenario))
            out += std::string(joint) + say2("{} sure", "把握 {}", chanceText(c.confidence));
        return out + std::string(joint) + std::string(evidence(c.evidence()));
    }

    const SizingPlan& m_plan;
};

} // namespace

std::string choicesText(const SizingPlan& plan, ask::Language language)
{
    return ChoicesPage(plan, language).written();
}

} // namespace headroom
