// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that the peers and the flags below never reach who depends on Pavise.
// The measurements call `package` declarations of the parent: the compiler knows a package by its folder's name,
// and `packageAccess: false` keeps SwiftPM from saying this folder's name as well.
let parent = Context.packageDirectory.split(separator: "/").dropLast().last.map(String.init) ?? "pavise"
let packageName = String(parent.lowercased().map { $0.isLetter || $0.isNumber ? $0 : "_" })

let strictSettings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .unsafeFlags(["-package-name", packageName]),
]

let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    products: [.library(name: "BenchAnchors", type: .dynamic, targets: ["CAnchors"])],
    dependencies: [.package(name: "Pavise", path: "..")],
    targets: [
        // The peers in C, straight on the same system libraries.
        .target(
            name: "CPeers",
            cSettings: [.unsafeFlags(["-O2"])],
            linkerSettings: [
                .linkedLibrary("curl"), .linkedLibrary("crypto"), .linkedLibrary("sqlite3"),
                .linkedLibrary("tss2-esys"), .linkedLibrary("tss2-tctildr"),
            ]),
        .executableTarget(name: "measure-process", path: "Sources/MeasureProcess"),
        .target(name: "CAnchors", linkerSettings: [.linkedLibrary("curl"), .linkedLibrary("dl")]),
        // The only one that links FoundationNetworking.
        .executableTarget(name: "measure-urlsession", path: "Sources/URLSessionPeer", swiftSettings: strictSettings),
        // Another logger's shape, in a module of its own as a package has it.
        .target(name: "LogPeer", swiftSettings: [.swiftLanguageMode(.v6)]),
        .executableTarget(
            name: "measure",
            dependencies: [
                "CPeers", "LogPeer", .product(name: "Pavise", package: "Pavise"),
                .product(name: "PaviseJWT", package: "Pavise"), .product(name: "PaviseLog", package: "Pavise"),
                .product(name: "PaviseDocuments", package: "Pavise"),
                .product(name: "PaviseSync", package: "Pavise"),
                .product(name: "SecurityFramework", package: "Pavise"),
            ],
            path: "Sources/Measure", packageAccess: false, swiftSettings: strictSettings),
    ]
)
