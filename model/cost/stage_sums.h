#pragma once

#include "model/base/estimate.h"
#include "model/cost/forms.h"
#include "model/cost/launches.h"
#include "model/cost/step_cost.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <new>
#include <numeric>
#include <type_traits>

// What a stage of a pipeline takes in a step, summed over its operators. Internal to model/cost.
namespace headroom {

// Sums by the values of an enumeration, and room for one more where their number is odd: two are worked on at
// a time.
constexpr std::size_t paired(std::size_t count) { return count + count % 2; }
constexpr std::size_t opClassRoom = paired(static_cast<std::size_t>(OpClass::Collective) + 1);
constexpr std::size_t opNameRoom = paired(static_cast<std::size_t>(OpName::Sampling) + 1);

// Of two causes that know nothing of each other.
inline double rootSumSquare(double spread, double other)
{
    return std::sqrt(spread * spread + other * other);
}

constexpr std::size_t sourceRoom = paired(static_cast<std::size_t>(Source::Prior) + 1);

// Time of one stage, and nothing else: what a simulation asks for every step.
struct StageSum {
    Seconds total;
    Seconds exchanged; // of these: tokens on their way to experts and back
    double kernels = 0;

    void add(const Op& op, const OpTime& time, const EfficiencySet& /*efficiency*/)
    {
        total += time.total * op.count;
        if (op.cls == OpClass::Collective && op.collective == CollectiveClass::ExpertExchange)
            exchanged += time.total * op.count;
        kernels += op.count * launchesOf(op);
    }
    void add(const StageSum& layer, double layers)
    {
        total += layer.total * layers;
        exchanged += layer.exchanged * layers;
        kernels += layer.kernels * layers;
    }
    void lastAtLeast(Seconds launching) { total = std::max(total, launching); }
    void parted(Seconds gap) { total += gap * kernels; }
    void lengthen(double multiplier)
    {
        total = total * multiplier;
        exchanged = exchanged * multiplier;
    }
};

// Two of a stage's micro-batches that take turns: while one computes, the other's tokens are on their way,
// which takes `cores` of the multiprocessors from it.
template <typename Stage>
Stage takingTurns(const Stage& half, double cores)
{
    Stage both;
    both.add(half, 2);
    const Seconds computed = both.total - both.exchanged;
    const Seconds slowed = computed + both.exchanged * cores;
    if (both.total.base() > 0)
        both.lengthen(std::max(slowed, both.exchanged) / both.total);
    return both;
}

// The same with how sure it is. The error of an operator is the same in all layers. Of two operators of one
// class this share of the variance is common, those of different classes have nothing in common. Fitted forms
// err by 6.0, 8.4 and 7.1 % on single products (A100, H100, A40) and by 3.8, 5.8 and 4.2 % on the sum of a
// layer's four, of which the largest is half: a tenth.
constexpr double commonInClass = 0.1;
struct StageTime : StageSum {
    Seconds floor;                       // that the machine cannot beat
    double amongCards = 0;               // seconds x ln spread between two cards of the type
    double spreadOf[opNameRoom]{};       // seconds x ln spread, by operator
    double spreadOfClass[opClassRoom]{}; // the same, by class
    double secondsOf[sourceRoom]{};      // by where they come from
    std::uint32_t names = 0;             // of operators that are in the sums, a bit each
    std::uint32_t classes = 0;
    static_assert(opNameRoom <= 32 && opClassRoom <= 32);

    [[gnu::flatten]] void add(const Op& op, const OpTime& time, const EfficiencySet& efficiency)
    {
        StageSum::add(op, time, efficiency);
        const Seconds seconds = time.total * op.count;
        floor += time.floor * op.count;
        amongCards += seconds.base() * spreadAmongCards(time, efficiency);
        const double spread = seconds.base() * time.lnSpread;
        spreadOf[static_cast<std::size_t>(op.name)] += spread;
        spreadOfClass[static_cast<std::size_t>(op.cls)] += spread;
        names |= 1U << static_cast<unsigned>(op.name);
        classes |= 1U << static_cast<unsigned>(op.cls);
        secondsOf[static_cast<std::size_t>(time.source)] += seconds.base();
    }
    void add(const StageTime& layer, double layers)
    {
        StageSum::add(layer, layers);
        floor += layer.floor * layers;
        amongCards += layer.amongCards * layers;
        names |= layer.names;
        classes |= layer.classes;
        for (std::size_t i = 0; i < opNameRoom; ++i)
            spreadOf[i] += layer.spreadOf[i] * layers;
        for (std::size_t i = 0; i < opClassRoom; ++i)
            spreadOfClass[i] += layer.spreadOfClass[i] * layers;
        for (std::size_t i = 0; i < sourceRoom; ++i)
            secondsOf[i] += layer.secondsOf[i] * layers;
    }
    // The worst that a good part of the time comes from: a norm without timings of its own does not make a
    // sum of measured products a guess. Its wide spread is in the interval all the same.
    [[nodiscard]] Source source() const
    {
        constexpr double goodPart = 0.2;
        const double all = std::accumulate(std::begin(secondsOf), std::end(secondsOf), 0.0);
        double soFar = 0;
        for (std::size_t i = static_cast<std::size_t>(Source::Prior) + 1; i-- > 0;) {
            soFar += secondsOf[i];
            if (soFar > 0 && soFar >= goodPart * all)
                return static_cast<Source>(i);
        }
        return Source::Exact;
    }
    void lengthen(double multiplier)
    {
        StageSum::lengthen(multiplier);
        floor = floor * std::min(multiplier, 1.0);
        amongCards *= multiplier;
        for (std::size_t i = 0; i < opNameRoom; ++i)
            spreadOf[i] *= multiplier;
        for (std::size_t i = 0; i < opClassRoom; ++i)
            spreadOfClass[i] *= multiplier;
    }
    [[nodiscard]] double lnSpread() const
    {
        double variance = 0;
        // One sum waits for the other: only what is there is added.
        for (std::uint32_t left = names; left != 0; left &= left - 1) {
            const double part = spreadOf[std::countr_zero(left)];
            variance += (1 - commonInClass) * part * part;
        }
        for (std::uint32_t left = classes; left != 0; left &= left - 1) {
            const double part = spreadOfClass[std::countr_zero(left)];
            variance += commonInClass * part * part;
        }
        const double all = total.base();
        return all > 0 ? rootSumSquare(std::sqrt(variance), amongCards) / all : 0;
    }
};

// The same with what it is made of.
struct StageParts : StageTime {
    Seconds compute, memory, link, launch;
    Seconds boundBy[4];
    Flops flops;
    Bytes bytes;
    Flops expertFlops; // of these: by experts, who work for every rank
    Bytes expertBytes;

    [[gnu::flatten]] void add(const Op& op, const OpTime& time, const EfficiencySet& efficiency)
    {
        StageTime::add(op, time, efficiency);
        compute += time.compute * op.count;
        memory += time.memory * op.count;
        link += time.link * op.count;
        launch += time.launch * op.count;
        boundBy[static_cast<std::size_t>(time.bound())] += time.total * op.count;
        const Flops done = op.flops * (op.count / op.busiest); // by a rank on average
        flops += done;
        bytes += op.bytes() * op.count;
        if (op.cls == OpClass::GroupedGemm) {
            expertFlops += done;
            expertBytes += op.bytes() * op.count;
        }
    }
    void add(const StageParts& layer, double layers)
    {
        StageTime::add(layer, layers);
        compute += layer.compute * layers;
        memory += layer.memory * layers;
        link += layer.link * layers;
        launch += layer.launch * layers;
        for (std::size_t i = 0; i < std::size(boundBy); ++i)
            boundBy[i] += layer.boundBy[i] * layers;
        flops += layer.flops * layers;
        bytes += layer.bytes * layers;
        expertFlops += layer.expertFlops * layers;
        expertBytes += layer.expertBytes * layers;
    }
    void lastAtLeast(Seconds launching)
    {
        if (launching > total)
            boundBy[static_cast<std::size_t>(Bound::Launch)] += launching - total;
        StageTime::lastAtLeast(launching);
    }
    void parted(Seconds gap)
    {
        launch += gap * kernels;
        boundBy[static_cast<std::size_t>(Bound::Launch)] += gap * kernels;
        StageTime::parted(gap);
    }
    [[nodiscard]] Bound bound() const
    {
        const auto* const most = std::max_element(std::begin(boundBy), std::end(boundBy));
        return static_cast<Bound>(most - std::begin(boundBy));
    }
};

// So many of them, and room for as many as there may be, which is not cleared: a step is timed a million
// times.
template <typename Stage>
class StageList {
public:
    explicit StageList(std::size_t count)
    {
        for (std::size_t i = 0; i < count; ++i)
            anew(i);
    }
    Stage& anew(std::size_t i) { return *new (&m_all[i]) Stage; }
    [[nodiscard]] Stage& operator[](std::size_t i) { return m_all[i]; }
    [[nodiscard]] const Stage& operator[](std::size_t i) const { return m_all[i]; }

private:
    static_assert(std::is_trivially_copyable_v<Stage> && std::is_trivially_destructible_v<Stage>);
    union {
        std::array<Stage, waysOfStages> m_all;
    };
};

} // namespace headroom
