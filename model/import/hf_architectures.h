#pragma once

#include "model/catalogue/llm.h"
#include "model/import/config_reader.h"

#include <span>
#include <string>
#include <vector>

namespace headroom {

// What reading one config works on.
struct HfReading {
    ConfigReader config; // of the text model
    ConfigReader root;   // of the file; the same where nothing is nested
    Problems& problems;
    bool nested = false; // the text model is an object inside the file
    Llm llm;
    std::vector<Message> warnings;

    // Appends a layer; equal kinds are stored once.
    void addLayer(const LayerKind& kind);
    [[nodiscard]] std::uint8_t indexOf(const LayerKind& kind); // added to `kinds` when it is new
};

using HfArchitectureReader = void (*)(HfReading&);

struct HfArchitecture {
    std::string_view className;
    std::string_view modelType;
    HfArchitectureReader read;
};

// Parts that most architectures share.
[[nodiscard]] std::size_t layerCount(const HfReading& reading);
// Where a configuration says the longest context.
[[nodiscard]] ConfigReader::Keys contextKeys();
// For classes whose configuration may leave it out: what is taken then, and why, is told.
void contextUnlessWritten(HfReading& reading, std::int64_t tokens, Code why);
// Hidden width, vocabulary, context (zero where the file does not say it), head; `vocabByDefault` 0: it must
// be written.
void readOuter(HfReading& reading, bool tiedByDefault, std::int64_t vocabByDefault = 0);
void addLayers(HfReading& reading, const LayerKind& kind, std::size_t layers);
// Layers of which `full` see everything and the others a window.
void addWindowed(HfReading& reading, LayerKind kind, const std::vector<bool>& full, std::int64_t window);
[[nodiscard]] std::vector<bool> everyNthFull(std::size_t layers, std::int64_t n);
[[nodiscard]] Attention readAttention(const HfReading& reading);
[[nodiscard]] int rotatedDims(const HfReading& reading, int headDim); // 0: all
[[nodiscard]] Mlp denseMlp(std::int64_t intermediate, bool gated = true, bool bias = false);
// True for each layer that sees everything, by `layer_types` or else by `otherwise(layer)`.
[[nodiscard]] std::vector<bool> fullLayers(const HfReading& reading, const std::vector<bool>& otherwise);

// The text model of Mistral Small 4, whose file names the class of the dense Mistral Small 3.
void readMistral4(HfReading& reading);

[[nodiscard]] std::span<const HfArchitecture> denseArchitectures();
[[nodiscard]] std::span<const HfArchitecture> olderArchitectures();
[[nodiscard]] std::span<const HfArchitecture> expertArchitectures();
[[nodiscard]] std::span<const HfArchitecture> latentArchitectures();
[[nodiscard]] std::span<const HfArchitecture> hybridArchitectures();

} // namespace headroom
