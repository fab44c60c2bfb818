#!/usr/bin/env python3
"""Compiles what Apple's systems build, on Linux, by the toolchain's own compiler in Darwin mode.

Usage: check.py [--sdk FOLDER] [--jobs N] [--self-test]

The standard library comes from the toolchain's own textual interfaces, with the target changed; Core Foundation from the
toolchain's headers; everything else of Apple's from Declarations/, written from the documentation. Each module is
type-checked and lowered to SIL, where ownership, isolation and exhaustiveness are judged, for each system of SYSTEMS. What
this cannot show: that our declarations are those of the SDK, linking, and running (README.md).

Another toolchain than the ones of TOOLCHAINS is "not checked with this toolchain", and ends with 0.
"""

import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
DECLARATIONS = pathlib.Path(__file__).resolve().parent / "Declarations"
WORK = ROOT / ".build-apple"
TOOLCHAINS = ("6.3",)
SYSTEMS = {"macOS 15": "arm64-apple-macosx15.0", "iOS 18": "arm64-apple-ios18.0",
           "macOS 26": "arm64-apple-macosx26.0", "iOS 26": "arm64-apple-ios26.0"}
# The standard library's modules, in the order in which they import each other; then Apple's, with what each is made of.
STANDARD = ["Swift", "SwiftOnoneSupport", "_Concurrency", "_StringProcessing", "Darwin", "Synchronization", "Observation"]
OVERLAYS = ["Dispatch", "ObjectiveC", "Foundation", "CryptoKit", "CryptoTokenKit", "LocalAuthentication", "Network"]
INTERFACES = {"macosx": ["AppKit"], "ios": ["UIKit"]}
LAST = ["AuthenticationServices"]
OVER_C = {"Darwin", "ObjectiveC", "Foundation"}

# What the interfaces for Linux lack, because the runtime of Objective-C is not there, or name of Linux.
ADDED = {
    "Swift": """
@frozen @unsafe public struct AutoreleasingUnsafeMutablePointer<Pointee> : Swift._Pointer {
  public let _rawValue: Builtin.RawPointer
  @_transparent public init(_ _rawValue: Builtin.RawPointer) { self._rawValue = _rawValue }
  public var pointee: Pointee { get nonmutating set }
}
public func _getBridgedNonVerbatimObjectiveCType<T>(_ x: T.Type) -> Any.Type?
public func _bridgeAnyObjectToAny(_ object: Swift.AnyObject?) -> Any
public func _forceBridgeFromObjectiveC<T>(_ x: Swift.AnyObject, _ type: T.Type) -> T
public func _conditionallyBridgeFromObjectiveC<T>(_ x: Swift.AnyObject, _ type: T.Type) -> T?
@usableFromInline internal func _stdlib_remainderl(_ x: Swift.Float80, _ y: Swift.Float80) -> Swift.Float80
@usableFromInline internal func _stdlib_squareRootl(_ x: Swift.Float80) -> Swift.Float80
""",
    "_Concurrency": """
@available(macOS 10.15, iOS 13.0, *)
@usableFromInline internal func _runTaskForBridgedAsyncMethod(
  @_inheritActorContext _ body: __owned @escaping @Sendable () async -> Swift.Void)
""",
    "Synchronization": "\n@usableFromInline internal func _swift_stdlib_gettid() -> Swift.UInt32\n",
}


class Failed(Exception):
    """A step that did not pass, with the lines that say why."""


def run(words, label):
    done = subprocess.run(words, text=True, errors="replace", stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode != 0:
        lines = [line for line in done.stdout.splitlines() if re.match(r"\S.*(error|fatal):", line)]
        raise Failed(f"{label}:\n" + "\n".join(f"    {line}" for line in (sorted(set(lines)) or done.stdout.splitlines()[-20:])))
    return done.stdout


class Toolchain:
    """Where the compiler and its own files are."""

    def __init__(self):
        swift = shutil.which(os.environ.get("SWIFT", "swift"))
        info = json.loads(run([swift, "-print-target-info"], "swift"))
        self.resources = pathlib.Path(info["paths"]["runtimeResourcePath"])
        self.bin = self.resources.parent.parent / "bin"
        self.version = re.search(r"Swift version (\d+\.\d+(?:\.\d+)?)", info["compilerVersion"])[1]
        self.key = hashlib.sha256((info["compilerVersion"] + repr(ADDED)).encode()).hexdigest()[:12]

    @property
    def is_known(self):
        return any(self.version == name or self.version.startswith(name + ".") for name in TOOLCHAINS)


class System:
    """One system's standard library, Apple's modules over it, and then ours."""

    def __init__(self, toolchain, target, sdk):
        self.toolchain, self.target = toolchain, target
        self.platform = re.match(r"arm64-apple-([a-z]+)", target)[1]
        self.base = WORK / toolchain.key / self.platform
        self.ours = WORK / "modules" / target
        self.sdk = sdk

    # Clang finds no header but Declarations/ and those of Core Foundation; Swift finds no module but what is made here.
    def words(self, folder):
        declarations = self.sdk or DECLARATIONS
        clang = ["-nostdlibinc", "-ffreestanding", "-isystem", declarations / "include", "-isystem", self.base / "headers",
                 "-DDEPLOYMENT_RUNTIME_SWIFT=0"]
        words = [self.toolchain.bin / "swift-frontend", "-target", self.target, "-sdk", self.base / "no-sdk",
                 "-resource-dir", self.base / "resources", "-plugin-path", self.toolchain.resources / "host" / "plugins",
                 "-enable-objc-interop", "-swift-version", "6", "-parse-as-library", "-package-name", "pavise",
                 "-module-cache-path", folder / "cache", "-I", folder, "-I", self.base, "-I", declarations / "CoreFoundation"]
        words += [word for name in ("ObjectiveC", "Foundation", "Security", "CommonCrypto")
                  for word in ("-I", declarations / "Frameworks" / name)]
        return words + [word for part in clang for word in ("-Xcc", part)]

    def prepare(self):
        """What stays the same while the toolchain and the declarations do."""
        stamp = self.base / "made"
        wanted = self.toolchain.key + digest(DECLARATIONS)
        if stamp.is_file() and stamp.read_text() == wanted:
            return
        if stamp.is_file() and not stamp.read_text().startswith(self.toolchain.key):
            shutil.rmtree(self.base)
        (self.base / "headers" / "CoreFoundation").mkdir(parents=True, exist_ok=True)
        (self.base / "resources").mkdir(exist_ok=True)
        for header in (self.toolchain.resources / "CoreFoundation").glob("*.h"):
            shutil.copy(header, self.base / "headers" / "CoreFoundation")
        for name in ("clang", "shims", "apinotes", "host"):
            link = self.base / "resources" / name
            if not link.is_symlink():
                link.symlink_to(self.toolchain.resources / name)
        for name in STANDARD:
            self.overlay(name, DECLARATIONS / name) if name == "Darwin" else self.standard(name)
        for name in OVERLAYS + INTERFACES[self.platform] + LAST:
            self.overlay(name, DECLARATIONS / "Frameworks" / name)
        stamp.write_text(wanted)

    def standard(self, name):
        name_of_file = re.sub(r"[\d.]+$", "", self.target).replace("macosx", "macos") + ".swiftmodule"
        made = self.base / f"{name}.swiftmodule" / name_of_file
        if made.is_file():
            return
        source = next((self.toolchain.resources / "linux" / f"{name}.swiftmodule").glob("x86_64-*gnu.swiftinterface"))
        text = source.read_text()
        text = re.sub(r"-target \S+-linux-gnu", f"-target {self.target}", text)
        text = text.replace("-disable-objc-interop", "-enable-objc-interop")
        text = text.replace("-target-min-inlining-version min", "-target-min-inlining-version target")
        text = re.sub(r"@backDeployed\([^)]*\)\n", "", text)
        text = re.sub(r"(?m)^(@_exported )?import Glibc$", "", text) + ADDED.get(name, "")
        made.parent.mkdir(exist_ok=True)
        interface = self.base / f"{name}.swiftinterface"
        interface.write_text(text)
        parsed = ["-parse-stdlib"] if name == "Swift" else []
        words = [word for word in self.words(self.base) if word not in ("-parse-as-library",)]
        words = [words[0], "-compile-module-from-interface", interface, "-o", made, "-module-name", name, *parsed,
                 "-target", self.target, "-resource-dir", self.base / "resources", "-sdk", self.base / "no-sdk",
                 "-I", self.base, "-module-cache-path", self.base / "cache",
                 "-Xcc", "-nostdlibinc", "-Xcc", "-isystem", "-Xcc", DECLARATIONS / "include"]
        try:
            run(words, f"{name} for {self.target}")
        except Failed:
            made.unlink(missing_ok=True)
            raise

    def overlay(self, name, folder):
        over = ["-import-underlying-module"] if name in OVER_C else []
        made = self.base / f"{name}.swiftmodule"
        run([*self.words(self.base), "-emit-module", "-emit-module-path", made, "-module-name", name, *over,
             *sorted(folder.glob("*.swift"))], f"{name} for {self.target}")

    def compile(self, module):
        """One module of ours: its interface for those above it, and SIL, which is thrown away."""
        self.ours.mkdir(parents=True, exist_ok=True)
        c_modules = [word for path in module.c_modules for word in ("-Xcc", f"-fmodule-map-file={path}")]
        flags = [word for feature in FEATURES for word in ("-enable-upcoming-feature", feature)]
        run([*self.words(self.ours), "-strict-memory-safety", *flags, *c_modules, "-module-name", module.name,
             "-emit-sil", "-o", "/dev/null", "-emit-module-path", self.ours / f"{module.name}.swiftmodule",
             *module.sources], f"{module.name} for {self.target}")


FEATURES = ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility", "NonisolatedNonsendingByDefault"]


class Module:
    """A target of the package as a Mac builds it."""

    def __init__(self, target, c_targets):
        self.name = target["name"]
        self.folder = ROOT / target["path"]
        self.sources = sorted(self.folder.rglob("*.swift"))
        self.names = [name for dependency in target["dependencies"] for name in dependency.get("byName", [])[:1]]
        # A module that imports another one needs the C modules of that one, too.
        self.c_modules = [module_map(c) for c in c_targets]


def module_map(target):
    """SwiftPM makes one for a folder of headers without one; so does this."""
    headers = ROOT / target["path"] / "include"
    made = WORK / "maps" / f"{target['name']}.modulemap"
    made.parent.mkdir(parents=True, exist_ok=True)
    made.write_text(f'module {target["name"]} {{\n    umbrella "{headers}"\n    export *\n}}\n')
    return made


def digest(folder):
    whole = hashlib.sha256()
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        whole.update(str(path.relative_to(folder)).encode() + b"\0" + path.read_bytes())
    return whole.hexdigest()


def mac_manifest():
    """The manifest as a Mac evaluates it: its condition is made true in a copy."""
    copy = WORK / "manifest"
    shutil.rmtree(copy, ignore_errors=True)
    copy.mkdir(parents=True)
    text = (ROOT / "Package.swift").read_text()
    if text.count("#if os(macOS)") != 1:
        raise Failed("Package.swift: its part for Apple's systems begins with one `#if os(macOS)`")
    (copy / "Package.swift").write_text(text.replace("#if os(macOS)", "#if true"))
    for name in ("Sources", "Tests", "Snippets"):
        (copy / name).symlink_to(ROOT / name)
    swift = os.environ.get("SWIFT", "swift")
    return json.loads(run([swift, "package", "--package-path", str(copy), "dump-package"], "the manifest of a Mac"))


def ordered(modules):
    """Bottom-up."""
    known, rest, order = set(), list(modules), []
    names = {module.name for module in modules}
    while rest:
        ready = [module for module in rest if not (set(module.names) & names) - known]
        if not ready:
            raise Failed("the targets of a Mac depend on each other in a circle")
        order += ready
        known |= {module.name for module in ready}
        rest = [module for module in rest if module.name not in known]
    return order


def check_c(toolchain, targets, sdk):
    for target in targets:
        for source in sorted((ROOT / target["path"]).glob("*.c")):
            for system in ("arm64-apple-macosx15.0", "arm64-apple-ios18.0"):
                run([toolchain.bin / "clang", "-fsyntax-only", "-Wall", "-Werror", "-target", system, "-nostdlibinc",
                     "-ffreestanding", "-isystem", (sdk or DECLARATIONS) / "include", "-I", source.parent / "include", source],
                    f"{source.relative_to(ROOT)} for {system}")


def check(sdk, jobs, chosen):
    """Everything; returns what was compiled, as (module, system)."""
    toolchain = Toolchain()
    if not toolchain.is_known:
        print(f"apple-check: not checked with this toolchain (Swift {toolchain.version}; known: {', '.join(TOOLCHAINS)})")
        return None
    manifest = mac_manifest()
    targets = [target for target in manifest["targets"] if target["type"] == "regular" and target["name"] != "TestSupport"]
    c_targets = [target for target in targets if next((ROOT / target["path"]).glob("*.c"), None)]
    modules = ordered([Module(target, c_targets) for target in targets if target not in c_targets])
    check_c(toolchain, c_targets, sdk)
    systems = {name: System(toolchain, SYSTEMS[name], sdk) for name in chosen}
    # Two of each platform share a standard library.
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        first = {system.platform: system for system in reversed(systems.values())}
        list(pool.map(lambda system: system.prepare(), first.values()))

        def compile_all(name):
            wrong = []
            for module in modules:
                try:
                    systems[name].compile(module)
                except Failed as failure:
                    wrong.append(str(failure))
                    break
            return wrong

        wrong = [text for texts in pool.map(compile_all, systems) for text in texts]
    if wrong:
        raise Failed("\n".join(wrong))
    return [module.name for module in modules]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sdk", type=pathlib.Path, help="a folder laid out like Declarations/, with the real headers")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--only", action="append", choices=SYSTEMS, help="one system, while declarations are written")
    words = parser.parse_args()
    start = time.monotonic()
    try:
        names = check(words.sdk, words.jobs, words.only or list(SYSTEMS))
    except Failed as failure:
        sys.exit(f"apple-check: {failure}")
    if names:
        seconds = time.monotonic() - start
        print(f"apple-check: {len(names)} modules compile for {', '.join(words.only or SYSTEMS)} ({seconds:.0f} s): {', '.join(names)}")


if __name__ == "__main__":
    main()
