#!/bin/sh
# without_a_display.sh AUDITORIUM RECORDINGS: with no display the program says so in one sentence and draws pictures in place of a
# window; without any OpenGL a picture is refused with one sentence and status 4.
set -u
program=$(realpath "$1") recordings=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
unset DISPLAY WAYLAND_DISPLAY
"$program" "$recordings/contiguous_warp-max-float-32.audit" >said 2>why
status=$?
[ $status -eq 0 ] || { echo "exit status $status"; cat why; exit 1; }
grep -q "no display" why || { echo "it does not say that there is no display:"; cat why; exit 1; }
pictures=$(find . -name '*.png' | wc -l)
[ "$pictures" -ge 8 ] || { echo "only $pictures pictures"; exit 1; }

"$program" render "$recordings/contiguous_warp-max-float-32.audit" --step 1 -o picture.png || exit 1
# An EGL with no driver: the loader finds no vendor.
mkdir empty
__EGL_VENDOR_LIBRARY_DIRS=$work/empty "$program" render "$recordings/contiguous_warp-max-float-32.audit" --step 1 -o none.png 2>why
status=$?
[ $status -eq 4 ] || { echo "without a driver: exit status $status"; cat why; exit 1; }
[ "$(wc -l <why)" -eq 1 ] || { echo "more than one sentence:"; cat why; exit 1; }
[ ! -e none.png ] || { echo "a picture without a driver"; exit 1; }
