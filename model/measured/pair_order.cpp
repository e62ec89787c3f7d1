#include "model/measured/pair_order.h"

#include "model/measured/judged_row.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <string_view>

namespace headroom {
namespace {

constexpr double apart = 1.2;

// "0.5.12" and "b9193 vulkan" are versions, "2026-06" is a date.
bool statesVersion(std::string_view text) { return text.find_first_not_of("0123456789-") != text.npos; }

using Rows = std::vector<const JudgedRow*>;

std::map<std::string, Rows> worksOf(const std::vector<JudgedRow>& rows)
{
    std::map<std::string, Rows> works;
    for (const JudgedRow& row : rows)
        if ((row.used || row.contradicted) && row.operation.empty())
            works[row.model + '|' + row.row.inputLength + '|' + row.row.outputLength + '|' + row.row.load
                  + '|' + row.quantity()]
                .push_back(&row);
    return works;
}

double rankOf(const std::vector<double>& ascending, double fraction)
{
    const auto place = static_cast<std::size_t>(fraction * static_cast<double>(ascending.size() - 1) + 0.5);
    return ascending[place];
}

// What pairs of one work add to.
struct Gathered {
    OrderSummary order;
    std::vector<double> factors; // between figures of one set-up

    void add(const JudgedRow& a, const JudgedRow& b)
    {
        const double measured = std::log(a.row.value / b.row.value);
        if (sameSetUp(a, b)) {
            factors.push_back(std::exp(std::abs(measured)));
            order.repeats.byOnePublisher += a.row.source == b.row.source ? 1U : 0U;
        } else if (a.used && b.used && std::abs(measured) > std::log(apart)) {
            PairOrder& pairs = a.vendor == b.vendor ? order.within : order.across;
            ++pairs.pairs;
            pairs.right += measured * std::log(a.predicted.value / b.predicted.value) > 0 ? 1U : 0U;
        }
    }
};

} // namespace

bool sameSetUp(const JudgedRow& a, const JudgedRow& b)
{
    const std::string& one = a.row.engineVersion;
    const std::string& other = b.row.engineVersion;
    return a.readAs && a.readAs == b.readAs && (one == other || !statesVersion(one) || !statesVersion(other));
}

OrderSummary orderOf(const std::vector<JudgedRow>& rows)
{
    Gathered gathered;
    for (const auto& [work, members] : worksOf(rows))
        for (std::size_t i = 0; i < members.size(); ++i)
            for (std::size_t j = 0; j < i; ++j)
                gathered.add(*members[i], *members[j]);
    std::vector<double>& factors = gathered.factors;
    std::sort(factors.begin(), factors.end());
    RepeatSpread& repeats = gathered.order.repeats;
    repeats.pairs = factors.size();
    if (!factors.empty()) {
        repeats.median = rankOf(factors, 0.5);
        repeats.p90 = rankOf(factors, 0.9);
        repeats.overFifth = static_cast<std::size_t>(
            factors.end() - std::upper_bound(factors.begin(), factors.end(), apart));
    }
    return gathered.order;
}

} // namespace headroom
