#!/usr/bin/env python3
"""Writes SleepDiary.xcodeproj beside this file: an app for iOS 18 and macOS 15 over the package three folders up.

Usage: project.py [FOLDER]     where to; beside this file otherwise

The project is not in git: it is written from this, the same bytes each time, for Xcode 16 or later, whose folders know their files by
themselves. No Xcode has opened it yet.
"""

import hashlib
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
PRODUCTS = ["DiaryCore", "Pavise", "PaviseDocuments", "PavisePrivacy", "PaviseValidation"]


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
    products = [add(f"product {part}", "XCSwiftPackageProductDependency", package=package, productName=part) for part in PRODUCTS]
    linked = [add(f"linked {part}", "PBXBuildFile", productRef=name(f"product {part}")) for part in PRODUCTS]
    sources = add("folder App", "PBXFileSystemSynchronizedRootGroup", path="App", sourceTree="<group>")
    manifest = add("manifest", "PBXFileReference", path="Resources/PrivacyInfo.xcprivacy", sourceTree="<group>",
                   lastKnownFileType="text.xml")
    app = add("app", "PBXFileReference", path="SleepDiary.app", sourceTree="BUILT_PRODUCTS_DIR", explicitFileType="wrapper.application",
              includeInIndex="0")
    group = add("group", "PBXGroup", children=[sources, manifest, app], sourceTree="<group>")
    phases = [add("compile", "PBXSourcesBuildPhase", files=[]), add("link", "PBXFrameworksBuildPhase", files=linked),
              add("copy", "PBXResourcesBuildPhase", files=[add("manifest file", "PBXBuildFile", fileRef=manifest)])]
    target = add("target", "PBXNativeTarget", name="SleepDiary", productName="SleepDiary", productReference=app,
                 productType="com.apple.product-type.application", buildPhases=phases, buildRules=[], dependencies=[],
                 fileSystemSynchronizedGroups=[sources], packageProductDependencies=products,
                 buildConfigurationList=configurations("target", SETTINGS))
    root = add("project", "PBXProject", attributes={"BuildIndependentTargetsInParallel": "YES", "LastUpgradeCheck": "2600"},
               buildConfigurationList=configurations("project", {}), developmentRegion="en", hasScannedForEncodings="0",
               knownRegions=["en", "de", "Base"], mainGroup=group, packageReferences=[package], preferredProjectObjectVersion="77",
               projectDirPath="", projectRoot="", targets=[target])
    return made, root


def main(words):
    folder = pathlib.Path(words[0]) if words else HERE
    made, root = objects()
    whole = {"archiveVersion": "1", "classes": {}, "objectVersion": "77", "objects": made, "rootObject": root}
    project = folder / "SleepDiary.xcodeproj"
    project.mkdir(parents=True, exist_ok=True)
    (project / "project.pbxproj").write_text("// !$*UTF8*$!\n" + text(whole) + "\n")
    print(f"{project}: {len(made)} objects, {', '.join(PRODUCTS)}")


if __name__ == "__main__":
    main(sys.argv[1:])
