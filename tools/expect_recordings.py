#!/usr/bin/env python3
"""Writes recordings/expected.json from what the program says of the recordings now. Read the difference before it is
committed: a test holds the recordings against this file.

    tools/expect_recordings.py build/release/cli/auditorium 580.159.04 13.0

The last two are the driver and the CUDA version of the machine that recorded (validate_gpu.sh prints them).
"""
import json
import pathlib
import subprocess
import sys

program, driver, cuda = sys.argv[1:4]
folder = pathlib.Path(__file__).resolve().parent.parent / "recordings"


def hash_of(text):
    value = 0xCBF29CE484222325
    for byte in text:
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return f"{value:016x}"


kernels = json.loads(subprocess.run([program, "kernels", "--json"], capture_output=True, check=True).stdout)
files = {kernel["id"]: kernel["file"] for kernel in (kernels if isinstance(kernels, list) else kernels["kernels"])}

expected = {}
for path in sorted(folder.glob("*.audit")):
    verify = subprocess.run([program, "verify", path, "--json"], capture_output=True)
    analyze = subprocess.run([program, "analyze", path, "--json"], capture_output=True)
    said = json.loads(analyze.stdout)
    kernel, op, kind, block, *common = path.stem.split("-")  # see recordings/README.md
    spec = "random:3664:-999:-1" if kernel == "zero_identity" and not common else "random:3664:0:999"
    text = (folder.parent / "kernels" / files[kernel]).read_bytes()
    expected[path.name] = {
        "command": f"auditorium record --kernel {kernel} --op {op} --type {kind} --block {block} --input {spec} "
        f"--device gpu -o recordings/{path.name}",
        "kernel_text": files[kernel],
        "kernel_text_hash": hash_of(text),
        "device": said["device"],
        "driver": driver,
        "cuda": cuda,
        "verify_status": verify.returncode,
        "analyze_status": analyze.returncode,
        "findings": [
            {key: finding[key] for key in ("rule", "severity", "kind", "lines")} for finding in said["findings"]
        ],
    }
(folder / "expected.json").write_text(json.dumps(expected, indent=1) + "\n")
