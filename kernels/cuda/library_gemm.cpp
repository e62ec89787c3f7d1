#include "kernels/cuda/library_gemm.h"

#include "kernels/cuda/library_places.h"

#include <algorithm>
#include <cmath>
#include <cublasLt.h>
#include <fmt/format.h>
#include <map>
#include <string_view>
#include <tuple>

namespace headroom::kernels {

namespace {

// The library's own workspace advice for Hopper and later; earlier cards need less.
constexpr std::size_t workspaceBytes = 32 << 20;

// Functions by name, with the signatures of the header this was compiled with.
struct Functions {
    decltype(cublasLtCreate)* create = nullptr;
    decltype(cublasLtDestroy)* destroy = nullptr;
    decltype(cublasLtGetVersion)* version = nullptr;
    decltype(cublasLtMatmul)* matmul = nullptr;
    decltype(cublasLtMatmulAlgoGetHeuristic)* heuristic = nullptr;
    decltype(cublasLtMatmulDescCreate)* describe = nullptr;
    decltype(cublasLtMatmulDescDestroy)* forget = nullptr;
    decltype(cublasLtMatmulDescSetAttribute)* set = nullptr;
    decltype(cublasLtMatrixLayoutCreate)* layout = nullptr;
    decltype(cublasLtMatrixLayoutDestroy)* forgetLayout = nullptr;
    decltype(cublasLtMatmulPreferenceCreate)* prefer = nullptr;
    decltype(cublasLtMatmulPreferenceDestroy)* forgetPreference = nullptr;
    decltype(cublasLtMatmulPreferenceSetAttribute)* setPreference = nullptr;

    explicit Functions(const SharedLibrary& library)
    {
        find(library, create, "cublasLtCreate");
        find(library, destroy, "cublasLtDestroy");
        find(library, version, "cublasLtGetVersion");
        find(library, matmul, "cublasLtMatmul");
        find(library, heuristic, "cublasLtMatmulAlgoGetHeuristic");
        find(library, describe, "cublasLtMatmulDescCreate");
        find(library, forget, "cublasLtMatmulDescDestroy");
        find(library, set, "cublasLtMatmulDescSetAttribute");
        find(library, layout, "cublasLtMatrixLayoutCreate");
        find(library, forgetLayout, "cublasLtMatrixLayoutDestroy");
        find(library, prefer, "cublasLtMatmulPreferenceCreate");
        find(library, forgetPreference, "cublasLtMatmulPreferenceDestroy");
        find(library, setPreference, "cublasLtMatmulPreferenceSetAttribute");
    }
    [[nodiscard]] std::string_view missing() const { return m_missing; } // empty: none

private:
    template <typename F>
    void find(const SharedLibrary& library, F*& to, const char* name)
    {
        to = library.function<F>(name);
        if (to == nullptr && m_missing.empty())
            m_missing = name;
    }
    std::string_view m_missing;
};

void libraryCheck(cublasStatus_t status, const char* call)
{
    if (status != CUBLAS_STATUS_SUCCESS)
        throw CudaFailure(fmt::format("cublasLt: {} failed with status {}", call, int(status)));
}

cudaDataType_t dataType(DType type)
{
    switch (type) {
    case DType::Fp32:
        return CUDA_R_32F;
    case DType::Fp16:
        return CUDA_R_16F;
    case DType::Fp8:
        return CUDA_R_8F_E4M3;
    case DType::Int8:
        return CUDA_R_8I;
    default:
        return CUDA_R_16BF;
    }
}

// int8 sums in int32, left in the operands' workspace; launchScale() makes results of them.
bool integer(const Task& task) { return task.activations == DType::Int8; }

using Key = std::tuple<DType, DType, std::int64_t, std::int64_t, std::int64_t>;
Key keyOf(const Task& task) { return {task.weights, task.activations, task.m, task.n, task.k}; }

} // namespace

// One shape's descriptors. Row-major x (m x k) times weights (n x k) transposed is, column-major, weights^T
// times x: the "TN" form that every type supports.
struct LibraryGemm::State {
    SharedLibrary library{{"libcublasLt.so.13", "libcublasLt.so.12", "libcublasLt.so"},
                          libraryPlaces(Environment())};
    Message problem; // why it cannot be used; empty: it can
    Functions f{library};
    cublasLtHandle_t handle = nullptr;
    DeviceBuffer workspace;
    struct Shape {
        cublasLtMatmulDesc_t product = nullptr;
        cublasLtMatrixLayout_t weights = nullptr;
        cublasLtMatrixLayout_t input = nullptr;
        cublasLtMatrixLayout_t output = nullptr;
        cublasLtMatmulAlgo_t algorithm{};
    };
    std::map<Key, Shape> shapes;

    ~State()
    {
        for (auto& [key, shape] : shapes)
            release(shape);
        if (handle != nullptr)
            f.destroy(handle);
    }
    void release(Shape& shape) const
    {
        f.forget(shape.product);
        f.forgetLayout(shape.weights);
        f.forgetLayout(shape.input);
        f.forgetLayout(shape.output);
    }
    // What is wrong with the library is no failure of the device: it works without.
    void start()
    {
        problem = !library.loaded() ? say("matrix products need cublasLt: {}", library.problem())
            : f.missing().empty()   ? Message()
                                    : say("{} lacks {}: another version of CUDA's libraries is needed",
                                          library.name(), std::string(f.missing()));
        if (!problem.empty())
            return;
        if (const cublasStatus_t status = f.create(&handle); status != CUBLAS_STATUS_SUCCESS) {
            handle = nullptr;
            problem = say("{} does not start on this card (status {}): its version and the driver's may not "
                          "go together",
                          library.name(), int(status));
            return;
        }
        workspace = DeviceBuffer(workspaceBytes);
    }
    [[nodiscard]] Shape described(const Task& task, DType output) const
    {
        Shape shape;
        const cublasComputeType_t compute = integer(task) ? CUBLAS_COMPUTE_32I : CUBLAS_COMPUTE_32F;
        libraryCheck(f.describe(&shape.product, compute, integer(task) ? CUDA_R_32I : CUDA_R_32F),
                     "MatmulDescCreate");
        const cublasOperation_t transposed = CUBLAS_OP_T;
        libraryCheck(f.set(shape.product, CUBLASLT_MATMUL_DESC_TRANSA, &transposed, sizeof transposed),
                     "TRANSA");
        if (task.activations == DType::Fp8) {
            const std::int8_t fast = 1;
            libraryCheck(f.set(shape.product, CUBLASLT_MATMUL_DESC_FAST_ACCUM, &fast, sizeof fast),
                         "FAST_ACCUM");
        }
        const auto m = std::uint64_t(task.m);
        const auto n = std::uint64_t(task.n);
        const auto k = std::uint64_t(task.k);
        const cudaDataType_t out = integer(task) ? CUDA_R_32I : dataType(output);
        libraryCheck(f.layout(&shape.weights, dataType(task.weights), k, n, task.k), "layout of the weights");
        libraryCheck(f.layout(&shape.input, dataType(task.activations), k, m, task.k), "layout of the input");
        libraryCheck(f.layout(&shape.output, out, n, m, task.n), "layout of the output");
        return shape;
    }
    // The library's candidates, the likeliest first.
    [[nodiscard]] std::vector<cublasLtMatmulHeuristicResult_t>
    candidatesOf(const Shape& shape, const Task& task, const DeviceOperands& o) const
    {
        constexpr int most = 8; // its first choice is right nine times in ten
        setScales(shape, task, o);
        cublasLtMatmulPreference_t preference = nullptr;
        libraryCheck(f.prefer(&preference), "PreferenceCreate");
        const std::size_t bytes = workspaceBytes;
        f.setPreference(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &bytes, sizeof bytes);
        std::vector<cublasLtMatmulHeuristicResult_t> found(most);
        int count = 0;
        const cublasStatus_t status
            = f.heuristic(handle, shape.product, shape.weights, shape.input, shape.output, shape.output,
                          preference, most, found.data(), &count);
        f.forgetPreference(preference);
        found.resize(status == CUBLAS_STATUS_SUCCESS ? std::size_t(count) : 0);
        return found;
    }
    // Of these operands: the descriptor outlives the ones it was made for. Tensor-wise, since operands are
    // filled with one scale everywhere.
    void setScales(const Shape& shape, const Task& task, const DeviceOperands& o) const
    {
        if (task.activations != DType::Fp8)
            return;
        setPointer(shape, CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, o.weights.scales.data());
        setPointer(shape, CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, o.input.scales.data());
    }
    void setPointer(const Shape& shape, cublasLtMatmulDescAttributes_t which, const void* pointer) const
    {
        libraryCheck(f.set(shape.product, which, &pointer, sizeof pointer), "the pointer to a scale");
    }
    [[nodiscard]] cublasStatus_t run(const Shape& shape, const Task& task, DeviceOperands& o,
                                     const cublasLtMatmulAlgo_t& algorithm, cudaStream_t stream) const
    {
        const float alpha = 1;
        const float beta = 0;
        const std::int32_t alphaInteger = 1;
        const std::int32_t betaInteger = 0;
        const bool whole = integer(task);
        setScales(shape, task, o);
        void* const to = whole ? o.workspace.data() : o.output.bytes.data();
        return f.matmul(handle, shape.product, whole ? static_cast<const void*>(&alphaInteger) : &alpha,
                        o.weights.bytes.data(), shape.weights, o.input.bytes.data(), shape.input,
                        whole ? static_cast<const void*>(&betaInteger) : &beta, to, shape.output, to,
                        shape.output, &algorithm, workspace.data(), workspaceBytes, stream);
    }
};

LibraryGemm::LibraryGemm() : m_state(std::make_unique<State>()) { m_state->start(); }
LibraryGemm::~LibraryGemm() = default;

bool LibraryGemm::loaded() const { return m_state->handle != nullptr; }

Message LibraryGemm::problem() const { return m_state->problem; }

std::string LibraryGemm::version() const
{
    if (!loaded())
        return {};
    const std::size_t v = m_state->f.version(); // 130100 is 13.1.0
    return fmt::format("cublasLt {}.{}.{}", v / 10000, v / 100 % 100, v % 100);
}

namespace {

// Time of one launch of each candidate, over all sets in turn, until so much time was spent: the library
// gives the likeliest first, and a product of many milliseconds is no place to look for the last percent.
class AlgorithmTrial {
public:
    AlgorithmTrial(const CacheEmptier& emptied, cudaStream_t stream) : m_emptied(emptied), m_stream(stream) {}

    [[nodiscard]] bool goesOn() const { return m_spent < mostMilliseconds; }
    // Milliseconds of one run by `start(set)`, which says whether it could be started; infinite where not.
    template <typename Start>
    [[nodiscard]] float timeOf(const Start& start, std::size_t sets)
    {
        float best = INFINITY;
        for (int round = 0; round <= repeats && (round < 2 || goesOn()); ++round) {
            m_emptied();
            cudaCheck(cudaEventRecord(m_start, m_stream));
            if (!start(m_next++ % sets))
                return INFINITY;
            cudaCheck(cudaEventRecord(m_stop, m_stream));
            cudaCheck(cudaEventSynchronize(m_stop));
            float milliseconds = 0;
            cudaCheck(cudaEventElapsedTime(&milliseconds, m_start, m_stop));
            m_spent += milliseconds;
            if (round > 0) // the first one warms up
                best = std::min(best, milliseconds);
        }
        return best;
    }

private:
    static constexpr int repeats = 3;
    static constexpr float mostMilliseconds = 5;
    const CacheEmptier& m_emptied;
    cudaStream_t m_stream;
    Event m_start;
    Event m_stop;
    std::size_t m_next = 0;
    float m_spent = 0;
};

} // namespace

bool LibraryGemm::choose(const Task& task, std::vector<DeviceOperands>& sets, const CacheEmptier& emptied,
                         cudaStream_t stream)
{
    State& s = *m_state;
    if (!loaded() || s.shapes.contains(keyOf(task)))
        return loaded();
    // Known only once it has an algorithm: what throws in between leaves nothing behind.
    struct Undecided {
        State& state;
        State::Shape shape;
        bool decided = false;
        ~Undecided()
        {
            if (!decided)
                state.release(shape);
        }
    } open{s, s.described(task, sets.front().output.type)};
    const std::vector<cublasLtMatmulHeuristicResult_t> found = s.candidatesOf(open.shape, task, sets.front());
    if (found.empty())
        return false;
    open.shape.algorithm = found.front().algo;
    float best = INFINITY;
    AlgorithmTrial trial(emptied, stream);
    for (std::size_t i = 0; i < found.size() && found.size() > 1 && trial.goesOn(); ++i) {
        const float milliseconds = trial.timeOf(
            [&](std::size_t set) {
                return s.run(open.shape, task, sets[set], found[i].algo, stream) == CUBLAS_STATUS_SUCCESS;
            },
            sets.size());
        if (milliseconds < best) {
            best = milliseconds;
            open.shape.algorithm = found[i].algo;
        }
    }
    open.decided = s.shapes.emplace(keyOf(task), open.shape).second;
    return true;
}

void LibraryGemm::launch(const Task& task, DeviceOperands& o, cudaStream_t stream)
{
    const State::Shape& shape = m_state->shapes.at(keyOf(task));
    libraryCheck(m_state->run(shape, task, o, shape.algorithm, stream), "Matmul");
}

} // namespace headroom::kernels
