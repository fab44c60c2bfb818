// swift-tools-version: 6.2
import PackageDescription

// Long runs that compare Pavise with a model of itself or with an implementation of somebody else.
// A package of its own: they use the public API as an app does. Only to close a keychain and open it again from changed
// files they need more, which the compiler gives to the package that bears the folder's name.
let parent = Context.packageDirectory.split(separator: "/").dropLast().last.map(String.init) ?? "pavise"
let packageName = String(parent.lowercased().map { $0.isLetter || $0.isNumber ? $0 : "_" })

let strictSettings: [SwiftSetting] = [
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
        .target(name: "WorkerProcess", path: "Sources/WorkerProcess", swiftSettings: strictSettings),
        // A fault at each call of a write, whatever it writes.
        .target(
            name: "FaultPoints", dependencies: ["CFaults", "WorkerProcess"], path: "Sources/FaultPoints",
            swiftSettings: strictSettings),
        .executableTarget(
            name: "keychain-chaos",
            dependencies: ["FaultPoints", "WorkerProcess", .product(name: "SecurityFramework", package: "Pavise")],
            path: "Sources/KeychainChaos", packageAccess: false,
            swiftSettings: strictSettings + [.unsafeFlags(["-package-name", packageName])]),
        .executableTarget(
            name: "storage-chaos",
            dependencies: ["FaultPoints", .product(name: "Pavise", package: "Pavise")],
            path: "Sources/StorageChaos", packageAccess: false,
            swiftSettings: strictSettings + [.unsafeFlags(["-package-name", packageName])]),
        .executableTarget(
            name: "session-chaos",
            dependencies: [
                "CFaults", "WorkerProcess", .product(name: "Pavise", package: "Pavise"),
                .product(name: "PaviseLab", package: "Pavise"),
            ],
            path: "Sources/SessionChaos", packageAccess: false,
            swiftSettings: strictSettings + [.unsafeFlags(["-package-name", packageName])]),
        .executableTarget(
            name: "ecies-packets", dependencies: [.product(name: "SecurityFramework", package: "Pavise")],
            path: "Sources/ECIESPackets", swiftSettings: strictSettings),
        .executableTarget(
            name: "conformance",
            dependencies: [
                .product(name: "Pavise", package: "Pavise"), .product(name: "PaviseJWT", package: "Pavise"),
                .product(name: "SecurityFramework", package: "Pavise"),
            ],
            path: "Sources/Conformance", packageAccess: false,
            swiftSettings: strictSettings + [.unsafeFlags(["-package-name", packageName])]),
        .executableTarget(
            name: "attack-matrix",
            dependencies: [
                .product(name: "PaviseLab", package: "Pavise"),
                .product(name: "PaviseAttackedClients", package: "Pavise"),
            ],
            path: "Sources/AttackMatrix", swiftSettings: strictSettings),
    ]
)
