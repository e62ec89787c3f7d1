// node bench.mjs FILE.gguf OUT [key=value…]: times llama.cpp on this processor and adds to OUT.json what
// llama-bench would write, to OUT.jsonl what llama-batched-bench would, to OUT.memory.jsonl its memory.
// Each point is repeated shortly and often; its figure is the median of the faster half, for whatever else
// runs on a processor only ever adds time. Needs the package node-llama-cpp.
import {getLlama} from "node-llama-cpp";
import fs from "fs";

const [file, out, ...settings] = process.argv.slice(2);
const given = Object.fromEntries(settings.map(word => word.split("=")));
const numbers = (key, usual) => (given[key] ?? usual).split(",").map(Number);
const prompts = numbers("prompts", "64,256");
const contexts = numbers("contexts", "128,1024");
const users = numbers("users", "1,2,4,8");
const threads = Number(given.threads ?? 2);
const secondsEach = Number(given.seconds ?? 3); // of a point, three repeats at least
const microBatch = 512;
const spare = 64; // cells behind the longest context

const name = file.split("/").pop().replace(/\.gguf$/, "");
const [, model, type] = name.match(/^(.*)-(f16|bf16|q8_0|q4_0)$/);
const modelType = `${model} ${type.toUpperCase()}`;

const told = [];
const llama = await getLlama({
    gpu: false, build: "never", maxThreads: threads, logLevel: "debug", logger: (_, text) => told.push(text)});
const loaded = await llama.loadModel({modelPath: file, useMmap: true});
const cells = Math.max(...prompts, ...contexts) + spare;
const context = await loaded.createContext(
    {contextSize: cells, sequences: Math.max(...users), batchSize: microBatch, threads, flashAttention: "auto"});
const engine = context._ctx;
const vocabulary = loaded.fileInfo.metadata.tokenizer.ggml.tokens.length;
const special = 300; // the first tokens are bytes and marks
const someTokens = n =>
    Uint32Array.from({length: n}, () => special + Math.floor(Math.random() * (vocabulary - special - 100)));

async function prompt(from, n, last) {
    for (let at = 0; at < n; at += microBatch) {
        const tokens = someTokens(Math.min(microBatch, n - at));
        const ends = last && at + tokens.length === n;
        engine.initBatch(tokens.length);
        engine.addToBatch(0, from + at, tokens, ends ? Uint32Array.of(tokens.length - 1) : new Uint32Array(0));
        await engine.decodeBatch();
    }
}
async function step(sequences, position) {
    engine.initBatch(sequences);
    for (let s = 0; s < sequences; s++)
        engine.addToBatch(s, position, someTokens(1), Uint32Array.of(0));
    await engine.decodeBatch();
}
const median = sorted => sorted[Math.floor((sorted.length - 1) / 2)];
// Seconds of one run; `after` is not timed.
async function timed(run, after) {
    const all = [];
    const fewest = 3;
    const most = 60;
    let spent = 0;
    while (all.length < fewest || (spent < secondsEach && all.length < most)) {
        const begin = performance.now();
        await run();
        const seconds = (performance.now() - begin) / 1e3;
        after();
        spent += seconds;
        all.push(seconds);
    }
    all.sort((a, b) => a - b);
    return {seconds: median(all.slice(0, Math.ceil(all.length / 2))), slowest: all.at(-1), repeats: all.length};
}

const tests = [];
const test = (n_prompt, n_gen, n_depth, t) => {
    tests.push({build_commit: "node-llama-cpp", model_type: modelType, type_k: "f16", n_threads: threads, n_prompt,
                n_gen, n_depth, avg_ts: (n_prompt || n_gen) / t.seconds, samples: t.repeats});
    console.log(modelType, n_prompt ? `prompt ${n_prompt}` : `1 user behind ${n_depth}`,
                (t.seconds * 1e3).toFixed(1), "ms, slowest", (t.slowest * 1e3).toFixed(1), "of", t.repeats);
};
await prompt(0, Math.min(256, cells - spare), true);
engine.disposeSequence(0);
for (const n of prompts)
    test(n, 0, 0, await timed(() => prompt(0, n, true), () => engine.disposeSequence(0)));
let cached = 0;
for (const depth of contexts) {
    if (depth > cached)
        await prompt(cached, depth - cached, false);
    cached = depth;
    for (const n of users) {
        for (let s = 1; s < n; s++) {
            engine.disposeSequence(s);
            await engine.copySequenceStateFromOtherSequence(s, 0);
        }
        const forget = () => {
            for (let s = 0; s < n; s++)
                engine.removeTokenCellsFromSequence(s, depth, -1);
        };
        await step(n, depth);
        forget();
        const t = await timed(() => step(n, depth), forget);
        if (n === 1) {
            test(0, 1, depth, t);
            continue;
        }
        console.log(modelType, `${n} users behind ${depth}`, (t.seconds * 1e3).toFixed(1), "ms, slowest",
                    (t.slowest * 1e3).toFixed(1), "of", t.repeats);
        fs.appendFileSync(`${out}.jsonl`, JSON.stringify({
            model_type: modelType, pp: depth, tg: 1, pl: n, n_kv: n * (depth + 1), t_tg: t.seconds,
            speed_pp: 0, speed_tg: n / t.seconds}) + "\n");
    }
}
const older = fs.existsSync(`${out}.json`) ? JSON.parse(fs.readFileSync(`${out}.json`, "utf8")) : [];
fs.writeFileSync(`${out}.json`, JSON.stringify([...older, ...tests], null, 1) + "\n");
const resident = Number(fs.readFileSync("/proc/self/status", "utf8").match(/VmRSS:\s+(\d+)/)[1]) * 1024;
const buffers = told.flatMap(text => text.split("\n")).filter(line => /buffer size/.test(line)).map(l => l.trim());
// Processors with AMX have weights of any type a second time, as their tiles want them.
const tiles = buffers.map(line => line.match(/AMX model buffer size = +([\d.]+) MiB/)).filter(found => found)
    .reduce((sum, found) => sum + Number(found[1]) * 2 ** 20, 0);
fs.appendFileSync(`${out}.memory.jsonl`, JSON.stringify({
    model_type: modelType, cells, sequences: Math.max(...users), resident, tiles, file: fs.statSync(file).size,
    buffers: [...new Set(buffers)]}) + "\n");
process.exit(0);
