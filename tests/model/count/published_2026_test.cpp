// Models of 2026 whose publisher gives an integer, or a rounded size.
#include "model/count/parameters.h"
#include "shipped_llms.h"

#include <array>
#include <cmath>
#include <string>

using namespace headroom;

namespace {

// The integer as Hugging Face's metadata or the checkpoint's size gives it, typed here a second time.
struct Published {
    const char* id;
    std::int64_t parameters;
};
constexpr std::array exact{
    Published{"gemma-4-31b", 32'682'372'656},   Published{"glm-4.7", 358'337'791'296},
    Published{"glm-5.1", 753'864'139'008},      Published{"granite-4.1-3b", 3'402'836'480},
    Published{"granite-4.1-8b", 8'791'592'960}, Published{"granite-4.1-30b", 28'865'728'512},
    Published{"hy3", 298'786'155'776},          Published{"nemotron-3-nano-4b", 3'973'556'832},
    Published{"qwen3-vl-2b", 2'127'532'032},    Published{"qwen3-vl-4b", 4'437'815'808},
    Published{"qwen3-vl-8b", 8'767'123'696},    Published{"qwen3-vl-30b-a3b", 31'070'754'032},
    Published{"qwen3-vl-32b", 33'357'390'064},  Published{"qwen3-vl-235b-a22b", 235'670'022'896},
    Published{"qwen3.5-0.8b", 873'438'784},     Published{"qwen3.5-2b", 2'274'069'824},
    Published{"qwen3.5-4b", 4'659'865'088},     Published{"qwen3.5-9b", 9'653'104'368},
    Published{"qwen3.6-27b", 27'781'427'952},   Published{"qwen3.6-35b-a3b", 35'951'822'704},
};
// Their files are in fp8 by blocks, whose scales count: which of the small matrices have some is not
// published.
constexpr std::array nearly{
    Published{"deepseek-v4-flash", 292'021'347'282},
    Published{"deepseek-v4-pro", 1'600'790'440'862},
    Published{"minimax-m2.7", 228'703'644'928},
};
// Sizes in names and on cards.
constexpr std::array rounded{
    Published{"gemma-4-26b-a4b", 25'200'000'000},
    Published{"glm-5.2", 744'000'000'000},
    Published{"mistral-small-4-119b", 119'000'000'000},
    Published{"nemotron-3-ultra-550b-a55b", 550'000'000'000},
    Published{"qwen3.8-2.4t-a95b", 2'446'000'000'000},
};

double offBy(const Llm& llm, std::int64_t published)
{
    const auto counted = static_cast<double>(countParameters(llm).comparable);
    return std::abs(counted / static_cast<double>(published) - 1);
}

} // namespace

TEST_CASE("models of 2026 come to their published integers, to the last parameter where it is an exact one")
{
    for (const Published& row : exact) {
        CAPTURE(row.id);
        const Llm& llm = shippedLlm(row.id);
        CHECK(llm.published.total == row.parameters);
        CHECK(countParameters(llm).comparable == row.parameters);
    }
    for (const Published& row : nearly) {
        CAPTURE(row.id);
        CHECK(offBy(shippedLlm(row.id), row.parameters) < 2e-5);
    }
    for (const Published& row : rounded) {
        CAPTURE(row.id);
        CHECK(offBy(shippedLlm(row.id), row.parameters) < 0.002);
    }
}
