#!/usr/bin/env bash
# tests/kernels/check_gpu.sh PROGRAMS OUT [DEVICE [STEP…]]: everything that only a GPU can show, in one go.
#
#   PROGRAMS  folder with kernel_bench, whole_model and headroom, built by preset gpu-box on any machine; of this one
#             they need the driver and, for library products, cublasLt
#   OUT       a folder for the table, the calibration, a summary and the logs (packed into one file)
#   DEVICE    cuda:0; `cpu` rehearses the script on a processor, at sizes a processor manages
#   STEP      which of: facts check memcheck racecheck table calibrate whole; all of them unless named
#
# On a machine that is lent for three times ten minutes: `facts check table`, then `calibrate whole`, then
# `memcheck racecheck`; docs/executor.md has the whole procedure.
#
# Every step has a time limit, and the whole has SECONDS_IN_ALL (570): a step that no longer fits is left out and said
# so. Exit 0: every step passed.
set -u -o pipefail
programs=$(cd "${1:?folder of the programs}" && pwd)
mkdir -p "${2:?folder for the results}/logs"
out=$(cd "$2" && pwd)
device=${3:-cuda:0}
shift $(($# < 3 ? $# : 3))
steps=" ${*:-facts check memcheck racecheck table calibrate whole} "
HEADROOM_DATA=${HEADROOM_DATA:-$(cd "$(dirname "$0")/../.." && pwd)}
export HEADROOM_DATA
in_all=${SECONDS_IN_ALL:-570}
# Where a driver's or a Python package's CUDA libraries are when the system's loader does not know them.
for folder in /usr/local/cuda/lib64 /usr/lib/x86_64-linux-gnu; do
    if ls "$folder"/libcublasLt.so* > /dev/null 2>&1; then
        export LD_LIBRARY_PATH=$folder${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
        break
    fi
done

if [ "$device" = cpu ]; then
    kind=cpu model=smollm2-135m within=0.25 rows="only 15,16,21,22 peaks 100,1" budget="--seconds 30"
else
    kind=cuda model=llama-3.1-8b within=0.08 rows="" budget=""
fi
failed=0
say() { printf '%s\n' "$*" | tee -a "$out/summary.txt"; }
packLogs() { (cd "$out" && tar -czf logs.tar.gz logs && rm -rf logs); }
trap packLogs EXIT

step() { # step NAME LIMIT COMMAND…: its output goes to logs/NAME.txt, one line of it to the summary
    local name=$1 limit=$2 begin=$SECONDS status
    shift 2
    case "$steps" in *" $name "*) ;; *) return 0 ;; esac
    if [ $((SECONDS + limit)) -gt "$in_all" ]; then
        say "left out: $name needs up to $limit s, $((in_all - SECONDS)) s are left"
        failed=1
        return 1
    fi
    timeout -k 5 "$limit" "$@" > "$out/logs/$name.txt" 2>&1
    status=$?
    [ $status = 124 ] && echo "ended after its $limit s" >> "$out/logs/$name.txt"
    if [ $status = 0 ]; then
        say "passed:   $name in $((SECONDS - begin)) s: $(tail -n 1 "$out/logs/$name.txt")"
    else
        failed=1
        say "FAILED:   $name ($status) in $((SECONDS - begin)) s: $(grep -m 1 -E 'FAILED|, above |rror: ' "$out/logs/$name.txt" || tail -n 1 "$out/logs/$name.txt")"
    fi
    return $status
}

facts() {
    date -u
    uname -sm
    "$programs/headroom" --version
    if [ "$kind" = cuda ]; then nvidia-smi; else grep -m 1 'model name' /proc/cpuinfo; fi
}
sanitized() { # sanitized TOOL
    command -v compute-sanitizer > /dev/null || { echo "compute-sanitizer is not installed: $1 was not run"; return 1; }
    compute-sanitizer --tool "$1" --error-exitcode 1 "$programs/kernel_bench" check small on "$kind"
}
calibrated() {
    local file=$out/calibration.yaml
    # shellcheck disable=SC2086
    "$programs/headroom" calibrate --device "$device" $budget -o "$file" || return
    "$programs/headroom" show calibration "$file"
    if grep -q '^trusted: false' "$file"; then
        echo "FAILED: the calibration misses a gate"
        return 1
    fi
}
export -f facts sanitized calibrated
export programs out device kind budget

: > "$out/summary.txt"
step facts 20 bash -c facts
check_limit=240
[ "$kind" = cpu ] && check_words="check small" || check_words="check"
# shellcheck disable=SC2086
step check "$check_limit" "$programs/kernel_bench" $check_words on "$kind"
if [ "$kind" = cuda ]; then
    step memcheck 150 bash -c "sanitized memcheck"
    step racecheck 150 bash -c "sanitized racecheck"
fi
# shellcheck disable=SC2086
step table 90 "$programs/kernel_bench" table $rows on "$kind"
[ -f "$out/logs/table.txt" ] && cp "$out/logs/table.txt" "$out/table.md"
step calibrate 160 bash -c calibrated
step whole 150 "$programs/whole_model" "$device" "$model" "$out/calibration.yaml" "$within"
say "$([ $failed = 0 ] && echo "all steps passed" || echo "not all steps passed") in $SECONDS s"
exit $failed
