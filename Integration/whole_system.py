#!/usr/bin/env python3
"""make whole-system: everything at once on one machine for a time, while it goes wrong; then nothing acknowledged may be lost.

Usage: whole_system.py PROGRAM [--seconds N] [--seed N] [--sanitize address|thread]
       whole_system.py --self-test     plants each kind of failure, and sees that it is noticed

Three homes on a small disk: one with a keychain, sealed files, a lock and two accounts; two that keep a folder equal over a
server of WebDAV; one that an administrator gives orders to. Meanwhile the disk fills, processes are killed, the wall clock jumps
and servers fail. With --sanitize the programs are built anew in a folder of their own, and any report ends the run with 1.
"""

import argparse
import json
import os
import pathlib
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

import invariants
from invariants import Gauge, Trail
from journal import Sinks
from people import PASSPHRASE, Auditor, Folder, Guard, Keeper, Subordinate, Traveller, Writers
from program import Program, spki
from servers import Authority, free_port
from surroundings import ROOT, Disturbance, Machine, World
from sync_server import Dialect


class Play:
    """Servers, homes, and everybody who does something."""

    def __init__(self, world):
        self.world = world
        self.start_servers()
        work, ordered, first, second = self.homes = [Machine(world, name) for name in ("work", "ordered", "first", "second")]
        status, _, said = work.call(world.chance("start"), "lock", "set", "--passphrase", "--pin-stdin", text=PASSPHRASE + "\n")
        assert status == 0, said
        trails = [(work, Trail()), (ordered, Trail())]
        self.keepers = [Keeper(world, work, kind) for kind in ("keychain", "files")]
        self.guard = Guard(world, work, trails[0][1])
        weak = [row["address"] for row in self.weak.facts()["servers"]]
        self.travellers = [Traveller(world, work, ["home", "office"], self.facts, weak), Traveller(world, first, ["long"], self.facts, [])]
        for traveller in self.travellers:
            for name in traveller.names:
                # A slow machine gets a second chance.
                assert traveller.sign_in(name) or traveller.sign_in(name), "no sign-in before anything goes wrong"
        self.subordinate = Subordinate(world, ordered, self.facts, trails[1][1])
        url, fingerprint = f"https://localhost:{self.dav.server_address[1]}/", spki(world.folder / "dav.leaf")
        self.folders = [Folder(world, program, url, fingerprint, self.dav.password) for program in (first, second)]
        self.writers, self.auditor = Writers(world, self.folders, self.dav.tree), Auditor(world, trails, self.homes)
        self.disturbance = Disturbance(world, self.dav.tree)
        self.start_lasting(first)

    def start_servers(self):
        world, lab = self.world, Machine(self.world, "lab", jumps=False)
        words = ["authority", "--access-lifetime", "15", "--rotation", "grace", "--grace", "60", "--settings", world.settings]
        # It keeps every token that it ever gave: some KiB for each.
        self.authority = self.lab(lab, "authority", *words, allowance=Gauge.ALLOWANCE + 16 * world.seconds)
        self.weak = self.lab(lab, "servers", "servers")
        self.facts = self.authority.facts()
        for user in self.facts["users"]:
            world.sinks.hide(user["password"] + "\n")
        self.dav = Dialect(free_port(), *Authority(world.folder).issue("dav"), secrets.token_hex(12))

    def lab(self, program, name, *words, **options):
        anchors = ("--anchors", self.world.folder / f"{name}-anchors.pem", "--json")
        return self.world.last(name, [self.world.binary + "-lab", *words, *anchors], program, **options)

    def start_lasting(self, program):
        """One session in one process for the whole run, which other processes use too; and one folder that is watched."""
        seconds = min(self.world.seconds, 3600)
        words = [self.world.binary + "-lab", "callers", "long", "/api/me", "--callers", seconds, "--over", seconds, "--json"]
        self.callers = self.world.last("callers", words, program, allowed={0, 1})
        words = [self.world.binary, *self.folders[0].words("run", "--watch", "--json")]
        self.watch = self.world.last("sync --watch", words, program, allowed={0, 1})

    @property
    def people(self):
        return [*self.keepers, self.guard, *self.travellers, self.subordinate, self.folders[1], self.writers, self.auditor]

    def run(self):
        """Lets everybody do and everything go wrong for the time, and brings calm."""
        world, disturbance = self.world, self.disturbance
        runs = [*(person.run for person in self.people), disturbance.disk, disturbance.clock, disturbance.servers]
        threads = [threading.Thread(target=guarded, args=(world, run)) for run in runs]
        world.is_calm = False
        for thread in threads:
            thread.start()
        end = time.monotonic() + world.seconds
        while (left := end - time.monotonic()) > 0 and not world.over.wait(min(left, max(0.5, world.seconds / 1200))):
            self.look()
        world.over.set()
        for thread in threads:
            thread.join()
        disturbance.calm()
        # The authority reads its settings each second.
        time.sleep(2.5)

    def look(self):
        for gauge in self.world.gauges:
            gauge.sample()
        for one in self.world.lasting:
            # The callers are done when each has called.
            if one.has_ended() and one is not self.callers:
                self.world.problem(f"{one.name} ended before its time: {one.messages.read_text()[-300:]}")
                self.world.over.set()

    def judge(self):
        self.watch.stop()
        # What waits for an open lock comes after it.
        for one in (self.guard, *self.keepers, *self.travellers, self.subordinate, self.writers, self.auditor):
            one.judge()
        self.called = self.callers.stop(ends_itself=30)
        self.weak.stop()
        self.seen = json.loads(self.authority.stop().splitlines()[-1])
        self.dav.stop()
        for gauge in self.world.gauges:
            # Under the thread sanitizer the memory is its own.
            for problem in gauge.judge(with_memory=self.world.options.sanitize != "thread"):
                self.world.problem(problem)

    def canaries(self):
        """The beginning of each value and content, which is random: what is typed is known to the sinks already."""
        values = (value for keeper in self.keepers for row in keeper.ledger.rows.values() for value in row if value)
        return {value[:24] for value in values} | {text[:24].decode() for text in self.writers.contents.written}

    def tell(self):
        contents, counts = self.writers.contents, self.world.counts
        acknowledged = ", ".join(f"{keeper.ledger.acknowledged} of the {keeper.kind}" for keeper in self.keepers)
        entries = sum(len(trail.entries) for _, trail in self.auditor.trails)
        print(f"acknowledged: {acknowledged}; {len(contents.written)} contents on three sides, {len(contents.replaced)} of them replaced; "
              f"{len(self.subordinate.receipts)} orders; {entries} entries of audit; {self.auditor.made} backups")
        killed, ended = (sum(numbers) for numbers in (
            [row.get("killed", 0) for row in counts.values()], [traveller.ended for traveller in self.travellers]))
        print(f"went wrong: the disk was full {self.disturbance.full} times, the clock jumped {self.world.clock.jumps} times, "
              f"{killed} processes were killed, {ended} sessions ended; {self.seen['refreshes']} refreshes, "
              f"{self.seen['reuseDetections']} reused tokens")
        print(f"callers: {' '.join(self.called.split()) or 'no answer'}")
        for gauge in self.world.gauges:
            print(gauge.told())
        for kind, row in sorted(counts.items()):
            print(f"  {kind}: " + ", ".join(f"{count} with {status}" for status, count in sorted(row.items(), key=str)))
            if self.world.options.reasons:
                self.tell_reasons(kind)

    def tell_reasons(self, kind):
        for (_, status), reasons in ((key, value) for key, value in self.world.reasons.items() if key[0] == kind):
            for reason, count in sorted(reasons.items(), key=lambda one: -one[1])[:6]:
                print(f"      {status}, {count} times: {reason[-300:]}")


def guarded(world, run):
    """What goes wrong in here is no silence."""
    try:
        run()
    except Exception as error:
        world.problem(f"the run itself: {type(error).__name__}: {error}")
        world.over.set()
        raise


def search(world):
    """Nothing secret in a log, a message, an audit trail, a file of a home or its name."""
    sinks = world.sinks
    sinks.canaries |= {f"canary-{kind}-" for kind in ("code", "access", "refresh")}
    problems, told = sinks.search(Machine(world, "search"), world.disk.folder)
    homes = [path for name in ("work", "ordered", "first", "second", "lab") for path in (world.disk.folder / name).rglob("*")]
    names = "\n".join(str(path.relative_to(world.disk.folder)) for path in homes).encode()
    files = [path.read_bytes() for path in homes if path.is_file()]
    problems += sinks.found("file names", [names])
    # What is sealed is noise, in which something like a token is found by chance.
    problems += [problem for problem in sinks.found("files", files) if "something like a token" not in problem]
    print(f"searched: {told}, files {len(files)} with {sum(map(len, files)):,} bytes")
    # Where nothing was logged or kept, nothing was searched.
    looked = {"messages": sinks.messages, "files": files} | ({"journal": sinks.entries} if sinks.socket else {})
    problems += [f"{name}: nothing is there to search" for name, pieces in looked.items() if not any(pieces)]
    for problem in problems[:20]:
        world.problem(f"FOUND {problem}")


def build(kind):
    """The programs under a sanitizer, in a folder of their own."""
    folder = ROOT / f".build-whole-{kind}"
    flags = subprocess.run([ROOT / "Scripts/whole-modules", "--symbols"], check=True, capture_output=True, text=True).stdout.split()
    words = ["nice", os.environ.get("SWIFT", "swift"), "build", f"--sanitize={kind}", "--scratch-path", str(folder), *flags]
    for product in ("pavise", "pavise-lab"):
        subprocess.run([*words, "--product", product], cwd=ROOT, check=True)
    return folder / "debug/pavise"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", nargs="?")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--sanitize", choices=["address", "thread"])
    parser.add_argument("--reasons", action="store_true", help="print why commands ended otherwise than with 0")
    parser.add_argument("--self-test", action="store_true")
    options = parser.parse_args()
    if options.self_test:
        return self_test()
    options.program = str(pathlib.Path(build(options.sanitize) if options.sanitize else options.program).resolve())
    options.seed = secrets.randbelow(1 << 32) if options.seed is None else options.seed
    # Whoever ends the run ends its servers, and the disk is unmounted.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    sinks = Sinks.start()
    if sinks is None:
        # No mount is permitted: what is logged is said on standard error, and no disk is full.
        sinks = Sinks.current = Sinks()
        sinks.made = False
    folder = pathlib.Path(tempfile.mkdtemp(prefix="pavise-whole-"))
    print(f"whole system: seed {options.seed}, {options.seconds} s, sanitizer {options.sanitize or 'none'}", flush=True)
    world = World(options, folder, sinks)
    world.begun = time.monotonic()
    try:
        play = Play(world)
        play.run()
        play.judge()
        play.tell()
        sinks.canaries |= play.canaries()
        search(world)
        for problem in invariants.reports(world.reports):
            world.problem(problem)
        without = "" if world.disk.is_mounted else "; no disk could be mounted"
        print(f"whole system: seed {options.seed}, {len(world.problems)} problems{without}")
        return 1 if world.problems else 0
    finally:
        for one in world.lasting:
            if not one.has_ended():
                one.process.kill()
                one.process.wait()
        Program.end_all()
        world.disk.stop()
        sinks.stop()
        shutil.rmtree(folder, ignore_errors=True)


def self_test():
    with tempfile.TemporaryDirectory(prefix="pavise-whole-") as folder:
        wrong, count = invariants.self_test(pathlib.Path(folder))
    for problem in wrong:
        print("WRONG", problem)
    print(f"whole system, self-test: {count} failures planted, {len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
