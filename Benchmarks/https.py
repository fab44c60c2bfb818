"""HTTPS: small requests over kept connections and over new ones, and a download of 1 GiB."""

import os
import pathlib
import shutil
import statistics
import tempfile

from nginx import Nginx
from table import PROGRAMS, Row, measure, middle, missing

GIBIBYTE = 1 << 30


def https_rows(rounds, seconds):
    rows = []
    with tempfile.TemporaryDirectory(prefix="pavise-bench-") as folder, Nginx(folder) as server:
        for version, port in (("1.1", server.http1), ("2", server.http2)):
            for in_flight in (1, 16, 64):
                rows += kept_case(server, version, port, in_flight, rounds, seconds)
        for in_flight in (1, 16):
            rows.append(fresh_row(server, in_flight, rounds, seconds))
        rows += download_rows(server)
    return rows


def kept_case(server, version, port, in_flight, rounds, seconds):
    """Connections are kept; each of the three may open as many as requests are in flight. Libcurl takes part in twice as many
    rounds: its ratio is the one that comes near its bar."""
    address = f"https://localhost:{port}"
    pair = [f"{address}/sixty", f"{address}/protocol"]
    spoken = {"1.1": "HTTP/1.1", "2": "HTTP/2.0"}[version]
    preload = {"LD_PRELOAD": str(PROGRAMS / "libBenchAnchors.so"), "BENCH_ANCHORS": server.anchors}
    runs = {"ours": [], "curl": [], "session": []}
    for number in range(2 * rounds):
        runs["ours"].append(measure("measure", "http-pavise", *pair, server.anchors, in_flight, seconds, version))
        runs["curl"].append(measure("measure", "http-curl", *pair, server.anchors, in_flight, seconds, version))
        if number < rounds:
            runs["session"].append(measure("measure-urlsession", *pair, in_flight, seconds, environment=preload))
    name = f"GET 60 B, HTTP/{version}, {in_flight} in flight"
    bars = (3.5, 0.75) if in_flight == 1 else (8, 0.8)
    return [rate_row(f"{name}, URLSession", runs["ours"], runs["session"], spoken, bars[0]),
            rate_row(f"{name}, libcurl in C", runs["ours"], runs["curl"], spoken, bars[1])]


def fresh_row(server, in_flight, rounds, seconds):
    """A handshake with all checks for each request: the server closes after each, and nobody can resume a session."""
    address = f"https://localhost:{server.fresh}"
    call = [f"{address}/sixty", f"{address}/protocol", server.anchors, in_flight, seconds, "1.1"]
    ours, peer = [], []
    for _ in range(rounds):
        ours.append(measure("measure", "http-pavise", *call))
        peer.append(measure("measure", "http-curl", *call))
    return rate_row(f"new connections, {in_flight} in flight, libcurl in C", ours, peer, "HTTP/1.1", 0.8)


def rate_row(name, ours, peer, spoken, bar):
    for run in ours + peer:
        if run["failures"]:
            return missing(name, "/s", bar, "atLeast", f"{run['failures']} of {run['requests']} requests failed")
    if any(run["protocol"] != spoken for run in ours):
        return missing(name, "/s", bar, "atLeast", f"we spoke {ours[0]['protocol']}")
    note = "" if all(run["protocol"] == spoken for run in peer) else f"peer spoke {peer[0]['protocol']}"
    ratio = statistics.median(one["perSecond"] / other["perSecond"] for one, other in zip(ours, peer))
    return Row(name, middle(ours), middle(peer), "/s", ratio, ratio, bar, "atLeast", note)


def download_rows(server):
    """1 GiB to a file, whole processes; the file lies in memory where the system has a place for that."""
    curl = shutil.which("curl")
    name = "download of 1 GiB, curl -o"
    if not curl:
        return [missing(name, "MB/s", 0.9, "atLeast", "curl is not installed")]
    memory = pathlib.Path("/dev/shm")
    place = memory if memory.is_dir() and shutil.disk_usage(memory).free > 3 * GIBIBYTE else None
    address = f"https://localhost:{server.http1}/open"
    with tempfile.TemporaryDirectory(prefix="pavise-bench-", dir=place) as folder:
        target = pathlib.Path(folder) / "target"
        ours, peer = [], []
        for _ in range(7):
            ours.append(timed(target, GIBIBYTE, PROGRAMS / "measure", "http-download", f"{address}/huge", server.anchors, target))
            peer.append(timed(target, GIBIBYTE, curl, "-s", "--cacert", server.anchors, "-o", target, f"{address}/huge"))
        small = timed(target, 64 << 20, PROGRAMS / "measure", "http-download", f"{address}/large", server.anchors, target)
    ratio = statistics.median(other["milliseconds"] / one["milliseconds"] for one, other in zip(ours, peer))
    speed = lambda runs: GIBIBYTE / 1e3 / middle(runs, "milliseconds")
    peak, start = (max(run["peakKilobytes"] for run in runs) / 1024 for runs in (ours, [small]))
    return [Row(name, speed(ours), speed(peer), "MB/s", ratio, ratio, 0.9, "atLeast"),
            Row("download of 1 GiB, peak memory, 64 MiB", peak, start, "MB", peak / start, peak / start, 1.1, "atMost",
                f"curl {max(run['peakKilobytes'] for run in peer) / 1024:.0f} MB")]


def timed(target, size, *command):
    run = measure("measure-process", 1, *command)
    if run["status"] != 0 or os.path.getsize(target) != size:
        raise RuntimeError(f"{command[0]} ended with {run['status']}")
    target.unlink()
    return run
