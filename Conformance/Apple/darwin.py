"""Apple's systems, as far as the toolchain for Linux and Declarations/ make them: stages B and C of check.py."""

import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
DECLARATIONS = pathlib.Path(__file__).resolve().parent / "Declarations"
WORK = ROOT / ".build-apple"
# The interfaces for Linux are read of these versions; with an SDK none is, and the manifest's own version is enough.
TOOLCHAINS = ("6.3",)
TOOLCHAINS_WITH_SDK = ("6.2", "6.3")
SYSTEMS = {"macOS 15": "arm64-apple-macosx15.0", "iOS 18": "arm64-apple-ios18.0",
           "macOS 26": "arm64-apple-macosx26.0", "iOS 26": "arm64-apple-ios26.0"}
# The standard library's modules, in the order in which they import each other; Apple's frameworks follow, as they import each other.
STANDARD = ["Swift", "SwiftOnoneSupport", "_Concurrency", "_StringProcessing", "Darwin", "Synchronization", "Observation"]
OVER_C = {"Darwin", "ObjectiveC", "Foundation"}
FRAMEWORKS = DECLARATIONS / "Frameworks"

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

    def is_known(self, sdk):
        """Whether stages B and C can be done with it. Xcode's brings no interfaces for Linux, and with its SDK none is read."""
        versions = TOOLCHAINS_WITH_SDK if sdk else TOOLCHAINS
        known = any(self.version == name or self.version.startswith(name + ".") for name in versions)
        return known and (bool(sdk) or self.interface("Swift") is not None)

    def interface(self, name):
        """The description of one of its modules for this machine; `None` where it brings none that is read here."""
        return next((self.resources / "linux" / f"{name}.swiftmodule").glob("x86_64-*gnu.swiftinterface"), None)


class System:
    """One system's standard library, Apple's modules over it, and then ours."""

    def __init__(self, toolchain, target, sdk):
        self.toolchain, self.target = toolchain, target
        self.platform = re.match(r"arm64-apple-([a-z]+)", target)[1]
        self.base = WORK / toolchain.key / self.platform
        self.ours = WORK / ("modules-sdk" if sdk else "modules") / target
        self.sdk = sdk

    # With an SDK everything comes from it, and Testing from beside the SDKs, as in Xcode. Else clang finds no header but Declarations/ and those of Core Foundation; Swift finds no module but what is made here.
    def words(self, folder):
        if self.sdk:
            return self.words_of_sdk(folder)
        clang = ["-nostdlibinc", "-ffreestanding", "-isystem", DECLARATIONS / "include", "-isystem", self.base / "headers",
                 "-DDEPLOYMENT_RUNTIME_SWIFT=0"]
        words = [self.toolchain.bin / "swift-frontend", "-target", self.target, "-sdk", self.base / "no-sdk",
                 "-resource-dir", self.base / "resources", "-plugin-path", self.toolchain.resources / "host" / "plugins",
                 "-enable-objc-interop", "-swift-version", "6", "-parse-as-library", "-package-name", "pavise",
                 "-module-cache-path", folder / "cache", "-I", folder, "-I", self.base, "-I", DECLARATIONS / "CoreFoundation"]
        words += [word for path in sorted(FRAMEWORKS.glob("*/module.modulemap")) for word in ("-I", path.parent)]
        return words + [word for part in clang for word in ("-Xcc", part)]

    # The toolchain's own resources without what they have of Linux: its headers of Core Foundation and Dispatch would come before the SDK's.
    def words_of_sdk(self, folder):
        beside = self.sdk.parent.parent / "Library" / "Frameworks"
        plugins = self.toolchain.resources / "host" / "plugins"
        return [self.toolchain.bin / "swift-frontend", "-target", self.target, "-sdk", self.sdk, "-swift-version", "6",
                # On a Mac the macros of Testing lie in a folder of their own.
                "-resource-dir", self.base / "resources", "-plugin-path", plugins, "-plugin-path", plugins / "testing",
                "-enable-objc-interop", "-parse-as-library", "-package-name", "pavise", "-module-cache-path", folder / "cache",
                "-I", folder, "-F", beside, "-Xcc", f"-fmodule-map-file={self.toolchain.resources / 'shims' / 'module.modulemap'}"]

    def link_resources(self):
        (self.base / "resources").mkdir(parents=True, exist_ok=True)
        for name in ("clang", "shims", "apinotes", "host", "macosx", "iphoneos"):
            link = self.base / "resources" / name
            if not link.is_symlink() and (self.toolchain.resources / name).exists():
                link.symlink_to(self.toolchain.resources / name)

    def prepare(self):
        """What stays the same while the toolchain and the declarations do."""
        if self.sdk:
            return self.link_resources()
        stamp = self.base / "made"
        wanted = self.toolchain.key + digest(DECLARATIONS)
        if stamp.is_file() and stamp.read_text() == wanted:
            return
        if stamp.is_file() and not stamp.read_text().startswith(self.toolchain.key):
            shutil.rmtree(self.base)
        (self.base / "headers" / "CoreFoundation").mkdir(parents=True, exist_ok=True)
        self.link_resources()
        for header in (self.toolchain.resources / "CoreFoundation").glob("*.h"):
            shutil.copy(header, self.base / "headers" / "CoreFoundation")
        for name in STANDARD:
            self.overlay(name, DECLARATIONS / name) if name == "Darwin" else self.standard(name)
        if self.platform == "macosx":
            self.standard("Testing")
        for name in frameworks(self.platform):
            self.overlay(name, FRAMEWORKS / name)
        stamp.write_text(wanted)

    def standard(self, name):
        name_of_file = re.sub(r"[\d.]+$", "", self.target).replace("macosx", "macos") + ".swiftmodule"
        made = self.base / f"{name}.swiftmodule" / name_of_file
        if made.is_file():
            return
        source = self.toolchain.interface(name)
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
        """One module of ours: its interface for those above it, and SIL, which is thrown away. What did not change stays."""
        self.ours.mkdir(parents=True, exist_ok=True)
        stamp, wanted = self.ours / f"{module.name}.stamp", self.key_of(module)
        if stamp.is_file() and stamp.read_text() == wanted:
            return
        stamp.unlink(missing_ok=True)
        run([*self.words_for(module), "-emit-sil", "-o", "/dev/null", "-emit-module-path", self.ours / f"{module.name}.swiftmodule",
             *module.sources], f"{module.name} for {self.target}")
        stamp.write_text(wanted)

    def errors(self, module, sources, others=()):
        """The errors of type-checking `sources` in the place of `module`'s, as (file, line); the modules below are there. `others` are
        the rest of the module: they are read, and what stands in their functions is not judged again."""
        named = [word for path in sources for word in ("-primary-file", path)] if others else sources
        done = subprocess.run([str(word) for word in [*self.words_for(module), "-typecheck", *named, *others]], text=True,
                              errors="replace", stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return {(found[1], int(found[2])) for found in re.finditer(r"(?m)^(\S[^:\n]*):(\d+):\d+: error:", done.stdout)}

    def words_for(self, module):
        c_modules = [word for path in module.c_modules for word in ("-Xcc", f"-fmodule-map-file={path}")]
        flags = [word for feature in FEATURES for word in ("-enable-upcoming-feature", feature)]
        words = self.words(self.ours)
        if not module.is_ours:
            words = [word for word in words if word not in ("-package-name", "pavise")]
        return [*words, "-strict-memory-safety", *flags, *c_modules, "-module-name", module.name]

    def key_of(self, module):
        words = [str(word) for word in self.words_for(module)]
        whole = hashlib.sha256((self.toolchain.key + digest(DECLARATIONS) + str(self.sdk) + repr(words)).encode())
        if self.sdk:
            whole.update((self.sdk / "SDKSettings.json").read_bytes())
        for path in module.sources + module.headers:
            whole.update(str(path).encode() + b"\0" + path.read_bytes())
        for name in module.names:
            below = self.ours / f"{name}.stamp"
            whole.update(below.read_bytes() if below.is_file() else b"")
        return whole.hexdigest()


FEATURES = ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility", "NonisolatedNonsendingByDefault"]


class Module:
    """A target of the package as a Mac builds it."""

    def __init__(self, target, c_targets):
        # The example app sees what any app sees.
        self.name, self.is_ours = target["name"], target.get("is_ours", True) and target.get("packageAccess", True)
        # Tests start processes, which iOS forbids.
        self.is_for_tests = target.get("type") == "test" or self.name == "TestSupport"
        self.folder = ROOT / target["path"]
        # A target may name the parts of its folder that it takes.
        roots = [self.folder / part for part in target.get("sources") or ["."]]
        self.sources = sorted(path for root in roots for path in root.rglob("*.swift"))
        self.names = [name for dependency in target["dependencies"] for name in dependency.get("byName", [])[:1]]
        # A module that imports another one needs the C modules of that one, too.
        self.c_modules = [module_map(c) for c in c_targets]
        self.headers = [header for c in c_targets for header in sorted((ROOT / c["path"] / "include").rglob("*.h"))]


def frameworks(platform):
    """The frameworks with a Swift side that `platform` has, bottom-up. One that is not everywhere says so: `// Only: macosx`."""
    waiting = {}
    for folder in sorted(path for path in FRAMEWORKS.iterdir() if next(path.glob("*.swift"), None)):
        text = "\n".join(path.read_text() for path in sorted(folder.glob("*.swift")))
        only = re.search(r"(?m)^// Only: (\w+)$", text)
        if not only or only[1] == platform:
            waiting[folder.name] = set(re.findall(r"(?m)^(?:@_exported )?(?:public |internal )?import (\w+)", text)) - {folder.name}
    order = []
    while waiting:
        ready = [name for name, imports in waiting.items() if not imports & set(waiting)]
        if not ready:
            raise Failed(f"frameworks import each other in a circle: {', '.join(waiting)}")
        order += ready
        waiting = {name: imports for name, imports in waiting.items() if name not in ready}
    return order


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


def check_c(toolchain, targets):
    """Stage C; returns how many files compile."""
    sources = [source for target in targets for source in sorted((ROOT / target["path"]).glob("*.c"))]
    for source in sources:
        for system in ("arm64-apple-macosx15.0", "arm64-apple-ios18.0"):
            run(c_words(toolchain, system, source.parent / "include", source), f"{source.relative_to(ROOT)} for {system}")
    return len(sources)


def c_words(toolchain, system, headers, source):
    return [toolchain.bin / "clang", "-fsyntax-only", "-Wall", "-Werror", "-target", system, "-nostdlibinc", "-ffreestanding",
            "-isystem", DECLARATIONS / "include", "-I", headers, source]


def stages_for(toolchain, stages, sdk):
    """Those that can be done with the toolchain. Who names an SDK asks for them, and is not left with silence."""
    if toolchain.is_known(sdk) or not set(stages) & set("BC"):
        return stages
    if sdk:
        raise Failed(f"--sdk: Swift {toolchain.version} is not known here (known: {', '.join(TOOLCHAINS_WITH_SDK)})")
    print(f"apple-check: B, C: not checked with this toolchain (Swift {toolchain.version}; known: {', '.join(TOOLCHAINS)})")
    return [stage for stage in stages if stage not in "BC"]


def systems_of(sdk):
    """All of ours, or those that an SDK of Xcode's is for."""
    if not sdk:
        return list(SYSTEMS)
    if not (sdk / "SDKSettings.json").is_file():
        raise Failed(f"{sdk} is no SDK of Xcode's: it has no SDKSettings.json (xcrun --sdk macosx --show-sdk-path)")
    platform = "iOS" if "iphone" in sdk.name.lower() else "macOS"
    return [name for name in SYSTEMS if name.startswith(platform)]


def compile_snippets(system, modules, names, jobs):
    """Snippets are programs: each is type-checked alone, over the modules of `system`."""
    top = Module({"name": "main", "path": "Snippets", "is_ours": False, "dependencies": []}, [])
    top.c_modules = modules[-1].c_modules
    words = [word for word in system.words_for(top) if word != "-parse-as-library"]
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        list(pool.map(lambda name: run([*words, "-typecheck", ROOT / name], name), names))


def modules_of(manifest):
    """What a Mac builds: the C targets, and the Swift modules bottom-up. The last are apps that use the Kit from outside."""
    targets = [target for target in manifest["targets"] if target["type"] in ("regular", "test")]
    c_targets = [target for target in targets if next((ROOT / target["path"]).glob("*.c"), None)]
    swift = [target for target in targets if target not in c_targets]
    below = [{"byName": [target["name"], None]} for target in swift if target["type"] == "regular" and target["name"] != "TestSupport"]
    apps = [{"name": name, "path": path, "sources": parts, "is_ours": False, "dependencies": below}
            for name, path, parts in (("SleepDiary", "Examples/SleepDiary", ["Apple/App", "Sources/VersionOne"]),
                                      ("SleepDiaryNotices", "Examples/SleepDiary/Apple/Notices", ["."]),
                                      ("AppOfSomebody", "Conformance/Apple/App", ["."]))]
    return c_targets, ordered([Module(target, c_targets) for target in swift + apps])


def compile_all(modules, sdk, jobs, chosen):
    """Stage B; returns the systems, for the self-test."""
    toolchain = Toolchain()
    systems = {name: System(toolchain, SYSTEMS[name], sdk) for name in chosen}
    # Two of each platform share a standard library.
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        first = {system.platform: system for system in reversed(systems.values())}
        list(pool.map(lambda system: system.prepare(), first.values()))
        wrong = [text for texts in pool.map(lambda name: compile_for(systems[name], modules), systems) for text in texts]
    if wrong:
        raise Failed("\n".join(wrong))
    return systems


def compile_for(system, modules):
    """Stops at the first module that fails: those above it could not be read."""
    for module in modules:
        if module.is_for_tests and system.platform == "ios":
            continue
        try:
            system.compile(module)
        except Failed as failure:
            return [str(failure)]
    return []
