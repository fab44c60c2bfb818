"""Trust: the processor time to read and judge a file of x509-limbo and BetterTLS, ours and pyca's cryptography."""

import json
import lzma
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

from table import HERE, Row, missing

NAME = "limbo and BetterTLS, read and judged, pyca"
PROGRAM = HERE.parent / "Conformance" / ".build" / "release" / "conformance"


def limbo_rows(rounds):
    source = vectors()
    python = peer()
    if not source or not python:
        lacking = "the vectors are not there" if not source else "Python's package cryptography is not there"
        return [missing(NAME, "ms", 1, "atMost", f"skipped: {lacking}")]
    subprocess.run(["swift", "build", "-c", "release", "--package-path", str(HERE.parent / "Conformance"),
                    "--product", "conformance"], check=True, stdout=sys.stderr)
    with tempfile.TemporaryDirectory(prefix="pavise-bench-") as folder:
        file = expanded(source, pathlib.Path(folder))
        pairs = [(seconds([PROGRAM, "limbo", file]), seconds([python, HERE / "limbo_peer.py", file]))
                 for _ in range(rounds)]
    ratio = statistics.median(ours / other for ours, other in pairs)
    ours, other = (statistics.median(column) * 1000 for column in zip(*pairs))
    return [Row(NAME, ours, other, "ms", ratio, ratio, 1, "atMost", f"one core; cryptography {version(python)}")]


def vectors():
    root = HERE.parent
    folders = [os.environ.get("PAVISE_VECTORS"), root / "../shared/vectors", root / "../../shared/vectors"]
    for folder in filter(None, folders):
        files = sorted(pathlib.Path(folder).glob("limbo/*.json.xz"))
        if files:
            return files[0]
    return None


def peer():
    """The Python that has the package: this one, or that of the folder which `make conformance` prepares."""
    own = HERE.parent / "Conformance" / ".venv" / "bin" / "python"
    return next((python for python in (str(own), sys.executable) if version(python)), None)


def version(python):
    command = [python, "-c", "import cryptography; print(cryptography.__version__)"]
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=60).stdout.strip()
    except OSError:
        return ""


def expanded(source, folder):
    target = folder / "cases.json"
    with lzma.open(source) as packed, open(target, "wb") as file:
        shutil.copyfileobj(packed, file)
    return str(target)


def seconds(command):
    """User and system time of one run on one core: another program's load changes it less than the time of a clock."""
    core = min(os.sched_getaffinity(0))
    process = subprocess.Popen([str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                               preexec_fn=lambda: os.sched_setaffinity(0, {core}))
    output = process.stdout.read()
    process.stdout.close()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0 or not json.loads(output):
        raise RuntimeError(f"{command[0]} ended with {process.returncode}")
    return usage.ru_utime + usage.ru_stime
