#pragma once

#include <string>
#include <vector>

namespace headroom::twin {

// One exchange on one machine, both sides without latencies or losses: bytes over rates alone.
struct ExchangeRow {
    std::string exchange, machine;
    int ranks = 1, boxes = 1;
    double bytes = 0;             // of one rank's buffer; of all-to-all what a rank's tokens weigh once
    double twin = 0, program = 0; // seconds; negative: refused
    std::string note;
};
[[nodiscard]] std::vector<ExchangeRow> exchangeRows();
[[nodiscard]] std::vector<ExchangeRow> reductionsOfOneKind(); // of them those without a sweep over boxes

} // namespace headroom::twin
