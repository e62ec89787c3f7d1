#!/usr/bin/env python3
"""Writes the figures of docs/accuracy.md into both READMEs.

    scripts/readme_accuracy.py .            writes them
    scripts/readme_accuracy.py --check .    says which differ, and fails where any does
"""
import pathlib
import re
import sys


def rows(page, section, head=""):
    """First cell to the other cells, of a section's first table whose head begins so."""
    table = page[page.index("\n## %s\n" % section):]
    table = table[table.index("\n| " + head):]
    table = table[: table.index("\n\n", table.index("|---"))]
    out = {}
    for line in table.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| ") and len(cells) > 2:
            out.setdefault(cells[0], cells[1:])
    return out


def whole(percent):
    """'92.1 % ± 1.7' in whole per cent."""
    return "%.0f %%" % float(percent.split()[0])


def figures(page):
    """What stands in the READMEs: the label of a row, in either language, to its cells."""
    def plain(cells):  # rows used, median error, mean error, inside
        return [cells[1], cells[2], cells[3], whole(cells[6])]

    metrics, loads, vendors = rows(page, "By metric"), rows(page, "By load"), rows(page, "By vendor")
    out = {}
    for english, chinese, cells in [
            ("time per output token (TPOT)", "每个输出 token 的时间（TPOT）", metrics["tpot_ms"]),
            ("time to first token (TTFT)", "首个 token 的时间（TTFT）", metrics["ttft_ms"]),
            ("output throughput, all loads", "输出吞吐量（各种负载）", metrics["output_throughput_tok_s_total"]),
            ("of these, every metric: saturated runs", "饱和运行（各指标合计）", loads["saturated"]),
            ("static batches", "", loads["static batch"]),
            ("fixed numbers of users", "", loads["concurrency"]),
            ("bursts", "", loads["burst"]),
            ("stated rates of requests", "给定请求速率（各指标合计）", loads["request rate"]),
            ("of AMD, every metric", "AMD（各指标合计）", vendors["AMD"])]:
        out[english] = plain(cells)
        if chinese:
            out[chinese] = plain(cells)
    held = rows(page, "Rows that the fit never saw", "metric |")
    # metric, used, then error, inside and range of each judgement: in sample, configuration, source, load, …
    for english, chinese, judged in [("the source", "来源", 2), ("the vendor", "厂商", 4),
                                     ("the generation", "代际", 5)]:
        cells = []
        for metric in ["tpot_ms", "ttft_ms", "output_throughput_tok_s_total"]:
            error, inside = held[metric][1 + 3 * judged: 3 + 3 * judged]
            cells.append((whole(error), whole(inside)))
        out[english] = ["%s, %s" % cell for cell in cells]
        out[chinese] = ["%s，%s" % cell for cell in cells]
    return out


def sentences(page):
    """Pattern to the numbers of its groups."""
    order = rows(page, "Order of alternatives")
    regimes = rows(page, "By regime")
    sample, source = order["in sample"], order["without its source"]
    pairs = [whole(sample[1]), whole(sample[3]), whole(source[1]), whole(source[3])]
    weak = [whole(regimes[name][2]) for name in
            ["several boxes, ttft_ms of few users", "split pools, ttft_ms p50",
             "pipeline, decode_tok_s_per_user", "GPUs on PCIe, decode_tok_s_per_user"]]
    count = re.search(r"^(\d+) rows, ", page, re.M).group(1)
    number = "{:,}".format(int(count))
    percent = r"\d+ %"
    return [
        (r"same work, (%s) are put in the right order within a vendor and (%s) across vendors; (%s) and (%s)\s"
         % ((percent,) * 4), pairs),
        (r"first tokens over several boxes \((%s\)) and of split\spools \((%s\)), "
         r"decodes of\spipelines \((%s\)), and speed over PCIe \((%s\))" % ((percent,) * 4),
         [each + ")" for each in weak]),
        (r"同一厂商内有 (%s)、跨厂商有 (%s) 排序正确；来源被排除时分别为 (%s) 与 (%s)" % ((percent,) * 4), pairs),
        (r"多机时的首 token（(%s)）、预填充分离时的首 token（(%s)）、流水线并行的解码（(%s)）和 PCIe 上的速度（(%s)）" % ((percent,) * 4), weak),
        (r"Against ([\d,]+) published measurements", [number]),
        (r"对照随项目附带的 ([\d,]+) 条公开实测数据", [number]),
    ]


def written(readme, page, met):
    """The README with the page's figures; `met` gathers what of them has a place in it."""
    lines = []
    known = figures(page)
    for line in readme.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| ") and cells[0] in known and len(cells) == 1 + len(known[cells[0]]):
            line = "| %s | %s |" % (cells[0], " | ".join(known[cells[0]]))
            met.add(cells[0])
        lines.append(line)
    text = "\n".join(lines) + "\n"
    for pattern, numbers in sentences(page):
        found = re.search(pattern, text)
        if found is None:
            continue
        met.add(pattern)
        for group in range(len(numbers), 0, -1):
            begin, end = found.span(group)
            text = text[:begin] + numbers[group - 1] + text[end:]
    return text


def main(arguments):
    check = arguments[:1] == ["--check"]
    root = pathlib.Path(arguments[-1])
    page = (root / "docs" / "accuracy.md").read_text()
    differ = 0
    met = set()
    for name in ["README.md", "README.zh-CN.md"]:
        before = (root / name).read_text()
        after = written(before, page, met)
        if not check:
            (root / name).write_text(after)
            continue
        for old, new in zip(before.splitlines(), after.splitlines()):
            if old != new:
                differ += 1
                print("%s: '%s'\n  docs/accuracy.md says '%s'" % (name, old, new))
    lost = (set(figures(page)) | {pattern for pattern, _ in sentences(page)}) - met
    for each in sorted(lost):
        print("no README has a place for '%s'" % each)
    return 1 if differ or lost else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
