#!/usr/bin/env python3
"""What compute-sanitizer said of the clinic, one row for each kernel and block size (standard output).

    tools/hazards_to_csv.py FOLDER     with KERNEL-BLOCK-racecheck-N.txt and KERNEL-BLOCK-synccheck-N.txt
"""
import collections
import csv
import pathlib
import re
import sys

texts = collections.defaultdict(list)
for path in pathlib.Path(sys.argv[1]).glob("*.txt"):
    kernel, block, tool, _ = re.fullmatch(r"(\w+)-(\d+)-(\w+)-(\d+)\.txt", path.name).groups()
    texts[kernel, int(block), tool].append(path.read_text(errors="replace"))

out = csv.writer(sys.stdout, lineterminator="\n")
out.writerow(
    ["kernel", "block", "racecheck_runs", "runs_with_errors", "runs_with_warnings", "kinds", "synccheck_errors"]
)
ok = True
for kernel, block in sorted({key[:2] for key in texts}):
    errors = warnings = 0
    kinds = set()
    for text in texts[kernel, block, "racecheck"]:
        summary = re.search(r"RACECHECK SUMMARY: .*\((\d+) errors?, (\d+) warnings?\)", text)
        if not summary:
            print(f"{kernel} {block}: racecheck did not finish", file=sys.stderr)
            ok = False
            continue
        errors += int(summary[1]) > 0
        warnings += int(summary[2]) > 0
        kinds |= set(re.findall(r"Potential (\w+) hazard", text))
    synccheck = 0
    for text in texts[kernel, block, "synccheck"]:
        summary = re.search(r"ERROR SUMMARY: (\d+) errors?", text)
        if not summary:
            print(f"{kernel} {block}: synccheck did not finish", file=sys.stderr)
            ok = False
            continue
        synccheck = max(synccheck, int(summary[1]))
    runs = len(texts[kernel, block, "racecheck"])
    out.writerow([kernel, block, runs, errors, warnings, " ".join(sorted(kinds)), synccheck])
sys.exit(0 if ok else 1)
