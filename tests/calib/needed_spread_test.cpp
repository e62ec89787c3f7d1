#include "calib/validate/needed_spread.h"
#include "model/ranges/spread_parts.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

using namespace headroom;

namespace {

// Rows of one source that are all off by so much, times to the first token and between tokens alike.
void add(std::vector<SpreadEvidence>& out, const char* engine, const char* source, int rows, double lnError)
{
    for (int i = 0; i < rows; ++i) {
        out.push_back(
            {.engine = engine, .group = source, .firstToken = true, .lnError = lnError, .prefillShare = 1});
        out.push_back({.engine = engine, .group = source, .lnError = lnError});
    }
}

constexpr double ninetieth = 1.2815515655446004;

doctest::Approx spreadOf(double lnError) { return doctest::Approx(lnError / ninetieth).epsilon(1e-6); }

} // namespace

TEST_CASE("a source of a thousand rows is one stranger, not a thousand")
{
    std::vector<SpreadEvidence> evidence;
    add(evidence, "vllm", "large", 400, 0.05);
    for (const char* source : {"a", "b", "c", "d"})
        add(evidence, "vllm", source, 25, 0.4);
    // By rows four of five are off by 0.05; as groups are weighed a third is off by 0.4.
    CHECK(neededSpread(evidence, "vllm").decode == spreadOf(0.4));
}

TEST_CASE("first tokens of an idle server tell of those of one at work by their part")
{
    std::vector<SpreadEvidence> atWork, idle;
    add(atWork, "vllm", "a", 10, 0.4);
    add(idle, "vllm", "a", 10, 0.2);
    for (SpreadEvidence& row : idle)
        if (row.firstToken)
            row.ofFirstToken = 0.5;
    CHECK(neededSpread(idle, "vllm").prefill == doctest::Approx(neededSpread(atWork, "vllm").prefill));
}

TEST_CASE("rows that need more or less of the spread of decodes tell of it by their part")
{
    std::vector<SpreadEvidence> stated, full;
    add(stated, "vllm", "a", 10, 0.3);
    add(full, "vllm", "a", 10, 0.42);
    for (SpreadEvidence& row : full)
        if (!row.firstToken)
            row.ofDecodes = 1.4;
    CHECK(neededSpread(full, "vllm").decode == doctest::Approx(neededSpread(stated, "vllm").decode));
    CHECK(partOfDecodes(Metric::OutputThroughput, RunKind::Saturated)
          > partOfDecodes(Metric::OutputThroughput, RunKind::ClosedLoop));
    CHECK(partOfDecodes(Metric::Tpot, RunKind::Saturated)
          < partOfDecodes(Metric::OutputThroughput, RunKind::ClosedLoop));
}

TEST_CASE("decodes need what is beside the prompts that a range has, not beside those of their own rows")
{
    std::vector<SpreadEvidence> evidence;
    for (const char* source : {"a", "b", "c", "d", "e", "f", "g", "h"})
        add(evidence, "tgi", source, 10, 0.8);
    std::vector<SpreadEvidence> mixed;
    add(mixed, "vllm", "one", 10, 0.3);
    for (SpreadEvidence& row : mixed)
        if (row.firstToken)
            row.lnError = 0; // its own prompts miss nothing, ranges of it have what others' miss
        else
            row.prefillShare = 0.5;
    evidence.insert(evidence.end(), mixed.begin(), mixed.end());
    const double narrow = neededSpread(evidence, "vllm").decode;
    for (SpreadEvidence& row : evidence)
        row.prefillShare = row.firstToken ? 1 : 0;
    CHECK(narrow < neededSpread(evidence, "vllm").decode);
}

TEST_CASE("what single prompts of a burst wait evens out, as over a run")
{
    CHECK(partOfFirstToken(Metric::Ttft, RunKind::Burst, 8)
          <= partOfFirstToken(Metric::OutputThroughput, RunKind::ClosedLoop, 8));
    CHECK(partOfFirstToken(Metric::Latency, RunKind::Burst, 8)
          == partOfFirstToken(Metric::OutputThroughput, RunKind::ClosedLoop, 8));
    CHECK(partOfFirstToken(Metric::Ttft, RunKind::Burst, 8)
          < partOfFirstToken(Metric::Ttft, RunKind::Static, 8));
    CHECK(partOfFirstToken(Metric::Ttft, RunKind::Static, 8)
          < partOfFirstToken(Metric::Ttft, RunKind::ClosedLoop, 8));
    CHECK(partOfFirstToken(Metric::Ttft, RunKind::ClosedLoop, 1)
          == partOfFirstToken(Metric::Ttft, RunKind::Static, 1)); // who is alone waits for nobody
    CHECK(partOfFirstToken(Metric::Ttft, RunKind::ClosedLoop, 8, 0.7)
          == partOfFirstToken(Metric::Ttft, RunKind::ClosedLoop, 8));
    CHECK(partOfFirstToken(Metric::Ttft, RunKind::ClosedLoop, 1, 0.7) == 0.7);
    CHECK(partOfDecodes(Metric::InterToken, RunKind::OpenLoop)
          < partOfDecodes(Metric::Tpot, RunKind::OpenLoop));
    CHECK(partOfFirstToken(Metric::Ttft, RunKind::OpenLoop, 8)
          < partOfFirstToken(Metric::Ttft, RunKind::ClosedLoop, 8));
}

TEST_CASE("what is known of an engine outweighs what is known of others, the more the more groups say it")
{
    std::vector<SpreadEvidence> evidence;
    for (const char* source : {"a", "b", "c", "d", "e", "f", "g", "h"})
        add(evidence, "tgi", source, 10, 0.8);
    add(evidence, "vllm", "one", 10, 0.1);
    const double once = neededSpread(evidence, "vllm").decode;
    for (const char* source : {"two", "three", "four"})
        add(evidence, "vllm", source, 10, 0.1);
    const double often = neededSpread(evidence, "vllm").decode;
    CHECK(often < once);
    CHECK(once < neededSpread(evidence, "an engine of nobody").decode);
    CHECK(often > 0.1 / ninetieth);
    CHECK(familyOf("vllm-2026-08") == "vllm");
    CHECK(familyOf("vllm-v0") == "vllm");
    CHECK(familyOf("sglang-2025 on cdna3") == "sglang");
    CHECK(familyOf("gpt-fast") == "gpt-fast");
}

TEST_CASE("operators that answer for an error already leave nothing to add")
{
    std::vector<SpreadEvidence> evidence;
    add(evidence, "vllm", "a", 10, 0.2);
    for (SpreadEvidence& row : evidence)
        row.lnSpread = 0.3;
    CHECK(neededSpread(evidence, "vllm").decode == 0);
}

TEST_CASE("a stranger needs what other strangers needed, not what engines need that others speak of")
{
    std::vector<SpreadEvidence> evidence;
    for (const char* source : {"a", "b", "c", "d", "e", "f", "g", "h"})
        add(evidence, "vllm", source, 10, 0.1);
    const std::size_t known = evidence.size();
    for (const char* engine : {"one", "two", "three", "four", "five", "six"})
        add(evidence, engine, engine, 10, 0.7);
    for (std::size_t i = known; i < evidence.size(); ++i)
        evidence[i].stranger = true;
    const double stranger = neededSpread(evidence, "an engine of nobody", true).decode;
    CHECK(stranger > 0.6 / ninetieth);
    CHECK(stranger > neededSpread(evidence, "vllm").decode);
    // Its own family tells nothing of it where that was better known.
    CHECK(neededSpread(evidence, "vllm-2030", true).decode > neededSpread(evidence, "vllm-2030").decode);
}

TEST_CASE("what operators answer for is in no range twice, a stranger's no more than another's")
{
    std::vector<SpreadEvidence> evidence;
    for (const char* engine : {"one", "two", "three", "four"})
        add(evidence, engine, engine, 10, 0.5 * ninetieth);
    for (SpreadEvidence& row : evidence) {
        row.stranger = true;
        row.lnSpread = 0.4;
    }
    // A deviation of 0.5 is what operators of 0.4 and a rest of 0.3 come to: the rest passes on.
    const double rest = neededSpread(evidence, "an engine of nobody", true).prefill;
    CHECK(rest == doctest::Approx(0.3));
    // Whoever is judged has operators of his own beside it, and is as unsure as the rows were.
    CHECK(std::hypot(rest, 0.4) == doctest::Approx(0.5));
    for (SpreadEvidence& row : evidence)
        row.lnSpread = 0.6; // answers for the error already
    CHECK(neededSpread(evidence, "an engine of nobody", true).prefill == 0);
}

TEST_CASE("an error counts in what its side reaches, less what that side has besides")
{
    std::vector<SpreadEvidence> slow, fast;
    add(slow, "vllm", "a", 10, 0.36);
    add(fast, "vllm", "a", 10, 0.25);
    for (SpreadEvidence& row : slow)
        row.ofSide = 1.2;
    for (SpreadEvidence& row : fast)
        row.ofSide = 1 / 1.2;
    CHECK(neededSpread(slow, "vllm").decode == spreadOf(0.3));
    CHECK(neededSpread(fast, "vllm").prefill == spreadOf(0.3));
    for (SpreadEvidence& row : slow)
        row.lnSpreadOfSide = 0.2 / ninetieth;
    CHECK(neededSpread(slow, "vllm").decode == spreadOf(std::sqrt(0.36 * 0.36 - 0.2 * 0.2) / 1.2));
}

TEST_CASE("one group more or less about four of five moves what is needed by a part of the step only")
{
    const auto with = [](int wide) {
        std::vector<SpreadEvidence> evidence;
        for (int group = 0; group < 100; ++group)
            add(evidence, "vllm", std::to_string(group).c_str(), 1, group < 100 - wide ? 0.1 : 0.5);
        return neededSpread(evidence, "vllm").decode;
    };
    CHECK(with(14) == spreadOf(0.1));
    CHECK(with(26) == spreadOf(0.5));
    for (int wide = 14; wide < 26; ++wide)
        CHECK(with(wide + 1) - with(wide) < (0.5 - 0.1) / ninetieth / 2);
}

TEST_CASE("of what first tokens miss, a run of many prompts has the part that is told")
{
    // First tokens are off by 0.6; a run that is prompts by half by 0.3, of which all can be theirs, or half.
    std::vector<SpreadEvidence> evidence;
    for (int i = 0; i < 10; ++i) {
        evidence.push_back(
            {.engine = "vllm", .group = "a", .firstToken = true, .lnError = 0.6, .prefillShare = 1});
        evidence.push_back({.engine = "vllm", .group = "a", .lnError = 0.3, .prefillShare = 0.5});
    }
    CHECK(neededSpread(evidence, "vllm").prefill == spreadOf(0.6));
    CHECK(neededSpread(evidence, "vllm").decode < 1e-6);
    for (SpreadEvidence& row : evidence)
        if (!row.firstToken)
            row.ofFirstToken = 0.5;
    // 0.3^2 less (0.5 * 0.5 * 0.6)^2 is left to the answers' half.
    CHECK(neededSpread(evidence, "vllm").decode == spreadOf(std::sqrt(0.09 - 0.0225) / 0.5));
}
