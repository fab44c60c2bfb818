"""Apple's adapter over our own keychain: stage A of check.py. See Adapter/Package.swift."""

import concurrent.futures
import os
import pathlib
import re
import subprocess
import tempfile

from darwin import ROOT, WORK, Failed

HERE = pathlib.Path(__file__).resolve().parent / "Adapter"
# Fewer would mean that suites got lost.
LEAST_TESTS = 622


# Modules that stand here in part, or over stand-ins, and what they are made of: folders, files, and what is left out.
COMPOSED = {
    "PaviseProtectedStorage": ["Sources/Platform/ProtectedStorage/Shared", "Sources/Platform/ProtectedStorage/Database/Shared",
                               "Sources/Platform/ProtectedStorageApple", "StandIns/FileAttributes"],
    "ProtectedStorageTests": ["Tests/ProtectedStorageTests", "Checks/ProtectedStorageTests"],
    "Pavise": ["Sources/Kit/Pavise/Identities/AppSecurity+Identity.swift", "Sources/Kit/Pavise/Identities/IdentityRecord.swift",
               "Sources/Kit/Pavise/Identities/IdentityStore.swift", "Sources/Kit/Pavise/Identities/SigningRequest.swift",
               "StandIns/AppSecurity"],
    # What a test plays, and the tests of what becomes of it; Linux' own is DirectSession, which has no URLSession in it.
    "CarrierTests": [*(f"Tests/TransportTests/{name}.swift" for name in (
        "CarrierBodyTests", "CarrierIdentityTests", "CarrierLab", "CarrierProxyTests", "CarrierRefusalTests", "CarrierRuleTests",
        "CarrierUploadTests", "ClientKey", "Recorder", "StandInSession", "TestLab", "TimeNow")), "Checks/CarrierTests"],
    "IdentityTests": ["Tests/AppSecurityTests/IdentityRecordTests.swift", "Checks/IdentityTests"],
    # All but SinkTests, which are about journald and /dev/log.
    "LogTests": [*(f"Tests/LogTests/{name}.swift" for name in (
        "AuditTrailTests", "LibraryLogTests", "LogScanTests", "LogTests", "MaskerTests", "OrdinaryLines")), "Checks/LogTests"],
    # Those whose servers answer from memory. The others meet the lab, and no URLSession is here to carry them; WalkTests go long ways
    # through values that know no system.
    "SessionTests": [*(f"Tests/SessionTests/{name}.swift" for name in (
        "AccessTokenCacheTests", "AttemptTests", "ChallengeTests", "ForcedRefreshTests", "FormValueTests", "HiddenLockTests",
        "IDTokenRulesTests", "KillPointTests", "LockedSessionTests", "MemoryVault", "NoticeTests", "OneRefreshTests", "PressureTests",
        "RecordTests", "RefreshFailureTests", "RefreshMachineTests", "RefreshRaceTests", "ScriptedServer", "SessionEndTests", "Stage",
        "TokenResponseTests", "Turnstile")), "Checks/SessionTests"],
    "ManagedTests": [*(f"Tests/TransportTests/{name}.swift" for name in (
        "ManagedAnswerTests", "ManagedDeclarationsTests", "ManagedSourceTests")), "Checks/ManagedTests"],
    # RefusalTests are about what the compiler refuses, which is the same there.
    "StorageCheckTests": [f"Tests/StorageCheckTests/{name}.swift" for name in ("CacheTests", "FolderTests", "ScannerTests", "SettingsTests")],
}
# Modules that stand here as a Mac builds them: copies of their files, whose conditions are what they are there.
EVALUATED = {
    "PaviseLog": ["Sources/Kit/Log"],
    "PaviseTransport": ["Sources/Kit/Transport", "Sources/Platform/Primitives/Net/BodyPipe+Apple.swift"],
    "PaviseManaged": ["Sources/Kit/Managed"],
    "PaviseStorage": ["Sources/Kit/Storage"],
    "PaviseSession": ["Sources/Kit/Session"],
}
# What an Apple system says to a condition, and where its frameworks are here. The rest of a file stays as it is, line by line.
AS_ON_A_MAC = [(r"^(\s*#(?:if|elseif)\b.*)\b(?:os\(Linux\)|canImport\(Glibc\))", r"\1false"),
               (r"^(\s*#(?:if|elseif)\b.*)\b(?:os\(macOS\)|canImport\(Darwin\)|canImport\(os\))", r"\1true"),
               (r"^((?:\w+ )?import) Foundation$", r"\1 AppleFoundation"),
               # The one file of Primitives that stands here has its module's names from outside.
               (r"^((?:\w+ )?import) Darwin$", r"\1 Glibc; package import PavisePrimitives")]
# Suites about what the Kit makes of it on Linux.
LINUX_ONLY = {"ProtectedFilesTests.swift"}


def point(link, target):
    """Makes the link, or leaves it as it is where it is right."""
    if not link.is_symlink() or os.readlink(link) != str(target):
        link.unlink(missing_ok=True)
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(target)


def compose(folder, parts):
    """A folder with a link for each file of `parts`; what else was there goes."""
    wanted = {}
    for part in parts:
        place = (ROOT if part.startswith(("Sources/", "Tests/")) else HERE) / part
        for path in [place] if place.is_file() else sorted(path for path in place.rglob("*") if path.is_file()):
            if path.name not in LINUX_ONLY:
                wanted[place.name + "/" + str(path.relative_to(place)) if place.is_dir() else path.name] = path
    for path in folder.rglob("*"):
        if path.is_symlink() and str(path.relative_to(folder)) not in wanted:
            path.unlink()
    for name, path in wanted.items():
        point(folder / name, path)


def on_mac(text):
    """A file of ours with the conditions of a Mac."""
    for pattern, words in AS_ON_A_MAC:
        text = re.sub(pattern, words, text, flags=re.M)
    return text


def stands(text):
    """Whether a file of an evaluated module is compiled here: the frameworks that its first condition asks for have a stand-in."""
    condition = re.match(r"(?:\s*(?://.*)?\n)*#if (.*)", on_mac(text))
    if not condition:
        return True
    words = re.sub(r"\w+\(\w+\)", "false", condition[1]).replace("&&", " and ").replace("||", " or ").replace("!", " not ")
    return eval(words.replace("true", "True").replace("false", "False"), {"__builtins__": {}})


def standing():
    """The files of evaluated modules that are compiled here, by their names below Sources."""
    places = [ROOT / part for parts in EVALUATED.values() for part in parts]
    paths = [path for place in places for path in ([place] if place.is_file() else place.rglob("*.swift"))]
    return {str(path.relative_to(ROOT / "Sources")) for path in paths if stands(path.read_text())}


def evaluate(folder, parts):
    """A folder with each file of `parts` as a Mac reads it; what did not change is not written again."""
    wanted = {}
    for part in parts:
        place = ROOT / part
        for path in [place] if place.is_file() else sorted(place.rglob("*.swift")):
            wanted[str(path.relative_to(ROOT / "Sources"))] = on_mac(path.read_text())
    for path in folder.rglob("*"):
        if not path.is_dir() and (path.is_symlink() or str(path.relative_to(folder)) not in wanted):
            path.unlink()
    for name, text in wanted.items():
        target = folder / name
        if not target.is_file() or target.read_text() != text:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text)


def lay_out(folder):
    """The package, with links to what it builds."""
    folder.mkdir(parents=True, exist_ok=True)
    links = {"Package.swift": HERE / "Package.swift", "StandIns": HERE / "StandIns", "Checks": HERE / "Checks", "Traps": HERE.parent / "Traps",
             "Sources": ROOT / "Sources", "Tests": ROOT / "Tests"}
    for name, target in links.items():
        point(folder / name, target)
    for name, parts in COMPOSED.items():
        compose(folder / "Composed" / name, parts)
    for name, parts in EVALUATED.items():
        evaluate(folder / "Composed" / name, parts)


def folder_of_tests(folder):
    """Where tests keep their files: a file system that keeps extended attributes, as the stand-ins need."""
    for place in (pathlib.Path(tempfile.gettempdir()), folder):
        with tempfile.NamedTemporaryFile(dir=place) as probe:
            try:
                os.setxattr(probe.name, "user.pavise.probe", b"1")
                return str(place)
            except OSError:
                continue
    raise Failed("no folder here keeps extended attributes of files (xattr(7)), which the stand-ins need")


def test_modules():
    """The test modules of the package, those that take longest first: `tests("Vault", …)` makes VaultTests."""
    shared = re.findall(r'^        tests\(\s*"(\w+)"', (HERE / "Package.swift").read_text(), re.M)
    return [f"{name}Tests" for name in sorted(shared, key=lambda name: name not in ("AppLock", "ProtectedStorage", "Session", "Log"))] + ["AdapterTests"]


def run_tests(jobs):
    """Builds and runs; returns how many tests passed."""
    folder = WORK / "adapter"
    lay_out(folder)
    swift = os.environ.get("SWIFT", "swift")
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PAVISE_")} | {
        "SWIFT_BACKTRACE": "enable=no", "TMPDIR": folder_of_tests(folder),
        # Long walks go over the same code: they run on Linux's half.
        "PAVISE_QUICK": "1"}

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
            if ran.returncode == 0 and result and int(result[1]) > 0:
                passed += int(result[1])
                continue
            lines = [line for line in re.sub(r"\x1b\[[0-9;]*m", "", ran.stdout).splitlines() if line.startswith("✘") or "↳" in line or "fatal" in line.lower()]
            failed += [f"    {module}: {line}" for line in lines or ran.stdout.splitlines()[-20:]]
    if failed:
        raise Failed("the tests over the adapter fail:\n" + "\n".join(failed))
    if passed < LEAST_TESTS:
        raise Failed(f"only {passed} tests ran over the adapter; {LEAST_TESTS} are the least")
    return passed
