#pragma once

#include "kernels/cpu/operands.h"

#include <cstddef>
#include <vector>

namespace headroom::kernels {

// One row of a task's result in double precision on the dequantised operands. The plainest form of each
// operator: what every device is checked against.
[[nodiscard]] std::vector<double> referenceRow(const Task& task, const Operands& operands, std::size_t row);

// Rows that are compared: all of a small task, 64 spread over a large one.
[[nodiscard]] std::vector<std::size_t> rowsToCheck(const Task& task, const Operands& operands);

// ||output - reference|| / ||reference|| over those rows; infinite when something was left unwritten. A
// norm's second output and the cache a rope writes are compared too.
[[nodiscard]] double errorAgainstReference(const Task& task, const Operands& operands);

// The experts a token goes to and the weights of their results: softmax over the chosen scores.
struct Route {
    std::vector<int> experts;
    std::vector<double> weights;
};
[[nodiscard]] Route routeOf(const Task& task, const std::vector<double>& scores);

} // namespace headroom::kernels
