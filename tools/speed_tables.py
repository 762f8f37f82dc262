#!/usr/bin/env python3
"""Writes the tables of docs/speed.md between their markers, from recordings/speed_h200.txt."""
import collections
import pathlib
import re

root = pathlib.Path(__file__).resolve().parent.parent
calls, arrays = collections.OrderedDict(), []
for line in (root / "recordings" / "speed_h200.txt").read_text().splitlines():
    kind, *cells = line.split("\t")
    if kind == "call":
        what, op, of, threads, low, median = cells
        calls.setdefault((of, op), collections.OrderedDict()).setdefault(what, {})[int(threads)] = (
            float(low),
            float(median),
        )
    elif kind == "array":
        arrays.append((cells[0], float(cells[1]), float(cells[2]), float(cells[3])))

sizes = [32, 64, 128, 256, 512, 1024]
text = []
for of, op in (("float", "max"), ("float", "sum"), ("int", "max"), ("int", "sum")):
    rows = calls[of, op]
    text.append(f"\n{op} of {of}:\n")
    text.append("| | " + " | ".join(map(str, sizes)) + " |\n|---|" + "---:|" * len(sizes))
    for what, times in rows.items():
        cells = [f"{m:.0f}" + (f" ({low:.0f})" if low != m else "") for low, m in (times[size] for size in sizes)]
        text.append(f"| {what} | " + " | ".join(cells) + " |")
    best = [min(rows[cub][size][1] for cub in rows if cub.startswith("cub::")) for size in sizes]
    ours = [rows["one_barrier"][size][1] / cub for size, cub in zip(sizes, best)]
    text.append("| **one_barrier, of CUB** | " + " | ".join(f"**{ratio:.2f}**" for ratio in ours) + " |")
text.append("\nA pass over 2^29 floats:\n")
text.append("| | minimum | median | TB/s | of CUB |\n|---|---:|---:|---:|---:|")
cub = next(median for what, _, median, _ in arrays if what == "cub::DeviceReduce")
for what, low, median, size in arrays:
    ratio = "" if what == "copy" else f"{cub / median:.3f}"
    name = "copy (read and written)" if what == "copy" else what
    text.append(f"| {name} | {low:.4f} ms | {median:.4f} ms | {size / median / 1e9:.3f} | {ratio} |")

page = root / "docs" / "speed.md"
begin, end = "<!-- speed: from recordings/speed_h200.txt by tools/speed_tables.py -->", "<!-- end of speed -->"
body = begin + "\n" + "\n".join(text) + "\n\n" + end
page.write_text(re.sub(re.escape(begin) + ".*?" + re.escape(end), lambda _: body, page.read_text(), flags=re.S))
