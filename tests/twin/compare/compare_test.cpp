#include "exchanges.h"
#include "grid.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace headroom;
using namespace headroom::twin;

namespace {

// Of the grid's questions those that `keep` keeps, until there are so many.
template <typename Keep>
std::vector<Question> some(int count, const Keep& keep)
{
    std::vector<Question> kept;
    for (const Question& question : pipelineGrid(5, 200))
        if (static_cast<int>(kept.size()) < count && keep(question))
            kept.push_back(question);
    return kept;
}

double off(double program, double twin) { return std::abs(program / twin - 1); }

} // namespace

TEST_CASE("on one stage the simulator and the twin serve the same requests in the same times")
{
    const auto questions = some(12, [](const Question& q) { return q.pp == 1 && q.engine != "llama-cpp"; });
    CHECK(questions.size() == 12);
    for (const Question& question : questions) {
        CAPTURE(question.words());
        const Compared c = compare(question, Subject(question));
        CHECK(off(c.simulator.outputRate, c.twin.outputRate) <= 0.02);
        CHECK(off(c.simulator.tpot, c.twin.tpot) <= 0.02);
    }
}

TEST_CASE("a ring takes the time of its bytes")
{
    for (const ExchangeRow& row : exchangeRows())
        if (row.exchange == "all-reduce, ring")
            CHECK(off(row.program, row.twin) <= 0.01);
}
