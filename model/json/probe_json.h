#pragma once

#include "model/report/columns.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace headroom {

struct ProbeSummary {
    std::string url;
    std::string model;
    bool targets = false;                       // any were given
    int highestConcurrency = 0;                 // 0: no level met them
    std::optional<int> highestLow, highestHigh; // between which it lies, 95 % sure
    std::string limitedBy;                      // why no more: "targets", "client-files", …
    bool partial = false;                       // interrupted
    std::string server;                         // the engine, where its counters tell
    std::string promptsCountedBy;               // "tokenizer", "usage" or "words"
    std::vector<std::string> notes;             // what a reader must know
    std::string broken;                         // why the levels are no answer; empty: they are
};

// What of a level is no plain cell.
struct ProbeLevelDetail {
    struct Failure {
        std::string name;
        int count = 0;
        std::string example;
    };
    std::vector<Failure> failures;
    std::vector<std::pair<std::string, double>> server; // what its counters say of the level
};

// {"schema": "headroom.probe/1", "url", "model", "highest_concurrency", …, "levels": […]}, each level with
// its "failures" and what the "server" counted, null where it does not. What broke is told as a refusal is:
// "problems", empty where nothing did.
[[nodiscard]] std::string probeJson(const ProbeSummary& summary, const Table& levels,
                                    const std::vector<ProbeLevelDetail>& details);

} // namespace headroom
