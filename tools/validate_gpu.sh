#!/bin/bash
# Everything that only a machine with an NVIDIA GPU can show, in one run:
#
#   tools/validate_gpu.sh BUILD_FOLDER OUT
#
# BUILD_FOLDER holds auditorium_gpu_check (tests/launch) and, where it shall run too, test_ptx (tests/kernels). Writes to
# OUT: summary.txt (what docs/validation.md quotes), matrix.txt, sanitizer.txt, hazards.csv, counters.csv, lines.csv,
# disturbance.csv, ncu.csv, speed.txt, ptx.txt and recordings.tar. Needs compute-sanitizer and ncu for their parts; says
# so where they are missing. Then copy counters.csv, hazards.csv and disturbance.csv to h200_plain_counters.csv,
# h200_hazards.csv and h200_disturbance.csv in tests/data/, and run tools/validation_tables.py, which writes the tables
# of docs/validation.md.
# Exit status: 0 if all that ran was right.
set -u
build=$1 out=$2
here=$(cd "$(dirname "$0")" && pwd)
check=$(find "$build" -name auditorium_gpu_check -type f | head -1)
mkdir -p "$out"
summary=$out/summary.txt
failed=0
PATH=$PATH:/usr/local/cuda/bin

say() { echo "$*" | tee -a "$summary"; }
verdict() { # NAME STATUS
  if [ "$2" = 0 ]; then say "ok      $1"; else say "FAILED  $1 (exit status $2)"; failed=1; fi
}

: > "$summary"
say "$(date -u +%Y-%m-%d) kernel $(uname -r)"
nvidia-smi --query-gpu=name,driver_version,compute_cap --format=csv,noheader | tee -a "$summary"

"$check" matrix > "$out/matrix.txt" 2>&1
verdict "traced = plain = simulated, bit for bit" $?
grep -v DIFFERS "$out/matrix.txt" | tee -a "$summary"
grep DIFFERS "$out/matrix.txt" | head -20

"$check" failure > "$out/failure.txt" 2>&1
verdict "a GPU that fails in mid-run" $?
tee -a "$summary" < "$out/failure.txt"

: > "$out/sanitizer.txt"
if command -v compute-sanitizer > /dev/null; then
  for tool in memcheck racecheck initcheck synccheck; do
    { echo "== $tool"; compute-sanitizer --tool $tool --error-exitcode 9 "$check" plain; } >> "$out/sanitizer.txt" 2>&1
    verdict "compute-sanitizer $tool on the correct kernels" $?
  done
  # The clinic, for comparison with the hazards that the analysis finds: shall be reported. What racecheck sees of a
  # race depends on which warp is early, so it looks several times, and more often where its word has been seen to
  # change.
  mkdir -p "$out/clinic"
  look() { # KERNEL BLOCK TOOL TIMES
    for i in $(seq "$4"); do
      compute-sanitizer --tool "$3" $([ "$3" = racecheck ] && echo --racecheck-report all) "$check" plain "$1" "$2" \
        > "$out/clinic/$1-$2-$3-$i.txt" 2>&1
    done
  }
  export -f look
  export check out
  "$check" clinic 2> /dev/null | while read -r kernel block; do
    times=3
    [ "$kernel" = back_to_back ] && times=30
    echo "$kernel $block racecheck $times"
    echo "$kernel $block synccheck 1"
  done | xargs -P "$(nproc)" -L 1 bash -c 'look "$0" "$1" "$2" "$3"'
  python3 "$here/hazards_to_csv.py" "$out/clinic" > "$out/hazards.csv"
  verdict "racecheck and synccheck on the clinic ($(($(wc -l < "$out/hazards.csv") - 1)) kernels and sizes)" $?
  tar -C "$out" -czf "$out/clinic.tgz" clinic && rm -r "$out/clinic"
else
  say "        compute-sanitizer is missing: memcheck, racecheck, initcheck and synccheck did not run"
fi

"$check" count > "$out/counters.csv" 2> "$out/counters.err"
verdict "hardware counters in process ($(($(wc -l < "$out/counters.csv") - 1)) launches)" $?
"$check" lines > "$out/lines.csv" 2> "$out/lines.err"
verdict "hardware counts per line ($(cut -d, -f1 "$out/lines.csv" | sort -u | grep -vc '^kernel$') kernels)" $?
"$check" disturbance > "$out/disturbance.csv" 2> "$out/disturbance.err"
verdict "stamps within 10% of the plain kernel ($(($(wc -l < "$out/disturbance.csv") - 1)) recordings)" $?
"$check" speed > "$out/speed.txt" 2> "$out/speed.err"
verdict "speed beside the libraries" $?

mkdir -p "$out/recordings"
"$check" record "$out/recordings" > "$out/record.txt" 2>&1
verdict "recordings" $?
tee -a "$summary" < "$out/record.txt"
tar -C "$out" -cf "$out/recordings.tar" recordings && rm -r "$out/recordings"

# Nsight Compute as a second witness of the counters.
if command -v ncu > /dev/null; then
  metrics=smsp__inst_executed.sum
  for op in ld st; do
    metrics+=,l1tex__data_pipe_lsu_wavefronts_mem_shared_op_$op.sum
    metrics+=,l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_$op.sum
  done
  ncu --clock-control none --csv --page raw --metrics $metrics "$check" counters > "$out/ncu.csv" 2> "$out/ncu.err" &&
    python3 "$here/ncu_agrees.py" "$out/ncu.csv" "$out/counters.csv" > "$out/ncu.txt"
  verdict "Nsight Compute counts the same: $(tail -1 "$out/ncu.txt")" $?
else
  say "        ncu is missing: the counters have no second witness"
fi

ptx=$(find "$build" -name test_ptx -type f | head -1)
if [ -n "$ptx" ]; then
  "$ptx" > "$out/ptx.txt" 2>&1
  verdict "machine text of the plain kernels ($(grep -c ' OK ' "$out/ptx.txt") tests)" $?
fi
exit $failed
