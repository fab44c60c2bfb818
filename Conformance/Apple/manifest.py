"""The manifest as a Mac evaluates it, and what else of the package has to fit Apple's systems: stage D of check.py.

Each function takes what it judges and returns what is wrong, as lines; plants.py gives them something wrong.
"""

import functools
import hashlib
import json
import os
import pathlib
import plistlib
import re
import shutil

import adapter
from darwin import DECLARATIONS, FRAMEWORKS, ROOT, WORK, Failed, run

NAMES = pathlib.Path(__file__).resolve().parent / "Names"
# Code with these names builds on Linux alone. The number may only become smaller; whoever takes one out writes the new list's
# SHA-256 here, so that none takes its place.
MOST_LINUX_NAMES, LINUX_NAMES = 21, "0f7cb59738e31a60"
# Tests of the modules of stage A that do not run over the adapter (Names/linux-tests.txt). The same holds: fewer, and none for another.
MOST_LINUX_TESTS, LINUX_TESTS = 26, "7e2f855f587dd101"
# Targets of the Kit that a Mac does not build, and why.
LINUX_ONLY = {
    "PaviseAttestation": "runs on an app's server, which is no Mac or phone, and stands on OpenSSL",
    "PaviseNetworking": "puts those checks under Foundation's own names on Linux; Apple's Foundation has all of these names",
    "PaviseURLSession": "puts Pavise's checks under FoundationNetworking; Apple's systems have App Transport Security under URLSession",
}
# What Apple wants a reason for (developer.apple.com/documentation/bundleresources/describing-use-of-required-reason-api), as it is
# called from Swift and C. CLOCK_MONOTONIC is not on the list; mach_absolute_time and systemUptime are.
REASONED = {
    "NSPrivacyAccessedAPICategoryFileTimestamp":
        r"\b(?:stat|fstat|lstat|fstatat|getattrlist\w*)\(|\b(?:creationDate|modificationDate|contentModificationDate\w*)\b",
    "NSPrivacyAccessedAPICategorySystemBootTime": r"\b(?:systemUptime|mach_absolute_time)\b",
    "NSPrivacyAccessedAPICategoryDiskSpace": r"\b(?:volume(?:Available|Total)Capacity\w*|systemFreeSize|statfs|statvfs|fstatfs)\b",
    "NSPrivacyAccessedAPICategoryActiveKeyboards": r"\bactiveInputModes\b",
    "NSPrivacyAccessedAPICategoryUserDefaults": r"\b(?:NS)?UserDefaults\b",
}
# Calls whose closure Apple's headers do not mark, and that the system calls on any queue.
FOREIGN_QUEUES = ["ASWebAuthenticationSession", "addObserver", "performExpiringActivity", "setEventHandler", "evaluatePolicy",
                  "evaluateAccessControl", "requestAuthorization", "compileContentRuleList", r"register(?=\(forTaskWithIdentifier)",
                  "pathUpdateHandler", "expirationHandler", "registerForTraitChanges"]
WORKFLOW = ROOT / ".github/workflows/check.yml"
PRIVACY = ROOT / "Sources/Platform/Primitives/PrivacyInfo.xcprivacy"


def dump(name, change):
    """The manifest, after `change` of its text."""
    copy = WORK / name
    shutil.rmtree(copy, ignore_errors=True)
    copy.mkdir(parents=True)
    (copy / "Package.swift").write_text(change((ROOT / "Package.swift").read_text()))
    for folder in ("Sources", "Tests", "Snippets", "Examples"):
        (copy / folder).symlink_to(ROOT / folder)
    swift = os.environ.get("SWIFT", "swift")
    return json.loads(run([swift, "package", "--ignore-lock", "--package-path", str(copy), "dump-package"], "the manifest of a Mac"))


def on_mac(text):
    if text.count("#if os(macOS)") != 1 or text.count("#else\n") > 0:
        raise Failed("Package.swift: its part for Apple's systems is one `#if os(macOS)` without another branch")
    return text.replace("#if os(macOS)", "#if true")


def manifests():
    """As Linux and as a Mac evaluate it; without tests, which PAVISE_TESTS may have left out."""
    return dump("manifest-linux", lambda text: text), dump("manifest", on_mac)


def rows_of(text, heading):
    """The rows of the table whose first column is called `heading`, as lists of cells."""
    lines = text.splitlines()
    start = next((number for number, line in enumerate(lines) if line.startswith(f"| {heading} |")), None)
    rows = []
    for line in lines[start + 2:] if start is not None else []:
        if not line.startswith("|"):
            break
        rows.append([cell.strip() for cell in line.strip("|").split("|")])
    return rows


def products(mac, linux, readme):
    """The README's list says which products Apple's systems have."""
    rows = rows_of(readme, "product")
    listed = {row[0].strip("`"): row[1] for row in rows}
    wrong = [f"README.md: {name}: the systems are `Apple, Linux` or `Linux`, not {systems}"
             for name, systems in listed.items() if systems not in ("Apple, Linux", "Linux")]
    wanted = {name for name, systems in listed.items() if systems == "Apple, Linux"}
    built = {product["name"] for product in mac["products"]}
    all_of_them = {product["name"] for product in linux["products"]}
    wrong += [f"Package.swift: {name}: README.md lists it for Apple's systems, and a Mac has no such product" for name in sorted(wanted - built)]
    wrong += [f"README.md: {name}: a Mac has this product, and the list does not say so" for name in sorted(built - wanted)]
    wrong += [f"README.md: {name}: no such product" for name in sorted(set(listed) - all_of_them)]
    return wrong


def kit_targets(mac, linux, linux_only):
    """Each target of the Kit is built by a Mac, or has a reason why not."""
    kit = {target["name"] for target in linux["targets"] if (target.get("path") or "").startswith("Sources/Kit/")}
    built = {target["name"] for target in mac["targets"]}
    wrong = [f"Package.swift: {name} is a target of the Kit: name it in onApple, or here in LINUX_ONLY with the reason"
             for name in sorted(kit - built - set(linux_only))]
    wrong += [f"LINUX_ONLY: {name} is no target of the Kit" for name in sorted(set(linux_only) - kit)]
    wrong += [f"LINUX_ONLY: {name} is built by a Mac" for name in sorted(set(linux_only) & built)]
    wrong += [f"LINUX_ONLY: {name} has no reason" for name, reason in linux_only.items() if len(reason) < 20]
    return wrong


def is_guarded(snippet):
    """Whether Linux alone compiles all of it."""
    lines = [line for line in snippet.splitlines() if line.strip() and not line.startswith("//")]
    return lines[:1] == ["#if os(Linux)"] and lines[-1] == "#endif" and not any(line.startswith("#else") for line in lines)


def snippets(mac, sources):
    """A snippet imports what a Mac builds, or is guarded. Those that are not are compiled, too (check.py)."""
    built = {target["name"] for target in mac["targets"]}
    wrong = []
    for name, text in sources.items():
        missing = {module for module in re.findall(r"(?m)^import (\w+)", text) if module.startswith(("Pavise", "Local"))} - built
        if missing and not is_guarded(text):
            wrong.append(f"{name}: a Mac has no {', '.join(sorted(missing))}: put it between `#if os(Linux)` and `#endif`")
    return wrong


def public_names(text):
    """The names of public declarations that an app can write."""
    return set(re.findall(r"(?m)^\s*(?:@[\w()]+ )*(?:nonisolated\(unsafe\) )?public (?:nonisolated\(unsafe\) )?(?:static )?"
                          r"(?:let|var|func|struct|final class|class|enum|typealias) (\w+)", text))


def refused_names(text):
    """The names that stand here only to say what to write in their place."""
    return set(re.findall(r"(?m)^@available\(\*, unavailable[^\n]*\n(?:@[^\n]*\n)*public let (\w+)", text))


def paddings(text):
    """C's names of SecPadding are none in Swift on Apple's systems: code with them must not build here either."""
    return [f"Security: {name}: Swift has no such name on Apple's systems; mark it unavailable"
            for name in sorted(public_names(text) - refused_names(text)) if name.startswith("kSecPadding")]


def names(ours, apple, linux_only):
    wrong = [f"Security: {name} is in none of Names/: Apple's documentation has it (apple.txt), or it is not public"
             for name in sorted(ours - apple - linux_only)]
    wrong += [f"Names: {name} is no public name any more: take it out" for name in sorted((apple | linux_only) - ours)]
    wrong += [f"Names: {name} is in both lists" for name in sorted(apple & linux_only)]
    if len(linux_only) > MOST_LINUX_NAMES:
        wrong.append(f"Names/linux.txt has {len(linux_only)} names, and may have {MOST_LINUX_NAMES}: it never grows")
    found = hashlib.sha256("\n".join(sorted(linux_only)).encode()).hexdigest()[:16]
    if found != LINUX_NAMES:
        wrong.append(f"Names/linux.txt is another list than LINUX_NAMES in manifest.py says ({found}): no name comes in for one that went")
    return wrong


def linux_tests(files, package, composed):
    """What of the tests of stage A is Linux' own: tests and suites with the trait, files that are left out, and branches of files.

    `files` are (name, text) of the tests, `package` is Adapter/Package.swift, `composed` what adapter.py leaves out.
    """
    found = []
    for name, text in files:
        text = code(text)
        for trait in re.finditer(r"\.linuxElement\(", text):
            owner = re.compile(r"\bfunc (`[^`]+`|\w+)|\b(?:struct|class) (\w+)").search(text, trait.end())
            found.append(f"{name}: {(owner[1] or owner[2]).strip('`')}")
        found += [f"{name}: a branch of its own" for _ in re.finditer(r"(?m)^\s*#(?:if|elseif)\b.*\bPAVISE_APPLE_ADAPTER\b", text)]
    for listed in re.findall(r"linuxOnly: \[([^\]]*)\]", package):
        found += [f"{name}: left out" for name in re.findall(r'"([^"]+)"', listed)]
    return sorted(found + [f"{name}: left out" for name in composed])


def own_tests(found, listed):
    wrong = [f"Names/linux-tests.txt: {name} does not run over Apple's adapter, and is not listed" for name in sorted(set(found) - set(listed))]
    wrong += [f"Names/linux-tests.txt: {name}: there is no such test any more: take it out" for name in sorted(set(listed) - set(found))]
    if len(found) > MOST_LINUX_TESTS:
        wrong.append(f"{len(found)} tests do not run over Apple's adapter, and {MOST_LINUX_TESTS} may be so: their number never grows")
    digest = hashlib.sha256("\n".join(sorted(listed)).encode()).hexdigest()[:16]
    if digest != LINUX_TESTS:
        wrong.append(f"Names/linux-tests.txt is another list than LINUX_TESTS in manifest.py says ({digest}): no test comes in for one that went")
    return wrong


def tests_of_stage_a():
    """The tests that Adapter/Package.swift and adapter.py name, as (name, text)."""
    package = (pathlib.Path(__file__).resolve().parent / "Adapter/Package.swift").read_text()
    folders = {f"Tests/{name}Tests" for name in re.findall(r'(?m)^\s*tests\(\s*"(\w+)"', package)}
    parts = [part for listed in adapter.COMPOSED.values() for part in listed if part.startswith("Tests/")]
    paths = {path for part in [*folders, *parts] for path in ([ROOT / part] if part.endswith(".swift") else (ROOT / part).rglob("*.swift"))}
    return [(str(path.relative_to(ROOT / "Tests")), path.read_text()) for path in sorted(paths)], package


def name_list(path):
    return {line for line in path.read_text().splitlines() if line and not line.startswith("#")}


@functools.lru_cache(maxsize=None)
def calls(pattern, text):
    """Whether a line of the text that is no comment has it."""
    return any(re.search(pattern, line) for line in text.splitlines() if not line.lstrip().startswith("//"))


@functools.lru_cache(maxsize=None)
def careless_closures(text):
    """The calls of `text` that give a closure to a queue of the system's which is not `@Sendable`."""
    text, names = code(text), []
    for found in re.finditer(r"\b(?:" + "|".join(FOREIGN_QUEUES) + r")\b", text):
        # A type's name before a brace is that of a value that is described, and no call.
        is_type = found[0][0].isupper() and text[found.end():].lstrip()[:1] != "("
        # In a condition the brace behind the call begins what is done then.
        is_condition = re.search(r"\b(?:if|while|switch|for)\b[^{};]*$", text[:found.start()])
        given = [] if is_type else closures_given(text, found.end(), not is_condition)
        names += [found[0] for place in given if "@Sendable" not in signature(text, place)]
    return names


def privacy(sources, declared):
    """`sources` are (name, text) of what a Mac compiles; `declared` is the privacy manifest."""
    if declared is None:
        return [f"{PRIVACY.relative_to(ROOT)} is missing"]
    reasons = {entry["NSPrivacyAccessedAPIType"]: entry["NSPrivacyAccessedAPITypeReasons"]
               for entry in declared.get("NSPrivacyAccessedAPITypes", [])}
    wrong = []
    for category, pattern in REASONED.items():
        users = [name for name, text in sources if calls(pattern, text)]
        if users and not reasons.get(category):
            wrong.append(f"PrivacyInfo.xcprivacy: {category} has no reason; used in {', '.join(users[:3])}")
        if not users and category in reasons:
            wrong.append(f"PrivacyInfo.xcprivacy: {category} is not used")
    wrong += [f"PrivacyInfo.xcprivacy: {key} is not said" for key in
              ("NSPrivacyTracking", "NSPrivacyTrackingDomains", "NSPrivacyCollectedDataTypes") if key not in declared]
    return wrong


def queries(sources):
    """On macOS a query without this key looks into the file keychain, where nothing of ours is."""
    wrong = []
    for name, text in sources:
        for found in re.finditer(r"\[[^\[\]]*\bkSecClass as String[^\[\]]*\]", re.sub(r"\[[^\[\]]*: Any\]", "", text)):
            if "kSecUseDataProtectionKeychain" not in found[0] and "kSecAttrKeyClass" not in found[0]:
                query = " ".join(found[0].split())[:60]
                wrong.append(f"{name}: a query without kSecUseDataProtectionKeychain: {query}")
    return wrong


# The self-test judges the same files some fifty times.
@functools.lru_cache(maxsize=None)
def code(text):
    """Swift's code with a blank in the place of each character of a comment or of a text in quotes."""
    made, place = list(text), 0
    beginning = re.compile(r'//|/\*|(#*)("""|")')

    def blank(end):
        nonlocal place
        made[place:end] = ["\n" if letter == "\n" else " " for letter in text[place:end]]
        place = end

    while found := beginning.search(text, place):
        place = found.start()
        if found[0] == "//":
            end = text.find("\n", place)
            blank(len(text) if end < 0 else end)
        elif found[0] == "/*":
            blank(end_of_comment(text, place))
        else:
            blank(end_of_text(text, found))
    return "".join(made)


def end_of_comment(text, place):
    """Swift's comments hold other ones."""
    depth = 0
    for mark in re.compile(r"/\*|\*/").finditer(text, place):
        depth += 1 if mark[0] == "/*" else -1
        if depth == 0:
            return mark.end()
    return len(text)


def end_of_text(text, opening):
    """Where a text in quotes ends; what is put into it may hold texts in quotes of its own."""
    hashes, quotes = opening[1], opening[2]
    place = opening.end()
    while place < len(text):
        if text.startswith(quotes + hashes, place):
            return place + len(quotes + hashes)
        if text.startswith("\\" + hashes + "(", place):
            place, depth = place + 2 + len(hashes), 1
            while place < len(text) and depth:
                inner = re.compile(r'(#*)("""|")').match(text, place)
                depth += {"(": 1, ")": -1}.get(text[place], 0)
                place = end_of_text(text, inner) if inner else place + 1
        else:
            place += 2 if text.startswith("\\" + hashes, place) and not hashes else 1
    return len(text)


def end_of_pair(text, place):
    """Behind the bracket that closes the one at `place`."""
    depth = 0
    for position in range(place, len(text)):
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(text[position], 0)
        if depth == 0:
            return position + 1
    return len(text)


def closures_given(text, place, may_trail):
    """Where the closures begin that a call gives whose name ends at `place`, or that is written to a property of the name."""
    def skip(place):
        return re.compile(r"\s*").match(text, place).end()

    begins, place = [], skip(place)
    if text[place:place + 1] == "(":
        end = end_of_pair(text, place)
        inside = place + 1
        while inside < end - 1:
            if text[inside] == "{":
                begins.append(inside)
            inside = end_of_pair(text, inside) if text[inside] in "([{" else inside + 1
        place = skip(end)
    elif text[place:place + 1] == "=":
        place = skip(place + 1)
    elif text[place:place + 1] != "{":
        return []
    return begins + ([place] if may_trail and text[place:place + 1] == "{" else [])


def signature(text, place):
    """What stands between the beginning of a closure and its `in`; nothing where it has none."""
    end = end_of_pair(text, place) - 1
    position = place + 1
    while position < end:
        if re.compile(r"\bin\b").match(text, position):
            return text[place + 1:position]
        position = end_of_pair(text, position) if text[position] in "([{" else position + 1
    return ""


def closures(sources):
    """A closure that the system calls on a queue of its own is `@Sendable`: else it is the main actor's, and traps there."""
    return [f"{name}: the closure given to {call} is not @Sendable" for name, text in sources for call in careless_closures(text)]


def told(sources):
    """UserDefaults posts nothing for changes by another process (documentation of its didChangeNotification)."""
    return [f"{name}: rules of another process are left to UserDefaults' notification" for name, text in sources
            if "UserDefaults.didChangeNotification" in code(text) and "every: nil" in code(text)]


def proofs(sources):
    """What proves an absence reads the content of its probe: attributes alone need no key of the class."""
    return [f"{name}: a proof of absence that does not read its probe" for name, text in sources if "SecurityFrameworkApple/" in name
            for found in re.finditer(r"\bAbsenceProof\.status\(.*?\bmake:", code(text), re.S) if "reading(" not in found[0]]


def covers(sources):
    """A window of UIKit without a colour shows what lies below it (documentation of UIView.backgroundColor)."""
    return [f"{name}: a UIWindow without a background colour lets through what lies below it" for name, text in sources
            if "UIWindow(windowScene:" in code(text) and ".backgroundColor = " not in code(text)]


def table(mac, linux, document):
    """Documentation/Apple.md has a row for each product and each module of the Kit, and for none that is not there."""
    kit = {target["name"] for target in linux["targets"] if (target.get("path") or "").startswith("Sources/Kit/")}
    # A product that is a program is none of an app's.
    offered = {product["name"] for product in linux["products"] if "library" in product["type"]}
    wanted = kit | offered | {product["name"] for product in mac["products"]}
    built = {target["name"] for target in mac["targets"]}
    rows = {}
    for row in rows_of(document, "module"):
        rows.setdefault(row[0].strip("`"), []).append(row)
    wrong = [f"Documentation/Apple.md: {name} has no row" for name in sorted(wanted - set(rows))]
    wrong += [f"Documentation/Apple.md: {name} is no module or product" for name in sorted(set(rows) - wanted)]
    for name in sorted(set(rows) & wanted):
        for row in rows[name]:
            if len(row) != 6:
                wrong.append(f"Documentation/Apple.md: {name}: {row[1]}: six cells are wanted")
            elif row[3] == "yes" and name not in built:
                wrong.append(f"Documentation/Apple.md: {name}: {row[1]}: said to be compiled, and a Mac does not build it")
            elif row[3] != "yes" and len(row[5]) < 10:
                wrong.append(f"Documentation/Apple.md: {name}: {row[1]}: not on Apple's systems, without a reason")
    return wrong


def parts(kit_folders, mac, document):
    """Documentation/Apple.md has a row for each folder of the Kit, and says of none that a Mac builds it where it does not."""
    rows = {row[0].strip("`"): row for row in rows_of(document, "part")}
    built = {target.get("path", "").removeprefix("Sources/Kit/").split("/")[0] for target in mac["targets"]}
    wrong = [f"Documentation/Apple.md: the part {name} of the Kit has no row" for name in sorted(kit_folders - set(rows))]
    wrong += [f"Documentation/Apple.md: {name} is no part of the Kit" for name in sorted(set(rows) - kit_folders)]
    for name, row in rows.items():
        is_built = name.split("/")[0] in built
        if len(row) != 5:
            wrong.append(f"Documentation/Apple.md: {name}: five cells are wanted")
        elif (row[2] == "yes") != is_built:
            wrong.append(f"Documentation/Apple.md: {name}: compiled for Apple's systems is {row[2]}, and a Mac says otherwise")
        elif row[3] == "no" and len(row[4]) < 10:
            wrong.append(f"Documentation/Apple.md: {name}: its logic is not run here, without a reason")
    return wrong


def named(mac, linux, kit_folders, declared, document):
    """Each name of code in a table of Documentation/Apple.md is declared somewhere, or is one of a module, a product or a part."""
    known = declared | kit_folders | {one["name"] for it in (mac, linux) for one in it["targets"] + it["products"]}
    code = {name for line in document.splitlines() if line.startswith("|") for name in re.findall(r"`\.?(\w+(?:\.\w+)*)(?:\([^`]*\))?`", line)}
    return [f"Documentation/Apple.md: nothing here is called {name}" for name in sorted(code)
            if name not in known and not set(name.split(".")) <= known]


def declared_names():
    """What the sources and our declarations of Apple's frameworks declare or import."""
    texts = [path.read_text() for folder in (ROOT / "Sources", FRAMEWORKS) for ending in ("*.swift", "*.h") for path in folder.rglob(ending)]
    words = r"\b(?:class|struct|enum|protocol|actor|typealias|func|var|let|case|import)\s+`?(\w+)"
    return {name for text in texts for name in re.findall(words, text)}


def adapters(files, suites, standing, document):
    """Documentation/Apple.md has a row for each file that stands on Apple's frameworks, with tests that exist.

    `standing` are files that stage A builds: tests run them.
    """
    rows = {row[0].strip("`"): row for row in rows_of(document, "adapter")}
    wrong = [f"Documentation/Apple.md: the adapter {name} has no row" for name in sorted(files - set(rows))]
    wrong += [f"Documentation/Apple.md: {name} is no adapter" for name in sorted(set(rows) - files)]
    wrong += [f"Documentation/Apple.md: {name}: there are no tests {row[2]} over the adapter" for name, row in rows.items()
              if row[2] != "compiled only" and not set(row[2].split(", ")) <= suites]
    wrong += [f"Documentation/Apple.md: {name}: stage A builds it, and it is said to be compiled only" for name, row in rows.items()
              if row[2] == "compiled only" and name in standing]
    return wrong


def outdated(texts):
    """Sentences of a time before this check, which say that nothing here compiles Apple's half; over line ends, too."""
    claim = re.compile(r"(?:never|not) (?:compiled|built)(?: or run)? (?:here\b|(?:by|in) this repository\b)")
    return [f"{name}: says what is not true any more: {found[0]}" for name, text in texts
            for found in claim.finditer(re.sub(r"\s*\n\s*(?:///?\s?)?", " ", text))]


def workflow(mac, text):
    """The public host's machines build each product of a Mac for iOS, and git answers in their containers."""
    listed = re.search(r"(?m)^\s*product: \[(.*)\]$", text)
    named = {name.strip() for name in listed[1].split(",")} if listed else set()
    offered = {product["name"] for product in mac["products"]}
    name = WORKFLOW.relative_to(ROOT)
    wrong = [f"{name}: {product} is not built for iOS" for product in sorted(offered - named)]
    wrong += [f"{name}: {product} is no product of a Mac" for product in sorted(named - offered)]
    for job in re.split(r"(?m)^  (?=\w+:$)", text):
        trusted, checked = job.find("safe.directory"), job.find("run: make check")
        if "container:" in job and checked >= 0 and not 0 <= trusted < checked:
            wrong.append(f"{name}: in a container git refuses a folder of another user: safe.directory before `make check`")
    return wrong


def pages(declarations):
    """Each file of our declarations says where Apple documents what it declares; one that only includes others declares nothing."""
    declares = re.compile(r"(?m)^(?!\s*(?://|#pragma\b|#include\b|(?:@_exported )?(?:public |internal )?import\b)).*\S")
    return [f"{name}: says no page: a line `// Pages: https://…`, or `// Pages: man 2 …` for the C library" for name, text in declarations.items()
            if declares.search(text) and not re.search(r"(?m)^// Pages: (?:https://[\w.-]+/\S+|man [1-9]\b)", text)]


def numbers(security, declarations):
    """A status has one number: that of our own constants, which were compared with Apple's."""
    ours = {name: int(value.replace("_", "")) for name, value in re.findall(r"public let (err\w+): OSStatus = (-?[\d_]+)", security)}
    return [f"{file}: {name} is {value}, and {ours.get(name)} in our own constants" for file, text in declarations.items()
            for name, value in re.findall(r"(?m)^\s*(errS\w+) = (-?\d+),$", text) if ours.get(name) != int(value)]


def adapter_files():
    """Files of Sources that Apple's systems alone compile, by their names."""
    folders = [path for path in (ROOT / "Sources").rglob("*Apple") if path.is_dir()]
    paths = {path for folder in folders for path in folder.rglob("*.swift")} | set((ROOT / "Sources").rglob("*+Apple.swift"))
    return {str(path.relative_to(ROOT / "Sources")) for path in paths}


def adapter_suites():
    """The test bundles and files that stage A runs."""
    adapter = pathlib.Path(__file__).resolve().parent / "Adapter"
    bundles = re.findall(r'(?m)^\s*tests\(\s*"(\w+)"', (adapter / "Package.swift").read_text())
    return {f"{name}Tests" for name in bundles} | {path.stem for path in (adapter / "Checks").rglob("*.swift")}


def kit_folders():
    """The folders of the Kit, as they are named below it."""
    kit = ROOT / "Sources/Kit"
    return {str(path.parent.relative_to(kit)) for path in kit.rglob("*.swift")}


def sources_of(mac):
    """What a Mac compiles, without tests, as (name, text)."""
    folders = [ROOT / target["path"] / part for target in mac["targets"]
               if target["type"] == "regular" and target["name"] != "TestSupport" for part in target.get("sources") or ["."]]
    paths = [path for folder in folders for pattern in ("*.swift", "*.c") for path in sorted(folder.rglob(pattern))]
    return [(str(path.relative_to(ROOT)), without_linux(path.read_text()) if path.suffix == ".c" else path.read_text()) for path in paths]


def without_linux(text):
    """C without the lines that Linux alone compiles: the first branch of a condition about `__linux__`."""
    kept, stack = [], []
    for line in text.splitlines():
        if re.match(r"#\s*if", line):
            stack.append("__linux__" in line)
        elif re.match(r"#\s*endif", line):
            stack.pop()
        elif re.match(r"#\s*el", line):
            stack[-1] = False
        elif not any(stack):
            kept.append(line)
    return "\n".join(kept)


def documents():
    """What people read about Apple's half: the documentation, and the files that only Apple's systems compile; as (name, text)."""
    paths = [ROOT / "README.md", ROOT / "SECURITY.md", *sorted((ROOT / "Documentation").rglob("*.md")),
             *(ROOT / "Sources" / name for name in sorted(adapter_files()))]
    return [(str(path.relative_to(ROOT)), path.read_text()) for path in paths]


def facts():
    """Everything that is judged, by name, so that the self-test can change one thing."""
    linux, mac = manifests()
    tests, package = tests_of_stage_a()
    security = "\n".join(path.read_text() for path in sorted((ROOT / "Sources/Platform/SecurityFramework").rglob("*.swift")))
    return {
        "linux": linux, "mac": mac, "readme": (ROOT / "README.md").read_text(), "linux_only": LINUX_ONLY,
        "snippets": {f"Snippets/{path.name}": path.read_text() for path in sorted((ROOT / "Snippets").glob("*.swift"))},
        "security": security, "ours": public_names(security), "apple_names": name_list(NAMES / "apple.txt"), "linux_names": name_list(NAMES / "linux.txt"),
        "sources": sources_of(mac), "privacy": plistlib.loads(PRIVACY.read_bytes()) if PRIVACY.is_file() else None,
        "document": (ROOT / "Documentation/Apple.md").read_text(), "kit_folders": kit_folders(), "adapters": adapter_files(),
        "declared": declared_names(), "suites": adapter_suites(), "standing": adapter.standing(), "tests": tests, "package": package, "composed": sorted(adapter.LINUX_ONLY),
        "linux_tests": (NAMES / "linux-tests.txt").read_text().splitlines(), "workflow": WORKFLOW.read_text(),
        "documents": documents(),
        "declarations": {str(path.relative_to(ROOT)): path.read_text() for ending in ("*.swift", "*.h")
                         for path in sorted(DECLARATIONS.rglob(ending))},
    }


def judge(it):
    """All that is wrong."""
    return (products(it["mac"], it["linux"], it["readme"]) + kit_targets(it["mac"], it["linux"], it["linux_only"])
            + snippets(it["mac"], it["snippets"]) + names(it["ours"], it["apple_names"], it["linux_names"])
            + privacy(it["sources"], it["privacy"]) + queries(it["sources"]) + closures(it["sources"]) + covers(it["sources"]) + proofs(it["sources"]) + told(it["sources"])
            + table(it["mac"], it["linux"], it["document"]) + parts(it["kit_folders"], it["mac"], it["document"])
            + named(it["mac"], it["linux"], it["kit_folders"], it["declared"], it["document"])
            + own_tests(linux_tests(it["tests"], it["package"], it["composed"]), [line for line in it["linux_tests"] if line[:1] != "#"])
            + adapters(it["adapters"], it["suites"], it["standing"], it["document"]) + workflow(it["mac"], it["workflow"]) + pages(it["declarations"])
            + outdated(it["documents"]) + paddings(it["security"]) + numbers(it["security"], it["declarations"]))
