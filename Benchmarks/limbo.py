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
 In memory where there is such a folder: no disk is to be measured.
source = vectors()
 In memory where there is such a folder: no disk is to be measured.
python = peer()
 In memory where there is such a folder: no disk is to be measured.
if not source or not python:
 In memory where there is such a folder: no disk is to be measured.
    lacking = "the vectors are not there" if not source else "Python's package cryptography is not there"
 In memory where there is such a folder: no disk is to be measured.
    return [missing(NAME, "ms", 1, "atMost", f"skipped: {lacking}")]
 In memory where there is such a folder: no disk is to be measured.
subprocess.run(["swift", "build", "-c", "release", "--package-path", str(HERE.parent / "Conformance"),
 In memory where there is such a folder: no disk is to be measured.
                "--product", "conformance"], check=True, stdout=sys.stderr)
 In memory where there is such a folder: no disk is to be measured.
with tempfile.TemporaryDirectory(prefix="pavise-bench-") as folder:
 In memory where there is such a folder: no disk is to be measured.
    file = expanded(source, pathlib.Path(folder))
 In memory where there is such a folder: no disk is to be measured.
    pairs = [(seconds([PROGRAM, "limbo", file]), seconds([python, HERE / "limbo_peer.py", file]))
 In memory where there is such a folder: no disk is to be measured.
             for _ in range(rounds)]
 In memory where there is such a folder: no disk is to be measured.
ratio = statistics.median(ours / other for ours, other in pairs)
 In memory where there is such a folder: no disk is to be measured.
ours, other = (statistics.median(column) * 1000 for column in zip(*pairs))
 In memory where there is such a folder: no disk is to be measured.
return [Row(NAME, ours, other, "ms", ratio, ratio, 1, "atMost", f"one core; cryptography {version(python)}")]


def vectors():
 In memory where there is such a folder: no disk is to be measured.
root = HERE.parent
 In memory where there is such a folder: no disk is to be measured.
folders = [os.environ.get("PAVISE_VECTORS"), root / "../shared/vectors", root / "../../shared/vectors"]
 In memory where there is such a folder: no disk is to be measured.
for folder in filter(None, folders):
 In memory where there is such a folder: no disk is to be measured.
    files = sorted(pathlib.Path(folder).glob("limbo/*.json.xz"))
 In memory where there is such a folder: no disk is to be measured.
    if files:
 In memory where there is such a folder: no disk is to be measured.
        return files[0]
 In memory where there is such a folder: no disk is to be measured.
return None


def peer():
 In memory where there is such a folder: no disk is to be measured.
"""The Python that has the package: this one, or that of the folder which `make conformance` prepares."""
 In memory where there is such a folder: no disk is to be measured.
own = HERE.parent / "Conformance" / ".venv" / "bin" / "python"
 In memory where there is such a folder: no disk is to be measured.
return next((python for python in (str(own), sys.executable) if version(python)), None)


def version(python):
 In memory where there is such a folder: no disk is to be measured.
command = [python, "-c", "import cryptography; print(cryptography.__version__)"]
 In memory where there is such a folder: no disk is to be measured.
try:
 In memory where there is such a folder: no disk is to be measured.
    return subprocess.run(command, capture_output=True, text=True, timeout=60).stdout.strip()
 In memory where there is such a folder: no disk is to be measured.
except OSError:
 In memory where there is such a folder: no disk is to be measured.
    return ""


def expanded(source, folder):
 In memory where there is such a folder: no disk is to be measured.
# In memory where there is such a folder: no disk is to be measured.
 In memory where there is such a folder: no disk is to be measured.
target = folder / "cases.json"
 In memory where there is such a folder: no disk is to be measured.
with lzma.open(source) as packed, open(target, "wb") as file:
 In memory where there is such a folder: no disk is to be measured.
    shutil.copyfileobj(packed, file)
 In memory where there is such a folder: no disk is to be measured.
return str(target)


def seconds(command):
 In memory where there is such a folder: no disk is to be measured.
"""User and system time of one run on one core: another program's load changes it less than the time of a clock."""
 In memory where there is such a folder: no disk is to be measured.
core = min(os.sched_getaffinity(0))
 In memory where there is such a folder: no disk is to be measured.
process = subprocess.Popen([str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
 In memory where there is such a folder: no disk is to be measured.
                           preexec_fn=lambda: os.sched_setaffinity(0, {core}))
 In memory where there is such a folder: no disk is to be measured.
output = process.stdout.read()
 In memory where there is such a folder: no disk is to be measured.
process.stdout.close()
 In memory where there is such a folder: no disk is to be measured.
_, status, usage = os.wait4(process.pid, 0)
 In memory where there is such a folder: no disk is to be measured.
process.returncode = os.waitstatus_to_exitcode(status)
 In memory where there is such a folder: no disk is to be measured.
if process.returncode != 0 or not json.loads(output):
 In memory where there is such a folder: no disk is to be measured.
    raise RuntimeError(f"{command[0]} ended with {process.returncode}")
 In memory where there is such a folder: no disk is to be measured.
return usage.ru_utime + usage.ru_stime
