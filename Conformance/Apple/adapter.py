"""Apple's adapter over our own keychain: stage A of check.py. See Adapter/Package.swift."""

import os
import pathlib
import re
import subprocess

from darwin import ROOT, WORK, Failed

HERE = pathlib.Path(__file__).resolve().parent / "Adapter"
# Fewer would mean that suites got lost.
LEAST_TESTS = 200


def lay_out(folder):
    """The package, with links to what it builds."""
    folder.mkdir(parents=True, exist_ok=True)
    links = {"Package.swift": HERE / "Package.swift", "StandIns": HERE / "StandIns", "Checks": HERE / "Checks",
             "Sources": ROOT / "Sources", "Tests": ROOT / "Tests"}
    for name, target in links.items():
        link = folder / name
        if not link.is_symlink() or os.readlink(link) != str(target):
            link.unlink(missing_ok=True)
            link.symlink_to(target)


def run_tests(jobs):
    """Builds and runs; returns how many tests passed."""
    folder = WORK / "adapter"
    lay_out(folder)
    swift = os.environ.get("SWIFT", "swift")
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PAVISE_")} | {"SWIFT_BACKTRACE": "enable=no"}

    def go(words):
        return subprocess.run(words, cwd=folder, env=environment, text=True, errors="replace",
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    options = subprocess.run([ROOT / "Scripts/whole-modules"], check=True, text=True, stdout=subprocess.PIPE).stdout.split()
    built = go([swift, "build", "--build-tests", "--disable-xctest", "--ignore-lock", "-j", str(jobs), *options])
    if built.returncode != 0:
        lines = sorted(set(line for line in built.stdout.splitlines() if "error:" in line))
        raise Failed("the adapter does not build:\n" + "\n".join(f"    {line}" for line in lines or built.stdout.splitlines()[-20:]))
    ran = go([folder / ".build/debug/AppleAdapterPackageTests.xctest", "--testing-library", "swift-testing"])
    result = re.search(r"Test run with (\d+) tests? in \d+ suites? passed", ran.stdout)
    if ran.returncode != 0 or not result:
        lines = [line for line in ran.stdout.splitlines() if "recorded an issue" in line or "fatal" in line.lower()]
        raise Failed("the tests over the adapter fail:\n" + "\n".join(f"    {line}" for line in lines or ran.stdout.splitlines()[-20:]))
    if int(result[1]) < LEAST_TESTS:
        raise Failed(f"only {result[1]} tests ran over the adapter; {LEAST_TESTS} are the least")
    return int(result[1])
