// calibrate_planted FILE new|resume: a short calibration of the planted machine, the same each time. Says
// what broke, as the command line does, and ends with its exit code.

#include "calib/calibrate_device.h"
#include "fake_device.h"

#include <cstdio>
#include <string_view>

using namespace headroom;

int main(int argc, char** argv)
{
    if (argc != 3)
        return 2;
    constexpr std::size_t points = 24; // the machine's own and one of most families
    test::FakeDevice device;
    const Llm llm = test::plainModel();
    CalibrationSubject subject = test::fakeSubject(device, llm);
    subject.sweep.points.resize(points);
    const CalibrationOptions options{.resume = std::string_view(argv[2]) == "resume",
                                     .file = argv[1],
                                     .toolVersion = "1",
                                     .created = "2026-01-02"};
    const RunPolicy policy{
        .timing = {.sustained = Seconds(2e-3)}, .budget = Seconds(1e6), .warmUp = Seconds(0.01)};
    try {
        const auto report = calibrateDevice(device, subject, options, policy, device.clock(), {}, {});
        if (report)
            return 0;
        for (const Problem& problem : report.error())
            std::fprintf(stderr, "%s: %s\n", problem.where.c_str(), problem.what.english().c_str());
        return 2;
    } catch (const std::exception& broken) {
        std::fprintf(stderr, "%s\n", broken.what());
        return 3;
    }
}
