#include "model/report/beside_answer_text.h"

#include "model/advise/choices.h"
#include "model/advise/purchases.h"
#include "model/advise/stated_order.h"
#include "model/base/chance_text.h"
#include "model/base/figure_text.h"
#include "model/report/asked_figure.h"
#include "model/report/hint_text.h"
#include "model/report/layout_text.h"
#include "model/report/text_page.h"
#include "model/scenario/alternatives.h"
#include "model/scenario/stated_load.h"
#include "model/search/ranking.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <utility>
#include <vector>

namespace headroom {

namespace {

class Beside : TextPage {
public:
    Beside(const SizingPlan& plan, const ask::Question* question, ask::Language language)
        : TextPage(language), m_plan(plan), m_question(question)
    {}

    std::string written() &&
    {
        remedies();
        hints();
        nextBest();
        breakPoints();
        growth();
        day();
        assumed();
        return std::move(*this).text();
    }

private:
    void remedies()
    {
        bool first = true;
        for (const Remedy& remedy : m_plan.remedies) {
            line(first ? say("What would do", "可行的改动") : "",
                 tell(remedy.change) + " → " + tell(remedy.effect));
            first = false;
        }
    }

    void hints()
    {
        for (const Hint& hint : m_plan.hints)
            line(&hint == &m_plan.hints.front() ? say("Hint", "提示") : "", hintText(hint, language()));
    }

    // Whichever the answer takes. Like for like: of each what is best by what was asked for, also of the one
    // whose safe service is the answer.
    void compared(std::vector<const Candidate*>& shown)
    {
        if (!comparesAccelerators(m_plan.scenario))
            return;
        bool first = true;
        for (const std::string& id : m_plan.scenario.gpus) {
            const Candidate* best = nullptr;
            for (const Candidate& c : m_plan.candidates)
                if (c.deployment.gpu->id == id
                    && (best == nullptr || better(c, *best, m_plan.scenario.objective)))
                    best = &c;
            if (best == nullptr)
                continue;
            line(first ? say("Compared", "对比") : "", described(*best, true));
            first = false;
            if (id != m_plan.answer.deployment.gpu->id)
                shown.push_back(best);
        }
    }

    // What was asked for, and how fast it then is for each user.
    [[nodiscard]] std::string figureOf(const Candidate& c) const
    {
        const std::string speed = people(c.point.tokensPerSecondPerUser.value.base(), Measure::TokenRate);
        const bool runs = c.point.prediction.memory.fits;
        switch (runs ? askedFigure(m_plan, m_question) : AskedFigure::SpeedOfAUser) {
        case AskedFigure::UsersAtOnce:
            if (!c.maximumKnown || c.maxConcurrency < 1)
                break;
            return say2(c.maxConcurrency < 2             ? "{} user at a time, {} for each user"
                            : m_plan.usersCarried().safe ? "{} users at once most likely, {} for each user"
                                                         : "{} users at once, {} for each user",
                        m_plan.usersCarried().safe ? "最可能 {} 个并发用户，每用户 {}"
                                                   : "{} 个并发用户，每用户 {}",
                        people(c.maxConcurrency, Measure::Whole), speed);
        case AskedFigure::TokensInTotal:
            return say2("{} in total, {} for each user", "总吞吐 {}，每用户 {}",
                        people(tokensInTotal(m_plan, c), Measure::TokenRate), speed);
        case AskedFigure::SpeedOfAUser:
            break;
        }
        return speed;
    }

    // "2 × H100 (TP 2): 35.8 tokens/s, $4.92/h".
    [[nodiscard]] std::string described(const Candidate& c, bool perToken) const
    {
        const Service& service = c.point.prediction.service;
        std::string text
            = say2("{} ({}): {}", "{}（{}）：{}", machinesText(c), tell(layoutText(c)), figureOf(c));
        if (service.priceKnown)
            text
                += fmt::format("{}{}", say(", ", "，"), people(perHour(service.price), Measure::HourlyPrice));
        if (service.priceKnown && perToken)
            text += say2(", {} for 1M output tokens", "，每百万输出 token {}",
                         people(service.dollarsPerMillionOutputTokens.value.base(), Measure::MillionPrice));
        if (perToken && c.meets && mayMiss(m_plan.scenario))
            text += say2(", {} sure", "，把握 {}", chanceText(c.confidence));
        if (!c.meets)
            text += std::string(say(": ", "：")) + tell(c.reason);
        return text;
    }

    // The best on other accelerators or other counts, or in other layouts where the machine is there: what
    // the buyer weighs the answer against.
    void nextBest()
    {
        if (statesAlternatives(m_plan.scenario))
            return weighed();
        std::vector<const Candidate*> shown{&m_plan.answer};
        compared(shown);
        const std::size_t before = shown.size();
        const std::size_t most = before + 2;
        const Choices choices = choicesOf(m_plan);
        for (const Candidate* each : withoutReplicas(purchases(m_plan.candidates))) {
            const Candidate& c = *each;
            const bool chosen = std::any_of(choices.all.begin(), choices.all.end(),
                                            [&](const Choice& one) { return samePurchase(*one.service, c); });
            const bool known = std::any_of(shown.begin(), shown.end(),
                                           [&](const Candidate* s) { return samePurchase(*s, c); });
            if (known || chosen || (m_plan.meets && !c.meets) || shown.size() > most)
                continue;
            line(shown.size() == before ? say("Next best", "其次") : "", described(c, false));
            shown.push_back(&c);
        }
    }

    // What was named beside the answer, whether it meets or not, and how it stands to it.
    void weighed()
    {
        for (std::size_t i = 1; i < m_plan.weighed.size(); ++i) {
            const Candidate& c = m_plan.weighed[i];
            const std::string type = m_plan.scenario.weightTypes.empty()
                ? std::string()
                : fmt::format("{}{}", name(c.deployment.weights), say(": ", "："));
            const std::string boxes = m_plan.scenario.boxSizes.empty()
                ? std::string()
                : say2("boxes of {}: ", "每台 {} 张：", c.deployment.node->gpusPerNode);
            line(i == 1 ? say("Next best", "其次") : "", type + boxes + described(c, false) + orderText(c));
        }
    }

    [[nodiscard]] std::string orderText(const Candidate& other) const
    {
        const StatedOrder order = orderOf(m_plan.scenario, m_plan.answer, other);
        const auto [english, chinese] = [&]() -> std::pair<std::string_view, std::string_view> {
            switch (order.by) {
            case DecidedBy::Meets:
                return {"", ""};
            case DecidedBy::Price:
                return {"; an hour costs {} times as much", "；每小时费用是答案的 {} 倍"};
            case DecidedBy::Sureness:
                return {"; the answer is {} times as likely to meet the targets",
                        "；答案达标的可能是它的 {} 倍"};
            case DecidedBy::Stream:
                return {"; the answer is {} times as fast for each user", "；答案的每用户速度是它的 {} 倍"};
            case DecidedBy::Throughput:
                return {"; the answer gives {} times as many tokens in total", "；答案的总吞吐是它的 {} 倍"};
            case DecidedBy::TokenPrice:
                return {"; a token costs {} times as much", "；每 token 成本是答案的 {} 倍"};
            case DecidedBy::Energy:
                return {"; a token takes {} times the energy", "；每 token 能耗是答案的 {} 倍"};
            case DecidedBy::Users:
                return {"; the answer carries {} times as many users", "；答案可承载的用户数是它的 {} 倍"};
            }
            return {"", ""};
        }();
        std::string text = say2(english, chinese, fmt::format("{:.2f}", order.times));
        if (order.sure)
            text += say2(", {} sure that it is the better", "，把握 {}", chanceText(*order.sure));
        return text;
    }

    void breakPoints()
    {
        // They are looked for on the accelerator of the answer only.
        const std::string& gpu = m_plan.answer.deployment.gpu->name;
        const bool ofOne = m_plan.scenario.gpus.size() == 1;
        const bool pools = m_plan.answer.prompts.has_value();
        bool first = true;
        for (const BreakPoint& b : m_plan.breakPoints) {
            const std::string above = b.from >= 1000 ? people(b.from, Measure::Whole) : fewDigits(b.from, 4);
            std::string input = tell(b.input);
            if (chinese() && !input.empty() && static_cast<unsigned char>(input.back()) < 0x80)
                input += ' '; // between a Latin and a Chinese word
            const std::string text = b.gpus > 0
                ? (pools ? say2("above {} {}: {} GPUs", "{1}超过 {0}：{2} 张", above, input, b.gpus)
                         : say2("above {} {}: {} × {}", "{1}超过 {0}：{2} × {3}", above, input, b.gpus, gpu))
                : (ofOne ? say2("above {} {}: nothing meets what was asked", "{1}超过 {0}：无方案满足要求",
                                above, input)
                         : say2("above {} {}: nothing on {} meets what was asked",
                                "{1}超过 {0}：{2} 上没有方案满足要求", above, input, gpu));
            line(first ? say("Changes at", "临界点") : "", text);
            first = false;
        }
    }

    void growth()
    {
        std::string text;
        for (const YearOfGrowth& year : m_plan.growth)
            text += std::string(text.empty() ? "" : say(", ", "，"))
                + say2("year {}: {}", "第 {} 年：{} 张", year.year, year.gpus);
        if (!text.empty())
            line(say("Growth", "增长"), text);
    }

    // What a fleet of one size costs over a load that is not the same all day.
    void day()
    {
        const auto& d = m_plan.day;
        if (!d)
            return;
        const auto fleet = [&](double hours, const std::optional<double>& usd) {
            std::string text = say2("{} GPU-hours", "{} GPU 时", people(hours, Measure::Whole));
            if (usd)
                text += say2(" ({})", "（{}）", people(*usd, Measure::Money));
            return text;
        };
        line(
            say("Over a day", "一天之内"),
            say2("{} on average, {} at the peak; all GPUs all day: {}, following the load: {}; {} stand idle",
                 "平均 {}，峰值 {}；全天满配 {}，随负载伸缩 {}；闲置 {}",
                 people(d->curve.mean(), Measure::RequestRate), people(d->curve.peak(), Measure::RequestRate),
                 fleet(d->gpuHoursStatic, d->usdStatic), fleet(d->gpuHoursFollowing, d->usdFollowing),
                 people(d->wasted(), Measure::Share)));
    }

    void assumed()
    {
        std::vector<std::string> all;
        if (m_question)
            for (const std::string& one : m_question->assumptions)
                all.push_back(one);
        for (const Message& one : m_plan.assumptions)
            all.push_back(tell(one));
        // As many on a line as fit a wide terminal.
        constexpr std::size_t widest = 110;
        std::string row;
        bool first = true;
        const auto flush = [&] {
            line(first ? say("Assumed", "假设") : "", row);
            first = false;
            row.clear();
        };
        for (const std::string& one : all) {
            const std::string_view joint = row.empty() ? "" : say("; ", "；");
            if (!row.empty() && widthOf(row) + widthOf(one) + widthOf(joint) > widest) {
                row += say(";", "；");
                flush();
            } else {
                row += joint;
            }
            row += one;
        }
        if (!row.empty())
            flush();
    }

    const SizingPlan& m_plan;
    const ask::Question* m_question;
};

} // namespace

std::string besideTheAnswer(const SizingPlan& plan, const ask::Question* question, ask::Language language)
{
    return Beside(plan, question, language).written();
}

} // namespace headroom
