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
    return [Row("pavise --version, start to end", start["milliseconds"], floor["milliseconds"], "ms", None,
                start["milliseconds"], 30, "atMost", ended(start)), fetch_row(program)]


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


def ended(run):
    return "" if run["status"] == 0 else f"exit {run['status']}"


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
        except (RuntimeError, KeyError, subprocess.TimeoutExpired, OSError) as problem:
            broken.append(f"{name}: {problem}")
    return rows, broken


def print_table(rows):
    lines = [["measurement", "ours", "peer", "ratio", "bar", "verdict"]] + [row.cells() for row in rows]
    widths = [max(len(line[column]) for line in lines) for column in range(6)]
    for line in lines:
        print("  ".join(cell.ljust(width) if column in (0, 5) else cell.rjust(width)
                        for column, (cell, width) in enumerate(zip(line, widths))).rstrip())


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--strict", action="store_true", help="exit 1 also when a bar is missed or a row is not available")
    parser.add_argument("--json", action="store_true", help="print data instead of the table")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--seconds", type=float, default=0.7, help="length of one HTTPS run")
    parser.add_argument("--items", type=int, default=10_000, help="items in the keychain that is read")
    parser.add_argument("--only", choices=["https", "keychain", "million", "sealing", "tpm", "process", "ats", "trust", "session",
                                           "storage", "database", "sync", "log", "documents", "integrity"])
    parser.add_argument("--no-build", action="store_true")
    options = parser.parse_args()
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
