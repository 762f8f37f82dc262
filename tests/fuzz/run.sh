#!/usr/bin/env bash
# tests/fuzz/run.sh NAME SECONDS [FOLDER]: builds tests/fuzz/NAME.cpp with clang's libFuzzer, AddressSanitizer and
# UndefinedBehaviorSanitizer, and runs it on its corpus. New finds of at least a minute's run go into the corpus.
# The second line of a fuzzer names the sources that it is built from. Exit status 77: clang has no libFuzzer here.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
name=$1 seconds=$2 folder=${3:-$root/build/fuzz}
mkdir -p "$folder/$name"
cd "$root"

clang=$(command -v clang++-14 || command -v clang++ || true)
printf 'extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }' >"$folder/$name/probe.cpp"
if [ -z "$clang" ] || ! "$clang" -fsanitize=fuzzer,address "$folder/$name/probe.cpp" -o "$folder/$name/probe" 2>/dev/null; then
    echo "clang with libFuzzer is missing (Debian: clang, libclang-rt-dev), so the fuzzer $name is skipped."
    exit 77
fi

read -ra sources < <(sed -n 's|^// Sources: ||p' "tests/fuzz/$name.cpp")
flags=(-std=c++20 -O1 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined
    -fno-omit-frame-pointer -ffp-contract=off -DFMT_HEADER_ONLY -I"$root" -I"$folder/generated")
mkdir -p "$folder/generated/trace" "$folder/objects"  # objects are shared between the fuzzers
flatc --cpp --cpp-std c++17 --scoped-enums -o "$folder/generated/trace" trace/trace.fbs
objects=()
changed=0
for source in "tests/fuzz/$name.cpp" ${sources[@]}; do
    object=$folder/objects/${source//\//_}.o
    objects+=("$object")
    if [ ! -e "$object" ] || [ -n "$(find "$source" trace analysis simt kernels -newer "$object" -name '*.[hcf]*' -print -quit)" ]; then
        "$clang" "${flags[@]}" -c "$source" -o "$object" &
        changed=1
        [ "$(jobs -r | wc -l)" -lt "$(nproc)" ] || wait -n
    fi
done
wait
if [ $changed = 1 ] || [ ! -e "$folder/$name/fuzzer" ] || [ -n "$(find "${objects[@]}" -newer "$folder/$name/fuzzer" -print -quit)" ]; then
    "$clang" -fsanitize=fuzzer,address,undefined "${objects[@]}" -o "$folder/$name/fuzzer"
fi

mkdir -p "$folder/$name/found"
dictionary=()
if [ -e "tests/fuzz/$name.dict" ]; then dictionary=(-dict="tests/fuzz/$name.dict"); fi
"$folder/$name/fuzzer" -max_total_time="$seconds" -timeout=25 -rss_limit_mb=3000 -artifact_prefix="$folder/$name/" \
    -print_final_stats=1 -max_len=16384 -use_value_profile=1 ${dictionary[@]+"${dictionary[@]}"} "$folder/$name/found" "tests/fuzz/corpus/$name" \
    >"$folder/$name/log" 2>&1 || { tail -n 60 "$folder/$name/log"; exit 1; }
grep -E "^#[0-9]|^Done|stat::" "$folder/$name/log" | tail -n 8
if [ "$seconds" -ge 60 ]; then
    "$folder/$name/fuzzer" -merge=1 -max_len=16384 "tests/fuzz/corpus/$name" "$folder/$name/found" 2>/dev/null
fi
