#!/usr/bin/env python3
"""gen_gguf.py SHAPE TYPE OUT: a GGUF file of random weights in the exact shape of a real model.

How fast an engine runs does not depend on the values. Types are f16, q8_0 and q4_0, as llama-quantize
writes them: norms in 32 bit, and of q4_0 the tied head in q6_k, or q8_0 where rows are no multiple of 256.
"""
import random
import struct
import sys

SHAPES = {  # architecture, layers, width, inner width, heads, KV heads, head width, vocabulary, context, bias
    "smollm2-135m": ("llama", 30, 576, 1536, 9, 3, 64, 49152, 8192, False),
    "smollm2-360m": ("llama", 32, 960, 2560, 15, 5, 64, 49152, 8192, False),
    "qwen2.5-0.5b": ("qwen2", 24, 896, 4864, 14, 2, 64, 151936, 32768, True),
    "tinyllama-1.1b": ("llama", 22, 2048, 5632, 32, 4, 64, 32000, 2048, False),
    "llama-3.2-1b": ("llama", 16, 2048, 8192, 32, 8, 64, 128256, 131072, False),
    "qwen2.5-1.5b": ("qwen2", 28, 1536, 8960, 12, 2, 128, 151936, 32768, True),
}
# ggml's number of the type, elements and bytes of a block, number of the file type
TYPES = {"f32": (0, 1, 4, 0), "f16": (1, 1, 2, 1), "q4_0": (2, 32, 18, 2), "q8_0": (8, 32, 34, 7),
         "q6_k": (14, 256, 210, 18)}
ALIGNMENT = 32
rnd = random.Random(7)


def text(value):
    data = value.encode()
    return struct.pack("<Q", len(data)) + data


def text_key(key, value):
    return text(key) + struct.pack("<I", 8) + text(value)


def whole_key(key, value):
    return text(key) + struct.pack("<II", 4, value)


def real_key(key, value):
    return text(key) + struct.pack("<If", 6, value)


def flag_key(key, value):
    return text(key) + struct.pack("<IB", 7, value)


def texts_key(key, values):
    return text(key) + struct.pack("<IIQ", 9, 8, len(values)) + b"".join(text(v) for v in values)


def wholes_key(key, values):
    return text(key) + struct.pack("<IIQ", 9, 5, len(values)) + struct.pack(f"<{len(values)}i", *values)


def tensors_of(shape, kind):
    _, layers, width, inner, heads, kv_heads, head, vocabulary, _, bias = shape
    tied = ("q6_k" if width % 256 == 0 else "q8_0") if kind == "q4_0" else kind
    out = [("token_embd.weight", (width, vocabulary), tied)]
    kv = kv_heads * head
    for i in range(layers):
        out.append((f"blk.{i}.attn_norm.weight", (width,), "f32"))
        for name, n in (("q", heads * head), ("k", kv), ("v", kv)):
            out.append((f"blk.{i}.attn_{name}.weight", (width, n), kind))
            if bias:
                out.append((f"blk.{i}.attn_{name}.bias", (n,), "f32"))
        out.append((f"blk.{i}.attn_output.weight", (heads * head, width), kind))
        out.append((f"blk.{i}.ffn_norm.weight", (width,), "f32"))
        out.append((f"blk.{i}.ffn_gate.weight", (width, inner), kind))
        out.append((f"blk.{i}.ffn_up.weight", (width, inner), kind))
        out.append((f"blk.{i}.ffn_down.weight", (inner, width), kind))
    out.append(("output_norm.weight", (width,), "f32"))
    return out


def tokenizer_keys(vocabulary):
    shown = list(range(33, 127)) + list(range(161, 173)) + list(range(174, 256))
    codes = shown[:]
    for byte in range(256):
        if byte not in shown:
            shown.append(byte)
            codes.append(256 + len(codes) - 188)
    tokens = [chr(code) for code in codes] + ["\u0120t"]
    tokens += [f"w{i}" for i in range(len(tokens), vocabulary - 2)] + ["<|bos|>", "<|eos|>"]
    return [text_key("tokenizer.ggml.model", "gpt2"), text_key("tokenizer.ggml.pre", "qwen2"),
            texts_key("tokenizer.ggml.tokens", tokens),
            wholes_key("tokenizer.ggml.token_type", [1] * (vocabulary - 2) + [3, 3]),
            texts_key("tokenizer.ggml.merges", ["\u0120 t"]),
            whole_key("tokenizer.ggml.bos_token_id", vocabulary - 2),
            whole_key("tokenizer.ggml.eos_token_id", vocabulary - 1),
            flag_key("tokenizer.ggml.add_bos_token", 0)]


def keys_of(name, shape, kind):
    arch, layers, width, inner, heads, kv_heads, head, vocabulary, context, _ = shape
    keys = [text_key("general.architecture", arch), text_key("general.name", name + " random"),
            whole_key("general.file_type", TYPES[kind][3]), whole_key("general.quantization_version", 2),
            whole_key(arch + ".block_count", layers), whole_key(arch + ".context_length", context),
            whole_key(arch + ".embedding_length", width), whole_key(arch + ".feed_forward_length", inner),
            whole_key(arch + ".attention.head_count", heads),
            whole_key(arch + ".attention.head_count_kv", kv_heads),
            real_key(arch + ".rope.freq_base", 1e5),
            real_key(arch + ".attention.layer_norm_rms_epsilon", 1e-5)]
    if arch == "llama":
        keys += [whole_key(arch + ".rope.dimension_count", head), whole_key(arch + ".vocab_size", vocabulary)]
    return keys + tokenizer_keys(vocabulary)


def stored(dims, kind):
    elements = 1
    for n in dims:
        elements *= n
    _, block, size, _ = TYPES[kind]
    assert dims[0] % block == 0
    return elements // block * size


def block_of(kind):
    if kind == "f16":
        return struct.pack("<e", rnd.gauss(0, .02))
    if kind == "q8_0":
        return struct.pack("<e", .0005) + rnd.randbytes(32)
    if kind == "q4_0":
        return struct.pack("<e", .005) + rnd.randbytes(16)
    scales = bytes(rnd.choice((1, 2, 255, 254)) for _ in range(16))
    return rnd.randbytes(192) + scales + struct.pack("<e", .0005)


def values(name, size, kind, cache):
    if kind == "f32":
        return struct.pack("<f", 1.0 if "norm" in name else 0.01) * (size // 4)
    if kind not in cache:  # about a MiB, repeated
        cache[kind] = b"".join(block_of(kind) for _ in range((1 << 20) // TYPES[kind][2]))
    return (cache[kind] * (size // len(cache[kind]) + 1))[:size]


def main(name, kind, out):
    shape = SHAPES[name]
    tensors = tensors_of(shape, kind)
    keys = keys_of(name, shape, kind)
    infos = b""
    offset = 0
    for title, dims, own in tensors:
        infos += text(title) + struct.pack("<I", len(dims)) + struct.pack(f"<{len(dims)}Q", *dims)
        infos += struct.pack("<IQ", TYPES[own][0], offset)
        offset += -(-stored(dims, own) // ALIGNMENT) * ALIGNMENT
    cache = {}
    with open(out, "wb") as file:
        head = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(keys)) + b"".join(keys) + infos
        file.write(head + b"\0" * (-len(head) % ALIGNMENT))
        for title, dims, own in tensors:
            size = stored(dims, own)
            file.write(values(title, size, own, cache))
            file.write(b"\0" * (-size % ALIGNMENT))


if __name__ == "__main__":
    main(*sys.argv[1:4])
