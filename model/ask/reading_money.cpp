#include "model/ask/reading.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <string>

namespace headroom::ask {

using enum Meaning;

namespace {

double rounded(double amount, int significant)
{
    const double scale = std::pow(10, significant - 1 - std::floor(std::log10(amount)));
    return std::round(amount * scale) / scale;
}

// Dollars an hour are told to the cent: what a month or a rate adds behind that means nothing.
double anHour(double dollars, double seconds)
{
    constexpr int digits = 8;
    return dollars > 0 ? rounded(dollars / seconds * 3600, digits) : 0;
}

} // namespace

// "what does a million tokens cost", "how much is 1M output tokens": the same as "cost per million tokens".
void Reading::readTokenPrice()
{
    constexpr double priced = 1e6; // tokens that prices are told of
    const bool asked = std::any_of(m_items.begin(), m_items.end(), [](const Item& item) {
        return item.is(CostWord) || item.is(Price) || (item.is(HowMany) && item.text == "how much");
    });
    for (std::size_t i = 0; asked && i < m_items.size(); ++i) {
        const std::size_t unit = touching(i);
        const bool tokens = is(unit, Token) || (is(unit, Output) && at(unit).text.ends_with("tokens"));
        if (!isNumber(i) || at(i).value != priced || !tokens)
            continue;
        const std::size_t after = next(unit);
        const auto quantity = quantityAt(i);
        if (quantity->perTime > 0 || isAny(after, {Context, Prompt, Output, PerTime})
            || topicLeft(i, {Context, Prompt, Output}) != none)
            continue;
        take(unit);
        m_items[i].kind = ItemKind::Word;
        m_items[i].meaning = CheapestTokens;
        m_items[i].end = at(unit).end;
        if (is(previous(i), Price))
            take(previous(i));
        return;
    }
}

void Reading::readMoney()
{
    readCostPeriod();
    for (std::size_t i = 0; i < m_items.size(); ++i) {
        auto quantity = quantityAt(i);
        if (!quantity)
            continue;
        // "电价 0.1 美元/度", "electricity 0.1 per kWh": the sign may be missing beside kWh
        const bool kwh = quantity->perKwh || topicLeft(quantity->first, {Electricity}) != none;
        const bool money = quantity->unit == Dollar || quantity->unit == Cent || quantity->unit == Yuan;
        // "budget 10k a month": an amount of the currency that all amounts here have
        const std::size_t budget = budgetOf(*quantity);
        const bool unsaid = quantity->unit == Filler && !kwh && meansYuan(*quantity, budget);
        if (unsaid)
            quantity->unit = Yuan;
        if (quantity->unit == OtherMoney) {
            take(*quantity);
            for (const std::size_t beside : {previous(quantity->first), next(quantity->last - 1)})
                if (isAny(beside, {Budget, Price, Buy}))
                    take(beside);
            problem(quantity->first, quantity->last - 1,
                    std::string(say("amounts are read in dollars and in yuan", "金额只支持美元和人民币")),
                    std::string(say("'$20/hour', '¥150/hour'", "“每小时 20 美元”，“每小时 150 元”")));
        } else if (money || unsaid || ((kwh || budget != none) && quantity->unit == Filler)) {
            takeMoney(*quantity);
        }
    }
    for (std::size_t i = 0; i < m_items.size(); ++i) // "I have $200k to spend; what to buy"
        if (is(i, Budget) && m_question.scenario.money.purchaseBudget)
            take(i);
    readYears();
    readPue();
    for (std::size_t i = 0; i < m_items.size(); ++i) { // "which GPUs should I buy", "rent"
        if (!is(i, Buy) && !is(i, Price))
            continue;
        const bool buys = is(i, Buy);
        take(i);
        const std::size_t other = is(next(i), Or) ? next(next(i)) : none;
        if (is(other, buys ? Price : Buy)) { // "rent or buy": every answer says both
            take(next(i));
            take(other);
            note(i, other,
                 std::string(say("rented and bought: both where both prices are known",
                                 "租用与购买：两种价格已知时都给出")));
            continue;
        }
        m_question.scenario.money.buy = m_question.scenario.money.buy || buys;
        note(i, i,
             std::string(buys ? say("bought: purchase price, power and electricity", "购买：采购价加电费")
                              : say("rented by the hour", "按小时租用")));
    }
}

// The word of a budget that an amount belongs to.
std::size_t Reading::budgetOf(const Quantity& quantity) const
{
    for (const std::size_t part : quantity.parts)
        if (is(part, Budget))
            return part;
    return topicLeft(quantity.first, {Budget});
}

// "预算 50 万", "用 50 万买卡": in Chinese an amount without its unit is in yuan.
bool Reading::meansYuan(const Quantity& quantity, std::size_t budget) const
{
    constexpr double leastBought = 1e4; // what less buys is counted in something else
    const auto chinese = [this](std::size_t item) {
        return item != none && static_cast<unsigned char>(at(item).text.front()) >= 0x80;
    };
    const std::size_t after = next(quantity.last - 1);
    return chinese(budget)
        || ((isBuying(after) || is(after, Budget)) && chinese(after) && quantity.value >= leastBought);
}

// "buy", and "what to buy", which asks at once.
bool Reading::isBuying(std::size_t item) const
{
    if (item == none || item >= m_items.size())
        return false;
    const Item& word = m_items[item];
    return word.is(Buy) || (word.is(Which) && (word.text.starts_with("买") || word.text.ends_with(" buy")));
}

bool Reading::buysAnything() const
{
    for (std::size_t i = 0; i < m_items.size(); ++i)
        if (isBuying(i))
            return true;
    return false;
}

// "how much does it cost per month", "monthly cost", "how much per month": the answer says it by the hour and
// by the month.
void Reading::readCostPeriod()
{
    for (std::size_t i = 0; i < m_items.size(); ++i) {
        const bool howMuch = is(i, HowMany) && at(i).text == "how much";
        if (!is(i, CostWord) && !howMuch)
            continue;
        const std::size_t after = next(i);
        const std::size_t before = previous(i);
        const std::size_t period = isAny(after, {Per, Every}) ? next(after) : after;
        bool found = true;
        if (is(after, PerTime)) {
            take(after);
        } else if (is(before, PerTime)) {
            take(before);
        } else if (is(period, Time)
                   && (period != after || !howMuch)) { // "how much time" asks for something else
            take(after);
            take(period);
        } else if (is(before, Time)
                   && (is(previous(before), Every) // "每月多少钱", "一年多少钱"
                       || (isNumber(previous(before)) && at(previous(before)).value == 1))) {
            take(previous(before));
            take(before);
        } else {
            found = false;
        }
        if (found && howMuch)
            take(i);
    }
    // "what does llama 70b cost on H100 per month": the period stands apart from its word.
    const bool costs = mentions(CostWord);
    const bool asked = costs || std::any_of(m_items.begin(), m_items.end(), [](const Item& item) {
                           return item.text == "how much";
                       });
    for (std::size_t i = 0; asked && i < m_items.size(); ++i) {
        const bool forOne = i > 1 && m_items[i - 1].text == "a" && m_items[i - 2].text == "for";
        const bool ofNoNumber
            = forOne || previous(i) == none || isAny(previous(i), {CostWord, Comma, WhatGives, Which});
        const std::size_t period = isAny(i, {Per, Every}) ? next(i) : none;
        // "多少钱，每秒 2 个请求": in Chinese it is of the number behind it.
        if (period != none && static_cast<unsigned char>(at(i).text.front()) >= 0x80
            && isNumber(touching(period)))
            continue;
        if (!ofNoNumber || (!is(i, PerTime) && !is(period, Time) && !(forOne && is(i, Time))))
            continue;
        take(i);
        if (period != none)
            take(period);
    }
}

// Yuan at the rate that amounts are told at, or the published one.
double Reading::inDollars(const Quantity& quantity)
{
    if (quantity.unit != Yuan)
        return quantity.value;
    if (!m_question.currency)
        m_question.currency = toldCurrency().isDollar() ? publishedYuan : toldCurrency();
    const double dollars = quantity.value / m_question.currency->perDollar;
    if (!(dollars > 0))
        return dollars;
    // Told again in yuan it is to be what was said, to the cent of a billion.
    return rounded(dollars, 12);
}

// "$2.475", "$100,000", "18 元（1 美元合 7.2734 元，即 2.475 美元）".
std::string Reading::amountSaid(const Quantity& quantity, double dollars) const
{
    // What was said is told as it was said; what was worked out from it in as many digits as mean something.
    const auto digits = [&quantity](double amount, int significant) {
        constexpr double same = 1e-9;
        if (std::abs(amount - quantity.value) <= same * quantity.value)
            return countText(quantity.value);
        return countText(rounded(amount, significant));
    };
    if (quantity.unit != Yuan)
        return fmt::format(fmt::runtime(say("${}", "{} 美元")), digits(dollars, 6));
    const double rate = m_question.currency->perDollar;
    return fmt::format(fmt::runtime(say("¥{} (${} at {:.5g} yuan to a dollar)",
                                        "{0} 元（1 美元合 {2:.5g} 元，即 {1} 美元）")),
                       digits(dollars * rate, 5), digits(dollars, 4), rate);
}

void Reading::takeMoney(const Quantity& quantity)
{
    std::size_t first = quantity.first;
    std::size_t last = quantity.last - 1;
    const std::size_t electricity = topicLeft(first, {Electricity});
    const std::size_t price = topicLeft(first, {Price});
    const std::size_t buy = topicLeft(first, {Buy});
    Money& money = m_question.scenario.money;
    const double dollars = inDollars(quantity);
    const std::string usd = countText(dollars);
    take(quantity);
    if (!(quantity.value > 0)) {
        problem(first, last, std::string(say("a price is above zero", "价格必须大于零")), "$2.5/hour");
        return;
    }
    const auto topic = [&](std::size_t item) {
        if (item == none)
            return;
        take(item);
        first = std::min(first, item);
    };
    if (quantity.perKwh || electricity != none) {
        topic(electricity);
        if (once(std::string(say("the electricity price", "电价")), usd, first, last)) {
            money.electricityPerKwh = dollars;
            note(first, last,
                 fmt::format(fmt::runtime(say("electricity at {}/kWh", "电价 {}/千瓦时")),
                             amountSaid(quantity, dollars)));
        }
        return;
    }
    if (quantity.perTime == 0 && buysOne(quantity)) {
        topic(buy);
        if (once(std::string(say("the purchase price", "采购价")), usd, first, last)) {
            money.buy = true;
            money.purchasePrice = Dollars(dollars);
            note(first, last,
                 fmt::format(fmt::runtime(say("{} to buy one GPU", "每张 GPU 采购价 {}")),
                             amountSaid(quantity, dollars)));
        }
        return;
    }
    if (quantity.perTime == 0 && buysAnything()) {
        takePurchaseBudget(quantity, first, last);
        return;
    }
    if (quantity.perTime == 0) {
        for (const std::size_t word : {topicLeft(first, {Budget}), topicRight(last, {Budget})})
            if (word != none)
                take(word); // its number is what is wrong
        problem(first, last, std::string(say("an amount without a period", "金额没有时间单位")),
                std::string(say("'$20/hour', '$5000 a month', '$100k to buy', '$25000 each to buy'",
                                "“每小时 20 美元”，“每月 5000 美元”，“采购预算 100 万元”，“采购价每张 25000 "
                                "美元”")));
        return;
    }
    const bool at = first > 0 && (m_items[first - 1].text == "at" || m_items[first - 1].text == "@");
    // "H20 每小时 6 元", "H100 $2/hour": beside the card it is of
    const bool besideCard = first > 0 && m_items[first - 1].kind == ItemKind::Gpu;
    if (quantity.perCard || price != none || ((at || besideCard) && quantity.bound == Filler)) {
        // "rent 8 A100 for $12/hour", "8 张 A100 每小时 80 元": the price of all of them
        const int gpus = m_question.scenario.gpuCount.value_or(1);
        const bool ofAll = gpus > 1 && !quantity.perCard && !quantity.each && first > 0
            && (m_items[first - 1].text == "for"
                || (besideCard && static_cast<unsigned char>(m_items[first].text.front()) >= 0x80));
        topic(price);
        const double perHourUsd = anHour(ofAll ? dollars / gpus : dollars, quantity.perTime);
        if (once(std::string(say("the price of a GPU", "GPU 单价")), countText(perHourUsd), first, last)) {
            money.gpuPrice = dollarsPerHour(perHourUsd);
            note(first, last,
                 ofAll ? fmt::format(fmt::runtime(say("all {1} GPUs together: {0} for one GPU-hour",
                                                      "{1} 张 GPU 合计，每 GPU 小时 {0}")),
                                     amountSaid(quantity, perHourUsd), gpus)
                       : fmt::format(fmt::runtime(say("{} for one GPU-hour", "每 GPU 小时 {}")),
                                     amountSaid(quantity, perHourUsd)));
        }
        return;
    }
    takeBudget(quantity, first, last);
}

// "buy H100 at $25000", "$25000 each", "采购价 25000 美元": what one costs. Any other amount beside "buy" is
// what there is for all of them.
bool Reading::buysOne(const Quantity& quantity) const
{
    if (quantity.each || quantity.perCard)
        return true;
    const std::size_t buy = topicLeft(quantity.first, {Buy});
    if (buy != none && (at(buy).text == "purchase price" || at(buy).text == "采购价"))
        return true;
    const std::size_t first = quantity.first;
    const bool rate = first > 0 && (m_items[first - 1].text == "at" || m_items[first - 1].text == "@");
    return rate && quantity.bound == Filler && mentions(Buy);
}

// "buy for $100k", "a budget of $100k to buy", "预算 100 万元买卡": of all GPUs together.
void Reading::takePurchaseBudget(const Quantity& quantity, std::size_t first, std::size_t last)
{
    const double dollars = inDollars(quantity);
    for (bool more = true; more;) {
        more = false;
        for (const std::size_t j : {previous(first), next(last)}) {
            if (!isAny(j, {Budget, Buy, Total}))
                continue;
            take(j);
            first = std::min(first, j);
            last = std::max(last, j);
            more = true;
        }
    }
    if (quantity.bound == AtLeast) {
        problem(first, last, std::string(say("a lower limit on cost is no target", "费用下限不能作为目标")),
                std::string(say("'$100k to buy'", "“采购预算 100 万元”")));
        return;
    }
    if (!once(std::string(say("the purchase budget", "采购预算")), countText(dollars), first, last))
        return;
    Money& money = m_question.scenario.money;
    money.buy = true;
    money.purchaseBudget = Dollars(dollars);
    note(first, last,
         fmt::format(fmt::runtime(say("all GPUs are bought for at most {}", "采购全部 GPU 不超过 {}")),
                     amountSaid(quantity, dollars)));
}

void Reading::takeBudget(const Quantity& quantity, std::size_t first, std::size_t last)
{
    const double perHourUsd = anHour(inDollars(quantity), quantity.perTime);
    for (const std::size_t j : {topicLeft(first, {Budget}), topicRight(last, {Budget})}) {
        if (j == none)
            continue;
        take(j);
        first = std::min(first, j);
        last = std::max(last, j);
    }
    if (quantity.bound == AtLeast) {
        problem(first, last, std::string(say("a lower limit on cost is no target", "费用下限不能作为目标")),
                "'under $20/hour'");
        return;
    }
    if (!once(std::string(say("the budget", "预算")), countText(perHourUsd), first, last))
        return;
    m_question.scenario.money.budgetPerHour = perHourUsd;
    note(first, last,
         fmt::format(fmt::runtime(say("the service costs at most {}/hour", "整个服务每小时不超过 {}")),
                     amountSaid(quantity, perHourUsd)));
}

// "amortised over 3 years", "3 年折旧".
void Reading::readYears()
{
    for (std::size_t i = 0; i < m_items.size(); ++i) {
        if (!is(i, Amortise))
            continue;
        for (std::size_t number : {next(i), previous(i), previous(previous(i) == none ? i : previous(i))}) {
            if (is(number, AtLeast)) { // "over" three years
                take(number);
                number = next(i);
            }
            if (!isNumber(number) || !is(next(number), Time))
                continue;
            const std::size_t unit = next(number);
            const double years = at(number).value * at(unit).value / 31557600.0;
            const auto first = std::min(i, number);
            const auto last = std::max(i, unit);
            take(i);
            take(number);
            take(unit);
            if (years < 0.1 || years > 30) {
                problem(first, last,
                        std::string(
                            say("a machine is written off over 1 to 10 years", "折旧年限通常为 1 到 10 年")),
                        "3 years");
                break;
            }
            m_question.scenario.money.amortisationYears = years;
            note(first, last,
                 fmt::format(fmt::runtime(say("written off over {:.4g} years", "按 {:.4g} 年摊销")), years));
            break;
        }
    }
}

void Reading::readPue()
{
    for (std::size_t i = 0; i < m_items.size(); ++i) {
        if (!is(i, Pue))
            continue;
        std::size_t number = next(i);
        while (isAny(number, {Equals, About, AtMost}))
            number = next(number);
        if (!isNumber(number))
            continue;
        for (std::size_t j = i; j <= number; ++j)
            take(j);
        if (at(number).value < 1 || at(number).value > 5) {
            problem(i, number, std::string(say("a PUE is between 1 and 3", "PUE 在 1 到 3 之间")), "PUE 1.3");
            continue;
        }
        m_question.scenario.money.pue = at(number).value;
        note(i, number, fmt::format("PUE {:.4g}", at(number).value));
    }
}

void Reading::readObjectives()
{
    struct Row {
        Meaning meaning;
        Objective objective;
        std::string_view english;
        std::string_view chinese;
    };
    // A stated load is the same work on all: the least an hour is the best value. With none, what each
    // carries.
    const Scenario& asked = m_question.scenario;
    const bool sameWork = asked.concurrency || asked.requestsPerSecond || asked.batch || m_totalTokenRate;
    constexpr std::array rows{
        Row{Cheapest, Objective::CheapestHour, "lowest cost per hour", "每小时成本最低"},
        Row{CheapestTokens, Objective::CheapestTokens, "lowest cost per token", "每 token 成本最低"},
        Row{Fewest, Objective::FewestGpus, "fewest GPUs", "GPU 数量最少"},
        Row{LeastEnergy, Objective::LeastEnergy, "lowest energy", "能耗最低"},
        Row{Fastest, Objective::FastestStream, "fastest for one user", "单用户速度最快"},
        Row{MostThroughput, Objective::MostThroughput, "highest throughput", "吞吐最高"},
    };
    for (std::size_t i = 0; i < m_items.size(); ++i) {
        for (const Row& row : rows) {
            const bool worth = is(i, BestValue) && row.meaning == (sameWork ? Cheapest : CheapestTokens);
            if (!is(i, row.meaning) && !worth)
                continue;
            take(i);
            const std::string value(say(row.english, row.chinese));
            if (!once(std::string(say("the objective", "优化目标")), value, i, i))
                break;
            m_question.scenario.objective = row.objective;
            note(i, i, value);
            break;
        }
    }
}

} // namespace headroom::ask
