#include "model/search/answer_costs.h"

#include "model/resolve/offers.h"
#include "model/scenario/service_load.h"
#include "model/scenario/stated_load.h"
#include "model/yaml/catalogue.h"

#include <algorithm>
#include <array>

namespace headroom {

namespace {

// Both pools of an answer, or its only one, with their accelerator as the catalogue lists it.
struct Part {
    const Deployment* deployment = nullptr;
    const Gpu* listed = nullptr;
    Watts power; // that of both pools is one figure: it goes with the pool that decodes
};
std::vector<Part> partsOf(const Candidate& answer, const Catalogue& catalogue)
{
    std::vector<Part> out;
    const auto add = [&](const Deployment& d, Watts power) {
        const auto listed = catalogue.gpu(d.gpu->id);
        out.push_back({&d, listed ? *listed : d.gpu, power});
    };
    add(answer.deployment, answer.point.prediction.service.power.value);
    if (answer.prompts)
        add(answer.prompts->deployment, Watts());
    return out;
}

std::optional<RentOrOwn> rentOrOwn(const std::vector<Part>& parts, const Money& money)
{
    std::optional<RentOrOwn> all;
    for (const Part& part : parts) {
        const auto one = rentOrOwn(*part.listed, money, *part.deployment, part.power);
        if (!one)
            return std::nullopt;
        all = all ? *all + *one : *one;
    }
    return all;
}

std::optional<Bill> billOf(const std::vector<Part>& parts, const Money& money)
{
    std::optional<Bill> all;
    for (const Part& part : parts) {
        const auto each = money.purchasePrice ? money.purchasePrice : part.listed->purchasePrice;
        if (!each)
            return std::nullopt;
        const Bill one = purchaseBill(*part.deployment, *each, money);
        all = all ? *all + one : one;
    }
    return all;
}

std::optional<double> rentOf(const std::vector<Part>& parts, const Money& money)
{
    double all = 0;
    for (const Part& part : parts) {
        const auto price = rentPrice(*part.listed, money);
        if (!price)
            return std::nullopt;
        Deployment rented = *part.deployment;
        rented.terms = {.unit = rentedUnit(*part.listed, *rented.node, money), .perBox = {}, .perLinked = {}};
        all += perHour(*price) * paidGpus(rented, rented.layout.gpus(), nodesOf(rented));
    }
    return all;
}

} // namespace

std::optional<CostOverYears> costsOf(const Candidate& a, const Scenario& scenario, const Catalogue& catalogue)
{
    const Money& money = scenario.money;
    const std::vector<Part> parts = partsOf(a, catalogue);
    CostQuestion q{.bill = billOf(parts, money),
                   .power = a.point.prediction.service.power.value,
                   .fullPower = {},
                   .rentPerHour = rentOf(parts, money),
                   .promptTokens = scenario.prompt.mean(),
                   .outputTokens = scenario.output.mean()};
    if (!q.bill && !q.rentPerHour)
        return std::nullopt;
    for (const Part& part : parts)
        q.fullPower = q.fullPower
            + fullPower(*part.deployment, purchaseBill(*part.deployment, Dollars(), money).gpus);
    // A job comes once: neither a month of it nor users.
    if (!requestsOfJob(scenario)) {
        const double running = hoursPerMonth * usedShare(money) * secondsPerHour;
        q.tokensPerMonth = scenario.tokensPerMonth.value_or(
            a.point.prediction.service.totalTokensPerSecond.value.base() * running);
        const double users = loadOf(scenario).users;
        q.users = users > 0 ? users : a.maxConcurrency;
    }
    return costOverYears(q, money);
}

void tellCosts(SizingPlan& plan, const Scenario& scenario, const Catalogue& catalogue)
{
    plan.rentOrOwn = rentOrOwn(partsOf(plan.answer, catalogue), scenario.money);
    plan.costs = costsOf(plan.answer, scenario, catalogue);
}

} // namespace headroom
