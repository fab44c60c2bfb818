"""Servers that come as Python packages: `Scripts/bootstrap integration` installs them where it can, else their stories are
skipped."""

import functools
import os
import pathlib
import re
import subprocess

FOLDER = pathlib.Path(__file__).resolve().parent.parent / ".build" / "integration"
PYTHON = FOLDER / "bin" / "python"
PINNED = pathlib.Path(__file__).resolve().parent / "requirements.txt"


def python_environment():
    """What a server's process gets to know of this one."""
    keep = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "LANG")}
    return keep | {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONUNBUFFERED": "1"}


@functools.cache
def missing():
    """Why the servers cannot be played, or nothing."""
    if not PYTHON.exists():
        return "the Python packages of Integration/requirements.txt are not installed; run Scripts/bootstrap integration"
    program = "import importlib.metadata as m; print(*(f\"{d.metadata['Name']}=={d.version}\" for d in m.distributions()))"
    listed = subprocess.run([PYTHON, "-c", program], check=True, capture_output=True, text=True).stdout.split()
    # A name may be written with dots and underscores too (PyPA, "Name normalization").
    found = {re.sub(r"[-_.]+", "-", name).lower() + "==" + version for name, _, version in (
        one.partition("==") for one in listed)}
    absent = sorted(set(re.findall(r"(?m)^[^#\s]+==\S+", PINNED.read_text())) - found)
    return f"other versions than the pinned ones are installed: {absent[0]} is missing" if absent else None


def versions():
    """The servers that are installed; their versions are pinned, so a line for each is all there is to say."""
    if missing():
        return []
    return [f"{name} {version}" for name, version in re.findall(
        r"(?m)^(django-oauth-toolkit|canaille)==([\d.]+)", PINNED.read_text())]
