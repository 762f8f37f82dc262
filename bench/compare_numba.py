#!/usr/bin/python3
"""Sets the interpreter beside Numba's CUDA simulator: the same tree, the same values, the same machine, the same run.

    bench/compare_numba.py [BENCH_SIMT] [--rounds N]

Numba's simulator has no warp shuffles, so both run the full tree in shared memory (contiguous_full), a maximum over
one block. Numba's time is that of the launch alone, without a trace; ours is reading the kernel's text, running it and
everything that a trace is made of. Beside it stands our own contiguous_warp, which does the same reduction with
shuffles. Needs Debian's python3-numba. Exit status 1: less than 300 times faster.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import time

os.environ["NUMBA_ENABLE_CUDASIM"] = "1"
try:
    import numba
    import numpy
    from numba import cuda, float32
except ImportError as error:
    sys.exit(f"{error.name} is missing (Debian: python3-numba), so there is nothing to compare with.")

GOAL = 300


@cuda.jit
def block_max(values, results):
    shared = cuda.shared.array(1024, float32)
    tid = cuda.threadIdx.x
    shared[tid] = values[tid]
    cuda.syncthreads()
    s = cuda.blockDim.x // 2
    while s > 0:
        if tid < s:
            shared[tid] = max(shared[tid], shared[tid + s])
        cuda.syncthreads()
        s //= 2
    results[tid] = shared[0]


def numba_seconds(block):
    raw = numpy.random.RandomState(3664).randint(0, 2**32, size=block, dtype=numpy.uint32)  # mt19937
    values = (raw % 1000).astype(numpy.float32)
    results = numpy.zeros(block, dtype=numpy.float32)
    begin = time.perf_counter()
    block_max[1, block](values, results)
    seconds = time.perf_counter() - begin
    assert (results == values.max()).all()
    return seconds


def our_seconds(bench, kernel, block):
    output = subprocess.run(
        [bench, f"--benchmark_filter=record/{kernel}/{block}$", "--benchmark_format=json",
         "--benchmark_min_time=0.2"],
        check=True, capture_output=True, text=True).stdout
    rows = json.loads(output)["benchmarks"]
    assert len(rows) == 1 and rows[0]["time_unit"] == "us"
    return rows[0]["real_time"] * 1e-6


def find_bench():
    root = pathlib.Path(__file__).resolve().parent.parent
    for preset in ("release", "dev", "core"):
        path = root / "build" / preset / "bench" / "bench_simt"
        if path.exists():
            return path
    sys.exit("bench_simt is not built: cmake --build --preset dev --target bench_simt")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("bench", nargs="?")
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    bench = arguments.bench or find_bench()
    print(f"contiguous_full, max, float; Numba {numba.__version__} (CUDA simulator), Python {sys.version.split()[0]}; "
          f"median of {arguments.rounds} rounds, taken in turns")
    print(f"load of the machine at the start: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    print(f"{'threads':>8} {'Numba ms':>10} {'ours ms':>9} {'times faster':>13} {'contiguous_warp ms':>19} {'times faster':>13}")
    enough = True
    for block in (256, 1024):
        theirs, ours, shuffled = [], [], []
        for _ in range(arguments.rounds):
            theirs.append(numba_seconds(block))
            ours.append(our_seconds(bench, "contiguous_full", block))
            shuffled.append(our_seconds(bench, "contiguous_warp", block))
        their, our, warp = (statistics.median(times) for times in (theirs, ours, shuffled))
        print(f"{block:8} {their * 1e3:10.1f} {our * 1e3:9.3f} {their / our:13.0f} {warp * 1e3:19.3f} {their / warp:13.0f}")
        enough = enough and their / our >= GOAL
    sys.exit(0 if enough else 1)


main()
