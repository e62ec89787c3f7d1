#pragma once

#include "model/base/code.h"
#include "model/base/units.h"
#include "model/catalogue/gpu.h"
#include "model/catalogue/node.h"
#include "model/count/op.h"
#include "model/efficiency/efficiency_set.h"

#include <cstdint>
#include <string_view>

namespace headroom {

enum class Bound : std::uint8_t { Compute, Memory, Launch, Link };
[[nodiscard]] Code boundName(Bound bound);

// One execution of an operator, with its parts before they overlap.
struct OpTime {
    Seconds compute;
    Seconds memory;
    Seconds link;
    Seconds launch;
    Seconds total;
    Seconds floor; // that the machine cannot beat, where it was asked for
    double lnSpread = 0;
    Source source = Source::Prior;
    bool trusted = true;

    [[nodiscard]] Bound bound() const
    {
        if (link.base() > 0)
            return Bound::Link;
        if (launch > compute && launch > memory)
            return Bound::Launch;
        return compute > memory ? Bound::Compute : Bound::Memory;
    }
};

// How far one card's time lies from another's of the same type. They differ in the clock that their power
// leaves their multiprocessors; memory and links keep theirs.
[[nodiscard]] inline double spreadAmongCards(const OpTime& time, const EfficiencySet& efficiency)
{
    return time.bound() == Bound::Compute ? efficiency.deviceSpread : 0;
}

// Exchanges that add up what they carry.
[[nodiscard]] constexpr bool reduces(CollectiveClass cls)
{
    return cls == CollectiveClass::CustomAllReduce || cls == CollectiveClass::NcclAllReduce;
}

// The one function that turns work into time: the planner predicts with it and a calibration is fitted
// through it.
[[nodiscard]] OpTime timeOp(const Op& op, const Gpu& gpu, const Node& node, const EfficiencySet& efficiency);

// What no implementation beats: bytes over bandwidth, operations over peak, an exchange's bytes over its
// link.
[[nodiscard]] Seconds floorOf(const Op& op, const Gpu& gpu, const Node& node);

} // namespace headroom
