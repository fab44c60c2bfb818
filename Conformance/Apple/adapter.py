"""Apple's adapter over our own keychain: stage A of check.py. See Adapter/Package.swift."""

import concurrent.futures
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


def test_modules():
    """The test modules of the package, those that take longest first: `tests("Vault", …)` makes VaultTests."""
    shared = re.findall(r'^        tests\(\s*"(\w+)"', (HERE / "Package.swift").read_text(), re.M)
    return [f"{name}Tests" for name in sorted(shared, key=lambda name: name not in ("AppLock", "ProtectedStorage"))] + ["AdapterTests"]


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
    program = folder / ".build/debug/AppleAdapterPackageTests.xctest"

    # As Scripts/test does it: a process for each module, in which one test comes after the other. Two cores give two threads to all
    # async code, and a test that blocks one must not starve another.
    def run(module):
        return module, go([program, "--testing-library", "swift-testing", "--no-parallel", "--filter", f"^{module}\\."])

    passed, failed = 0, []
    with concurrent.futures.ThreadPoolExecutor(jobs + 1) as pool:
        for module, ran in pool.map(run, test_modules()):
            result = re.search(r"Test run with (\d+) tests? in \d+ suites? passed", ran.stdout)
            if ran.returncode == 0 and result:
                passed += int(result[1])
                continue
            lines = [line for line in re.sub(r"\x1b\[[0-9;]*m", "", ran.stdout).splitlines() if line.startswith("✘") or "↳" in line or "fatal" in line.lower()]
            failed += [f"    {module}: {line}" for line in lines or ran.stdout.splitlines()[-20:]]
    if failed:
        raise Failed("the tests over the adapter fail:\n" + "\n".join(failed))
    if passed < LEAST_TESTS:
        raise Failed(f"only {passed} tests ran over the adapter; {LEAST_TESTS} are the least")
    return passed
