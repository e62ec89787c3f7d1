#include "kernels/cuda/library_gemm.h"

#include <algorithm>
#include <cublasLt.h>
#include <fmt/format.h>
#include <map>
#include <tuple>
#include <vector>

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
        : create(library.function<decltype(cublasLtCreate)>("cublasLtCreate")),
          destroy(library.function<decltype(cublasLtDestroy)>("cublasLtDestroy")),
          version(library.function<decltype(cublasLtGetVersion)>("cublasLtGetVersion")),
          matmul(library.function<decltype(cublasLtMatmul)>("cublasLtMatmul")),
          heuristic(
              library.function<decltype(cublasLtMatmulAlgoGetHeuristic)>("cublasLtMatmulAlgoGetHeuristic")),
          describe(library.function<decltype(cublasLtMatmulDescCreate)>("cublasLtMatmulDescCreate")),
          forget(library.function<decltype(cublasLtMatmulDescDestroy)>("cublasLtMatmulDescDestroy")),
          set(library.function<decltype(cublasLtMatmulDescSetAttribute)>("cublasLtMatmulDescSetAttribute")),
          layout(library.function<decltype(cublasLtMatrixLayoutCreate)>("cublasLtMatrixLayoutCreate")),
          forgetLayout(
              library.function<decltype(cublasLtMatrixLayoutDestroy)>("cublasLtMatrixLayoutDestroy")),
          prefer(
              library.function<decltype(cublasLtMatmulPreferenceCreate)>("cublasLtMatmulPreferenceCreate")),
          forgetPreference(
              library.function<decltype(cublasLtMatmulPreferenceDestroy)>("cublasLtMatmulPreferenceDestroy")),
          setPreference(library.function<decltype(cublasLtMatmulPreferenceSetAttribute)>(
              "cublasLtMatmulPreferenceSetAttribute"))
    {}
    [[nodiscard]] bool complete() const
    {
        return create && destroy && version && matmul && heuristic && describe && forget && set && layout
            && forgetLayout && prefer && forgetPreference && setPreference;
    }
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
    SharedLibrary library{{"libcublasLt.so.13", "libcublasLt.so.12", "libcublasLt.so"}};
    Functions f{library};
    cublasLtHandle_t handle = nullptr;
    DeviceBuffer workspace;
    DeviceBuffer one; // scale 1 for the narrow types
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
    void start()
    {
        if (handle != nullptr || !f.complete())
            return;
        libraryCheck(f.create(&handle), "cublasLtCreate");
        workspace = DeviceBuffer(workspaceBytes);
        one = DeviceBuffer(sizeof(float));
        const float value = 1;
        cudaCheck(cudaMemcpy(one.data(), &value, sizeof value, cudaMemcpyHostToDevice));
    }
    [[nodiscard]] Shape described(const Task& task, const DeviceOperands& o) const
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
            // Tensor-wise scales: the operands were filled with one value everywhere.
            const void* const weightScale = o.weights.scales.data();
            const void* const inputScale = o.input.scales.data();
            libraryCheck(
                f.set(shape.product, CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, &weightScale, sizeof weightScale),
                "A_SCALE");
            libraryCheck(
                f.set(shape.product, CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, &inputScale, sizeof inputScale),
                "B_SCALE");
        }
        const auto m = std::uint64_t(task.m);
        const auto n = std::uint64_t(task.n);
        const auto k = std::uint64_t(task.k);
        const cudaDataType_t out = integer(task) ? CUDA_R_32I : dataType(o.output.type);
        libraryCheck(f.layout(&shape.weights, dataType(task.weights), k, n, task.k), "layout of the weights");
        libraryCheck(f.layout(&shape.input, dataType(task.activations), k, m, task.k), "layout of the input");
        libraryCheck(f.layout(&shape.output, out, n, m, task.n), "layout of the output");
        return shape;
    }
    [[nodiscard]] cublasStatus_t run(const Shape& shape, const Task& task, DeviceOperands& o,
                                     const cublasLtMatmulAlgo_t& algorithm, cudaStream_t stream) const
    {
        const float alpha = 1;
        const float beta = 0;
        const std::int32_t alphaInteger = 1;
        const std::int32_t betaInteger = 0;
        const bool whole = integer(task);
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

std::string LibraryGemm::problem() const
{
    return m_state->library.loaded() ? "libcublasLt lacks functions this program needs"
                                     : m_state->library.problem();
}

std::string LibraryGemm::version() const
{
    if (!loaded())
        return {};
    const std::size_t v = m_state->f.version(); // 130100 is 13.1.0
    return fmt::format("cublasLt {}.{}.{}", v / 10000, v / 100 % 100, v % 100);
}

bool LibraryGemm::choose(const Task& task, DeviceOperands& o, int candidates, cudaStream_t stream)
{
    State& s = *m_state;
    if (!loaded() || s.shapes.contains(keyOf(task)))
        return loaded();
    State::Shape shape = s.described(task, o);
    cublasLtMatmulPreference_t preference = nullptr;
    libraryCheck(s.f.prefer(&preference), "PreferenceCreate");
    const std::size_t most = workspaceBytes;
    s.f.setPreference(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &most, sizeof most);
    std::vector<cublasLtMatmulHeuristicResult_t> found(std::size_t(std::max(candidates, 1)));
    int count = 0;
    const cublasStatus_t status
        = s.f.heuristic(s.handle, shape.product, shape.weights, shape.input, shape.output, shape.output,
                        preference, int(found.size()), found.data(), &count);
    s.f.forgetPreference(preference);
    if (status != CUBLAS_STATUS_SUCCESS || count == 0) {
        s.release(shape);
        return false;
    }
    const Event start;
    const Event stop;
    float best = INFINITY;
    shape.algorithm = found.front().algo;
    for (int i = 0; i < count && count > 1; ++i) {
        constexpr int repeats = 5; // after one to warm up
        if (s.run(shape, task, o, found[std::size_t(i)].algo, stream) != CUBLAS_STATUS_SUCCESS)
            continue;
        cudaCheck(cudaEventRecord(start, stream));
        for (int r = 0; r < repeats; ++r)
            libraryCheck(s.run(shape, task, o, found[std::size_t(i)].algo, stream), "Matmul");
        cudaCheck(cudaEventRecord(stop, stream));
        cudaCheck(cudaEventSynchronize(stop));
        float milliseconds = 0;
        cudaCheck(cudaEventElapsedTime(&milliseconds, start, stop));
        if (milliseconds < best) {
            best = milliseconds;
            shape.algorithm = found[std::size_t(i)].algo;
        }
    }
    s.shapes.emplace(keyOf(task), shape);
    return true;
}

void LibraryGemm::launch(const Task& task, DeviceOperands& o, cudaStream_t stream)
{
    const State::Shape& shape = m_state->shapes.at(keyOf(task));
    libraryCheck(m_state->run(shape, task, o, shape.algorithm, stream), "Matmul");
}

} // namespace headroom::kernels
