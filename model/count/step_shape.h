#pragma once

namespace headroom {

// What one replica processes in one engine step: new prompt tokens, running decodes, or both at once.
struct StepShape {
    double prefillTokens = 0;    // new prompt tokens, all sequences together
    double prefillSequences = 0; // sequences they belong to
    double prefillPast = 0;      // tokens already cached before the chunk, mean of those sequences
    double decodeSequences = 0;  // sequences past their prompt
    double decodeQueries
        = 1; // tokens each of them processes: 1, or drafted tokens + 1 when a draft is verified
    double decodeContext = 0; // cached tokens a decode reads, mean
    double decodeSpan = 0;    // how far those contexts lie apart, evenly around the mean
    double sampledRows = 0;   // rows that go through the head: decodes and prompts that end in this step

    double allTokens = 0; // that the experts of all data-parallel ranks see, where the ranks are not equally
                          // busy and the rest is as if all were as busy as the busiest; 0: tokens()

    [[nodiscard]] double tokens() const { return prefillTokens + decodeSequences * decodeQueries; }

    friend bool operator==(const StepShape&, const StepShape&) = default;
};

} // namespace headroom
