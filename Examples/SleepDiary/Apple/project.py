#!/usr/bin/env python3
"""Writes SleepDiary.xcodeproj beside this file: an app for iOS 18 and macOS 15 over the package three folders up, and in it the
service extension that opens its push notices.

Usage: project.py [FOLDER]     where to; beside this file otherwise
       project.py --self-test  parses what it would write, and judges that, the property lists and the privacy manifest

The project is not in git: it is written from this, the same bytes each time, for Xcode 16 or later, whose folders know their files by
themselves. No Xcode has opened it yet.
"""

import hashlib
import pathlib
import plistlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent.parent
PRODUCTS = ["DiaryCore", "Pavise", "PaviseDocuments", "PavisePrivacy", "PaviseValidation"]
NOTICES = ["DiaryCore", "Pavise", "PavisePrivacy"]


def name(what):
    """An identifier of 24 hexadecimal digits, the same for the same thing."""
    return hashlib.sha256(what.encode()).hexdigest()[:24].upper()


def text(value, depth=0):
    """A value in the old form of property lists that Xcode reads."""
    inner, outer = "\t" * (depth + 1), "\t" * depth
    if isinstance(value, dict):
        return "{\n" + "".join(f"{inner}{text(key)} = {text(part, depth + 1)};\n" for key, part in value.items()) + outer + "}"
    if isinstance(value, list):
        return "(\n" + "".join(f"{inner}{text(part, depth + 1)},\n" for part in value) + outer + ")"
    return '"' + str(value).replace("\\", "\\\\").replace('"', '\\"') + '"'


SETTINGS = {
    "ALWAYS_SEARCH_USER_PATHS": "NO", "CODE_SIGN_STYLE": "Automatic", "GENERATE_INFOPLIST_FILE": "NO",
    "CODE_SIGN_ENTITLEMENTS": "Resources/SleepDiary.entitlements",
    "CODE_SIGN_ENTITLEMENTS[sdk=macosx*]": "Resources/SleepDiary-macOS.entitlements",
    "ENABLE_HARDENED_RUNTIME": "YES", "ENABLE_USER_SCRIPT_SANDBOXING": "YES", "INFOPLIST_FILE": "Resources/Info.plist",
    "IPHONEOS_DEPLOYMENT_TARGET": "18.0", "MACOSX_DEPLOYMENT_TARGET": "15.0", "PRODUCT_BUNDLE_IDENTIFIER": "org.example.SleepDiary",
    "PRODUCT_NAME": "SleepDiary", "SDKROOT": "auto", "SUPPORTED_PLATFORMS": "iphoneos iphonesimulator macosx",
    "SUPPORTS_MACCATALYST": "NO", "SWIFT_VERSION": "6.0", "TARGETED_DEVICE_FAMILY": "1,2",
    # As in Package.swift, where they are upcoming features of the language.
    "SWIFT_STRICT_MEMORY_SAFETY": "YES", "SWIFT_UPCOMING_FEATURE_EXISTENTIAL_ANY": "YES",
    "SWIFT_UPCOMING_FEATURE_INTERNAL_IMPORTS_BY_DEFAULT": "YES", "SWIFT_UPCOMING_FEATURE_MEMBER_IMPORT_VISIBILITY": "YES",
    "SWIFT_UPCOMING_FEATURE_NONISOLATED_NONSENDING_BY_DEFAULT": "YES",
}
# What is another one in the extension; it is read with the app's keychain group, and is installed with the app alone.
OWN = {
    "CODE_SIGN_ENTITLEMENTS": "Resources/Notices.entitlements",
    "CODE_SIGN_ENTITLEMENTS[sdk=macosx*]": "Resources/Notices-macOS.entitlements",
    "INFOPLIST_FILE": "Resources/Notices-Info.plist", "PRODUCT_BUNDLE_IDENTIFIER": "org.example.SleepDiary.Notices",
    "PRODUCT_NAME": "SleepDiaryNotices", "APPLICATION_EXTENSION_API_ONLY": "YES", "SKIP_INSTALL": "YES",
}
DEBUG = {"ONLY_ACTIVE_ARCH": "YES", "SWIFT_OPTIMIZATION_LEVEL": "-Onone", "SWIFT_ACTIVE_COMPILATION_CONDITIONS": "DEBUG"}
RELEASE = {"SWIFT_COMPILATION_MODE": "wholemodule", "SWIFT_OPTIMIZATION_LEVEL": "-O", "VALIDATE_PRODUCT": "YES", "DEPLOYMENT_POSTPROCESSING": "YES",
           "STRIP_INSTALLED_PRODUCT": "YES"}


def objects():
    made = {}

    def add(what, kind, **fields):
        made[name(what)] = {"isa": kind, **fields}
        return name(what)

    def configurations(what, common):
        both = [add(f"{what} {title}", "XCBuildConfiguration", name=title, buildSettings={**common, **own})
                for title, own in (("Debug", DEBUG), ("Release", RELEASE))]
        return add(f"{what} configurations", "XCConfigurationList", buildConfigurations=both, defaultConfigurationName="Release")

    package = add("package", "XCLocalSwiftPackageReference", relativePath="../../..")
    def built(what, parts):
        """The package's products in a target, and the phase that links them."""
        products = [add(f"{what} product {part}", "XCSwiftPackageProductDependency", package=package, productName=part) for part in parts]
        linked = [add(f"{what} linked {part}", "PBXBuildFile", productRef=product) for part, product in zip(parts, products)]
        return products, [add(f"{what} compile", "PBXSourcesBuildPhase", files=[]), add(f"{what} link", "PBXFrameworksBuildPhase", files=linked)]

    def folder(path):
        return add(f"folder {path}", "PBXFileSystemSynchronizedRootGroup", path=path, sourceTree="<group>")

    manifest = add("manifest", "PBXFileReference", path="Resources/PrivacyInfo.xcprivacy", sourceTree="<group>",
                   lastKnownFileType="text.xml")
    app = add("app", "PBXFileReference", path="SleepDiary.app", sourceTree="BUILT_PRODUCTS_DIR", explicitFileType="wrapper.application",
              includeInIndex="0")
    notices = add("notices", "PBXFileReference", path="SleepDiaryNotices.appex", sourceTree="BUILT_PRODUCTS_DIR",
                  explicitFileType="wrapper.app-extension", includeInIndex="0")
    # The file of the app's version 1 is the same on Linux.
    sources, former, extension = folder("App"), folder("../Sources/VersionOne"), folder("Notices")
    group = add("group", "PBXGroup", children=[sources, former, extension, manifest, app, notices], sourceTree="<group>")

    products, phases = built("notices", NOTICES)
    service = add("notices target", "PBXNativeTarget", name="SleepDiaryNotices", productName="SleepDiaryNotices", productReference=notices,
                  productType="com.apple.product-type.app-extension", buildPhases=phases, buildRules=[], dependencies=[],
                  fileSystemSynchronizedGroups=[extension], packageProductDependencies=products,
                  buildConfigurationList=configurations("notices target", {**SETTINGS, **OWN}))
    proxy = add("notices proxy", "PBXContainerItemProxy", containerPortal=name("project"), proxyType="1",
                remoteGlobalIDString=service, remoteInfo="SleepDiaryNotices")
    dependency = add("notices dependency", "PBXTargetDependency", target=service, targetProxy=proxy)

    products, phases = built("app", PRODUCTS)
    phases += [add("copy", "PBXResourcesBuildPhase", files=[add("manifest file", "PBXBuildFile", fileRef=manifest)]),
               # 13 is the folder of extensions.
               add("embed", "PBXCopyFilesBuildPhase", name="Embed extensions", dstPath="", dstSubfolderSpec="13",
                   files=[add("embedded notices", "PBXBuildFile", fileRef=notices, settings={"ATTRIBUTES": ["RemoveHeadersOnCopy"]})])]
    target = add("target", "PBXNativeTarget", name="SleepDiary", productName="SleepDiary", productReference=app,
                 productType="com.apple.product-type.application", buildPhases=phases, buildRules=[], dependencies=[dependency],
                 fileSystemSynchronizedGroups=[sources, former], packageProductDependencies=products,
                 buildConfigurationList=configurations("target", SETTINGS))
    root = add("project", "PBXProject", attributes={"BuildIndependentTargetsInParallel": "YES", "LastUpgradeCheck": "2600"},
               buildConfigurationList=configurations("project", {}), developmentRegion="en", hasScannedForEncodings="0",
               knownRegions=["en", "de", "Base"], mainGroup=group, packageReferences=[package], preferredProjectObjectVersion="77",
               projectDirPath="", projectRoot="", targets=[target, service])
    return made, root


def whole():
    made, root = objects()
    return "// !$*UTF8*$!\n" + text({"archiveVersion": "1", "classes": {}, "objectVersion": "77", "objects": made, "rootObject": root}) + "\n"


# -- What is wrong with it

TOKEN = re.compile(r'\s*(?://[^\n]*\n\s*)*("(?:[^"\\]|\\.)*"|[{}()=;,])')


def parsed(source):
    """The old form of property lists, as this script writes it: every text is quoted."""
    tokens, at = [], 0
    while found := TOKEN.match(source, at):
        tokens.append(found[1])
        at = found.end()
    if source[at:].strip():
        raise ValueError(f"no property list from {source[at:at + 40]!r} on")

    def take(wanted):
        if (found := tokens.pop(0)) != wanted:
            raise ValueError(f"{found} where {wanted} has to be")

    def value():
        token = tokens.pop(0)
        if token == "{":
            made = {}
            while tokens[0] != "}":
                key = value()
                if key in made:
                    raise ValueError(f"{key} stands there twice")
                take("=")
                made[key] = value()
                take(";")
            tokens.pop(0)
            return made
        if token == "(":
            made = []
            while tokens[0] != ")":
                made.append(value())
                take(",")
            tokens.pop(0)
            return made
        if not token.startswith('"'):
            raise ValueError(f"{token} where a value has to be")
        return re.sub(r"\\(.)", r"\1", token[1:-1])

    made = value()
    if tokens:
        raise ValueError(f"{tokens[0]} after the end")
    return made


# What refers to other objects, and what those have to be.
REFERENCES = {
    "buildConfigurationList": "XCConfigurationList", "buildConfigurations": "XCBuildConfiguration", "mainGroup": "PBXGroup",
    "packageReferences": "XCLocalSwiftPackageReference", "package": "XCLocalSwiftPackageReference", "targets": "PBXNativeTarget",
    "productRef": "XCSwiftPackageProductDependency", "packageProductDependencies": "XCSwiftPackageProductDependency",
    "fileRef": "PBXFileReference", "productReference": "PBXFileReference", "files": "PBXBuildFile",
    "fileSystemSynchronizedGroups": "PBXFileSystemSynchronizedRootGroup",
    "children": "PBXGroup PBXFileReference PBXFileSystemSynchronizedRootGroup",
    "buildPhases": "PBXSourcesBuildPhase PBXFrameworksBuildPhase PBXResourcesBuildPhase PBXCopyFilesBuildPhase",
    "dependencies": "PBXTargetDependency", "target": "PBXNativeTarget", "targetProxy": "PBXContainerItemProxy",
    "containerPortal": "PBXProject", "remoteGlobalIDString": "PBXNativeTarget",
}


def wrongs(project, manifest, lists):
    """What is wrong with a project, beside the package's manifest and the app's own property lists."""
    made, wrong, used = project["objects"], [], {project["rootObject"]}
    for one in made.values():
        for field, kinds in REFERENCES.items():
            for other in [one[field]] if isinstance(one.get(field), str) else one.get(field, []):
                used.add(other)
                if made.get(other, {}).get("isa") not in kinds.split():
                    wrong.append(f"{one['isa']}.{field}: {other} is no {kinds}")
        path = one.get("path") or one.get("relativePath")
        if path and one.get("sourceTree") != "BUILT_PRODUCTS_DIR" and not (HERE / path).exists():
            wrong.append(f"{one['isa']}: there is no {path}")
    wrong += [f"{one['isa']} {key}: nobody refers to it" for key, one in made.items() if key not in used]
    offered = set(re.findall(r'"(\w+)"', re.search(r"let offered = \[(.*?)\]", manifest, re.S)[1]))
    wrong += [f"the package offers no {one['productName']} to a Mac" for one in made.values()
              if one["isa"] == "XCSwiftPackageProductDependency" and one["productName"] not in offered]
    for one in [one["buildSettings"] for one in made.values() if one["isa"] == "XCBuildConfiguration" and "PRODUCT_NAME" in one["buildSettings"]]:
        wrong += [f"{key}: there is no {value}" for key, value in one.items()
                  if key.startswith(("INFOPLIST_FILE", "CODE_SIGN_ENTITLEMENTS")) and not (HERE / value).is_file()]
        for system, key in (("iOS", "IPHONEOS_DEPLOYMENT_TARGET"), ("macOS", "MACOSX_DEPLOYMENT_TARGET")):
            if f".{system}(.v{one[key].removesuffix('.0')})" not in manifest:
                wrong.append(f"{key} is {one[key]}, and the package's is another one")
    for title in ("Info.plist", "Notices-Info.plist"):
        info = lists[title]
        wrong += [f"{title}: {key} is an exception that the app does without" for key in info if key.startswith("NSAppTransportSecurity")]
        wrong += [f"{title}: {key} opens the app's documents to others"
                  for key in ("UIFileSharingEnabled", "LSSupportsOpeningDocumentsInPlace") if info.get(key)]
    if lists["Notices-Info.plist"].get("NSExtension", {}).get("NSExtensionPointIdentifier") != "com.apple.usernotifications.service":
        wrong.append("Notices-Info.plist: no service extension for notices")
    privacy = lists["PrivacyInfo.xcprivacy"]
    if privacy["NSPrivacyTracking"] or privacy["NSPrivacyTrackingDomains"]:
        wrong.append("PrivacyInfo.xcprivacy: the diary follows nobody")
    kinds = [one["NSPrivacyCollectedDataType"] for one in privacy["NSPrivacyCollectedDataTypes"]]
    if "NSPrivacyCollectedDataTypeHealth" not in kinds:
        wrong.append("PrivacyInfo.xcprivacy: nights are health data")
    for title in ("SleepDiary", "Notices"):
        phone, desktop = f"{title}.entitlements", f"{title}-macOS.entitlements"
        if lists[phone].get("com.apple.developer.default-data-protection") != "NSFileProtectionComplete":
            wrong.append(f"{phone}: files are not of class complete")
        if lists[desktop].get("com.apple.security.app-sandbox") is not True:
            wrong.append(f"{desktop}: no sandbox")
        for one in (phone, desktop):
            wrong += [f"{one}: {key} opens the process to others" for key in lists[one]
                      if key.startswith("com.apple.security.cs.") or key == "com.apple.security.get-task-allow"]
            # The key of the notices is an item of the first group.
            if lists[one].get("keychain-access-groups") != lists["SleepDiary.entitlements"].get("keychain-access-groups"):
                wrong.append(f"{one}: app and extension do not share the key of the notices")
    return wrong


def self_test():
    """Nothing is wrong, and each fault that is planted is seen."""
    source, manifest = whole(), (ROOT / "Package.swift").read_text()

    def lists():
        return {path.name: plistlib.loads(path.read_bytes()) for path in sorted((HERE / "Resources").iterdir())}

    wrong = wrongs(parsed(source), manifest, lists())
    if source != whole():
        wrong.append("two times are not the same bytes")
    if wrong:
        sys.exit("project.py: " + "\n".join(wrong))
    plants = [
        ("is no PBXBuildFile", lambda project, _: project["objects"].pop(name("app linked Pavise"))),
        ("nobody refers", lambda project, _: project["objects"].update({"A" * 24: {"isa": "PBXGroup"}})),
        ("there is no Sources", lambda project, _: project["objects"][name("folder App")].update(path="Sources")),
        ("offers no PaviseLab", lambda project, _: project["objects"][name("app product Pavise")].update(productName="PaviseLab")),
        ("there is no Other.plist", lambda project, _: project["objects"][name("target Debug")]["buildSettings"].update(INFOPLIST_FILE="Other.plist")),
        ("DEPLOYMENT_TARGET is 12.0", lambda project, _: project["objects"][name("target Debug")]["buildSettings"].update(IPHONEOS_DEPLOYMENT_TARGET="12.0")),
        ("is an exception", lambda _, lists: lists["Info.plist"].update(NSAppTransportSecurity={"NSAllowsArbitraryLoads": True})),
        ("to others", lambda _, lists: lists["Info.plist"].update(UIFileSharingEnabled=True)),
        ("follows nobody", lambda _, lists: lists["PrivacyInfo.xcprivacy"].update(NSPrivacyTracking=True)),
        ("health data", lambda _, lists: lists["PrivacyInfo.xcprivacy"].update(NSPrivacyCollectedDataTypes=[])),
        ("class complete", lambda _, lists: lists["SleepDiary.entitlements"].clear()),
        ("do not share", lambda _, lists: lists["Notices.entitlements"].update({"keychain-access-groups": ["other"]})),
        ("no service extension", lambda _, lists: lists["Notices-Info.plist"].pop("NSExtension")),
        ("is no PBXTargetDependency", lambda project, _: project["objects"].pop(name("notices dependency"))),
        ("no sandbox", lambda _, lists: lists["SleepDiary-macOS.entitlements"].clear()),
        ("opens the process", lambda _, lists: lists["SleepDiary.entitlements"].update({"com.apple.security.get-task-allow": True})),
    ]
    for sentence, plant in plants:
        project, planted = parsed(source), lists()
        plant(project, planted)
        if not any(sentence in line for line in wrongs(project, manifest, planted)):
            sys.exit(f"project.py: planted and not noticed: {sentence}")
    print(f"project.py: {len(parsed(source)['objects'])} objects fit, {len(plants)} planted faults are seen")


def main(words):
    if words == ["--self-test"]:
        return self_test()
    project = (pathlib.Path(words[0]) if words else HERE) / "SleepDiary.xcodeproj"
    project.mkdir(parents=True, exist_ok=True)
    (project / "project.pbxproj").write_text(whole())
    print(f"{project}: {len(objects()[0])} objects, {', '.join(PRODUCTS)}")


if __name__ == "__main__":
    main(sys.argv[1:])
