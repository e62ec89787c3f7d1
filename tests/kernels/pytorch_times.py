#!/usr/bin/env python3
"""pytorch_times.py cuda|cpu: rows of `kernel_bench table` by PyTorch, as servers get them without kernels of their own.

Each row: operands in turn over five last-level caches, a graph of launches, the median of seven replays; as the table is
timed. Writes Markdown, a row as soon as it is known. Rows that PyTorch has no operator for are not here.
"""
import statistics
import sys
import time

import torch
import torch.nn.functional as F

KIND = sys.argv[1] if len(sys.argv) > 1 else "cuda"
CUDA = KIND == "cuda"
DTYPE = torch.bfloat16
COLD = 5 * (torch.cuda.get_device_properties(0).L2_cache_size if CUDA else 32 << 20)
SMALL = 1 if CUDA else 16  # a processor rehearses at a sixteenth of the size


def randoms(*shape):
    return (torch.rand(*shape, device=KIND, dtype=torch.float32) * 2 - 1).to(DTYPE)


def product(m, n, k):
    return (lambda: (randoms(m, k), randoms(n // SMALL, k))), (lambda x, w: F.linear(x, w))


def attention(batch, fresh, cached, query, heads, dim, causal):
    def operands():
        return (randoms(batch, query, fresh, dim), randoms(batch, heads, cached // SMALL, dim),
                randoms(batch, heads, cached // SMALL, dim))
    return operands, lambda q, k, v: F.scaled_dot_product_attention(q, k, v, is_causal=causal, enable_gqa=True)


def norm(rows, width):
    def operands():
        return randoms(rows // SMALL, width), randoms(rows // SMALL, width), randoms(width)
    return operands, lambda x, r, w: F.rms_norm(x + r, (width,), w)


def gated(rows, width):
    return (lambda: (randoms(rows // SMALL, 2 * width),)), lambda x: F.silu(x[:, :width]) * x[:, width:]


ROWS = [
    ("1", "GEMV bf16, 117 MB", product(1, 14336, 4096)),
    ("2", "GEMV bf16, 17 MB", product(1, 4096, 2048)),
    ("3", "GEMM bf16 m=16, 235 MB", product(16, 28672, 4096)),
    ("5", "GEMM bf16 m=4096", product(4096, 8192, 8192) if CUDA else product(64, 8192, 1024)),
    ("7", "decode attention 32/8 heads, bf16, 537 MB", attention(32 // SMALL, 1, 4097, 32, 8, 128, False)),
    ("9", "decode attention 32/32 heads, bf16", attention(16 // SMALL, 1, 2049, 32, 32, 128, False)),
    ("10", "decode attention, one sequence of 1,024", attention(1, 1, 1025, 32, 8, 128, False)),
    ("12", "prefill attention 4,096 tokens", attention(4 // min(SMALL, 4), 4096 // SMALL, 4096, 32, 8, 128, True)),
    ("14", "RMSNorm + residual, 134 MB", norm(16384, 4096)),
    ("15", "RMSNorm + residual, 16 rows", norm(16, 4096)),
    ("17", "SwiGLU", gated(8192, 14336)),
]


def seconds_of(run, launches):
    """Of one launch, over a graph of so many."""
    if not CUDA:
        begin = time.perf_counter()
        for i in range(launches):
            run(i)
        return (time.perf_counter() - begin) / launches
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        for i in range(3):
            run(i)
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, stream=stream):
        for i in range(launches):
            run(i)
    times = []
    for _ in range(8):
        start, stop = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        start.record()
        graph.replay()
        stop.record()
        stop.synchronize()
        times.append(start.elapsed_time(stop) * 1e-3 / launches)
    return statistics.median(times[1:])


def main():
    print(f"PyTorch {torch.__version__} on {torch.cuda.get_device_name(0) if CUDA else 'this processor'}\n")
    print("| # | operator | us |\n|---|---|---|")
    for number, name, (operands, work) in ROWS:
        first = operands()
        size = sum(t.numel() * t.element_size() for t in first)
        sets = [first] + [operands() for _ in range(min(COLD // size, 64 if CUDA else 2))]
        run = lambda i: work(*sets[i % len(sets)])
        try:
            with torch.no_grad():
                print(f"| {number} | {name} | {seconds_of(run, max(len(sets), 8 if CUDA else 1)) * 1e6:.2f} |", flush=True)
        except Exception as failure:  # one operator that this version lacks leaves the others standing
            print(f"| {number} | {name} | {str(failure).splitlines()[0]} |", flush=True)


if __name__ == "__main__":
    main()
