#!/usr/bin/env python3
"""Holds Nsight Compute's raw page against the counters that were read in process: the same launches in the same order.

    tools/ncu_agrees.py NCU.csv COUNTERS.csv

Exit status: 0 if every number is the same.
"""
import csv
import sys

with open(sys.argv[1]) as file:
    rows = list(csv.reader(line for line in file if line.startswith('"')))
place = {name: i for i, name in enumerate(rows[0])}
launches = [row for row in rows[1:] if row[place["ID"]]]  # without the row of units
with open(sys.argv[2]) as file:
    counted = list(csv.DictReader(file))

compared = different = 0
for row, ours in zip(launches, counted):
    for metric in place.keys() & ours.keys():
        theirs = float(row[place[metric]].replace(",", ""))
        compared += 1
        if theirs != float(ours[metric]):
            different += 1
            print(f"{ours['kernel']} {ours['type']} {ours['block']} {metric}: {theirs} and {ours[metric]}")
same_launches = len(launches) == len(counted)
print(f"{compared} numbers of {len(counted)} launches, {different} different")
sys.exit(0 if same_launches and compared and not different else 1)
