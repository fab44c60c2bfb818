#!/bin/bash
# Builds the fuzz targets and runs each for some seconds; an input that breaks one ends this with status 1.
# Usage: Fuzz/fuzz.sh [--seconds N] [TARGET…]
set -eu

cd "$(dirname "$0")"
seconds=20
if [ "${1:-}" = --seconds ]; then seconds=$2; shift 2; fi

# The instrumentation goes into the libraries under test as well; gold cannot link it.
# SwiftPM does not look for new files in a package that is referred to by path; a newer manifest makes it look.
touch Package.swift
swift build -c release --scratch-path .build-fuzz --sanitize=address \
    -Xswiftc -sanitize=fuzzer -Xswiftc -use-ld=lld -Xswiftc -enable-testing >&2
program=$(swift build -c release --scratch-path .build-fuzz --show-bin-path)/fuzz

# A crash must come back at once, and Swift's own report of it prints memory.
export SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=
[ $# -gt 0 ] || mapfile -t targets < <("$program" list)
[ $# -eq 0 ] || targets=("$@")

broken=()
for target in "${targets[@]}"; do
    # In memory where there is such a folder; the targets put their files there too.
    folder=$(mktemp -d -p /dev/shm 2>/dev/null || mktemp -d)
    mkdir "$folder/corpus"
    artifacts=$PWD/.build-fuzz/broken/$target
    mkdir -p "$artifacts"
    if TMPDIR=$folder "$program" "$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
        -artifact_prefix="$artifacts/" "$folder/corpus" 2>"$folder/log"; then
        echo "$target: $(sed -n 's/stat::number_of_executed_units: *//p' "$folder/log") inputs," \
            "coverage $(sed -n 's/.* cov: \([0-9]*\).*/\1/p' "$folder/log" | tail -n 1), nothing broke"
    else
        broken+=("$target")
        echo "$target: BROKEN, input kept below .build-fuzz/broken/$target"
        tail -n 25 "$folder/log" >&2
    fi
    rm -rf "$folder"
done
[ ${#broken[@]} -eq 0 ] || { echo "fuzz: broken: ${broken[*]}" >&2; exit 1; }
