#!/usr/bin/env bash
# tests/kernels/check_gpu.sh PROGRAMS OUT CALL [DEVICE]: what only a GPU can show, in four calls of at most nine minutes.
#
#   PROGRAMS  folder with kernel_bench, whole_model and headroom, built by preset gpu-box on any machine; of this one
#             they need the driver and, for library products, cublasLt
#   OUT       a folder for the tables, the calibrations, a summary and the logs
#   CALL      1  libraries; every family of kernels checked, each in a process of its own; five rows of the table
#             2  the table twice; the calibration, quick and full; every layer of a whole model
#             3  the same shapes by PyTorch, and what our kernels wait for (ncu), where these are installed
#             4  stray accesses and races on small shapes; the calibration with another seed
#   DEVICE    cuda:0; `cpu` rehearses the script on a processor, at sizes a processor manages
#
# Everything is on the disk as soon as it is known, and each line of the summary says what it decides. A step has a time
# limit; one that no longer fits into SECONDS_IN_ALL (520) is left out and said so. Exit 0: every step passed.
set -u -o pipefail
programs=$(cd "${1:?folder of the programs}" && pwd)
mkdir -p "${2:?folder for the results}/logs"
out=$(cd "$2" && pwd)
call=${3:?which call: 1, 2, 3 or 4}
device=${4:-cuda:0}
here=$(cd "$(dirname "$0")" && pwd)
HEADROOM_DATA=${HEADROOM_DATA:-$(cd "$here/../.." && pwd)}
export HEADROOM_DATA
in_all=${SECONDS_IN_ALL:-520}
failed=0

if [ "$device" = cpu ]; then
    kind=cpu model=smollm2-135m within=0.25 peaks="peaks 100,1" anchors="15,21,22" rows="only 15,16,21,22"
    small=small quick="--seconds 10" full="--seconds 30" budget=60 first="22"
else
    kind=cuda model=llama-3.1-8b within=0.08 peaks="" anchors="1,5,7,12,14" rows=""
    small="" quick="--quick" full="" budget=90 first="5,22"
fi

say() { printf '%s\n' "$*" | tee -a "$out/summary.txt"; }

# step NAME LIMIT DECIDES COMMAND…: its output goes to logs/NAME.txt line by line, one line of it to the summary.
step() {
    local name=$1 limit=$2 decides=$3 begin=$SECONDS status
    shift 3
    if [ $((SECONDS + limit)) -gt "$in_all" ]; then
        say "left out: $name needs up to $limit s, $((in_all - SECONDS)) s are left; open: $decides"
        failed=1
        return 1
    fi
    timeout -k 5 "$limit" "$@" > "$out/logs/$name.txt" 2>&1
    status=$?
    [ $status = 124 ] && echo "ended after its $limit s" >> "$out/logs/$name.txt"
    if [ $status = 0 ]; then
        say "passed:   $name in $((SECONDS - begin)) s: $(tail -n 1 "$out/logs/$name.txt") -> $decides"
    else
        failed=1
        say "FAILED:   $name ($status) in $((SECONDS - begin)) s: $(grep -m 1 -E 'FAILED|, above |rror: ' "$out/logs/$name.txt" || tail -n 1 "$out/logs/$name.txt") -> not so: $decides"
    fi
    return $status
}
absent() { say "absent:   $1; open: $2"; }

facts() {
    date -u
    uname -sm
    "$programs/headroom" --version
    if [ "$kind" = cuda ]; then nvidia-smi; else grep -m 1 'model name' /proc/cpuinfo; fi
}
# The head of a table names the libraries that were found; a product's row says why one was not.
libraries() {
    # shellcheck disable=SC2086
    "$programs/kernel_bench" table only $first $peaks on "$kind" | tee "$out/logs/libraries.md"
    ! grep -qE 'cublasLt|libcublasLt' "$out/logs/libraries.md" || grep -q 'cublasLt [0-9]' "$out/logs/libraries.md"
}
calibrated() { # calibrated FILE WORDS…
    local file=$out/$1
    shift
    "$programs/headroom" calibrate --device "$device" "$@" -o "$file" || return
    "$programs/headroom" show calibration "$file"
    if grep -q '^trusted: false' "$file"; then
        echo "FAILED: the calibration misses a gate"
        return 1
    fi
}
table() { # table FILE ROWS…
    local file=$1
    shift
    # shellcheck disable=SC2086
    "$programs/kernel_bench" table "$@" $peaks on "$kind" | tee "$out/$file"
}
sanitized() { compute-sanitizer --tool "$1" --error-exitcode 1 "$programs/kernel_bench" check small on "$kind"; }
stalls() {
    local row
    for row in 4 7 11 12 20; do
        ncu --section SpeedOfLight --section WarpStateStats --section Occupancy --launch-skip 1 --launch-count 1 \
            --kernel-name-base function "$programs/kernel_bench" once only $row on "$kind" || return
    done
}
export -f facts libraries calibrated table sanitized stalls
export programs out device kind peaks first

say "call $call on $device, $(date -u +%FT%TZ)"
# shellcheck disable=SC2086
case "$call" in
1)
    step facts 20 "which card, driver and program all figures are of" bash -c facts
    step libraries 40 "products can be timed: cublasLt is there" bash -c libraries
    for family in $("$programs/kernel_bench" families); do
        step "check-$family" 60 "times of $family count" \
            "$programs/kernel_bench" check $small family "$family" on "$kind"
    done
    step anchors 60 "whether the kernels are anywhere near their targets: if two rows miss them by half, call 3 comes next" \
        bash -c "table anchors.md only $anchors"
    ;;
2)
    step table 90 "which kernels reach their must: the figures of docs/kernels.md" bash -c "table table.md $rows"
    step again 90 "how well they repeat: rows that differ by more than 3 % are no figures" bash -c "table table-again.md $rows"
    step quick 60 "a calibration of twenty seconds holds the gates" bash -c "calibrated quick.yaml $quick"
    step calibrate $((budget + 60)) "the calibration that is committed with its samples" bash -c "calibrated calibration.yaml $full"
    step whole 120 "every layer of $model within $within of the plan with that calibration" \
        "$programs/whole_model" "$device" "$model" "$out/calibration.yaml" "$within"
    ;;
3)
    python=$(command -v python3)
    if [ -n "$python" ] && "$python" -c 'import torch' 2> /dev/null; then
        step pytorch 240 "which of our kernels a library beats, and by how much: those are worked on, or replaced" \
            "$python" -u "$here/pytorch_times.py" "$kind"
    else
        absent "PyTorch" "whether libraries beat our kernels"
    fi
    if [ "$kind" = cuda ] && command -v ncu > /dev/null; then
        step stalls 240 "what each kernel below its must waits for" bash -c stalls
    else
        absent "ncu" "what our kernels wait for"
    fi
    ;;
4)
    if [ "$kind" = cuda ] && command -v compute-sanitizer > /dev/null; then
        step memcheck 150 "no kernel reads or writes outside of its operands" bash -c "sanitized memcheck"
        step racecheck 150 "no kernel counts on an order that nothing keeps" bash -c "sanitized racecheck"
    else
        absent "compute-sanitizer" "stray accesses and races"
    fi
    step seed $((budget + 60)) "forms do not depend on the order of the sweep: they are within 3 % of call 2's" \
        bash -c "calibrated another-seed.yaml $full --seed 8"
    ;;
*)
    echo "CALL is 1, 2, 3 or 4" >&2
    exit 2
    ;;
esac
say "$([ $failed = 0 ] && echo "call $call: all steps passed" || echo "call $call: not all steps passed") in $SECONDS s"
exit $failed
