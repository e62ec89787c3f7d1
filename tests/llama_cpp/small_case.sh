#!/usr/bin/env bash
# small_case.sh HEADROOM: the whole way on a real engine, small: llama.cpp (npm's node-llama-cpp) runs a file of
# random weights, its results become a calibration, and a plan names it. What is checked depends on no clock:
# that every step works, and that memory is foretold. Exit code 77 (skipped) without HEADROOM_THOROUGH, since the
# engine is downloaded, and where npm or its registry cannot be reached.
set -euo pipefail
headroom=$1
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
skip() { echo "skipped: $1"; exit 77; }

[ -n "${HEADROOM_THOROUGH:-}" ] || skip "it downloads an engine, which HEADROOM_THOROUGH=1 allows"
command -v node >/dev/null && command -v npm >/dev/null || skip "node and npm are not installed"
command -v python3 >/dev/null || skip "python3 is not installed"
cd "$work"
version=3.22.1
npm install --silent --ignore-scripts --omit=optional --no-audit --no-fund \
    "node-llama-cpp@$version" "@node-llama-cpp/linux-x64@$version" >/dev/null 2>&1 \
    || skip "npm's registry cannot be reached"
cp "$here/bench.mjs" .
for type in q8_0 q4_0; do
    python3 "$here/gen_gguf.py" smollm2-135m $type "smollm2-135m-$type.gguf"
    node bench.mjs "smollm2-135m-$type.gguf" runs threads=1 seconds=0.2 prompts=16,48 contexts=32,96 users=1,4
done

"$headroom" calibrate --quick --seconds 1 -o machine.yaml >/dev/null
"$headroom" fit-engine runs.json runs.jsonl --gpu cpu --engine llama-cpp --calibration machine.yaml -o engine.yaml
"$headroom" fit-engine runs.json runs.jsonl --gpu cpu --engine llama-cpp --calibration engine.yaml --check
plan=$("$headroom" predict --model smollm2-135m --weights q8_0 --kv fp16 --engine llama-cpp --calibration engine.yaml)
grep -q "fitted to 12 runs of llama.cpp" <<<"$plan" || { echo "the plan does not name the fit:"; echo "$plan"; exit 1; }

# Memory: what the process really holds, within a tenth. A plan counts the copies that every processor makes (Q4_0), not
# those that only AMX makes.
while read -r type cells sequences resident tiles; do
    "$headroom" predict --model smollm2-135m --weights "$type" --kv fp16 --engine llama-cpp --gpu cpu \
        --calibration engine.yaml --prompt "$cells" --output 1 --batch "$sequences" --max-sequences "$sequences" \
        --json >predicted.json || true
    node -e '
        const p = JSON.parse(require("fs").readFileSync("predicted.json", "utf8"));
        const found = p.memory.per_gpu.used_bytes, [resident, tiles] = process.argv.slice(1, 3).map(Number);
        const off = held => Math.abs(found / held - 1);
        const held = off(resident) < off(resident - tiles) ? resident : resident - tiles;
        console.log(`memory ${process.argv[3]}: ${(found / 1e6).toFixed(0)} MB predicted, ${(held / 1e6).toFixed(0)} held`);
        process.exit(off(held) <= 0.1 ? 0 : 1);' "$resident" "$tiles" "$type"
done < <(node -e '
    for (const line of require("fs").readFileSync("runs.memory.jsonl", "utf8").trim().split("\n")) {
        const m = JSON.parse(line);
        console.log(m.model_type.split(" ")[1].toLowerCase(), m.cells - 1, m.sequences, m.resident, m.tiles);
    }')
