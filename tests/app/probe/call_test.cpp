#include "app/probe/call.h"
#include "tests/app/probe/scripted_transport.h"

#include <doctest/doctest.h>

using namespace headroom;
using probe::CallResult;
using probe::CountedBy;
using test::finishEvent;
using test::tokenEvent;
using test::usageEvent;

namespace {

constexpr const char* done = "data: [DONE]\n\n";

// What is made of these pieces, a second apart from second 1 on, of a request at second 0.
CallResult resultOf(const std::vector<std::string>& pieces, double asked, const probe::Secrets& secrets = {})
{
    probe::Call call({.promptTokens = 4, .promptBytes = 20, .outputTokens = asked}, secrets, 0,
                     [](probe::Call&) {});
    call.sent();
    double now = 0;
    bool more = call.head({.status = 200, .contentType = "text/event-stream; charset=utf-8"}, now);
    for (const std::string& piece : pieces)
        more = more && call.take(piece, ++now);
    if (more)
        call.ended({});
    REQUIRE(call.done());
    return call.result();
}

std::vector<std::string> tokensThen(int tokens, const std::string& last)
{
    std::vector<std::string> pieces(static_cast<std::size_t>(tokens), tokenEvent());
    pieces.push_back(last);
    return pieces;
}

} // namespace

TEST_CASE("a whole answer has its times and the server's count")
{
    const CallResult call = resultOf(tokensThen(5, finishEvent("length") + usageEvent("5") + done), 5);
    CHECK_FALSE(call.failure);
    CHECK(call.ttft == 1);
    CHECK(call.tpot == 1);
    CHECK(call.latency == 5);
    CHECK(call.outputTokens == 5);
    CHECK(call.promptTokens == 12);
    CHECK(call.countedBy == CountedBy::Usage);
}

TEST_CASE("several tokens in a piece: TPOT is by tokens, with the server's count or its reason to end")
{
    // Twelve pieces of eight tokens, a second apart: the first eight are waited for with the first, the other
    // 88 in eleven seconds.
    const std::string eight = tokenEvent(" a b c d e f g h");
    for (const bool usage : {true, false}) {
        std::vector<std::string> pieces(12, eight);
        pieces.push_back(finishEvent("length") + (usage ? usageEvent("96") : "") + done);
        const CallResult call = resultOf(pieces, 96);
        CAPTURE(usage);
        CHECK_FALSE(call.failure);
        CHECK(call.tpot == doctest::Approx(11.0 / 88));
        CHECK(call.countedBy == (usage ? CountedBy::Usage : CountedBy::Length));
    }
    // Nothing but pieces: they are too few tokens, and that is said.
    std::vector<std::string> pieces(12, eight);
    pieces.push_back(finishEvent("stop") + done);
    CHECK(resultOf(pieces, 12).countedBy == CountedBy::Pieces);
    CHECK(resultOf(pieces, 96).failure.kind == probe::FailureKind::TooShort);
}

TEST_CASE("an answer counts from nine tenths of the tokens asked for on")
{
    CHECK_FALSE(resultOf(tokensThen(9, finishEvent("stop") + usageEvent("9") + done), 10).failure);
    const CallResult call = resultOf(tokensThen(8, finishEvent("stop") + usageEvent("8") + done), 10);
    CHECK(call.failure.kind == probe::FailureKind::TooShort);
    CHECK(call.failure.detail.english() == "8 of 10 tokens (finish_reason stop)");
    // Two tokens and a claim of length are no 64 tokens.
    CHECK(resultOf(tokensThen(2, finishEvent("length") + done), 64).failure.kind
          == probe::FailureKind::TooShort);
}

TEST_CASE("pieces cut anywhere make the same events")
{
    std::string whole;
    for (const std::string& piece :
         tokensThen(5, finishEvent("length") + usageEvent("5") + "data:[DONE]\r\n"))
        whole += piece;
    for (std::size_t size = 1; size < 40; ++size) {
        std::vector<std::string> pieces;
        for (std::size_t at = 0; at < whole.size(); at += size)
            pieces.push_back(whole.substr(at, size));
        const CallResult call = resultOf(pieces, 5);
        CAPTURE(size);
        CHECK_FALSE(call.failure);
        CHECK(call.outputTokens == 5);
    }
}

TEST_CASE("usage is held against what was asked for and seen")
{
    using Kind = probe::FailureKind;
    const auto kindOf = [](const std::string& usage, int tokens, double asked) {
        return resultOf(tokensThen(tokens, finishEvent("length") + usage + done), asked).failure.kind;
    };
    CHECK(kindOf(usageEvent("-7"), 10, 10) == Kind::WrongUsage);
    CHECK(kindOf(usageEvent("1.5"), 10, 10) == Kind::WrongUsage);
    CHECK(kindOf(usageEvent("\"many\""), 10, 10) == Kind::WrongUsage);
    CHECK(kindOf(usageEvent("10", "-1"), 10, 10) == Kind::WrongUsage);
    CHECK(kindOf(usageEvent("9") + usageEvent("4"), 10, 10) == Kind::WrongUsage);
    CHECK(kindOf(usageEvent("1000000"), 10, 10) == Kind::UsageTooHigh);
    CHECK(kindOf(usageEvent("1e300"), 10, 10) == Kind::WrongUsage);
    CHECK(kindOf(usageEvent("100"), 10, 100) == Kind::UsageTooHigh); // in 20 bytes of text
    CHECK(kindOf(usageEvent("3"), 10, 10) == Kind::UsageTooLow);
    CHECK(kindOf(usageEvent("10", "1000000"), 10, 10) == Kind::UsageTooHigh);
    CHECK(kindOf(usageEvent("10", "0"), 10, 10) == Kind::UsageTooLow);
    CHECK(kindOf(usageEvent("10", "null"), 10, 10) == Kind::None);
    CHECK(kindOf("", 10, 10) == Kind::None);
}

TEST_CASE("what keeps a connection open without a token is named after what came")
{
    const auto nameAfter = [](const std::vector<std::string>& pieces) {
        const probe::Secrets none;
        probe::Call call({.promptTokens = 4, .promptBytes = 20, .outputTokens = 9}, none, 0,
                         [](probe::Call&) {});
        call.sent();
        (void)call.head({.status = 200, .contentType = {}}, 0);
        for (const std::string& piece : pieces)
            (void)call.take(piece, 0);
        CHECK_FALSE(call.overdue(119, {}));
        return call.overdue(121, {}).name();
    };
    CHECK(nameAfter({}) == "silence");
    CHECK(nameAfter({tokenEvent()}) == "silence");
    CHECK(nameAfter({": ping\n\n", ": ping\n\n"}) == "only-pings");
    CHECK(nameAfter({tokenEvent(), "event: ping\n\n"}) == "only-pings");
    CHECK(nameAfter({"data: {\"choi"}) == "slow-body");
}

TEST_CASE("targets are met by requests that are whole")
{
    const CallResult call{.ttft = 0.5, .tpot = 0.02, .latency = 2};
    CHECK(probe::meets(call, {.tokensPerSecond = 49, .ttft = Seconds(0.5), .tpot = Seconds(0.021)}));
    CHECK_FALSE(probe::meets(call, {.tokensPerSecond = 51}));
    CHECK_FALSE(probe::meets(call, {.latency = Seconds(1.9)}));
    CHECK_FALSE(probe::meets({.failure = {.kind = probe::FailureKind::Reset, .detail = {}}}, {}));
}
