// swift-tools-version: 6.2
import PackageDescription

// Long runs that compare Pavise with a model of itself or with an implementation of somebody else.
// A package of its own: they use the public API only, as an app does.
let house: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let package = Package(
    name: "Conformance",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "Pavise", path: "..")],
    targets: [
        .target(name: "CFaults", linkerSettings: [.linkedLibrary("dl")]),
        .executableTarget(
            name: "keychain-chaos",
            dependencies: ["CFaults", .product(name: "SecurityFramework", package: "Pavise")],
            path: "Sources/KeychainChaos", swiftSettings: house),
        .executableTarget(
            name: "ecies-packets", dependencies: [.product(name: "SecurityFramework", package: "Pavise")],
            path: "Sources/ECIESPackets", swiftSettings: house),
    ]
)
