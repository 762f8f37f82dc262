#!/usr/bin/env python3
"""Writes the tables of docs/validation.md between their markers: what an H200 counted beside what the model counts, what
compute-sanitizer said beside what the analysis finds, and how long the timed kernels took beside the plain ones.

    tools/validation_tables.py build/dev/cli/auditorium

Reads h200_plain_counters.csv, h200_hazards.csv and h200_disturbance.csv of tests/data/, and recordings/. Exit status: 1 if a count differs.
"""
import collections
import csv
import json
import pathlib
import re
import subprocess
import sys
import tempfile

program = sys.argv[1]
root = pathlib.Path(__file__).resolve().parent.parent
METRICS = {
    "load_wavefronts": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    "store_wavefronts": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
    "load_bank_conflicts": "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
    "store_bank_conflicts": "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
}


def analyze(path):
    said = subprocess.run([program, "analyze", path, "--json"], capture_output=True)
    return json.loads(said.stdout)


def simulated(kernel, kind, block):
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/run.audit"
        subprocess.run(
            [program, "record", "--kernel", kernel, "--type", kind, "--block", block, "--device", "cpu"]
            + ["--allow-wrong", "-o", path],
            check=True,
            capture_output=True,
        )
        return analyze(path)


def rows_of(name):
    with open(root / "tests" / "data" / name) as file:
        return list(csv.DictReader(file))


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows])


# One row for each kernel and size: the counts of float, and whether float's and int's equal the model's.
differences = 0
launches = collections.defaultdict(dict)
for row in rows_of("h200_plain_counters.csv"):
    totals = simulated(row["kernel"], row["type"], row["block"])["totals"]
    equal = all(float(row[metric]) == totals[name] for name, metric in METRICS.items())
    differences += not equal
    launches[row["kernel"], int(row["block"])][row["type"]] = (
        [int(float(row[metric])) for metric in METRICS.values()],
        equal,
    )
counts = []
for (kernel, block), types in launches.items():
    numbers = types["float"][0]
    same = all(equal and theirs == numbers for theirs, equal in types.values())
    counts.append([kernel, block, *numbers, "equal" if same else "DIFFERS"])
counter_table = table(
    ["kernel", "threads", "load wavefronts", "store wavefronts", "load conflicts", "store conflicts", "model, float and int"],
    counts,
)

hazards = []
for row in rows_of("h200_hazards.csv"):
    found = simulated(row["kernel"], "float", row["block"])["findings"]
    races = [finding for finding in found if finding["rule"] == "race"]
    ours = "error" if any(f["severity"] == "error" for f in races) else "warning" if races else "none"
    runs, errors, warnings = (int(row[key]) for key in ("racecheck_runs", "runs_with_errors", "runs_with_warnings"))
    theirs = "error" if errors else "warning" if warnings else "none"
    seen = f"{errors} of {runs} runs" if errors not in (0, runs) else ""
    hazards.append(
        [
            row["kernel"],
            row["block"],
            " ".join([ours] + sorted({f["kind"] for f in races})),
            " ".join(filter(None, [theirs, row["kinds"]])) + (f" ({seen})" if seen else ""),
            "same" if ours == theirs else "ours is stronger" if theirs == "warning" else "DIFFERS",
            "no error" if row["synccheck_errors"] == "0" else f"{row['synccheck_errors']} errors",
        ]
    )
hazard_table = table(["kernel", "threads", "analysis", "racecheck", "", "synccheck"], hazards)

times = []
for path in sorted((root / "recordings").glob("*.audit")):
    timing = analyze(path)["timing"]
    times.append(
        [
            path.stem,
            f"{timing['median']:.0f}",
            f"{timing['stamped']:.0f}",
            f"{100 * timing['stamped_difference']:+.1f}%",
        ]
    )
time_table = table(["recording", "plain kernel, cycles", "with stamps", "difference"], times)

# One row for each kernel: its sizes, and how far the launches with stamps were from the plain kernel.
disturbances = collections.defaultdict(lambda: collections.defaultdict(list))
for row in rows_of("h200_disturbance.csv"):
    disturbances[row["kernel"]][row["compiled"]].append((int(row["block"]), float(row["difference"].rstrip("%"))))
stamps = []
for kernel, ways in disturbances.items():
    cells = [kernel]
    for way in ("in", "now"):
        sizes = sorted({block for block, _ in ways[way]})
        differences_of_way = [difference for _, difference in ways[way]]
        cells.append(", ".join(map(str, sizes)))
        cells.append(f"{min(differences_of_way):+.1f} to {max(differences_of_way):+.1f}%" if sizes else "")
    stamps.append(cells)
stamp_table = table(["kernel", "threads, in the program", "difference", "threads, compiled when asked for", "difference"], stamps)

page = root / "docs" / "validation.md"
text = page.read_text()
tables = {"counters": counter_table, "hazards": hazard_table, "times": time_table, "stamps": stamp_table}
for name, body in tables.items():
    begin, end = f"<!-- {name}: tools/validation_tables.py -->", f"<!-- end of {name} -->"
    text = re.sub(re.escape(begin) + ".*?" + re.escape(end), lambda _: f"{begin}\n{body}\n{end}", text, flags=re.S)
page.write_text(text)
print(f"{sum(len(types) for types in launches.values())} launches, {differences} differ")
sys.exit(1 if differences else 0)
