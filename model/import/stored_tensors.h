#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace headroom {

// One tensor as a file holds it.
struct StoredTensor {
    std::string name;
    std::string type;                // as the format calls it: "BF16", "Q4_K"
    std::vector<std::int64_t> shape; // in the file's own order
    std::int64_t elements = 0;
    std::uint64_t offset = 0; // from the start of the data
    std::uint64_t bytes = 0;

    friend bool operator==(const StoredTensor&, const StoredTensor&) = default;
};

// What the weights of a model take, to the byte.
struct StoredWeights {
    struct OfType {
        std::int64_t tensors = 0;
        std::int64_t elements = 0;
        std::uint64_t bytes = 0;
        friend bool operator==(const OfType&, const OfType&) = default;
    };
    std::uint64_t bytes = 0;
    std::int64_t elements = 0;
    std::int64_t tensors = 0;
    std::map<std::string, OfType> byType;
    std::vector<std::string> files;   // read, in order
    std::vector<std::string> missing; // named by an index or a split, not there

    void add(const StoredTensor& tensor);

    friend bool operator==(const StoredWeights&, const StoredWeights&) = default;
};

} // namespace headroom
