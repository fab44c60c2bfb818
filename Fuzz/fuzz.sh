#!/bin/bash
# Builds the fuzz targets and runs each for some seconds or executions; an input that breaks one ends this with status 1.
# Usage: Fuzz/fuzz.sh [--plain] [--seconds N | --runs N] [TARGET…]
# --plain leaves out the address sanitizer: two to four times the executions, for long runs. Traps, hangs and broken
# properties end a run all the same; what C code does with memory, and leaks, only the sanitizer sees.
set -eu

cd "$(dirname "$0")"
sanitizer=--sanitize=address scratch=.build-fuzz limit=-max_total_time=20
while [ $# -gt 0 ]; do
    case $1 in
    --plain) sanitizer='' scratch=.build-plain; shift ;;
    --seconds) limit=-max_total_time=$2; shift 2 ;;
    --runs) limit=-runs=$2; shift 2 ;;
    *) break ;;
    esac
done

# The instrumentation goes into the libraries under test as well; gold cannot link it.
# SwiftPM does not look for new files in a package that is referred to by path; a newer manifest makes it look.
touch Package.swift
build=(swift build -c release --scratch-path "$scratch")
# The auditor is a package of its own; its targets begin with `audit-`.
auditor=(env PAVISE_FUZZ=1 swift build -c release --package-path ../Auditor --scratch-path "$scratch-auditor")
flags=($sanitizer -Xswiftc -sanitize=fuzzer -Xswiftc -use-ld=lld -Xswiftc -enable-testing)
own=0 auditors=0
[ $# -gt 0 ] || own=1 auditors=1
for target in "$@"; do case $target in audit-*) auditors=1 ;; *) own=1 ;; esac; done
[ $own = 0 ] || "${build[@]}" "${flags[@]}" >&2
[ $auditors = 0 ] || "${auditor[@]}" "${flags[@]}" --product audit-fuzz >&2
fuzz=$("${build[@]}" --show-bin-path)/fuzz
audit_fuzz=$("${auditor[@]}" --show-bin-path)/audit-fuzz

# A crash must come back at once, and Swift's own report of it prints memory. What was freed is kept away from reuse for
# 16 MiB, and one frame of each allocation is noted: the defaults take half of the time. Repeat a find without them.
export SWIFT_BACKTRACE=enable=no UBSAN_OPTIONS=
export ASAN_OPTIONS=detect_leaks=1:quarantine_size_mb=16:malloc_context_size=1
targets=("$@")
if [ $# -eq 0 ]; then
    # A program that cannot say what it has ends this: else nothing would be run, and nothing would break.
    own=$("$fuzz" list)
    auditors=$("$audit_fuzz" list)
    mapfile -t targets <<<"$own"$'\n'"$auditors"
fi

broken=() folder=''
# What lies in memory is gone with whoever stops this.
trap '[ -z "$folder" ] || rm -rf "$folder"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
for target in "${targets[@]}"; do
    # In memory where there is such a folder; the targets put their files there too.
    folder=$(mktemp -d -p /dev/shm 2>/dev/null || mktemp -d)
    mkdir "$folder/corpus"
    case $target in audit-*) program=$audit_fuzz ;; *) program=$fuzz ;; esac
    artifacts=$PWD/$scratch/broken/$target
    mkdir -p "$artifacts"
    if TMPDIR=$folder "$program" "$target" "$limit" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
        -artifact_prefix="$artifacts/" "$folder/corpus" 2>"$folder/log" &&
        inputs=$(sed -n 's/stat::number_of_executed_units: *//p' "$folder/log") && [ "${inputs:-0}" -gt 0 ]; then
        echo "$target: $inputs inputs," \
            "$(sed -n 's/stat::average_exec_per_sec: *//p' "$folder/log") a second," \
            "coverage $(sed -n 's/.* cov: \([0-9]*\).*/\1/p' "$folder/log" | tail -n 1), nothing broke"
    else
        broken+=("$target")
        echo "$target: BROKEN, input kept below $scratch/broken/$target"
        tail -n 25 "$folder/log" >&2
    fi
    rm -rf "$folder"
done
[ ${#broken[@]} -eq 0 ] || { echo "fuzz: broken: ${broken[*]}" >&2; exit 1; }
