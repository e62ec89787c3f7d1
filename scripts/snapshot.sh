#!/usr/bin/env bash
# scripts/snapshot.sh PROGRAM FOLDER: the JSON of 400 predictions, 100 sizings and 40 simulations, one file each.
# A change that should move no number gives two folders that `diff -r` finds equal; times on a clock are left out.
set -eu
program=$1 folder=$2
mkdir -p "$folder"

ids() { "$program" list "$1" --json | sed -n 's/^ *"id": "\(.*\)",*$/\1/p'; }
mapfile -t models < <(ids models)
mapfile -t gpus < <(ids gpus)
engines=(vllm sglang tensorrt-llm llama.cpp ideal)
[ ${#models[@]} -gt 0 ] && [ ${#gpus[@]} -gt 0 ] || { echo "no catalogue" >&2; exit 3; }

# Numbers from a fixed sequence (Lehmer, multiplier 16807): the same cases everywhere.
state=20261123
draw() { state=$((state * 16807 % 2147483647)); drawn=$((state % $1)); }
of() { local -n list=$1; draw ${#list[@]}; drawn=${list[$drawn]}; }

case_() { # case_ NAME WORDS…
    local name=$1
    shift
    printf '%s\n' "$*" >"$folder/$name.words"
    "$program" "$@" --json 2>/dev/null | grep -v '"wall_s"' >"$folder/$name.json" || true
}

prompts=(128 1024 4000 16000) outputs=(16 256 1000) batches=(1 8 64) tps=(1 2 4 8)
for i in $(seq -w 400); do
    of models; model=$drawn; of gpus; gpu=$drawn; of engines; engine=$drawn
    of prompts; prompt=$drawn; of outputs; output=$drawn; of batches; batch=$drawn; of tps; tp=$drawn
    case_ "predict-$i" predict --model "$model" --gpu "$gpu" --engine "$engine" --tp "$tp" --prompt "$prompt" \
        --output "$output" --batch "$batch"
done
big=(h100-sxm-80gb a100-sxm-80gb h200-sxm-141gb l40s geforce-rtx-4090 b200-sxm-180gb mi300x)
users=(1 8 40 200) speeds=(10 20 50)
for i in $(seq -w 100); do
    of models; model=$drawn; of big; gpu=$drawn; of users; user=$drawn; of speeds; speed=$drawn; of prompts; prompt=$drawn
    of outputs; output=$drawn
    case_ "size-$i" size --model "$model" --gpu "$gpu" --concurrency "$user" --tps "$speed" --prompt "$prompt" --output "$output"
done
served=(llama-3.1-8b llama-3.1-70b qwen3-30b-a3b mixtral-8x7b qwen2.5-32b) rates=(0.5 2 8)
for i in $(seq -w 40); do
    of served; model=$drawn; of big; gpu=$drawn; of rates; rate=$drawn; of prompts; prompt=$drawn; of outputs; output=$drawn
    of tps; tp=$drawn
    case_ "simulate-$i" simulate --model "$model" --gpu "$gpu" --tp "$tp" --rps "$rate" --prompt "$prompt" --output "$output" \
        --requests 300
done
