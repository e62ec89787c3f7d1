#pragma once

#include "model/count/op_work.h"
#include "model/count/operators.h"
#include "model/count/stored_type.h"

#include <algorithm>
#include <cmath>

namespace headroom {

// What the operators of every layer of a step share, worked out once. Internal to model/count.
struct OperatorBuilder {
    const Deployment& d;
    const MatrixKinds& matrices;
    const StepShape& shape;
    OpSink sink;

    double act = 2; // bytes of one activation
    double hidden = 0;
    double tp = 1;
    double rows = 0; // tokens on the busiest data-parallel rank
    double prefillRows = 0;
    double prefillSequences = 0; // on that rank
    double decodeSequences = 0;
    double decodeRows = 0;
    double allRows = 0; // tokens of all ranks: what a spread expert group sees
    int rankNodes = 1;  // nodes that a tensor-parallel group stands in

    OperatorBuilder(const Deployment& deployment, const MatrixKinds& kinds, const StepShape& step,
                    OpSink out);

    void emit(Op op, double count) const
    {
        op.count = count;
        sink(op);
    }
    void gemm(OpName name, WeightPart part, double count, double m, double n, double k) const;
    void stream(OpName name, double count, double m, double bytesPerRow) const;
    void allReduce(double count, double m) const;
    // That so many ranks stand in; `apart`: places between one of them and the next.
    [[nodiscard]] int nodesOf(int ranks, int apart = 1) const;
    // An engine's kernels run the layers; the physical floor has none.
    [[nodiscard]] bool hasKernels() const { return d.engine && !d.engine->kernels.empty(); }
    // Copies, gates and sums that Python launches one by one where no step is captured.
    [[nodiscard]] double eagerly(double kernels) const { return d.engine && !d.engine->graphs ? kernels : 0; }
    // Heads that a prompt's kernel works on where each query has keys of its own: at least so many, empty
    // ones among them, but on cards whose kernels take them as they are.
    [[nodiscard]] double gatheringHeads(double heads, double fewest) const;
    // Between any two GPUs of a node, without the host between them.
    [[nodiscard]] bool directLinks() const;
    void collective(OpName name, CollectiveClass cls, double count, double message, int ranks,
                    int apart = 1) const;

    void mlp(const Mlp& mlp, double count) const;         // mlp_operators.cpp
    void hyperConnections(double count) const;            // hyper_connections.cpp
    void lora(const LayerKind& kind, double count) const; // lora_operators.cpp
    void ends(const StageLayers& stage) const;

private:
    void moe(const Mlp& mlp, double count) const;
    void exchangeTokens(const Mlp& mlp, double width, double count) const;
};

} // namespace headroom
