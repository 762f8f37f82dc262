#!/usr/bin/env bash
# ./run.sh [ARGS]: installs what is missing, builds, and runs `auditorium ARGS`. Without ARGS it opens the window on a
# recording made on an NVIDIA H200; with no display it does the same job without one. See README.md.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/third_party/setup.sh"

setup_packages core app fonts
setup_build release auditorium core app fonts
if [ $# = 0 ] || [ $built_afresh = yes ]; then setup_missing "so pictures are written in place of the window"; fi
exec "$root/build/release/cli/auditorium" "$@"
