#include "model/count/parameters.h"
#include "shipped_llms.h"

#include <cmath>

using namespace headroom;

TEST_CASE("every architecture counts as the independent counter counts it")
{
    const std::vector<KnownCount> known = knownCounts();
    CHECK(known.size() == 131);
    for (const KnownCount& row : known) {
        CAPTURE(row.id);
        const ParameterCount count = countParameters(shippedLlm(row.id));
        CHECK(count.total == row.total);
        CHECK(count.active == row.active);
        CHECK(count.comparable == row.comparable);
    }
}

TEST_CASE("106 of 110 exact published integers come out to the last parameter, the other four within 0.05 %")
{
    int integers = 0;
    int equal = 0;
    for (const KnownCount& row : knownCounts()) {
        CAPTURE(row.id);
        const Llm& llm = shippedLlm(row.id);
        CHECK(llm.published.total == row.published);
        CHECK(llm.published.exact == row.exact);
        if (!row.exact)
            continue;
        ++integers;
        const ParameterCount count = countParameters(llm);
        equal += count.comparable == row.published ? 1 : 0;
        CHECK(std::abs(static_cast<double>(count.comparable - row.published))
              <= 5e-4 * static_cast<double>(row.published));
    }
    CHECK(integers == 110);
    CHECK(equal == 106);
}

TEST_CASE("parts add up to the total, layer by layer and for every shipped model")
{
    for (const std::string& id : shippedCatalogue().modelIds()) {
        CAPTURE(id);
        const Llm& llm = shippedLlm(id);
        const ParameterCount count = countParameters(llm);
        CHECK(count.embedding + count.mixers + count.denseMlp + count.routers + count.experts
                  + count.sharedExperts + count.norms + count.head
              == count.total);
        CHECK(count.active <= count.total);
        CHECK((count.experts == 0) == (count.active == count.total));
        std::int64_t mixers = 0;
        for (const std::uint8_t kind : llm.layers)
            mixers += countLayer(llm, llm.kinds[kind]).mixers;
        CHECK(mixers == count.mixers);
    }
}

TEST_CASE("the parts of Llama 3.1 8B are those a hand adds up")
{
    const ParameterCount count = countParameters(shippedLlm("llama-3.1-8b"));
    CHECK(count.embedding == 128256LL * 4096);
    CHECK(count.head == 128256LL * 4096);
    CHECK(count.mixers == 32LL * (4096 * 4096 * 2 + 4096 * 1024 * 2));
    CHECK(count.denseMlp == 32LL * 3 * 4096 * 14336);
    CHECK(count.norms == 65LL * 4096);
    CHECK(count.mtp == 0);
    CHECK(count.total == 8'030'261'248);
}

TEST_CASE("DeepSeek V3's module of multi-token prediction is counted beside the model")
{
    const ParameterCount count = countParameters(shippedLlm("deepseek-v3"));
    CHECK(count.total == 671'026'419'200);
    CHECK(count.mtp == 11'610'068'224); // "671B + 14B" counts its copies of embedding and head too
    CHECK(count.comparable == count.total + count.mtp + 2 * 129280LL * 7168 + 41'540'496); // 128 x 128 scales
}
