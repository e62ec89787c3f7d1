#include "emulated_tasks.h"
#include "tests/thorough.h"

#include <set>

using namespace headroom;
using namespace headroom::kernels;

namespace {

// A clock that only launches move, and a card of which calls fail, for one test.
class Emulated {
public:
    ~Emulated()
    {
        EmulatedCard& card = emulatedCard();
        card.secondsOfLaunch.reset();
        card.failingCall = 0;
        card.failsFromThen = false;
    }
};

Task norm(bool hot)
{
    Task task{.kernel = Kernel::NormResidual, .m = 2, .k = 64};
    task.hot = hot;
    return task;
}

} // namespace

TEST_CASE("as many launches run as were asked for, however long one takes")
{
    const Emulated emulated;
    auto device = makeCudaDevice(0);
    REQUIRE(device.has_value());
    for (const double seconds : {1e-6, 0.05}) {
        emulatedCard().secondsOfLaunch = seconds;
        const auto prepared = (*device)->prepare(norm(true), 1, 0);
        for (const int launches : {1, 1, 3, 18}) {
            const double before = emulatedCard().moved;
            const Stretch stretch = (*device)->time(*prepared, launches);
            CHECK(stretch.launches == launches);
            CHECK(stretch.perLaunch.base() == doctest::Approx(seconds).epsilon(1e-4));
            CHECK(emulatedCard().moved - before
                  == doctest::Approx(launches * seconds)); // none to warm up or record
        }
    }
}

TEST_CASE("small operands come from memory: caches are emptied before each replay, outside of what is timed")
{
    const Emulated emulated;
    emulatedCard().secondsOfLaunch = 1e-3;
    auto device = makeCudaDevice(0);
    REQUIRE(device.has_value());
    const auto prepared = (*device)->prepare(norm(false), 1, 3); // three sets are far below five caches
    const int before = emulatedCard().launches;
    const Stretch stretch = (*device)->time(*prepared, 9);
    CHECK(stretch.launches == 9);
    CHECK(emulatedCard().launches - before == 9 + 3); // three replays, a read before each
    CHECK(stretch.perLaunch.base() == doctest::Approx(1e-3).epsilon(1e-4));
}

TEST_CASE("many small sets are one piece of memory, each with numbers of its own, and all results pass")
{
    auto device = makeCudaDevice(0);
    REQUIRE(device.has_value());
    Task task{
        .kernel = Kernel::RopeAppend, .kv = DType::Int8, .m = 3, .past = 2, .queryHeads = 2, .kvHeads = 1};
    task.headDim = 32;
    const auto prepared = (*device)->prepare(task, 5, 0);
    CHECK(prepared->copies() > 20);
    for (int set = 0; set < prepared->copies(); ++set)
        (*device)->enqueue(*prepared, set);
    CHECK((*device)->check(*prepared) <= toleranceOf(task));
}

TEST_CASE("after any call of the runtime failed the device is cleaned up and does the next thing rightly")
{
    const Emulated emulated;
    Task task{.kernel = Kernel::DecodeAttention,
              .batch = 1,
              .past = 40,
              .queryHeads = 2,
              .kvHeads = 1,
              .headDim = 64};
    const auto whole = [&](Device& device) {
        const auto prepared = device.prepare(task, 3, 0);
        const double error = device.check(*prepared);
        (void)device.time(*prepared, 1);
        (void)device.time(*prepared, 5);
        (void)device.timeSequence({prepared.get()}, 2);
        return error;
    };
    auto device = makeCudaDevice(0);
    REQUIRE(device.has_value());
    const int before = emulatedCard().calls;
    REQUIRE(whole(**device) <= toleranceOf(task));
    const int calls = emulatedCard().calls - before;
    REQUIRE(calls > 40);
    std::set<std::string> said;
    for (int call = 1; call <= calls; call += test::thorough() ? 1 : 3) {
        CAPTURE(call);
        emulatedCard().failingCall = emulatedCard().calls + call;
        try {
            (void)whole(**device);
        } catch (const DeviceFailure& failure) {
            said.insert(failure.what());
        }
        emulatedCard().failingCall = 0;
        CHECK((*device)->lost() == "");
        CHECK(whole(**device) <= toleranceOf(task));
    }
    CHECK(said.size() > 10); // they name the places
}

TEST_CASE("a device that answers no more says so, and one that cannot be opened is refused")
{
    const Emulated emulated;
    auto device = makeCudaDevice(0);
    REQUIRE(device.has_value());
    emulatedCard().failingCall = emulatedCard().calls + 1;
    emulatedCard().failsFromThen = true;
    CHECK_THROWS_AS((void)(*device)->prepare(norm(true), 1, 0), DeviceFailure);
    CHECK((*device)->lost() == "emulated answers no more: emulated failure");
    const auto another = makeCudaDevice(0);
    REQUIRE_FALSE(another.has_value());
    CHECK(another.error().front().what.english().find("cuda:0 cannot be used: CUDA: emulated failure")
          != std::string::npos);
}
