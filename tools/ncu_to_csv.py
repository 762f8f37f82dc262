#!/usr/bin/env python3
"""Nsight Compute's raw page (standard input) as one row per launch of a plain kernel (standard output)."""
import csv
import re
import sys

LSU = "l1tex__data_{}_mem_shared_op_{}.sum"
COLUMNS = [
    ("load_wavefronts", LSU.format("pipe_lsu_wavefronts", "ld")),
    ("store_wavefronts", LSU.format("pipe_lsu_wavefronts", "st")),
    ("load_bank_conflicts", LSU.format("bank_conflicts_pipe_lsu", "ld")),
    ("store_bank_conflicts", LSU.format("bank_conflicts_pipe_lsu", "st")),
    ("warp_instructions", "smsp__inst_executed.sum"),
]

lines = [line for line in sys.stdin if line.startswith('"')]
rows = list(csv.reader(lines))
header, launches = rows[0], rows[1:]
place = {name: i for i, name in enumerate(header)}
out = csv.writer(sys.stdout, lineterminator="\n")
out.writerow(["kernel", "block_dim"] + [name for name, _ in COLUMNS])
for row in launches:
    if not row[place["ID"]]:
        continue  # the row of units
    name = re.search(r"plain<[^,]*?(\w+),", row[place["Kernel Name"]])
    block = re.search(r"\d+", row[place["Block Size"]]).group(0)
    snake = re.sub(r"(?<!^)(?=[A-Z])", "_", name.group(1)).lower()
    numbers = [int(float(row[place[metric]].replace(",", ""))) for _, metric in COLUMNS]
    out.writerow([snake, block] + numbers)
