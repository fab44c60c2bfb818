// swift-tools-version: 6.2
import PackageDescription

// The windows of the sleep diary on a Linux desktop: a package of its own, so that nobody else needs GTK.
// The core, DiaryCore, is built and tested by the package above; a phone's app stands on the same one.
let strictSettings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error, .when(platforms: [.linux])),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let package = Package(
    name: "SleepDiary",
    dependencies: [.package(name: "Pavise", path: "../..")],
    targets: [
        .systemLibrary(
            name: "CGtk", path: "Sources/CGtk", pkgConfig: "libadwaita-1", providers: [.apt(["libadwaita-1-dev"])]),
        // The only importer of CGtk: unsafe code ends here.
        .target(
            name: "Toolkit", dependencies: ["CGtk", .product(name: "PaviseValidation", package: "Pavise")],
            path: "Sources/Toolkit", swiftSettings: strictSettings),
        // Code of before Pavise, as it was: `import Security` is the Kit's on Linux (Documentation/EntryPoints.md).
        .target(
            name: "VersionOne",
            dependencies: [
                .product(name: "SecurityFramework", package: "Pavise", condition: .when(platforms: [.linux]))
            ],
            path: "Sources/VersionOne",
            swiftSettings: [
                .swiftLanguageMode(.v5),
                .unsafeFlags(["-module-alias", "Security=SecurityFramework"], .when(platforms: [.linux])),
            ]),
        .executableTarget(
            name: "sleep-diary",
            dependencies: [
                "Toolkit", "VersionOne",
                .product(name: "DiaryCore", package: "Pavise"), .product(name: "Pavise", package: "Pavise"),
                .product(name: "PavisePrivacy", package: "Pavise"), .product(name: "PaviseSync", package: "Pavise"),
                .product(name: "PaviseDocuments", package: "Pavise"),
                .product(name: "PaviseValidation", package: "Pavise"),
            ], path: "Sources/Desktop", swiftSettings: strictSettings),
    ])
