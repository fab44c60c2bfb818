#!/usr/bin/env python3
"""make bench: one table of what Pavise needs, what its peers need, and whether the bars of the project are kept.

Every ratio compares two programs of the same run: rounds alternate between ours and the peers, the ratio is the median
over the rounds, so that a noisy machine hits both. See README.md in this folder for what each row does.
"""

import argparse
import json
import os
import pathlib
import platform
import shutil
import subprocess
import sys
import tempfile

import storage
import table
from ats import ats_rows
from https import https_rows
from integrity import integrity_rows
from keychain import keychain_rows, million_rows
from limbo import limbo_rows
from log import document_rows, log_check_rows, log_rows
from nginx import Nginx
from session import session_rows
from storage import database_rows, storage_rows
from swtpm import SoftwareTPM
from sync import sync_rows
from table import HERE, PROGRAMS, Row, measure, middle, missing

ROOT = HERE.parent

# --- sealing, processes -----------------------------------------------------------------------------------------------

def sealing_rows():
    # How memory lies differs from process to process and makes up to a tenth of a short message: the middle of five counts.
    figures = middle_of_five("sealing")
    names = {"eciesSeal": "ECIES seal 1 KiB, OpenSSL in C", "eciesOpen": "ECIES open 1 KiB, OpenSSL in C",
             "enclaveOpen": "ECIES open 1 KiB, enclave key, OpenSSL in C",
             "gcmSeal": "AES-256-GCM seal 1 KiB, OpenSSL in C",
             "gcmPacket": "AES-256-GCM seal 1 KiB, a packet in memory of its own, OpenSSL in C",
             "gcmOpen": "AES-256-GCM open 1 KiB, OpenSSL in C"}
    rows = [Row(name, figures[key], figures[key + "Peer"], "µs", figures[key + "Ratio"], figures[key + "Ratio"],
                1.15 if key.startswith("ecies") else 1.3, "atMost") for key, name in names.items()]
    figures = middle_of_five("rsa")
    names = {"rsaSign": "RSA 2048 sign, OpenSSL in C", "rsaVerify": "RSA 2048 verify, OpenSSL in C",
             "rsaOpen": "RSA 2048 OAEP decrypt, OpenSSL in C"}
    rows += [Row(name, figures[key], figures[key + "Peer"], "µs", figures[key + "Ratio"], figures[key + "Ratio"],
                 1.15, "atMost") for key, name in names.items()]
    return rows + token_rows()


def token_rows():
    figures = middle_of_five("web-tokens")
    ours, peer, ratio = (figures["tokenVerify" + end] for end in ("", "Peer", "Ratio"))
    return [Row("RS256 token verified, its signature with OpenSSL in C", ours, peer, "µs", ratio, ratio, 1.1, "atMost"),
            Row("RS256 tokens verified, one core", 1e6 / ours, None, "/s", None, 1e6 / ours, 20_000, "atLeast")]


def middle_of_five(name):
    with tempfile.TemporaryDirectory(prefix="pavise-bench-") as home:
        runs = [measure("measure", name, environment={"PAVISE_HOME": home}) for _ in range(5)]
    return {key: middle(runs, key) for key in runs[0]}


def tpm_rows():
    name = "P-256 signature in swtpm, bare ESAPI calls in C"
    if not SoftwareTPM.is_installed():
        return [missing(name, "µs", 1.2, "atMost", "swtpm is not installed")]
    with tempfile.TemporaryDirectory(prefix="pavise-bench-") as folder, SoftwareTPM(folder) as tpm:
        sign = measure("measure", "tpm-sign", tpm.address, folder + "/device")
    return [Row(name, sign["ours"], sign["peer"], "µs", sign["ratio"], sign["ratio"], 1.2, "atMost")]


def process_rows(program):
    floor = measure("measure-process", 50, "true")
    start = measure("measure-process", 50, program, "--version")
    for run, what in ((floor, "true"), (start, "pavise --version")):
        # What ends early is fast.
        if run["status"] != 0:
            raise RuntimeError(f"{what} ended with {run['status']}")
    return [Row("pavise --version, start to end", start["milliseconds"], floor["milliseconds"], "ms", None,
                start["milliseconds"], 30, "atMost"), fetch_row(program)]


def fetch_row(program):
    """The peak of fetching 64 MB over a stored connection, certificate approved, from nginx."""
    with tempfile.TemporaryDirectory(prefix="pavise-bench-") as folder, Nginx(folder) as server:
        home = {"PAVISE_HOME": str(server.folder / "home")}
        connect = subprocess.run(
            [str(program), "connect", f"https://localhost:{server.http1}/", "--name", "bench", "--basic", "bench",
             "--approve-certificate", server.fingerprint],
            input="password\n", capture_output=True, text=True, env={**os.environ, **home}, timeout=60)
        if connect.returncode != 0:
            raise RuntimeError(f"pavise connect: {connect.stderr.strip() or connect.stdout.strip()}")
        target = str(server.folder / "answer")
        run = measure("measure-process", 3, program, "fetch", "bench", "/large", "-o", target, environment=home)
        if run["status"] != 0 or os.path.getsize(target) != 64 << 20:
            raise RuntimeError(f"pavise fetch ended with {run['status']}")
    peak = run["peakKilobytes"] / 1024
    return Row("pavise fetch of 64 MB, peak memory", peak, None, "MB", None, peak, 60, "atMost",
               f"{run['milliseconds']:.0f} ms")


# --- main -------------------------------------------------------------------------------------------------------------

def machine():
    names = [line.split(":")[1].strip() for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines()
             if line.startswith("model name")]
    first = lambda *command: (subprocess.run(command, capture_output=True, text=True).stdout.splitlines() or ["?"])[0]
    return {"cores": os.cpu_count(), "processor": names[0] if names else platform.machine(),
            "kernel": platform.release(), "swift": first("swift", "--version"), "openssl": first("openssl", "version"),
            "libcurl": first("curl", "--version"), "nginx": Nginx("/nowhere").version(),
            "load": [round(value, 2) for value in os.getloadavg()]}


def build():
    # SwiftPM does not look for new files in a package that is referred to by path; a newer manifest makes it look.
    (HERE / "Package.swift").touch()
    # Nor does it compile the measurements anew when a type of Pavise that they use has got another layout: they would crash.
    shutil.rmtree(PROGRAMS / "measure.build", ignore_errors=True)
    subprocess.run(["swift", "build", "-c", "release", "--package-path", str(HERE)], check=True, stdout=sys.stderr)
    subprocess.run([str(ROOT / "Scripts" / "program"), "pavise", "pavise-lab", "IntegrityProbe"], check=True, stdout=sys.stderr)


def collect(groups):
    """Runs each group; of one that fails it keeps why. A program that crashed is no figure, and no success."""
    rows, broken = [], []
    for name, group in groups.items():
        try:
            rows += group()
        except (RuntimeError, LookupError, ArithmeticError, ValueError, StopIteration, subprocess.SubprocessError, OSError) as problem:
            broken.append(f"{name}: {problem}")
    return rows, broken


def print_table(rows):
    lines = [["measurement", "ours", "peer", "ratio", "bar", "verdict"]] + [row.cells() for row in rows]
    widths = [max(len(line[column]) for line in lines) for column in range(6)]
    for line in lines:
        print("  ".join(cell.ljust(width) if column in (0, 5) else cell.rjust(width)
                        for column, (cell, width) in enumerate(zip(line, widths))).rstrip())


def self_test():
    """Each mark that an error could pass is measured with programs that fail at once, or with one that says yes to everything."""
    def unnoticed(what, body):
        rows, broken = collect({what: body})
        return [] if broken and not rows else [f"{what}: {[row.data() for row in rows]}"]

    wrong = []
    for problem in (RuntimeError("x"), KeyError("x"), IndexError("x"), ValueError("x"), ZeroDivisionError("x"), StopIteration("x"),
                    subprocess.CalledProcessError(1, "x"), subprocess.TimeoutExpired("x", 1), OSError("x")):
        def group(problem=problem):
            raise problem
        wrong += unnoticed(type(problem).__name__, group)
    real = {"measure": measure, "fetch_row": fetch_row}
    try:
        globals()["fetch_row"] = lambda program: missing("fetch", "MB", 60, "atMost", "")
        for ending in ("true", "--version"):
            globals()["measure"] = lambda *words, ending=ending, **_: {"milliseconds": 1, "status": 134 if words[-1] == ending else 0}
            wrong += unnoticed(f"a program that ends early: {ending}", lambda: process_rows("pavise"))
    finally:
        globals().update(real)
    with tempfile.TemporaryDirectory(prefix="pavise-bench-") as folder:
        programs, contents = pathlib.Path(folder) / "programs", [bytes([seed]) * (3 * 65_536 - 100) for seed in (1, 2)]
        programs.mkdir()

        def noticed():
            count = storage.ours_noticed(pathlib.Path(folder), *contents)
            return [Row("changes of a file refused", count, None, "", None, count, 6, "atLeast")]
        real = storage.PROGRAMS
        try:
            storage.PROGRAMS = table.PROGRAMS = programs
            for name, script in FAILING.items():
                (programs / "measure").write_text("#!/bin/sh\n" + script)
                (programs / "measure").chmod(0o755)
                for what, body in (("changes noticed", noticed), ("commits lost", lambda: storage.cut_rows(None)),
                                   ("pages named", lambda: storage.older_rows(None))):
                    if name in what:
                        wrong += unnoticed(what, body)
        finally:
            storage.PROGRAMS = table.PROGRAMS = real
    for problem in wrong:
        print("bench: self-test: a mark was passed by an error:", problem)
    print(f"bench: self-test: {len(wrong)} errors passed a mark")
    return 1 if wrong else 0


# What the measurements of storage are played with: whoever refuses all files, never opens a database, or names no page.
FAILING = {
    "noticed": '''case $1 in
storage-put) mkdir -p "$PAVISE_HOME/containers/bench/files"; (head -c 148 /dev/zero; cat "$2") >"$PAVISE_HOME/containers/bench/files/1"; echo '{"id": "1"}' ;;
*) exit 1 ;;
esac''',
    "lost": '''case $1 in
database-commits) mkdir -p "$PAVISE_HOME/containers/bench/database"; echo x >"$PAVISE_HOME/containers/bench/database/1.db-wal"; kill -9 $$ ;;
*) exit 1 ;;
esac''',
    "named": '''case $1 in
database-close) d="$PAVISE_HOME/containers/bench/database"; mkdir -p "$d"; head -c 16384 /dev/urandom >"$d/1.db"; echo '{"rows": 50}' ;;
*) exit 1 ;;
esac''',
}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--self-test", action="store_true", help="plant errors that a mark could be passed by")
    parser.add_argument("--strict", action="store_true", help="exit 1 also when a bar is missed or a row is not available")
    parser.add_argument("--json", action="store_true", help="print data instead of the table")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--seconds", type=float, default=0.7, help="length of one HTTPS run")
    parser.add_argument("--items", type=int, default=10_000, help="items in the keychain that is read")
    parser.add_argument("--only", choices=["https", "keychain", "million", "sealing", "tpm", "process", "ats", "trust", "session",
                                           "storage", "database", "sync", "log", "documents", "integrity"])
    parser.add_argument("--no-build", action="store_true")
    options = parser.parse_args()
    if options.self_test:
        return self_test()
    if not options.no_build:
        build()
    groups = {"https": lambda: https_rows(options.rounds, options.seconds),
              "keychain": lambda: keychain_rows(options.items, ROOT / ".build" / "release" / "pavise"),
              "million": million_rows, "sealing": sealing_rows, "tpm": tpm_rows,
              "process": lambda: process_rows(ROOT / ".build" / "release" / "pavise"),
              "ats": lambda: ats_rows(ROOT / ".build" / "release" / "pavise"),
              "trust": lambda: limbo_rows(options.rounds), "session": lambda: session_rows(options.seconds),
              "storage": lambda: storage_rows(options.rounds), "database": lambda: database_rows(options.rounds),
              "sync": lambda: sync_rows(ROOT / ".build" / "release" / "pavise"),
              "log": lambda: log_rows(options.rounds) + log_check_rows(ROOT / ".build" / "release" / "pavise"),
              "documents": lambda: document_rows(options.rounds), "integrity": integrity_rows}
    # A million items take minutes to write.
    full = os.environ.get("PAVISE_FULL")
    rows, broken = collect({name: group for name, group in groups.items()
                            if options.only == name or options.only is None and (name != "million" or full)})
    if options.json:
        print(json.dumps({"machine": machine(), "rows": [row.data() for row in rows], "broken": broken}, indent=2))
    else:
        print_table(rows)
        for problem in broken:
            print("not measured:", problem)
        print(", ".join(f"{name} {value}" for name, value in machine().items()))
    missed = any(row.verdict != "ok" for row in rows)
    return 1 if broken or options.strict and missed else 0


if __name__ == "__main__":
    sys.exit(main())
