"""The self-test of check.py: one error in each place that only Apple's systems compile, and in each thing that stage D judges.

A planted line is a constant of a wrong type, so it is found by the type checker, where it stands. All of one module stand in one
compile; each has to be told by its own line.
"""

import concurrent.futures
import contextlib
import copy
import io
import re
import shutil
import subprocess

import darwin
import manifest
from darwin import ROOT, WORK, Failed

# What the conditions of `#if` are on each system. Any other condition stops the self-test, so that it is added here.
TRUE = {"macosx": {"canImport(PaviseSync)", "canImport(Darwin)", "os(macOS)", "canImport(AppKit)", "canImport(AuthenticationServices)", "canImport(Security)",
                   "canImport(ObjectiveC)", "canImport(Foundation)", "canImport(os)", "canImport(DeviceCheck)"},
        "ios": {"canImport(PaviseSync)", "canImport(ManagedApp)", "canImport(Darwin)", "os(iOS)", "canImport(UIKit)", "canImport(AuthenticationServices)", "canImport(Security)",
                "canImport(ObjectiveC)", "canImport(Foundation)", "canImport(os)", "canImport(DeviceCheck)"}}
FALSE = {"canImport(ManagedApp)", "canImport(Glibc)", "canImport(Musl)", "os(Linux)", "canImport(FoundationNetworking)", "DEBUG", "PAVISE_APPLE_ADAPTER",
         "os(macOS)", "os(iOS)", "canImport(AppKit)", "canImport(UIKit)", "arch(x86_64)"}
APPLE = re.compile(r"canImport\((?:Darwin|DeviceCheck|Glibc|AppKit|UIKit|AuthenticationServices|Security|FoundationNetworking|os)\)|os\(\w+\)")


def holds(condition, platform):
    """What a condition is; `!`, `&&`, `||` and brackets are Swift's."""
    text = condition
    for name in sorted(set(re.findall(r"\w+\([\w.]+\)|\b[A-Z]\w+\b", condition)), key=len, reverse=True):
        if name in TRUE[platform]:
            text = text.replace(name, " True ")
        elif name in FALSE or name.startswith(("os(", "targetEnvironment(")):
            text = text.replace(name, " False ")
        else:
            raise Failed(f"self-test: plants.py does not know the condition {name}")
    # The stock toolchain of this check is 6.3.
    text = re.sub(r"(?:compiler|swift)\s*\(\s*>=\s*(\d+)\.(\d+)\s*\)", lambda version: str((int(version[1]), int(version[2])) <= (6, 3)), text)
    return eval(text.replace("&&", " and ").replace("||", " or ").replace("!", " not "), {"__builtins__": {}})


def branches(text, platform):
    """The lines after which `platform` compiles what another system does not, as numbers from 1, in Swift or C without nesting of C."""
    places, stack = [], []
    for number, line in enumerate(text.splitlines(), 1):
        word = re.match(r"\s*#(if|elseif|else|endif)\b\s*(.*)", line)
        if not word:
            continue
        kind, condition = word[1], word[2].split("//")[0].strip()
        if kind == "if":
            outer = stack[-1]["active"] if stack else True
            now = outer and holds(condition, platform)
            stack.append({"outer": outer, "taken": now, "active": now, "apple": bool(APPLE.search(condition))})
        elif kind == "endif":
            stack.pop()
            continue
        else:
            top = stack[-1]
            now = top["outer"] and not top["taken"] and (kind == "else" or holds(condition, platform))
            top["taken"], top["active"] = top["taken"] or now, now
        if stack[-1]["active"] and stack[-1]["apple"]:
            places.append(number)
    return places


def places_of(path, text, platform):
    """Where one error each is planted."""
    places = branches(text, platform)
    is_apple = path.name.endswith("+Apple.swift") or any(
        part.endswith("Apple") for part in path.parent.relative_to(ROOT).parts)
    whole = path.name.endswith("+Apple.swift") and text.lstrip().startswith("#if")
    if is_apple and not whole:
        places.append(len(text.splitlines()))
    if whole and not places:
        return []
    return sorted(set(places))


def planted(text, places):
    """The text with an error after each of `places`, and the lines on which they stand."""
    lines, found = [], []
    for number, line in enumerate(text.splitlines(), 1):
        lines.append(line)
        if number in places:
            lines.append(f'let planted{number}: Int = "planted"')
            found.append(len(lines))
    return "\n".join(lines) + "\n", found


def plant_module(module, system):
    """Returns the file of each one that was planted; fails with those that were not seen."""
    folder = WORK / "plants" / system.target / module.name
    shutil.rmtree(folder, ignore_errors=True)
    sources, others, wanted = [], [], {}
    for path in module.sources:
        text = path.read_text()
        places = places_of(path, text, system.platform)
        if not places:
            others.append(path)
            continue
        changed, lines = planted(text, places)
        target = folder / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(changed)
        sources.append(target)
        wanted |= {(str(target), line): path for line in lines}
    if not wanted:
        return []
    missed = set(wanted) - system.errors(module, sources, others)
    if missed:
        raise Failed("self-test: planted and not noticed:\n" + "\n".join(
            f"    {wanted[place].relative_to(ROOT)}, line {place[1]} with those before it, for {system.target}" for place in sorted(missed)))
    return [str(path.relative_to(ROOT)).removeprefix("Sources/") for path in wanted.values()]


def plant_header(module, system):
    """A module is compiled again when a C header that it may see is another one; `Failed` where it would not be."""
    module, header = copy.copy(module), module.headers[0]
    module.headers = [WORK / "plants" / header.name]
    module.headers[0].parent.mkdir(parents=True, exist_ok=True)
    module.headers[0].write_text(header.read_text())
    before = system.key_of(module)
    module.headers[0].write_text(header.read_text() + "int planted(void);\n")
    if system.key_of(module) == before:
        raise Failed(f"self-test: {header.relative_to(ROOT)} was changed, and {module.name} would not be compiled again")


def untouched(adapters, planted_files):
    """The files of Apple's half in which no error was planted: none may be left out."""
    return [f"self-test: no error was planted in Sources/{name}" for name in sorted(adapters - set(planted_files))]


def plant_c(c_targets, toolchain):
    """The same for the C files, whose branches are all `#if defined(__linux__)` and its `#else`."""
    count = 0
    for target in c_targets:
        for source in sorted((ROOT / target["path"]).glob("*.c")):
            lines, wanted, stack = [], [], []
            for line in source.read_text().splitlines():
                lines.append(line)
                if re.match(r"#\s*if", line):
                    stack.append("__linux__" in line)
                elif re.match(r"#\s*endif", line):
                    stack.pop()
                elif re.match(r"#\s*else", line) and stack[-1]:
                    lines.append("planted_type planted;")
                    wanted.append(len(lines))
            if not wanted:
                lines.append("struct planted *planted = 1.5;")
                wanted.append(len(lines))
            copy_of_it = WORK / "plants" / source.name
            copy_of_it.parent.mkdir(parents=True, exist_ok=True)
            copy_of_it.write_text("\n".join(lines) + "\n")
            words = darwin.c_words(toolchain, "arm64-apple-ios18.0", source.parent / "include", copy_of_it)
            words += ["-ferror-limit=0"]
            done = subprocess.run([str(word) for word in words], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            seen = {int(number) for number in re.findall(r":(\d+):\d+: (?:fatal )?error:", done.stdout)}
            if set(wanted) - seen:
                raise Failed(f"self-test: {source.relative_to(ROOT)}: planted and not noticed: {sorted(set(wanted) - seen)}")
            count += len(wanted)
    return count


def wrongs(it):
    """What stage D has to notice: a change of the facts, and a piece of the line that tells it."""
    def product(it): it["mac"]["products"] = [one for one in it["mac"]["products"] if one["name"] != "PaviseAppLock"]
    def extra(it): it["mac"]["products"].append({"name": "PaviseLab"})
    def target(it): it["linux"]["targets"].append({"name": "PaviseNew", "path": "Sources/Kit/New"})
    def reason(it): it["linux_only"] = {**it["linux_only"], "PaviseURLSession": "no"}
    def snippet(it): it["snippets"]["Snippets/New.swift"] = "import PaviseURLSession\nprint(1)\n"
    def half(it): it["snippets"]["Snippets/Half.swift"] = "#if os(Linux)\nimport PaviseURLSession\n#endif\nprint(1)\n"
    def name(it): it["ours"] = it["ours"] | {"kSecAttrLinux"}
    def grown(it): it["ours"], it["linux_names"] = it["ours"] | {"kSecAttrLinux"}, it["linux_names"] | {"kSecAttrLinux"}
    def swapped(it):
        it["ours"], it["linux_names"] = it["ours"] - {"ErrorTarget"} | {"kSecAttrLinux"}, it["linux_names"] - {"ErrorTarget"} | {"kSecAttrLinux"}
    def stale(it): it["apple_names"] = it["apple_names"] | {"kSecGone"}
    def used(it): it["sources"].append(("New.swift", "let size = systemFreeSize\n"))
    def unused(it): it["privacy"]["NSPrivacyAccessedAPITypes"].append(
        {"NSPrivacyAccessedAPIType": "NSPrivacyAccessedAPICategoryActiveKeyboards", "NSPrivacyAccessedAPITypeReasons": ["3EC4.1"]})
    def no_privacy(it): it["privacy"] = None
    def tracking(it): del it["privacy"]["NSPrivacyTracking"]
    def query(it): it["sources"].append(("New.swift", "let q: [String: Any] = [\n    kSecClass as String: kSecClassIdentity,\n]\n"))
    def closure(it): it["sources"] = [(name, text.replace("@Sendable [receiver]", "[receiver]")) for name, text in it["sources"]]
    def observer(it): it["sources"] = [(name, text.replace("@Sendable notification in", "notification in")) for name, text in it["sources"]]
    def clear(it): it["sources"] = [(name, text.replace("cover.backgroundColor = ", "cover.tint = ")) for name, text in it["sources"]]
    def deaf(it): it["sources"] = [(name, text.replace("ManagedWatch($0, every: .seconds(30)", "ManagedWatch($0, every: nil")) for name, text in it["sources"]]
    def unread(it): it["sources"] = [(name, text.replace("search(KeychainBridge.reading(probe))", "search(probe)")) for name, text in it["sources"]]
    def unknown(it): it["document"] = it["document"].replace("`ScreenCover` (UIKit", "`ScreenLid` (UIKit")
    def skipped(it): it["tests"].append(("VaultTests/New.swift", '@Test(.linuxElement("why")) func `a new one`() {}'))
    def branched(it): it["tests"].append(("VaultTests/New.swift", "#if !PAVISE_APPLE_ADAPTER\n"))
    def left_out(it): it["package"] = it["package"].replace('linuxOnly: ["', 'linuxOnly: ["New.swift", "')
    def traded(it):
        it["linux_tests"] = [line.replace("PINTests", "NewTests") for line in it["linux_tests"]]
        it["tests"] = [(name.replace("PINTests", "NewTests"), text) for name, text in it["tests"]]
    def over(it): it["composed"] = [*it["composed"], "New.swift"]
    def unsigned(it): it["sources"].append(("New.swift", "source.setEventHandler { for one in all { @Sendable in one() } }\n"))
    def inside(it): it["sources"].append(("New.swift", "centre.addObserver(forName: f({ @Sendable in 1 }), using: { note in })\n"))
    def written(it): it["sources"].append(("New.swift", 'task.expirationHandler = // "\n    { [weak self] in stop("\\(f("@Sendable"))") }\n'))
    def identity(it): it["sources"] = [(name, text.replace("kSecReturnRef as String: true, kSecUseData", "x as String: true, y"))
                                       for name, text in it["sources"]]
    def row(it): it["document"] = it["document"].replace("| `PaviseVault` |", "| `PaviseVaults` |")
    def claim(it): it["document"] = re.sub(r"(\| `PaviseURLSession` \|[^|]*\|[^|]*\|) [^|]* \|", r"\1 yes |", it["document"])
    def part(it): it["kit_folders"] = it["kit_folders"] | {"Transport/Sockets"}
    def gone(it): it["kit_folders"] = it["kit_folders"] - {"Transport/URL"}
    def false_part(it): it["document"] = it["document"].replace("| `Attestation/TPM` | yes | no |", "| `Attestation/TPM` | yes | yes |")
    def silent(it): it["document"] = re.sub(r"(\| `Integrity/Checks` \|.*\| no \|)[^|]*\|", r"\1 |", it["document"])
    def adapter(it): it["adapters"] = it["adapters"] | {"Kit/Session/Push+Apple.swift"}
    def understated(it): it["document"] = it["document"].replace("| UserDefaults | DefaultsSettingsTests |", "| UserDefaults | compiled only |")
    def suite(it): it["suites"] = it["suites"] - {"BiometricBridgeTests"}
    def built(it): it["workflow"] = it["workflow"].replace("PaviseAppLock, ", "")
    def untrusted(it): it["workflow"] = it["workflow"].replace("safe.directory", "safe.folder")
    def page(it): it["declarations"] = {name: text.replace("// Pages:", "//") for name, text in it["declarations"].items()}
    def manual(it): it["declarations"]["Declarations/include/new.h"] = "// Declarations of ours.\n#pragma once\nint nice(int more);\n"
    def number(it): it["declarations"] = {name: text.replace("errSecParam = -50,", "errSecParam = -51,") for name, text in it["declarations"].items()}
    def padding(it): it["security"] = it["security"].replace("@available(*, unavailable, renamed: \"SecPadding.OAEP\")", "")
    def denied(it): it["documents"].append(("New.md", "- The Apple side was never\n  compiled here.\n"))
    def denied_in_code(it): it["documents"].append(("New+Apple.swift", "/// It is not compiled or run\n/// by this repository's checks.\n"))
    def offered(it): it["linux"]["products"].append({"name": "PaviseMore", "type": {"library": ["automatic"]}})
    return [(denied, "New.md: says what is not true"), (denied_in_code, "New+Apple.swift: says what is not true"), (page, "UIKit.swift: says no page"), (page, "include/unistd.h: says no page"), (page, "Darwin.swift: says no page"),
            (manual, "new.h: says no page"), (number, "errSecParam is -51"), (padding, "kSecPaddingOAEP: Swift has"), (part, "the part Transport/Sockets"), (gone, "Transport/URL is no part"), (false_part, "Attestation/TPM: compiled"),
            (silent, "Integrity/Checks: its logic"), (adapter, "the adapter Kit/Session/Push+Apple.swift"), (suite, "there are no tests Biometric"),
            (understated, "SystemSettings+Apple.swift: stage A builds it"),
            (built, "PaviseAppLock is not built for iOS"), (untrusted, "safe.directory before"), (offered, "PaviseMore has no row"), (product, "PaviseAppLock: README.md lists it"), (extra, "PaviseLab: a Mac has this product"), (target, "PaviseNew is a target"),
            (reason, "PaviseURLSession has no reason"), (snippet, "Snippets/New.swift"), (half, "Snippets/Half.swift"),
            (name, "kSecAttrLinux is in none"), (grown, "it never grows"), (swapped, "no name comes in"), (stale, "kSecGone is no public name"),
            (used, "DiskSpace has no reason"), (unused, "ActiveKeyboards is not used"), (no_privacy, "is missing"),
            (tracking, "NSPrivacyTracking is not said"), (query, "kSecUseDataProtectionKeychain"), (closure, "is not @Sendable"), (observer, "given to addObserver is not"), (clear, "without a background colour"), (unread, "BiometricBridge.swift: a proof of absence"), (deaf, "are left to UserDefaults' notification"), (unknown, "nothing here is called ScreenLid"), (skipped, "New.swift: a new one does not run"), (branched, "New.swift: a branch"), (left_out, "New.swift: left out does not"),
            (traded, "no test comes in"), (over, "their number never grows"),
            (unsigned, "New.swift: the closure given to setEventHandler"),
            (inside, "New.swift: the closure given to addObserver"), (written, "New.swift: the closure given to expirationHandler"), (identity, "IdentityBridge.swift: a query without"), (row, "PaviseVault has no row"),
            (claim, "said to be compiled")]


def plant_versions(toolchain):
    """Another Swift is not checked, and fails nothing; one that only looks alike is another. With an SDK it is an error."""
    def judge(other, sdk, is_known):
        with contextlib.redirect_stdout(io.StringIO()):
            try:
                kept = darwin.stages_for(other, list("ABCD"), sdk)
            except Failed:
                kept = None
        if kept != (list("ABCD") if is_known else None if sdk else ["A", "D"]):
            raise Failed(f"self-test: with Swift {other.version} in {other.resources}{' and an SDK' if sdk else ''} the stages are {kept}")

    sdk = WORK / "fake-xcode"
    other = copy.copy(toolchain)
    for version, is_known, is_known_with_sdk in (("6.3", True, True), ("6.3.2", True, True), ("6.2.4", False, True), ("6.30", False, False),
                                                 ("6.4", False, False), ("6.1.2", False, False), ("7.6.3", False, False)):
        other.version = version
        judge(other, None, is_known)
        judge(other, sdk, is_known_with_sdk)
    # One for a machine of another kind, and Xcode's, have no descriptions that are read here; with an SDK none is read.
    other = copy.copy(toolchain)
    other.resources = WORK / "plants"
    judge(other, None, False)
    judge(other, sdk, True)


def traps(modules, systems):
    """What Linux alone takes is refused in Darwin mode, line by line; returns how many."""
    path = ROOT / "Conformance/Apple/Traps/Traps.swift"
    marked = {number for number, line in enumerate(path.read_text().splitlines(), 1) if line.endswith("// refused")}
    for system in systems:
        refused = {line for _, line in system.errors(modules[-1], [path])}
        if refused != marked:
            raise Failed(f"self-test: {path.relative_to(ROOT)} for {system.target}: refused and not marked {sorted(refused - marked)}, "
                         f"marked and not refused {sorted(marked - refused)}")
    return len(marked)


def plant_facts(it):
    cases = wrongs(it)
    for change, words in cases:
        other = copy.deepcopy(it)
        change(other)
        if not any(words in line for line in manifest.judge(other)):
            raise Failed(f"self-test: planted and not noticed: {change.__name__} ({words})")
    return len(cases)


def test(it, c_targets, modules, systems, toolchain):
    """Everything; returns what is printed."""
    counts = []
    first = {system.platform: system for system in reversed(systems.values())}
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for module in modules:
            for system in first.values():
                if not module.is_for_tests or system.platform == "macosx":
                    counts.append(pool.submit(plant_module, module, system))
        planted_files = [name for future in counts for name in future.result()]
    wrong = untouched(it["adapters"], planted_files)
    if wrong or not untouched(it["adapters"] | {"Kit/Somewhere+Apple.swift"}, planted_files):
        raise Failed("\n".join(wrong or ["self-test: a file without a planted error was not noticed"]))
    plant_versions(toolchain)
    plant_header(modules[0], next(iter(first.values())))
    in_swift = len(planted_files)
    in_c = plant_c(c_targets, toolchain)
    return f"{in_swift} errors planted in Swift, in each of {len(it['adapters'])} Apple files, {in_c} in C and {plant_facts(it)} in what stage D judges, each noticed; {traps(modules, first.values())} lines that Linux alone takes are refused"
