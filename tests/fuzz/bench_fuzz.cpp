#include "model/import/bench_import.h"
#include "model/import/measured_csv.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

// Any text is read as a load tool's result; accepted rows must be a CSV that reads back.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace headroom;
    const auto bench = importBench(std::string(data, data + size), "bench");
    if (!bench)
        return 0;
    const auto again = readMeasuredCsv(measuredCsv(bench->rows), "rows.csv");
    if (!again || again->size() != bench->rows.size())
        std::abort();
    return 0;
}
