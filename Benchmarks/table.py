"""The rows of the table, and how a program of this package is run for one."""

import json
import os
import pathlib
import statistics
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
PROGRAMS = HERE / ".build" / "release"


class Row:
    """One line of the table. `bar` is what `figure` is held against; `atLeast` or `atMost` says from which side."""

    def __init__(self, name, ours, peer, unit, ratio, figure, bar, side, note=""):
        self.name, self.ours, self.peer, self.unit, self.ratio = name, ours, peer, unit, ratio
        self.figure, self.bar, self.side, self.note = figure, bar, side, note

    @property
    def verdict(self):
        if self.figure is None:
            return "n/a"
        kept = self.figure >= self.bar if self.side == "atLeast" else self.figure <= self.bar
        return "ok" if kept else "MISSED"

    def cells(self):
        sign, suffix = ("≥" if self.side == "atLeast" else "≤"), ("×" if self.ratio is not None else f" {self.unit}")
        ratio = "" if self.ratio is None else f"{self.ratio:.2f}×"
        return [self.name, amount(self.ours, self.unit), amount(self.peer, self.unit), ratio,
                f"{sign} {self.bar:g}{suffix}", self.verdict + (f" ({self.note})" if self.note else "")]

    def data(self):
        return {"measurement": self.name, "ours": self.ours, "peer": self.peer, "unit": self.unit, "ratio": self.ratio,
                "bar": self.bar, "side": self.side, "verdict": self.verdict, "note": self.note}


def amount(value, unit):
    if value is None:
        return "–"
    return f"{value:,.0f} {unit}" if value >= 100 else f"{value:.1f} {unit}"


def missing(name, unit, bar, side, note):
    return Row(name, None, None, unit, None, None, bar, side, note)


def measure(program, *arguments, environment=None, timeout=300):
    """Runs a program of this package and reads its one line of JSON."""
    result = subprocess.run([str(PROGRAMS / program), *map(str, arguments)], capture_output=True, text=True,
                            env={**os.environ, **(environment or {})}, timeout=timeout)
    if result.returncode != 0:
        raise RuntimeError(f"{program} {arguments[0]}: {result.stderr.strip() or result.returncode}")
    return json.loads(result.stdout.strip().splitlines()[-1])


def middle(runs, figure="perSecond"):
    return statistics.median(run[figure] for run in runs)
