#!/usr/bin/env bash
# ./test.sh [ARGS]: installs what is missing, builds, and runs all the tests (ctest ARGS: -L unit, -R Interpreter, ...).
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/third_party/setup.sh"

setup_packages core app fonts test bench
setup_build dev all core app fonts test bench
setup_missing "so the tests of the window bring their own, Xvfb"
if ! has_gpu || [ -z "$(find_nvcc)" ]; then
    say "the tests that run on a GPU (label cuda) are skipped."
fi
exec ctest --test-dir "$root/build/dev" --output-on-failure --parallel "$(nproc)" "$@"
