#pragma once

#include "kernels/cuda/tile.cuh"

#include <cstdint>

// What the kernels of latent attention share.
namespace headroom::kernels {
namespace {

constexpr int dim = 576;   // latent + rope of DeepSeek-V2 and later; smaller ones are padded with zeros
constexpr int width = 512; // latent

template <typename T, typename K>
struct LatentArguments {
    const T* query;
    const K* cache;
    const float* cacheScales; // one a row, null for 16-bit caches
    const int* length;
    PageMap pages;
    T* output;
    PartialResults parts;
    int heads;
    int latent;
    int keyDim;       // latent + rope
    float scoreScale; // log2 e / sqrt(keyDim)
};

} // namespace
} // namespace headroom::kernels
