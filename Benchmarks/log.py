"""The log: a line that is dropped, and one that is masked and kept, beside a logger in swift-log's shape. And pages of HTML, and logs
of other programs."""

import os
import subprocess

from table import Row, measure


def log_rows(rounds):
    run = measure("measure", "log-lines", rounds)
    if not run["written"]:
        raise RuntimeError("a line that was to be kept was not written")

    def row(name, figure, bar, note=""):
        nanoseconds = 1000 * run[figure]
        return Row(name, nanoseconds, 1000 * run[figure + "Peer"], "ns", None, nanoseconds, bar, "atMost", note)

    return [row("log line below the level, swift-log's shape", "dropped", 5),
            row("log line that a release does not have, swift-log's shape", "notBuilt", 5),
            row("log line masked and kept, swift-log's shape without masking", "kept", 1200)]


def document_rows(rounds):
    run = measure("measure", "document-pages", rounds)
    growth = run["hundred"] / run["one"] / 100
    return [Row("page of 1 MB of HTML", run["one"], None, "ms", None, run["one"], 100, "atMost"),
            Row("100,000 nested elements", run["nested"], None, "ms", None, run["nested"], 50, "atMost"),
            Row("page of 100 MB, beside 100 times 1 MB", run["hundred"], 100 * run["one"], "ms", growth, growth, 1.5, "atMost")]


def log_check_rows(program):
    """The peak of `pavise log check -` over a gigabyte that comes through a pipe: one line without an end, and many lines."""
    line = b"2026-11-27T21:00:00.000Z web-4 app[1412]: GET /files/7/report?page=2&size=40 200 1532 B in 18 ms\n"
    return [check_row(program, "without a line end", b"a" * (1 << 20)), check_row(program, "of lines", line * ((1 << 20) // len(line)))]


def check_row(program, what, block):
    # Sixteen blocks first: what a gigabyte adds to that is what is not flat.
    few, peak = peak_of_check(program, block, 16), peak_of_check(program, block, 1024)
    return Row(f"log check of 1 GB {what}, peak memory", peak, None, "MB", None, peak, 60, "atMost", f"{few:.0f} MB for 16 MB")


def peak_of_check(program, block, count):
    process = subprocess.Popen([str(program), "log", "check", "-"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
    for _ in range(count):
        process.stdin.write(block)
    process.stdin.close()
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        raise RuntimeError(f"pavise log check ended with {os.waitstatus_to_exitcode(status)}")
    return usage.ru_maxrss / 1024
