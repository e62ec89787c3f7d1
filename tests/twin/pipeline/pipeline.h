#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace headroom::twin {

// What one pass of a scheduler runs, or one piece of it.
struct MicroBatch {
    std::int64_t promptTokens = 0;
    std::int64_t prompts = 0; // that some of them belong to
    std::int64_t pairs = 0;   // of queries and keys, twice: tokens * (2 * past + tokens) of each chunk
    std::int64_t decodes = 0;
    std::int64_t context = 0; // cached tokens that all decodes read
    std::int64_t sampled = 0; // rows of which a token is drawn

    [[nodiscard]] std::int64_t tokens() const { return promptTokens + decodes; }
    friend bool operator==(const MicroBatch&, const MicroBatch&) = default;
};

// From outside: how long a stage computes, how long the way to the next stage is taken.
using StageTime = std::function<double(int stage, const MicroBatch&)>;
using HopTime = std::function<double(int stage, const MicroBatch&)>;

// How an engine runs its pipeline.
struct PipelineRules {
    int stages = 1;
    int inFlight = 1; // passes at once

    enum class Groups {
        AsReady, // a pass takes everything that waits for one: who began together stays together
        Slots    // each of `stages` slots has sequences of its own; slots take turns
    };
    Groups groups = Groups::AsReady;
    enum class Mixing {
        DecodesFirst, // chunks of prompts fill what decodes leave of the budget
        PromptsFirst  // a pass is prompts or decodes
    };
    Mixing mixing = Mixing::DecodesFirst;
    std::int64_t budget = 8192;      // tokens of a pass
    std::int64_t maxSequences = 256; // running at once, all groups together
    std::int64_t balanceSteps = 0;   // of ranks: as long prompts of some wait for those of the others
    std::int64_t admissionSteps = 0; // of ranks: that pass before a new request may be in one
    std::int64_t piece = 0;          // tokens that go through the stages together; 0: the whole pass
    bool chunksFollow = true;        // a prompt's next chunk may enter while the one before is under way
    enum class Messages {
        HoldSender,  // a stage begins its next pass when what it sends on has left
        HoldReceiver // sent beside the next pass, taken in before the pass that it is of
    };
    Messages messages = Messages::HoldSender;
};
// Messages hold who sends them: vLLM (v1/worker/gpu_worker.py, execute_model waits for `_pp_send_work`
// first), SGLang (managers/scheduler_pp_mixin.py, event_loop_pp commits `send_proxy_work` before it
// launches), llama.cpp (copies stand in the stream of the device that they come from). TensorRT-LLM sends in
// a stream beside and receives in the one that computes (_torch/distributed/communicator.py, PPCommNCCL).
// vLLM: one pass for each stage in flight (v1/engine/core.py, step_with_batch_queue); sequences are grouped
// by the pass that first took them; the next chunk may be scheduled at once (v1/core/sched/scheduler.py,
// _update_after_schedule).
[[nodiscard]] PipelineRules vllmPipeline(int stages, std::int64_t budget, std::int64_t maxSequences);
// SGLang: a slot for each stage, each with its own running batch of at most max_running_requests / stages;
// prompts before decodes (managers/scheduler_pp_mixin.py).
[[nodiscard]] PipelineRules sglangPipeline(int stages, std::int64_t budget, std::int64_t maxSequences);
// TensorRT-LLM: as many micro-batches as stages; what is in flight is left out of the next
// (_torch/pyexecutor/py_executor.py, _executor_loop_pp). max_batch_size is of a micro-batch.
[[nodiscard]] PipelineRules tensorRtPipeline(int stages, std::int64_t budget, std::int64_t maxBatch);
// llama.cpp's layer split: one batch at a time, cut into pieces of n_ubatch that follow one another through
// the devices (ggml-backend scheduler, pipeline parallelism by copies of inputs).
[[nodiscard]] PipelineRules llamaCppPipeline(int stages, std::int64_t batch, std::int64_t maxSequences);
// One stage works, the others wait.
[[nodiscard]] PipelineRules naivePipeline(int stages, std::int64_t budget, std::int64_t maxSequences);

struct Request {
    double arrival = 0; // of users that take turns: not looked at
    std::int64_t prompt = 1, output = 1;
};
struct Served {
    double arrival = 0, start = 0, firstToken = 0, end = 0;
};
struct PipelineRun {
    std::vector<Served> served; // in the order of the requests
    std::vector<double> busy;   // seconds that each stage computed
    std::vector<double> wire;   // seconds that messages were on each way to the next stage
    std::int64_t passes = 0;
    double end = 0;
};
// `users` > 0: so many take turns, each asks again the moment the answer is there; otherwise requests come at
// their arrivals. There is room for everybody's cache.
[[nodiscard]] PipelineRun runPipeline(const PipelineRules& rules, const StageTime& stageTime,
                                      const HopTime& hopTime, const std::vector<Request>& requests,
                                      int users);

// Of the requests that end between the first fifth and the last fifth.
struct Steady {
    double outputRate = 0;  // tokens a second
    double requestRate = 0; // requests a second
    double ttft = 0, tpot = 0;
};
[[nodiscard]] Steady steadyOf(const std::vector<Request>& requests, const std::vector<Served>& served);

} // namespace headroom::twin
