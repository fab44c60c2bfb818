"""A folder laid out like Xcode's, with our declarations in the places of Apple's: the self-test of `check.py --sdk`.

It shows that the words for an SDK find what lies where Xcode lays it, and read nothing of Declarations/ beside it. It is no
SDK of Apple's: what such a one declares otherwise would be seen only with one.
"""

import shutil

import darwin
from darwin import DECLARATIONS, FRAMEWORKS, WORK, Failed

# What Xcode's SDKs have below usr/lib/swift; everything else is a framework.
LIBRARIES = set(darwin.STANDARD) | {"Dispatch", "ObjectiveC", "os"}
# As they are called from outside of their folder.
HEADERS = {"<ObjectiveC.h>": "<objc/ObjectiveC.h>", "<CoreFoundationParts.h>": "<CoreFoundation/CoreFoundationParts.h>",
           '"../Security/SecurityParts.h"': "<Security/SecurityParts.h>"}
# C modules that are no frameworks lie below usr/include.
PLAIN = {"SQLite3": "sqlite", "CommonCrypto": "CommonCrypto", "ObjectiveC": "objc"}
# A name that is taken out of the SDK's header, and who has to miss it.
GONE, MISSES_IT = "kSecUseDataProtectionKeychain", "SecurityFramework"
# Compiled, with all that they need: between them they import each kind of layout (a framework with headers, one with Swift
# alone, both, a plain C module, a library of Swift's).
COMPILED = {MISSES_IT, "PaviseAppLock", "PavisePrivacy", "PaviseProtectedStorage"}


def lay_out(system):
    """Makes the folder anew from what `system` compiled, and returns the SDK in it."""
    developer = WORK / "fake-xcode" / "Platforms" / "MacOSX.platform" / "Developer"
    sdk = developer / "SDKs" / "MacOSX.sdk"
    shutil.rmtree(developer, ignore_errors=True)
    for part in ("usr/include", "usr/lib/swift", "System/Library/Frameworks"):
        (sdk / part).mkdir(parents=True)
    (sdk / "SDKSettings.json").write_text('{"CanonicalName": "macosx26.0", "Version": "26.0", "MaximumDeploymentTarget": "26.0.99"}\n')
    shutil.copytree(DECLARATIONS / "include", sdk / "usr/include", dirs_exist_ok=True)
    core = sdk / "System/Library/Frameworks/CoreFoundation.framework"
    headers(core / "Headers", (system.base / "headers/CoreFoundation").glob("*.h"))
    headers(core / "Headers", [DECLARATIONS / "CoreFoundation/CoreFoundationParts.h"])
    base = core / "Headers/CFBase.h"
    base.write_text("#define DEPLOYMENT_RUNTIME_SWIFT 0\n" + base.read_text())
    module_map(core, "CoreFoundation", "CoreFoundationParts.h")
    for folder in sorted(path for path in FRAMEWORKS.iterdir() if next(path.glob("*.h"), None)):
        lay_out_c(sdk, folder)
    for name in [*darwin.STANDARD, *darwin.frameworks(system.platform)]:
        place = sdk / "usr/lib/swift" if name in LIBRARIES else sdk / f"System/Library/Frameworks/{name}.framework/Modules"
        lay_out_swift(place, system, name)
    lay_out_swift(developer / "Library/Frameworks/Testing.framework/Modules", system, "Testing")
    return sdk


def lay_out_c(sdk, folder):
    name = folder.name
    if name in PLAIN:
        headers(sdk / "usr/include" / PLAIN[name], folder.glob("*.h"))
        text = (folder / "module.modulemap").read_text()
        (sdk / "usr/include" / PLAIN[name] / "module.modulemap").write_text(text)
        with (sdk / "usr/include/module.modulemap").open("a") as maps:
            maps.write(f'extern module {name} "{PLAIN[name]}/module.modulemap"\n')
    else:
        framework = sdk / f"System/Library/Frameworks/{name}.framework"
        headers(framework / "Headers", folder.glob("*.h"))
        module_map(framework, name, next(folder.glob("*.h")).name)


def headers(folder, paths):
    folder.mkdir(parents=True, exist_ok=True)
    for path in paths:
        text = path.read_text()
        for inside, outside in HEADERS.items():
            text = text.replace(inside, outside)
        (folder / path.name).write_text(text)


def module_map(framework, name, header):
    (framework / "Modules").mkdir(parents=True, exist_ok=True)
    (framework / "Modules/module.modulemap").write_text(
        f'framework module {name} [system] {{\n    header "{header}"\n    export *\n}}\n')


def lay_out_swift(place, system, name):
    """Compiled, where Xcode has an interface as text: the compiler makes the one of the other."""
    made = system.base / f"{name}.swiftmodule"
    target = place / f"{name}.swiftmodule" / "arm64-apple-macos.swiftmodule"
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(next(made.glob("arm64-apple-macos.swiftmodule")) if made.is_dir() else made, target)


def closure(modules):
    """Those of COMPILED and what they need, in their order."""
    wanted = set(COMPILED)
    for module in reversed(modules):
        if module.name in wanted:
            wanted.update(module.names)
    return [module for module in modules if module.name in wanted]


def test(system, modules):
    """Compiles some modules with the folder as their SDK, and sees that a name is missed that the SDK alone lacks."""
    modules = closure(modules)
    sdk = lay_out(system)
    if list(darwin.systems_of(sdk)) != [name for name in darwin.SYSTEMS if name.startswith("macOS")]:
        raise Failed(f"self-test: {sdk.name} is not taken for an SDK of macOS")
    over = darwin.System(system.toolchain, system.target, sdk)
    over.prepare()
    wrong = darwin.compile_for(over, modules)
    if wrong:
        raise Failed("self-test: with a folder laid out like an SDK of Xcode's:\n" + "\n".join(wrong))
    for header in sdk.rglob("SecurityParts.h"):
        header.write_text("\n".join(line for line in header.read_text().splitlines() if GONE not in line))
    module = next(module for module in modules if module.name == MISSES_IT)
    if not over.errors(module, module.sources):
        raise Failed(f"self-test: {GONE} is not in the SDK, and nobody missed it: Declarations/ are read beside it")
    return len(modules)
