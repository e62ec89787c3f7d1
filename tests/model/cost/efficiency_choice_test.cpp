#include "model/efficiency/efficiency_choice.h"

#include <doctest/doctest.h>

#include <array>
#include <string>
#include <vector>

using namespace headroom;

namespace {

constexpr auto at(GemmClass type) { return static_cast<std::size_t>(type); }

Gpu card()
{
    Gpu gpu;
    gpu.id = "card";
    gpu.family = "kin";
    return gpu;
}

// What a library was timed with on a card of this family.
EfficiencySet library(const std::string& name, const std::string& gpu)
{
    EfficiencySet set;
    set.id = name;
    set.gpu = gpu;
    set.family = "kin";
    set.implementation = name;
    return set;
}

template <typename Form>
void timed(Form& form, double compute)
{
    form.computeEfficiency = compute;
    form.uncertainty = {.lnSpread = 0.1, .source = Source::MeasuredPublished};
}

std::vector<const EfficiencySet*> pointers(const std::vector<EfficiencySet>& sets)
{
    std::vector<const EfficiencySet*> all;
    for (const EfficiencySet& set : sets)
        all.push_back(&set);
    return all;
}

EfficiencySet chosen(const std::vector<std::string>& kernels, const std::vector<EfficiencySet>& sets,
                     const std::vector<EfficiencySet>& kin = {})
{
    return chooseEfficiency(card(), kernels, pointers(sets), pointers(kin), EfficiencySet{});
}

} // namespace

TEST_CASE("experts that a library was not timed with are as its next of kin, before another library's")
{
    EfficiencySet own = library("own", "card");
    timed(own.grouped[at(GemmClass::Fp8Block)], 0.37);
    EfficiencySet other = library("other", "card");
    timed(other.grouped[at(GemmClass::Fp8)], 0.9);

    const EfficiencySet ours = chosen({"own", "other"}, {own, other});
    CHECK(ours.grouped[at(GemmClass::Fp8)].computeEfficiency == 0.37);
    CHECK(ours.grouped[at(GemmClass::Fp8)].uncertainty.source == Source::SameFamily);
    CHECK(ours.grouped[at(GemmClass::Fp8)].uncertainty.lnSpread == doctest::Approx(0.125));

    const EfficiencySet theirs = chosen({"other", "own"}, {own, other});
    CHECK(theirs.grouped[at(GemmClass::Fp8)].computeEfficiency == 0.9);
    CHECK(theirs.grouped[at(GemmClass::Fp8)].uncertainty.source == Source::MeasuredPublished);
}

TEST_CASE("experts of four-bit weights are as those of MXFP4, and only then as those of 16 bits")
{
    EfficiencySet own = library("own", "card");
    timed(own.grouped[at(GemmClass::Half)], 0.8);
    CHECK(chosen({"own"}, {own}).grouped[at(GemmClass::WeightOnly4)].computeEfficiency == 0.8);
    timed(own.grouped[at(GemmClass::Mxfp4)], 0.5);
    CHECK(chosen({"own"}, {own}).grouped[at(GemmClass::WeightOnly4)].computeEfficiency == 0.5);
    timed(own.grouped[at(GemmClass::WeightOnly4)], 0.6);
    CHECK(chosen({"own"}, {own}).grouped[at(GemmClass::WeightOnly4)].computeEfficiency == 0.6);
}

TEST_CASE("products of eight-bit weights are as those of four-bit ones, of another card's too")
{
    for (const char* where : {"card", "sister"}) {
        EfficiencySet own = library("own", where);
        timed(own.gemm[at(GemmClass::WeightOnly4)], 0.3);
        const EfficiencySet set = chosen({"own"}, {own});
        CHECK(set.gemm[at(GemmClass::WeightOnly8)].computeEfficiency == doctest::Approx(0.3));
        CHECK(set.gemm[at(GemmClass::WeightOnly8)].uncertainty.source == Source::SameFamily);
        CHECK(set.gemm[at(GemmClass::Half)] == EfficiencySet{}.gemm[at(GemmClass::Half)]);
    }
}

TEST_CASE("a family with the same multiprocessors is asked after the card's own, whatever the library")
{
    EfficiencySet sister = library("other", "sister");
    timed(sister.gemm[at(GemmClass::Half)], 0.6);
    EfficiencySet cousin = library("own", "cousin");
    cousin.family = "another";
    timed(cousin.gemm[at(GemmClass::Half)], 0.8);
    timed(cousin.grouped[at(GemmClass::WeightOnly4)], 0.7);

    const EfficiencySet set = chosen({"own", "other"}, {sister}, {cousin});
    CHECK(set.gemm[at(GemmClass::Half)].computeEfficiency == doctest::Approx(0.6));
    CHECK(set.grouped[at(GemmClass::WeightOnly4)].computeEfficiency == doctest::Approx(0.7));
    CHECK(set.grouped[at(GemmClass::WeightOnly4)].uncertainty.source == Source::SameFamily);
}
