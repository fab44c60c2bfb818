// swift-tools-version: 6.2
import PackageDescription

// A document in a window of WebKitGTK on a Linux desktop: a package and a program of its own, so that nobody else needs
// WebKit, and what reads a stranger's document has no key in its memory.
let strictSettings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let package = Package(
    name: "DocumentWindow",
    dependencies: [.package(name: "Pavise", path: "../..")],
    targets: [
        .systemLibrary(
            name: "CWebKit", path: "Sources/CWebKit", pkgConfig: "webkitgtk-6.0",
            providers: [.apt(["libwebkitgtk-6.0-dev"])]),
        .executableTarget(
            name: "document-window",
            dependencies: [
                "CWebKit", .product(name: "PaviseDocuments", package: "Pavise"),
                .product(name: "PavisePrivacy", package: "Pavise"),
            ], path: "Sources/DocumentWindow", swiftSettings: strictSettings),
    ])
