#!/bin/bash
# Compares Pavise with a model of itself under kill -9, and with an implementation of somebody else.
# Usage: Conformance/conformance.sh [--seed N] [--workers N] [--operations N]
# PAVISE_FULL=1 goes through every call of every write and every bit of every file, which takes hours.
set -eu

cd "$(dirname "$0")"
# SwiftPM does not look for new files in a package that is referred to by path; a newer manifest makes it look.
touch Package.swift
swift build -c release >&2
programs=$(swift build -c release --show-bin-path)

export SWIFT_BACKTRACE=enable=no
"$programs/keychain-chaos" "$@"
"$programs/keychain-chaos" self-test

# These two start thousands of processes or write thousands of files: in memory, where there is such a folder.
[ ! -d /dev/shm ] || export TMPDIR=/dev/shm
if [ -n "${PAVISE_FULL:-}" ]; then points=100000 every=1; else points=5 every=997; fi
"$programs/keychain-chaos" points --points "$points"
# Of writes with few calls each call is tried here too, and short writes at every write.
"$programs/storage-chaos" --points "$points" --whole 25
"$programs/storage-chaos" short --points 100000
"$programs/keychain-chaos" flips --every "$every"
# A thousand callers, eight processes, a kill at each step of a refresh, a thousand passing faults, ten thousand callbacks.
"$programs/session-chaos"
unset TMPDIR

# The published suites, where their files are: PAVISE_VECTORS, or shared/vectors beside the package.
vectors=
for folder in "${PAVISE_VECTORS:-}" ../../shared/vectors ../../../shared/vectors; do
    if [ -z "$vectors" ] && [ -d "$folder/limbo" ]; then vectors=$folder; fi
done

# Changed chains, made here and of public servers: a sample here, a million with PAVISE_FULL=1.
if [ -n "${PAVISE_FULL:-}" ]; then mutations=1000000; else mutations=200000; fi
published=()
[ -z "$vectors" ] || published=("$vectors"/limbo/*.json.xz)
"$programs/conformance" mutations "$mutations" 4 "${published[@]}"

if [ -n "$vectors" ]; then
    "$programs/conformance" ats "$vectors/ats/ats-vectors.json"
    "$programs/conformance" limbo "$vectors"/limbo/*.json.xz
    "$programs/conformance" hostnames "$vectors/hostnames"
    "$programs/conformance" wycheproof "$vectors/wycheproof"

    # A suite that cannot fail shows nothing: with one published verdict turned around each must end with 1.
    plants=(
        "ats first $vectors/ats/ats-vectors.json" "limbo first $vectors/limbo/limbo-half.json.xz"
        "hostnames first $vectors/hostnames" "wycheproof ecdsa_secp256r1_sha256/1 $vectors/wycheproof"
        "wycheproof json_web_signature/371 $vectors/wycheproof" "wycheproof x25519_jwk/1 $vectors/wycheproof"
    )
    for plant in "${plants[@]}"; do
        read -r suite case path <<<"$plant"
        status=0
        "$programs/conformance" "$suite" --plant "$case" "$path" >/dev/null 2>&1 || status=$?
        [ $status = 1 ] || { echo "conformance: $suite: a wrong verdict planted at $case went unnoticed ($status)" >&2; exit 1; }
    done
    echo "planted wrong verdicts: ${#plants[@]} of ${#plants[@]} runs failed, as they have to"
else
    echo "published suites (ats, limbo, hostnames, wycheproof): skipped, no vectors at PAVISE_VECTORS or in shared/vectors"
fi

# The lab's attacks, through the client, URLSession, an app's account and the program.
[ -x ../.build/release/pavise ] || (cd .. && Scripts/program >&2)
"$programs/attack-matrix" --program ../.build/release/pavise

# Python's package index is asked only where the package is not there yet; without it the check says "skipped".
python=python3
if ! python3 -c 'import cryptography' 2>/dev/null; then
    [ -x .venv/bin/python ] || python3 -m venv .venv 2>/dev/null || true
    [ ! -x .venv/bin/python ] || .venv/bin/python -m pip install -q --disable-pip-version-check --no-input \
        --require-hashes --only-binary=:all: --no-deps -r requirements.txt 2>/dev/null || true
    [ ! -x .venv/bin/python ] || python=.venv/bin/python
fi
"$python" ecies.py "$programs/ecies-packets"
# The vectors of protected files, read with their document alone.
if "$python" -c 'import cryptography' 2>/dev/null; then "$python" sealed_files.py; else echo "sealed files: skipped"; fi
