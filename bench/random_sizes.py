#!/usr/bin/env python3
"""How long `headroom size` takes over seeded random questions, as a process: user and system time, memory.

    bench/random_sizes.py build/release/bin/headroom [--count 300] [--seed 1] [--keep FOLDER]

Many are on small cards, with long answers, of hundreds of replicas, with pools of their own for prompts; all have
everything explained. With --keep every document is written there, for a comparison of two states.
"""
import argparse
import os
import random
import resource
import subprocess
import tempfile

SMALL = ["geforce-rtx-3060-12gb", "geforce-rtx-4090", "geforce-rtx-5090", "l4", "l40s", "t4", "a10g", "v100-sxm2-32gb",
         "geforce-rtx-4060-ti-16gb", "arc-b580-12gb", "rtx-4000-ada", "a10"]
LARGE = ["a100-sxm-80gb", "h100-sxm-80gb", "h200-sxm-141gb", "b200-sxm-180gb", "h20-96gb", "instinct-mi300x", "gb200",
         "instinct-mi355x", "a100-pcie-40gb", "h100-pcie-80gb"]
MODELS = ["llama-3.1-8b", "llama-3.1-70b", "llama-3.1-405b", "qwen2.5-7b", "qwen3-8b", "qwen3-32b", "qwen3-30b-a3b",
          "qwen3-235b-a22b", "gpt-oss-20b", "gpt-oss-120b", "deepseek-v3", "deepseek-r1", "kimi-k2", "mixtral-8x7b",
          "gemma-3-27b", "mistral-small-24b-2501", "qwq-32b", "phi-4-14b"]


def question(rng):
    """The flags of one question."""
    small = rng.random() < 0.5
    flags = ["--model", rng.choice(MODELS)]
    gpus = [rng.choice(SMALL if small else LARGE)]
    if rng.random() < 0.15:
        gpus.append(rng.choice(SMALL + LARGE))
    if rng.random() > 0.05:  # else over the whole catalogue
        flags += ["--gpu", ",".join(dict.fromkeys(gpus))]
    flags += ["--prompt", str(rng.choice([128, 512, 1024, 3000, 8192, 16000, 32000])),
              "--output", str(rng.choice([1, 64, 200, 500, 1000, 2000, 4000, 8000]))]
    load = rng.random()
    if load < 0.5:
        flags += ["--concurrency", str(rng.choice([1, 5, 20, 100, 300, 1000, 3000, 10000]))]
    elif load < 0.8:
        flags += ["--rps", str(rng.choice([0.2, 1, 5, 20, 100, 300]))]
    elif load < 0.9:
        flags += ["--gpus", str(rng.choice([1, 2, 4, 8, 16]))]
        if rng.random() < 0.6:
            flags += ["--objective", rng.choice(["users", "throughput", "tokens"])]
    if rng.random() < 0.75:
        flags += ["--tps", str(rng.choice([5, 10, 15, 20, 30, 50, 80]))]
    if rng.random() < 0.4:
        flags += ["--ttft", str(rng.choice([0.3, 0.5, 1, 2, 5, 10]))]
    if rng.random() < 0.1:
        flags += ["--latency", str(rng.choice([5, 20, 60]))]
    if rng.random() < 0.2:
        flags += ["--disaggregate", rng.choice(["try", "try", "only"])]
    if rng.random() < 0.1:
        flags += ["--weights", rng.choice(["fp8", "int4"])]
    if rng.random() < 0.1:
        flags += ["--allow", "fp8,int4"]
    if rng.random() < 0.1:
        flags += ["--engine", rng.choice(["sglang", "tensorrt-llm", "llama.cpp"])]
    if rng.random() < 0.1:
        flags += ["--growth", str(rng.choice([0.2, 0.5, 1]))]
    if rng.random() < 0.1:
        flags += ["--spares", "1"]
    if rng.random() < 0.05:
        flags += ["--tune", "yes"]
    if rng.random() < 0.1:
        flags += ["--percentile", str(rng.choice([95, 99]))]
    if rng.random() < 0.1:
        flags += ["--objective", rng.choice(["hour", "tokens", "energy"])]
    if flags.count("--objective") > 1:
        at = len(flags) - 1 - flags[::-1].index("--objective")
        del flags[at:at + 2]
    return flags


def run(program, flags, output):
    """Exit code, seconds of user and system time, MB."""
    with open(output, "wb") as out:
        child = subprocess.Popen([program, "size", *flags, "--json"], stdout=out, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
    return os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1e3


def percentile(ordered, share):
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--from", type=int, default=0, dest="first")
    parser.add_argument("--keep")
    args = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    rng = random.Random(args.seed)
    questions = [question(rng) for _ in range(args.count)]
    if args.keep:
        os.makedirs(args.keep, exist_ok=True)
    rows = []
    for i, flags in enumerate(questions[args.first:], args.first):
        with tempfile.TemporaryDirectory() as folder:
            output = os.path.join(args.keep or folder, f"{i:03}.json")
            code, seconds, megabytes = run(args.program, flags, output)
        rows.append((seconds, megabytes, code, i, " ".join(flags)))
        print(f"{i:3} {code} {seconds:6.2f} s {megabytes:6.0f} MB  {rows[-1][4]}", flush=True)
    times = sorted(row[0] for row in rows)
    print(f"{len(rows)} sizes: median {percentile(times, 0.5):.2f} s, p95 {percentile(times, 0.95):.2f} s, "
          f"worst {times[-1]:.2f} s, {max(row[1] for row in rows):.0f} MB at most; "
          f"{sum(row[2] > 1 for row in rows)} refused")
    for seconds, megabytes, code, i, flags in sorted(rows, reverse=True)[:12]:
        print(f"{i:3} {code} {seconds:6.2f} s {megabytes:6.0f} MB  {flags}")


if __name__ == "__main__":
    main()
