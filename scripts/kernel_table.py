#!/usr/bin/env python3
"""kernel_table.py LOG…: what the compiler made of every kernel, and what that allows.

LOG: what `nvcc -Xptxas -v` said of kernels/cuda/*.cu, for 8.0 and 9.0 at least. Prints the two tables of docs/kernels.md:
registers, shared memory and blocks a multiprocessor of every kernel; and, for each target, the bound that instruction
counts set beside must and stretch. Exit 1: a kernel spills. Nothing here is measured.
"""
import math
import re
import subprocess
import sys

# A multiprocessor (CUDA C++ Programming Guide, compute capabilities): registers, shared memory in bytes, threads; and the
# card it is in (datasheets of the SXM parts): multiprocessors, boost clock, bytes per second.
SM = {"8.0": dict(registers=65536, shared=164 * 1024, threads=2048, count=108, clock=1.41e9, memory=2.039e12, flops=312e12),
      "9.0": dict(registers=65536, shared=228 * 1024, threads=2048, count=132, clock=1.83e9, memory=3.35e12, flops=989.4e12)}
# mma.sync reaches the peak of 8.0 and about two thirds of that of 9.0 (tridao.me/blog/2024/flash3).
MMA_SHARE = {"8.0": 1.0, "9.0": 2 / 3}
SHARED_BYTES_PER_CLOCK = 128
EXPONENTIALS_PER_CLOCK = 16
WARP_INSTRUCTIONS_PER_CLOCK = 4
LATENCY = 600e-9  # of a read from memory under load


# name -> (threads, dynamic shared memory by template arguments and architecture)
def dims(arguments):
    return [int(a) for a in arguments if a.isdigit()]


def narrow(arguments):
    return len(arguments) > 1 and arguments[1] in ("signed char", "__nv_fp8_e4m3")


def weight_bits(a):
    return 4 if a[1].endswith("Nibble") or a[1] == "int4" else 8 if narrow(a) else 16


def budget(arch):  # of a block: shared_class.cuh
    return 1024 * (110 if arch in ("9.0", "10.0") else 62 if arch == "7.5" else 97)


def staged_shared(a, arch):  # staged.cuh
    tokens, bits = dims(a)[-1], weight_bits(a)
    wide = 128 * 64 * 2
    fixed = 2 * wide if bits < 16 else 0
    stage = tokens * 64 * 2 + (128 * 64 * bits // 8 if bits < 16 else wide)
    return 1024 + fixed + max(2, min(6, (budget(arch) - 1024 - fixed) // stage)) * stage


def streamed_shared(bits, row_tiles, held, arch):  # streamed.cuh
    stage = lambda rows: row_tiles * 1024 + rows * (64 * 8 // bits) * 2
    stages = (6 if bits == 4 else 8) // row_tiles
    return 8 * max(2, min(stages, budget(arch) // (8 * stage(16 if bits == 16 else 8)))) * stage(held)


def decode_shared(a, arch):
    dim, heads = dims(a)[-2:]
    warps = 4 if dim <= 128 else 2
    tiles = 3 * (2 * 16 * dim + 128) if narrow(a) else 2 * 2 * 16 * dim * 2
    return max(warps * tiles, warps * heads * 8 * (dim + 8) * 4)


def prefill_shared(a, arch):
    dim = dims(a)[-1]
    rows = 128 if dim <= 128 else 64
    return (rows + 2 * 2 * 32) * dim * 2


def latent_shared(a, arch):
    tiles, tokens, parts = dims(a)[-3:]
    return (16 * tiles + 2 * tokens) * 576 * 2 + parts * 16 * tiles * (tokens + 4) * 4 + 16 * tiles * 3 * 4


def group_prefill_shared(a, arch):
    dim = dims(a)[-1]
    return 1024 + 128 * dim * 2 + 2 * 2 * 128 * dim * 2


def group_latent_shared(a, arch):
    return 1024 + 3 * 64 * 576 * 2 + 64 * 128


KERNELS = {
    "decodeKernel": (lambda a: 128 if dims(a)[0] <= 128 else 64, decode_shared),
    "prefillGroupKernel": (lambda a: 384, group_prefill_shared), "latentGroupKernel": (lambda a: 384, group_latent_shared),
    "mergeKernel": (lambda a: 128, None),
    "prefillKernel": (lambda a: 128, prefill_shared),
    "latentKernel": (lambda a: 256, latent_shared),
    "stagedKernel": (lambda a: 256, staged_shared),
    "stagedGroupedKernel": (lambda a: 256, staged_shared),
    "streamedKernel": (lambda a: 256, lambda a, arch: streamed_shared(weight_bits(a), dims(a)[0], 8 * dims(a)[1], arch)),
    "groupedKernel": (lambda a: 256, lambda a, arch: streamed_shared(weight_bits(a), 2, 16 if weight_bits(a) == 16 else 8, arch)),
    "plainProductKernel": (lambda a: 256, None), "plainGroupedKernel": (lambda a: 256, None),
    "routerKernel": (lambda a: 256, None),
    "sortKernel": (lambda a: 1024, None), "combineKernel": (lambda a: 256, None), "scaleKernel": (lambda a: 256, None),
    "normKernel": (lambda a: 512, None), "normKernelOdd": (lambda a: 256, None),
    "ropeWideKernel": (lambda a: 256, None), "ropeKernel": (lambda a: 128, None),
    "activationKernel": (lambda a: 256, None), "activationKernelOdd": (lambda a: 256, None),
    "samplingKernel": (lambda a: 1024, None), "readKernel": (lambda a: 512, None), "copyKernel": (lambda a: 512, None),
    "emptyKernel": (lambda a: 32, None),
}
ONLY_HOPPER = ("prefillGroupKernel", "latentGroupKernel")  # empty elsewhere
SHORT = {"__nv_bfloat16": "bf16", "__half": "fp16", "__nv_fp8_e4m3": "fp8", "signed char": "int8", "float": "fp32",
         "headroom::kernels::Nibble": "int4"}


def blocks_of(registers, threads, shared, arch):
    sm = SM[arch]
    warps = threads // 32
    per_warp = math.ceil(registers * 32 / 256) * 256
    by_registers = sm["registers"] // (per_warp * warps)
    by_shared = sm["shared"] // (shared + 1024)  # the driver keeps 1 KB a block
    return max(0, min(by_registers, by_shared, sm["threads"] // threads, 32))


def read(logs):
    """(kernel, arguments) -> architecture -> registers, static shared memory"""
    found, spills = {}, []
    entry = re.compile(r"Compiling entry function '(\S+)' for 'sm_(\d+)a?'")
    for log in logs:
        lines = open(log).read().splitlines()
        names = sorted({m.group(1) for m in map(entry.search, lines) if m})
        plain = subprocess.run(["c++filt"], input="\n".join(names), capture_output=True, text=True).stdout.splitlines()
        demangled = dict(zip(names, plain))
        name = arch = None
        for line in lines:
            if m := entry.search(line):
                name, digits = demangled[m.group(1)], m.group(2)
                arch = digits[:-1] + "." + digits[-1]
            elif m := re.match(r"\s+\d+ bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads", line):
                if m.group(1) != "0" or m.group(2) != "0":
                    spills.append(f"{name} for {arch}")
            elif name and (m := re.search(r"Used (\d+) registers", line)):
                static = re.search(r"(\d+) bytes smem", line)
                key = re.search(r"(\w+Kernel(?:Odd)?)(?:<(.*?)>)?\(", name)
                if key and key.group(1) in KERNELS:
                    arguments = tuple(a.strip().removeprefix("(int)").removeprefix("(bool)")
                                      for a in (key.group(2) or "").split(",") if a.strip())
                    found.setdefault((key.group(1), arguments), {})[arch] = (int(m.group(1)), int(static.group(1)) if static else 0)
    return found, spills


def resources(found):
    """Rows of equal resources for bf16 and fp16 stand together: both are 16 bits wide."""
    rows = {}
    for (kernel, arguments), by_arch in sorted(found.items()):
        if "__half" in arguments and (kernel, tuple("__nv_bfloat16" if a == "__half" else a for a in arguments)) in found:
            continue
        threads, dynamic = KERNELS[kernel]
        cells = []
        for arch in SM:
            if arch not in by_arch or kernel in ONLY_HOPPER and arch != "9.0":
                cells.append("– | – | –")
                continue
            registers, static = by_arch[arch]
            shared = static + (dynamic(arguments, arch) if dynamic else 0)
            count = blocks_of(registers, threads(arguments), shared, arch)
            cells.append(f"{registers} | {shared / 1024:.1f} | {count or 'too large'}")
        what = " ".join(SHORT.get(a, a.split("::")[-1]) for a in arguments)
        rows[(kernel, what)] = f"| `{kernel}` {what} | {threads(arguments)} | " + " | ".join(cells) + " |"
    return rows.values()


def arithmetic(arch, mma, matrices, words=0, copied=0, exponentials=0, instructions=0, phases=None):
    """Share of the dense peak of a tile: `mma` products of 16 x 8 x 16, `matrices` reads of four 8 x 8 matrices from shared
    memory, `words` other reads of 128 bytes, `copied` bytes written there, `exponentials` and `instructions` of a warp.
    Where blocks overlap the slowest unit counts; `phases`: parts that follow each other count one by one."""
    sm = SM[arch]
    per_clock = sm["flops"] / (sm["count"] * sm["clock"])
    clocks_of_mma = 4096 / per_clock / MMA_SHARE[arch]
    if phases:
        clocks = sum(max(p.get("mma", 0) * clocks_of_mma, p.get("matrices", 0) * 4 + p.get("words", 0), p.get("clocks", 0))
                     for p in phases)
        mma = sum(p.get("mma", 0) for p in phases)
    else:
        clocks = max(mma * clocks_of_mma, matrices * 4 + words + copied / SHARED_BYTES_PER_CLOCK,
                     exponentials * 32 / EXPONENTIALS_PER_CLOCK + instructions / WARP_INSTRUCTIONS_PER_CLOCK)
    return mma * 4096 / clocks / per_clock


def bandwidth(arch, in_flight, instructions_per_byte=0.0):
    """Share of the memory's rate: bytes that are on their way at once (Little), and what turning them into operands takes."""
    sm = SM[arch]
    wanted = sm["memory"] / sm["count"]
    issued = WARP_INSTRUCTIONS_PER_CLOCK * sm["clock"] / instructions_per_byte if instructions_per_byte else math.inf
    return min(1.0, in_flight / LATENCY / wanted, issued / wanted)


def blocks(found, kernel, wanted, arch):
    for (name, arguments), by_arch in found.items():
        names = [SHORT.get(a, a) for a in arguments]
        if name == kernel and (names == wanted or kernel != "decodeKernel" and all(w in names for w in wanted)) and arch in by_arch:
            registers, static = by_arch[arch]
            threads, dynamic = KERNELS[kernel]
            return blocks_of(registers, threads(arguments),
                             static + (dynamic(arguments, arch) if dynamic else 0), arch)
    return 0


# Targets of kernels/tools/bench_tasks.cpp that our own kernels are held to: number, what, must and stretch of 8.0 and 9.0, bound.
def targets(found):
    def flying(kernel, wanted, arch, each):  # bytes that a block has on their way
        return blocks(found, kernel, wanted, arch) * each

    def latent(arch):
        if arch == "9.0":  # wgmma: scores, whose left operand is read anew for every 16 columns, then sums, at the full rate
            sm = SM[arch]
            per_clock = sm["flops"] / (sm["count"] * sm["clock"])
            work = [64 * 64 * 576 * 2, 64 * 64 * 512 * 2]
            softmax = 32 * 16 / EXPONENTIALS_PER_CLOCK * 4 + 250  # 32 scores each of 128 threads, barriers
            return sum(work) / per_clock / (sum(work) / per_clock + softmax)
        score = dict(mma=576, matrices=432)
        # Softmax: eight rows a warp, a score each lane: shuffles, powers, sums, about 40 instructions a row.
        return arithmetic(arch, 0, 0, phases=[score, dict(clocks=8 * 8 * 40 / 4 + 250), dict(mma=512, matrices=64, words=256)])

    def groups(arch, instructions):
        """Of 9.0: 128 x 128 results 64 deep by two warp groups, which read 24 KB of shared memory each beside 32 KB copied there."""
        if arch != "9.0":
            return None
        sm = SM[arch]
        products = 2 * 128 * 128 * 64 / (sm["flops"] / (sm["count"] * sm["clock"]))
        return products / max(products, (2 * 24576 + 32768) / SHARED_BYTES_PER_CLOCK, instructions / WARP_INSTRUCTIONS_PER_CLOCK)

    def prefill(arch):
        if arch == "9.0":  # wgmma: 128 x 128 scores of 128 columns, their exponentials beside
            sm = SM[arch]
            per_clock = sm["flops"] / (sm["count"] * sm["clock"])
            products = 2 * 128 * 128 * 128 * 2 / per_clock
            return products / max(products, 128 * 128 / EXPONENTIALS_PER_CLOCK, 8 * 480 / WARP_INSTRUCTIONS_PER_CLOCK)
        return arithmetic(arch, 512, 192, copied=16384, exponentials=128, instructions=4 * 32 * 8)

    return [
        ("1, 2", "GEMV bf16", "0.80 / 0.88", "0.85 / 0.92",
         lambda a: bandwidth(a, flying("streamedKernel", ["bf16", "2", "1"], a, 8 * 3 * 2048), 90 / 2048)),
        ("4", "int4 weights, up to 8 rows", "0.65 / 0.90", "0.60 / 0.80",
         lambda a: bandwidth(a, flying("streamedKernel", ["int4", "2", "1"], a, 8 * 2 * 2048), 310 / 2048)),
        ("4", "int8 weights, up to 8 rows", "0.65 / 0.90", "0.60 / 0.80",
         lambda a: bandwidth(a, flying("streamedKernel", ["int8", "2", "1"], a, 8 * 3 * 2048), 230 / 2048)),
        ("7", "decode attention, head of 128, bf16", "0.72 / 0.80", "0.80 / 0.96",
         lambda a: bandwidth(a, flying("decodeKernel", ["bf16", "bf16", "128", "1"], a, 4 * 8192), 660 / 8192)),
        ("8", "decode attention, head of 128, fp8", "– / –", "0.68 / 0.80",
         lambda a: bandwidth(a, flying("decodeKernel", ["bf16", "fp8", "128", "1"], a, 4 * 2 * 4096), 530 / 4096)),
        ("8", "decode attention, head of 128, int8", "0.60 / –", "0.68 / 0.80",
         lambda a: bandwidth(a, flying("decodeKernel", ["bf16", "int8", "128", "1"], a, 4 * 2 * 4096), 590 / 4096)),
        ("11", "latent decode attention", "– / –", "0.30 / 0.67", latent),
        ("12, 13", "prefill attention, head of 128", "0.50 / 0.65", "0.28 / 0.52", prefill),
        ("14", "RMSNorm + residual", "0.80 / –", "0.85 / 0.90",
         lambda a: bandwidth(a, flying("normKernel", ["bf16", "1"], a, 512 * 2 * 16), 70 / 1536)),
        ("16", "RoPE + append", "0.70 / –", "0.75 / –",
         lambda a: bandwidth(a, flying("ropeWideKernel", ["bf16"], a, 256 * 6 * 16), 110 / 2048)),
        ("17", "SwiGLU", "0.80 / –", "0.85 / –",
         lambda a: bandwidth(a, flying("activationKernel", ["bf16", "true"], a, 256 * 2 * 16), 110 / 1536)),
        ("19", "experts decode, bf16", "0.60 / 0.80", "0.65 / 0.88",
         lambda a: bandwidth(a, flying("groupedKernel", ["bf16"], a, 8 * 3 * 2048), 90 / 2048)),
        ("20", "experts prefill, bf16", "0.45 / –", "0.35 / 0.66",
         lambda a: groups(a, instructions=8 * 110) or arithmetic(a, 512, 192, copied=32768, instructions=8 * 220)),
        ("–", "weights of 4 bits, many rows", "– / –", "– / –",
         lambda a: groups(a, instructions=8 * 320) or arithmetic(a, 512, 192, copied=32768, instructions=8 * 420)),
    ]


def main():
    found, spills = read(sys.argv[1:])
    print("| kernel | threads | 8.0: registers | KB | blocks | 9.0: registers | KB | blocks |")
    print("|---|---|---|---|---|---|---|---|")
    print("\n".join(resources(found)))
    print("\n| # | kernel | 8.0: bound | must / stretch | 9.0: bound | must / stretch |")
    print("|---|---|---|---|---|---|")
    for number, what, ampere, hopper, bound in targets(found):
        print(f"| {number} | {what} | {bound('8.0'):.2f} | {ampere} | {bound('9.0'):.2f} | {hopper} |")
    for spill in spills:
        print("spills: " + spill, file=sys.stderr)
    sys.exit(1 if spills or not found else 0)


if __name__ == "__main__":
    main()
