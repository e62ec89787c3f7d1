#pragma once

#include "headroom_source_dir.h"
#include "model/yaml/catalogue.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace headroom {

inline const Catalogue& shippedCatalogue()
{
    static const std::shared_ptr<const Catalogue> opened = [] {
        auto catalogue = Catalogue::open(HEADROOM_SOURCE_DIR);
        REQUIRE(catalogue);
        return *catalogue;
    }();
    return *opened;
}

inline const Llm& shippedLlm(const std::string& id)
{
    const Result<const Llm*> llm = shippedCatalogue().model(id);
    if (!llm)
        for (const Problem& problem : llm.error())
            MESSAGE(problem.where << ": " << problem.what.english());
    REQUIRE(llm);
    return **llm;
}

// A row of tests/data/model_counts.csv.
struct KnownCount {
    std::string id;
    std::int64_t total = 0;
    std::int64_t active = 0;
    std::int64_t comparable = 0;
    std::int64_t published = 0;
    bool exact = false;
    std::int64_t kvFull = 0;
    std::int64_t kvWindowed = 0;
    std::int64_t state = 0;
};

inline std::vector<KnownCount> knownCounts()
{
    std::ifstream in(HEADROOM_SOURCE_DIR "/tests/data/model_counts.csv");
    REQUIRE(in);
    std::vector<KnownCount> rows;
    for (std::string line; std::getline(in, line);) {
        if (line.starts_with('#') || line.starts_with("id,"))
            continue;
        std::stringstream cells(line);
        const auto cell = [&] {
            std::string text;
            std::getline(cells, text, ',');
            return text;
        };
        KnownCount row;
        row.id = cell();
        for (std::int64_t* number : {&row.total, &row.active, &row.comparable, &row.published})
            *number = std::stoll(cell());
        row.exact = cell() == "yes";
        for (std::int64_t* number : {&row.kvFull, &row.kvWindowed, &row.state})
            *number = std::stoll(cell());
        rows.push_back(row);
    }
    return rows;
}

} // namespace headroom
