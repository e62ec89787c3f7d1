#include "model/ask/rules.h"

#include <algorithm>
#include <array>
#include <bitset>
#include <cmath>
#include <utility>

namespace headroom::ask {

using enum Meaning;

namespace {

constexpr double hour = 3600; // seconds

// What each item costs between a number and a word: the further apart, the less the word says of the number.
std::vector<double> costsOf(const Draft& draft)
{
    std::vector<double> costs;
    for (std::size_t i = 0; i < draft.size(); ++i)
        costs.push_back(numberOf(ruleAt("between", draft, i).rule->effects.front().value()));
    return costs;
}

// What a quantity could be, alone.
struct Finder {
    const Draft& draft;
    const Span& span;
    const std::vector<bool>& taken;
    const std::vector<double>& costs;
    std::size_t label = labelOf(); // the word that labels the number: "users: 120"

    // Best first, of those that explain so much at least.
    [[nodiscard]] std::vector<Candidate> all(double least) const
    {
        std::vector<Candidate> found;
        constexpr double most = 1e30; // what is more is no quantity of anything
        if (!(std::abs(span.value) < most))
            return found;
        for (const Role& role : shippedRoles())
            for (const Role::Fit& fit : role.fits)
                if (fit.dimension == span.dimension && saysOfEach(role))
                    if (const Candidate candidate = scored(role, fit.score); candidate.score >= least)
                        found.push_back(candidate);
        std::ranges::stable_sort(found, std::ranges::greater{}, &Candidate::score);
        return found;
    }

    [[nodiscard]] std::size_t labelOf() const
    {
        for (std::size_t i = span.first; i-- > 0 && span.first - i < 5;)
            if (const std::size_t number = ruleAt("label", draft, i).at('n');
                number >= span.first && number <= span.last)
                return i;
        return none;
    }

    [[nodiscard]] Candidate scored(const Role& role, double score) const
    {
        constexpr double usual = 0.3;
        constexpr double unusual = -0.7;
        constexpr double impossible = -4;
        const double value = comparable();
        score += role.usual.has(value) ? usual : role.possible.has(value) ? unusual : impossible;
        Candidate candidate{.role = &role, .score = score};
        double best = 0;
        for (const Cue& cue : role.cues) {
            const auto [weight, item] = cue.isWord() ? strongest(cue) : std::pair{holds(cue), none};
            if (!cue.isWord() || cue.weight < 0) // a word that leads elsewhere
                candidate.score += cue.isWord() ? -weight : weight;
            else if (weight > best) {
                best = weight;
                candidate.cue = item;
            }
        }
        constexpr double labelled = 2; // "concurrency=1000" is nothing else
        candidate.score += best + (best > 0 && candidate.cue == label && label != none ? labelled : 0);
        return candidate;
    }

    // Shares are compared in percent, amounts in dollars and by the hour, rates by the second.
    [[nodiscard]] double comparable() const
    {
        constexpr double minute = 60;      // "25/s" is no amount
        constexpr double yuanToDollar = 7; // near enough to tell a price from a budget
        const bool share = span.dimension == Dimension::Percent;
        const double value
            = std::abs(span.value) * (share ? 100 : 1) / (span.unit == Yuan ? yuanToDollar : 1);
        if (span.perTime <= 0 || span.dimension == Dimension::TimeOfDay || share)
            return value;
        const bool hourly = span.isMoney() || (span.unit == Filler && span.perTime > minute);
        return value / span.perTime * (hourly ? hour : 1);
    }

    // What is said of one user or in one hour is none of a role that is said of all, or once.
    [[nodiscard]] bool saysOfEach(const Role& role) const
    {
        constexpr std::array things{Dimension::User, Dimension::People,  Dimension::Count, Dimension::Card,
                                    Dimension::Box,  Dimension::Replica, Dimension::Bytes, Dimension::Watt};
        const bool timed = span.perTime > 0 && std::ranges::count(things, span.dimension) > 0;
        const bool noAmount = span.dimension == Dimension::PlainRate && span.perTime < hour
            && std::ranges::count(role.fits, Dimension::MoneyRate, &Role::Fit::dimension) > 0;
        return !noAmount && (!timed || role.saysOfOne(Time))
            && std::ranges::all_of(span.per, [&](Meaning scope) { return role.saysOfOne(scope); });
    }

    // What a cue that is no word weighs; what "each" is said of may be anything: it hints.
    [[nodiscard]] double holds(const Cue& cue) const
    {
        if (cue.how == Cue::How::Around)
            return ruleAround(cue.stage, draft, span) ? cue.weight : 0;
        const bool each = span.isPer(Each);
        const bool may = each && (cue.word == User || cue.word == Card);
        return !may && !span.isPer(cue.word) ? 0 : each ? std::min(cue.weight, 1.0) : cue.weight;
    }

    // The word of this meaning that says most: nearest, and on the side where it belongs.
    [[nodiscard]] std::pair<double, std::size_t> strongest(const Cue& cue) const
    {
        using enum Cue::How;
        constexpr double beside = 1e-6;
        constexpr double farthest = 4.5;
        std::pair<double, std::size_t> best{0, none};
        if (!draft.mentions(cue.word))
            return best;
        if (label != none && draft.at(label).is(cue.word) && cue.how != Behind)
            return {std::abs(cue.weight), label};
        const auto consider = [&](std::size_t i, double cost) {
            const double weight = std::abs(cue.weight) * std::exp(-cost);
            if (draft.at(i).is(cue.word) && weight > best.first && leads(cue, i, cost > 0))
                best = {weight, i};
        };
        const auto walk = [&](std::size_t i, std::size_t step) { // away from the number
            for (double cost = beside; i < draft.size() && cost < farthest; i += step) {
                consider(i, cost);
                cost += costs[i];
            }
        };
        for (std::size_t part = span.first; part <= span.last && cue.how != Label; ++part)
            if (cue.how == Near || cue.how == Inside || part < span.number)
                consider(part, 0);
        if (cue.how == Near || cue.how == Behind)
            walk(span.last + 1, 1);
        if (cue.how == Near || cue.how == Before)
            walk(span.first - 1, none); // one less; before the first lies `none`
        return best;
    }

    // Whether a word leads this number: none that counts another one, labels it, or is asked for.
    [[nodiscard]] bool leads(const Cue& cue, std::size_t i, bool outside) const
    {
        const std::size_t number = ruleAt("label", draft, i).at('n');
        return (!taken[i] || !outside || cue.word == Documents)
            && (number == none || (number >= span.first && number <= span.last))
            && !says("asked-for", draft, i) && (cue.how != Cue::How::Behind || !says("where", draft, i));
    }
};

constexpr double leastRead = 1;           // what explains less is no reading
constexpr double leastAsked = 0.2;        // but one that may be asked about
constexpr std::size_t mostCandidates = 6; // of one quantity; what stands behind explains little
constexpr std::size_t mostReadings = 48;  // that are followed

// A reading of the first quantities: what each is, and how well that explains them.
struct Reading {
    double score = 0;
    std::bitset<mostRoles> roles; // that are taken
    std::string choices;          // which of its candidates each has, from 1: copied in no time
};

// The candidate that a choice is; null without a role.
const Candidate* chosenBy(char choice, const Assigned& quantity)
{
    return choice == 0 ? nullptr : &quantity.candidates[static_cast<std::size_t>(choice) - 1];
}

// The best readings, best first.
std::vector<Reading> readingsOf(const std::vector<Assigned>& quantities)
{
    std::vector<Reading> kept{{}};
    for (const Assigned& quantity : quantities) {
        const std::size_t choices = std::min(quantity.candidates.size(), mostCandidates);
        std::vector<Reading> grown;
        for (const Reading& before : kept)
            for (char choice = 0; choice <= static_cast<char>(choices); ++choice) {
                Reading reading = before;
                reading.choices += choice;
                if (const Candidate* const one = chosenBy(choice, quantity)) {
                    const auto role = static_cast<std::size_t>(one->role - shippedRoles().data());
                    if (before.roles.test(role) && !one->role->many)
                        continue;
                    reading.score += one->score;
                    reading.roles.set(role);
                }
                grown.push_back(std::move(reading));
            }
        std::ranges::stable_sort(grown, std::ranges::greater{}, &Reading::score);
        grown.resize(std::min(grown.size(), mostReadings));
        kept = std::move(grown);
    }
    return kept;
}

} // namespace

std::vector<const Role*> openRoles(const Draft& draft, const Assigned& quantity)
{
    std::vector<const Role*> open;
    if (quantity.role != nullptr && quantity.nearly != nullptr)
        open = {quantity.role, quantity.nearly};
    const std::vector<bool> taken(draft.size(), false);
    if (quantity.role == nullptr)
        for (const Candidate& one : Finder{draft, quantity.span, taken, costsOf(draft)}.all(leastAsked))
            if (one.role->usual.has(quantity.span.value) && draft.find(one.role->id) == nullptr)
                open.push_back(one.role);
    std::erase_if(open, [](const Role* role) { return role->say.english.empty(); });
    return open;
}

std::vector<Assigned> assigned(const Draft& draft)
{
    std::vector<Assigned> quantities;
    for (Span& span : spansOf(draft))
        quantities.push_back({.span = std::move(span)});
    const std::vector<double> costs = costsOf(draft);
    std::vector<bool> taken(draft.size(), false); // words that count one quantity lead no other
    for (const Assigned& one : quantities)
        for (const std::size_t part : one.span.parts)
            taken[part] = true;
    for (Assigned& one : quantities)
        one.candidates = Finder{draft, one.span, taken, costs}.all(leastRead);
    const std::vector<Reading> readings = readingsOf(quantities);
    for (std::size_t i = 0; i < quantities.size(); ++i) {
        Assigned& one = quantities[i];
        const Candidate* const best = chosenBy(readings.front().choices[i], one);
        if (best == nullptr)
            continue;
        // "batch 1 and batch 64": what its own words lead to is another number's, and far from what is left.
        constexpr double farther = 1.5;
        constexpr double weak = 2; // no word says it
        if (best->score >= weak || one.candidates.front().score - best->score <= farther)
            one.become(best->role, best->cue);
        constexpr double aboutAsWell = 0.2;
        for (const Reading& reading : readings)
            if (const Candidate* const other = chosenBy(reading.choices[i], one); other != nullptr
                && other != best && one.nearly == nullptr
                && reading.score > readings.front().score - aboutAsWell)
                one.nearly = other->role;
    }
    return quantities;
}

} // namespace headroom::ask
