#include "model/cost/decode_steps.h"
#include "model/resolve/resolve.h"
#include "tests/model/shipped_catalogue.h"

#include <doctest/doctest.h>

#include <random>

namespace headroom::tests {

TEST_CASE("Steps that remember their operators take exactly the time of those that do not")
{
    std::mt19937 random(5);
    for (const char* model :
         {"llama-3.1-8b", "deepseek-v3", "gpt-oss-120b", "gemma-3-27b", "qwen3-next-80b-a3b"})
        for (const auto& [tp, pp] : {std::pair(1, 1), std::pair(4, 1), std::pair(2, 2)}) {
            Scenario scenario;
            scenario.model = model;
            scenario.gpus = {"h200-sxm-141gb"};
            scenario.tp = tp;
            scenario.pp = pp;
            const auto machine = resolveMachine(scenario, shipped());
            REQUIRE(machine);
            const auto timer = std::make_shared<const StepTimer>(machine->deployment);
            DecodeSteps steps(timer);
            CAPTURE(model);
            double context = 100;
            for (int i = 0; i < 400; ++i) {
                StepShape shape;
                // Two numbers of sequences share a place of the memory, and come by turns.
                shape.decodeSequences = 3 + 256 * static_cast<double>(random() % 2);
                if (random() % 7 == 0)
                    shape.decodeSequences = 17;
                shape.decodeContext = context += static_cast<double>(random() % 60);
                shape.sampledRows = shape.decodeSequences;
                if (random() % 9 == 0) {
                    shape.prefillTokens = 512;
                    shape.prefillSequences = 1;
                }
                REQUIRE(steps.rate(shape) == timer->rate(shape));
                if (i == 200) { // a copy goes on from what it knows, on its own
                    DecodeSteps copy = steps;
                    REQUIRE(copy.rate(shape) == timer->rate(shape));
                }
            }
        }
}

} // namespace headroom::tests
