#!/bin/bash
# Everything that only a machine with an NVIDIA GPU can show, in one run:
#
#   tools/validate_gpu.sh BUILD_FOLDER OUT
#
# BUILD_FOLDER holds auditorium_gpu_check (tests/launch) and, where it shall run too, test_ptx (tests/kernels). Writes to
# OUT: summary.txt (what docs/validation.md quotes), matrix.txt, sanitizer.txt, counters.csv, ptx.txt and
# recordings.tar. Needs compute-sanitizer and ncu for their parts; says so where they are missing.
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
  # For comparison with the hazards that the analysis finds: the clinic, which shall be reported.
  for kernel in missing_barrier back_to_back missing_syncwarp ragged_block zero_identity partial_mask; do
    { echo "== racecheck $kernel"; compute-sanitizer --tool racecheck --racecheck-report all "$check" plain $kernel; } \
      > "$out/one.txt" 2>&1
    cat "$out/one.txt" >> "$out/sanitizer.txt"
    say "        racecheck on $kernel: $(grep 'RACECHECK SUMMARY' "$out/one.txt" | sed 's/=* *//')"
  done
  rm -f "$out/one.txt"
else
  say "        compute-sanitizer is missing: memcheck, racecheck, initcheck and synccheck did not run"
fi

mkdir -p "$out/recordings"
"$check" record "$out/recordings" > "$out/record.txt" 2>&1
verdict "recordings" $?
tee -a "$summary" < "$out/record.txt"
tar -C "$out" -cf "$out/recordings.tar" recordings && rm -r "$out/recordings"

if command -v ncu > /dev/null; then
  metrics=smsp__inst_executed.sum
  for op in ld st; do
    metrics+=,l1tex__data_pipe_lsu_wavefronts_mem_shared_op_$op.sum
    metrics+=,l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_$op.sum
  done
  ncu --clock-control none --csv --page raw --metrics $metrics "$check" counters > "$out/ncu.csv" 2> "$out/ncu.err" &&
    python3 "$here/ncu_to_csv.py" < "$out/ncu.csv" > "$out/counters.csv"
  verdict "hardware counters ($(($(wc -l < "$out/counters.csv") - 1)) launches)" $?
else
  say "        ncu is missing: no hardware counters"
fi

ptx=$(find "$build" -name test_ptx -type f | head -1)
if [ -n "$ptx" ]; then
  "$ptx" > "$out/ptx.txt" 2>&1
  verdict "machine text of the plain kernels ($(grep -c ' OK ' "$out/ptx.txt") tests)" $?
fi
exit $failed
