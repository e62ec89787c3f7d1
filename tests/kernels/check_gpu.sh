#!/bin/sh
# tests/kernels/check_gpu.sh [build directory]: everything that only a GPU can show, in one go.
# Builds for the card at hand, checks every kernel against the reference, looks for races and stray accesses where the
# toolkit has compute-sanitizer, and writes the table of achieved fractions. Exit 0: all passed.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
build=${1:-$root/build/gpu-box}
out=$build/gpu
capability=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader -i 0 | tr -d '. ')

cmake --preset gpu-box -S "$root" -B "$build" -DCMAKE_CUDA_ARCHITECTURES="$capability-real"
cmake --build "$build" --target kernel_bench headroom --parallel
mkdir -p "$out"

"$build/bin/kernel_bench" check > "$out/checks.txt" || { grep FAILED "$out/checks.txt"; exit 1; }
tail -n 1 "$out/checks.txt"

if command -v compute-sanitizer > /dev/null; then
    for tool in memcheck racecheck; do
        compute-sanitizer --tool "$tool" --error-exitcode 1 "$build/bin/kernel_bench" check small > "$out/$tool.txt"
        tail -n 1 "$out/$tool.txt"
    done
else
    echo "compute-sanitizer is not installed: memory and races were not checked"
fi

"$build/bin/kernel_bench" table | tee "$out/table.md"
"$build/bin/headroom" calibrate --device cuda:0 --output "$out/calibration.yaml"
