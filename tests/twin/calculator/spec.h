#pragma once

#include <string>
#include <vector>

namespace headroom::twin {

// One layer as its publisher's configuration describes it. Fields that do not apply are zero.
struct LayerSpec {
    enum class Mixer { None, Attention, Latent, Mamba1, Mamba2, DeltaNet, Lightning };
    enum class Norms { None, PerHead, FullWidth }; // of queries and keys, as far as they have weights

    Mixer mixer = Mixer::Attention;
    double heads = 0, kvHeads = 0, headDim = 0, valueDim = 0;
    double window = 0, chunk = 0;
    bool qkvBias = false, outBias = false, gate = false, sinks = false, valueIsKey = false;
    Norms queryNorms = Norms::None;
    double shareGroup = 1; // layers that share one cache

    double queryRank = 0, latent = 0, nope = 0, rope = 0; // latent attention
    double indexHeads = 0, indexDim = 0, topK = 0;        // and its sparse indexer

    double inner = 0, state = 0, taps = 0, dtRank = 0, groups = 0;           // state space
    double stateHeads = 0, keyHeads = 0, stateKeyDim = 0, stateValueDim = 0; // delta rule
    bool innerNorms = false, convBias = true;
    double stateBytes = 2; // of one value of the recurrent state

    enum class Mlp { None, Dense, Experts };
    Mlp mlp = Mlp::Dense;
    double width = 0;
    bool gated = true, mlpBias = false;
    double experts = 0, chosen = 0, expertWidth = 0, sharedWidth = 0, expertLatent = 0;
    bool sharedGate = false, routerBias = false, expertBias = false;

    int norms = 2;
    bool parallel = false;
};

// What the checkpoint itself is stored in, where that is not plain.
struct Shipped {
    std::string type; // "fp8", "mxfp4", "int4", …; empty: plain
    double group = 0, blockRows = 0, blockColumns = 0;
    bool expertsOnly = false;
    std::string outside; // experts only: what the other matrices are in
};

struct ModelSpec {
    std::string id, family, released;
    double hidden = 0, vocab = 0, positions = 0;
    bool tied = false, headBias = false, embeddingNorm = false, finalNorm = true;
    bool normBias = false; // every norm of the residual stream has a bias too
    std::vector<LayerSpec> layers;
    int draftModules = 0;               // of multi-token prediction
    std::vector<LayerSpec> draftLayers; // of one module
    int draftNorms = 3;
    Shipped shipped;
};

} // namespace headroom::twin
