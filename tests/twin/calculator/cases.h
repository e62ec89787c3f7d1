#pragma once

#include "model/deploy/deployment.h"
#include "work.h"

#include <map>
#include <string>
#include <vector>

namespace headroom {
class Catalogue;
}

namespace headroom::twin {

// Every model of the catalogue that this calculator knows the layers of, as its sheet says them.
[[nodiscard]] const std::map<std::string, ModelSpec>& specs();

// One of many: a model on a machine without any overhead, spread and loaded at random.
struct Case {
    const ModelSpec* spec = nullptr;
    Deployment deployment; // on the engine `ideal`
    Spread spread;
    std::string weights, kv;
    double kvBytes = 2;
    double prompt = 0, context = 0, batch = 1;

    [[nodiscard]] std::string words() const;
    [[nodiscard]] Machine machine() const;
};
[[nodiscard]] const Catalogue& shippedCatalogue();
// The same ones in every run.
[[nodiscard]] const std::vector<Case>& cases();

[[nodiscard]] bool isGguf(const std::string& type);
// The largest difference that counts as agreement.
constexpr double agreement = 0.002;

} // namespace headroom::twin
