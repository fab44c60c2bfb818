"""The manifest as a Mac evaluates it, and what else of the package has to fit Apple's systems: stage D of check.py.

Each function takes what it judges and returns what is wrong, as lines; plants.py gives them something wrong.
"""

import json
import os
import pathlib
import plistlib
import re
import shutil

from darwin import FRAMEWORKS, ROOT, WORK, Failed, run

NAMES = pathlib.Path(__file__).resolve().parent / "Names"
# Code with these names builds on Linux alone. The number may only become smaller.
MOST_LINUX_NAMES = 21
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
                  "evaluateAccessControl", "requestAuthorization", "compileContentRuleList", r"register\(forTaskWithIdentifier",
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
    return wrong


def name_list(path):
    return {line for line in path.read_text().splitlines() if line and not line.startswith("#")}


def privacy(sources, declared):
    """`sources` are (name, text) of what a Mac compiles; `declared` is the privacy manifest."""
    if declared is None:
        return [f"{PRIVACY.relative_to(ROOT)} is missing"]
    reasons = {entry["NSPrivacyAccessedAPIType"]: entry["NSPrivacyAccessedAPITypeReasons"]
               for entry in declared.get("NSPrivacyAccessedAPITypes", [])}
    wrong = []
    for category, pattern in REASONED.items():
        # What stands in a comment is not called.
        users = [name for name, text in sources if any(
            re.search(pattern, line) for line in text.splitlines() if not line.lstrip().startswith("//"))]
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


def closures(sources):
    """A closure that the system calls on a queue of its own is `@Sendable`: else it is the main actor's, and traps there."""
    return [f"{name}: the closure given to {found[1]} is not @Sendable" for name, text in sources
            for found in re.finditer(r"\b(" + "|".join(FOREIGN_QUEUES) + r")\b[^{};]*\{(.*?)\bin\b", re.sub(r"(?m)//.*$", "", text), re.S)
            if "@Sendable" not in found[2]]


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


def adapters(files, suites, document):
    """Documentation/Apple.md has a row for each file that stands on Apple's frameworks, with tests that exist."""
    rows = {row[0].strip("`"): row for row in rows_of(document, "adapter")}
    wrong = [f"Documentation/Apple.md: the adapter {name} has no row" for name in sorted(files - set(rows))]
    wrong += [f"Documentation/Apple.md: {name} is no adapter" for name in sorted(set(rows) - files)]
    wrong += [f"Documentation/Apple.md: {name}: there are no tests {row[2]} over the adapter" for name, row in rows.items()
              if row[2] != "compiled only" and not set(row[2].split(", ")) <= suites]
    return wrong


def workflow(mac, text):
    """The public host's machines build each product of a Mac for iOS."""
    listed = re.search(r"(?m)^\s*product: \[(.*)\]$", text)
    named = {name.strip() for name in listed[1].split(",")} if listed else set()
    offered = {product["name"] for product in mac["products"]}
    return ([f"{WORKFLOW.relative_to(ROOT)}: {name} is not built for iOS" for name in sorted(offered - named)]
            + [f"{WORKFLOW.relative_to(ROOT)}: {name} is no product of a Mac" for name in sorted(named - offered)])


def pages(declarations):
    """Each file of our declarations says where Apple documents what it declares."""
    return [f"{name}: says no page: a line `// Pages: https://…`" for name, text in declarations.items()
            if not re.search(r"(?m)^// Pages: https://[\w.-]+/\S+", text)]


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
    return [(str(path.relative_to(ROOT)), path.read_text()) for path in paths]


def facts():
    """Everything that is judged, by name, so that the self-test can change one thing."""
    linux, mac = manifests()
    security = "\n".join(path.read_text() for path in sorted((ROOT / "Sources/Platform/SecurityFramework").rglob("*.swift")))
    return {
        "linux": linux, "mac": mac, "readme": (ROOT / "README.md").read_text(), "linux_only": LINUX_ONLY,
        "snippets": {f"Snippets/{path.name}": path.read_text() for path in sorted((ROOT / "Snippets").glob("*.swift"))},
        "security": security, "ours": public_names(security), "apple_names": name_list(NAMES / "apple.txt"), "linux_names": name_list(NAMES / "linux.txt"),
        "sources": sources_of(mac), "privacy": plistlib.loads(PRIVACY.read_bytes()) if PRIVACY.is_file() else None,
        "document": (ROOT / "Documentation/Apple.md").read_text(), "kit_folders": kit_folders(), "adapters": adapter_files(),
        "suites": adapter_suites(), "workflow": WORKFLOW.read_text(),
        "declarations": {str(path.relative_to(ROOT)): path.read_text() for ending in ("*.swift", "*.h")
                         for path in sorted(FRAMEWORKS.rglob(ending))},
    }


def judge(it):
    """All that is wrong."""
    return (products(it["mac"], it["linux"], it["readme"]) + kit_targets(it["mac"], it["linux"], it["linux_only"])
            + snippets(it["mac"], it["snippets"]) + names(it["ours"], it["apple_names"], it["linux_names"])
            + privacy(it["sources"], it["privacy"]) + queries(it["sources"]) + closures(it["sources"])
            + table(it["mac"], it["linux"], it["document"]) + parts(it["kit_folders"], it["mac"], it["document"])
            + adapters(it["adapters"], it["suites"], it["document"]) + workflow(it["mac"], it["workflow"]) + pages(it["declarations"]) + paddings(it["security"]))
