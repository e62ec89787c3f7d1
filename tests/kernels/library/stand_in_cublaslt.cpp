// A stand-in for libcublasLt: products of fp8 numbers on the processor, scaled by what the pointers of the
// descriptor point to when the product is started.
#include "cublasLt.h"

#include <cmath>
#include <cstdlib>
#include <cstring>

struct StandInContext {};
struct StandInPreference {};
struct StandInProduct {
    const float* aScale = nullptr;
    const float* bScale = nullptr;
};
struct StandInLayout {
    std::uint64_t rows;
    std::uint64_t columns;
};

namespace {

// e4m3: one sign, four bits of exponent offset by 7, three of fraction.
float fromFp8(std::uint8_t bits)
{
    const int exponent = bits >> 3 & 0xF;
    const int fraction = bits & 7;
    const float size
        = exponent == 0 ? std::ldexp(float(fraction), -9) : std::ldexp(float(8 + fraction), exponent - 10);
    return (bits & 0x80) != 0 ? -size : size;
}

std::uint16_t toBf16(float value) // by cutting off: sums here are exact
{
    std::uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    return std::uint16_t(bits >> 16);
}

} // namespace

extern "C" {
cublasStatus_t cublasLtCreate(cublasLtHandle_t* handle)
{
    if (std::getenv("STAND_IN_DOES_NOT_START") != nullptr)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    *handle = new StandInContext;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle)
{
    delete handle;
    return CUBLAS_STATUS_SUCCESS;
}
std::size_t cublasLtGetVersion() { return 130102; }
cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* product, cublasComputeType_t, cudaDataType_t)
{
    *product = new StandInProduct;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t product)
{
    delete product;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t product,
                                              cublasLtMatmulDescAttributes_t which, const void* value,
                                              std::size_t)
{
    if (which == CUBLASLT_MATMUL_DESC_A_SCALE_POINTER)
        std::memcpy(&product->aScale, value, sizeof product->aScale);
    if (which == CUBLASLT_MATMUL_DESC_B_SCALE_POINTER)
        std::memcpy(&product->bScale, value, sizeof product->bScale);
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* layout, cudaDataType_t, std::uint64_t rows,
                                          std::uint64_t columns, std::int64_t)
{
    *layout = new StandInLayout{rows, columns};
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout)
{
    delete layout;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* preference)
{
    *preference = new StandInPreference;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t preference)
{
    delete preference;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t,
                                                    cublasLtMatmulPreferenceAttributes_t, const void*,
                                                    std::size_t)
{
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t, cublasLtMatmulDesc_t, cublasLtMatrixLayout_t,
                                              cublasLtMatrixLayout_t, cublasLtMatrixLayout_t,
                                              cublasLtMatrixLayout_t, cublasLtMatmulPreference_t, int wanted,
                                              cublasLtMatmulHeuristicResult_t* found, int* count)
{
    *count = wanted < 2 ? wanted : 2;
    for (int i = 0; i < *count; ++i) {
        found[i] = {};
        found[i].algo.data[0] = std::uint64_t(i);
    }
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmul(cublasLtHandle_t, cublasLtMatmulDesc_t product, const void*, const void* a,
                              cublasLtMatrixLayout_t aLayout, const void* b, cublasLtMatrixLayout_t bLayout,
                              const void*, const void*, cublasLtMatrixLayout_t, void* d,
                              cublasLtMatrixLayout_t, const cublasLtMatmulAlgo_t*, void*, std::size_t,
                              cudaStream_t)
{
    const auto depth = aLayout->rows; // of weights^T x input, both column by column
    const auto* const weights = static_cast<const std::uint8_t*>(a);
    const auto* const input = static_cast<const std::uint8_t*>(b);
    auto* const out = static_cast<std::uint16_t*>(d);
    for (std::uint64_t m = 0; m < bLayout->columns; ++m)
        for (std::uint64_t n = 0; n < aLayout->columns; ++n) {
            float sum = 0;
            for (std::uint64_t k = 0; k < depth; ++k)
                sum += fromFp8(weights[n * depth + k]) * fromFp8(input[m * depth + k]);
            out[m * aLayout->columns + n] = toBf16(sum * *product->aScale * *product->bScale);
        }
    return CUBLAS_STATUS_SUCCESS;
}
}
