// swift-tools-version: 6.2
import PackageDescription

// The settings of every Swift target: the compiler is the first reviewer (CONTRIBUTING.md).
let strictSettings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .strictMemorySafety(),
    // Apple's SDKs change their annotations with each Xcode, and nobody here sees their warnings.
    .treatAllWarnings(as: .error, .when(platforms: [.linux])),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

// C looks at its buffers where the compiler knows their sizes; it needs an optimizing compiler.
let fortified: [CSetting] = [.define("_FORTIFY_SOURCE", to: "2", .when(configuration: .release))]

// For Apple's systems alone, where an app's privacy report is made of it.
let privacy = "PrivacyInfo.xcprivacy"

/// A Swift target of ours: `name` is the module, `folder` its folder below Sources.
func module(_ name: String, _ folder: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, path: "Sources/\(folder)", swiftSettings: strictSettings)
}

/// The tests of one module.
func tests(_ name: String, _ dependencies: [Target.Dependency], excluding files: [String] = []) -> Target {
    .testTarget(
        name: "\(name)Tests", dependencies: dependencies, path: "Tests/\(name)Tests", exclude: files,
        swiftSettings: strictSettings)
}

// The package as Linux builds it. What a Mac builds, for Apple's systems, is a part of it: see the end.
let package = Package(
    name: "Pavise",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        // One import is enough for an app; the others are there for whoever wants a part by itself.
        .library(
            name: "Pavise",
            targets: [
                "Pavise", "PavisePrimitives", "PaviseProtectedStorage", "PaviseVault", "PaviseTransport",
                "PaviseManaged", "PaviseStorage", "PaviseSession",
            ]),
        .library(name: "PaviseJWT", targets: ["PaviseJWT"]),
        .library(name: "PaviseURLSession", targets: ["PaviseURLSession"]),
        .library(name: "PaviseNetworking", targets: ["PaviseNetworking"]),
        .library(name: "PaviseAppLock", targets: ["PaviseAppLock"]),
        .library(name: "PaviseValidation", targets: ["PaviseValidation"]),
        .library(name: "PaviseIntegrity", targets: ["PaviseIntegrity"]),
        // For an app's server.
        .library(name: "PaviseAttestation", targets: ["PaviseAttestation"]),
        .library(name: "PaviseLog", targets: ["PaviseLog"]),
        .library(name: "PavisePrivacy", targets: ["PavisePrivacy"]),
        .library(name: "PaviseDocuments", targets: ["PaviseDocuments"]),
        .library(name: "PaviseProtectedStorage", targets: ["PaviseProtectedStorage"]),
        .library(name: "PaviseSync", targets: ["PaviseSync"]),
        .library(name: "PaviseLab", targets: ["PaviseLab"]),
        .library(name: "PaviseTesting", targets: ["PaviseTesting"]),
        // For the windows of Examples/SleepDiary, a package of its own.
        .library(name: "DiaryCore", targets: ["DiaryCore"]),
        .library(name: "PaviseAttackedClients", targets: ["PaviseAttackedClients"]),
        .library(name: "SecurityFramework", targets: ["SecurityFramework"]),
        .library(name: "Security", targets: ["Security"]),
        .library(name: "LocalAuthentication", targets: ["LocalAuthentication"]),
        // For `pavise toolset`: packages that nobody may edit link this one file (Documentation/EntryPoints.md).
        .library(
            name: "PaviseSecurity", type: .dynamic,
            targets: [
                "SecurityFramework", "PaviseLocalAuthentication", "PaviseNetworking", "PaviseFileProtection",
            ]),
        .executable(name: "pavise", targets: ["PaviseProgram"]),
        .executable(name: "pavise-lab", targets: ["PaviseLabProgram"]),
    ],
    targets: [
        // Platform: what Apple's system gives an app, given to Linux. Bottom-up.
        .target(name: "CPavisePlatform", path: "Sources/Platform/CPlatform", cSettings: fortified),
        .systemLibrary(
            name: "CPaviseOpenSSL", path: "Sources/Platform/COpenSSL", pkgConfig: "openssl",
            providers: [.apt(["libssl-dev"])]),
        .target(
            name: "CPaviseOpenSSLExit", dependencies: ["CPaviseOpenSSL"], path: "Sources/Platform/COpenSSLExit",
            cSettings: fortified),
        // libcurl's header, from Debian's libcurl4-openssl-dev, and no link to it: it is opened with the first client.
        // (With pkg-config's flags every program would load it at its start.)
        .target(name: "CPaviseCurl", path: "Sources/Platform/CCurl", cSettings: fortified),
        .systemLibrary(
            name: "CPaviseSQLite", path: "Sources/Platform/CSQLite", pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(
            name: "CPaviseTSS", path: "Sources/Platform/CTSS", pkgConfig: "tss2-esys",
            providers: [.apt(["libtss2-dev"])]),
        .systemLibrary(
            name: "CPaviseArgon2", path: "Sources/Platform/CArgon2", pkgConfig: "libargon2",
            providers: [.apt(["libargon2-dev"])]),
        .target(
            name: "PavisePrimitives", dependencies: ["CPavisePlatform"], path: "Sources/Platform/Primitives",
            exclude: [privacy], swiftSettings: strictSettings),
        module(
            "PaviseCrypto", "Platform/CryptoBackend",
            ["PavisePrimitives", "CPaviseOpenSSL", "CPaviseOpenSSLExit", "CPaviseArgon2"]),
        module(
            "PaviseDatabase", "Platform/EncryptedDatabase",
            ["PavisePrimitives", "PaviseCrypto", "CPaviseSQLite"]),
        module("PaviseDevice", "Platform/DeviceProtection", ["PavisePrimitives", "PaviseCrypto", "CPaviseTSS"]),
        module(
            "SecurityFramework", "Platform/SecurityFramework",
            ["PavisePrimitives", "PaviseCrypto", "PaviseDatabase", "PaviseDevice"]),
        module("Security", "Platform/Security", ["SecurityFramework"]),
        // Containers, sealed files and the protected database: what the Kit sees of storage.
        module(
            "PaviseProtectedStorage", "Platform/ProtectedStorage",
            ["PavisePrimitives", "PaviseCrypto", "PaviseDatabase", "PaviseDevice", "SecurityFramework"]),
        module(
            "PaviseLocalAuthentication", "Platform/LocalAuthentication",
            ["PavisePrimitives", "PaviseDevice", "SecurityFramework"]),
        module("LocalAuthentication", "Platform/LocalAuthenticationExport", ["PaviseLocalAuthentication"]),
        module("PaviseChallenges", "Platform/Challenges", ["SecurityFramework"]),
        module("PaviseFileProtection", "Platform/FileProtection"),
        module(
            "PaviseCurl", "Platform/CurlEngine",
            ["PavisePrimitives", "PaviseCrypto", "CPaviseCurl"]),

        // Kit: what an app imports.
        module("PaviseVault", "Kit/Vault", ["PavisePrimitives", "SecurityFramework"]),
        module(
            "PaviseTransport", "Kit/Transport",
            ["PavisePrimitives", "SecurityFramework", "PaviseCurl", "PaviseLog"]),
        // An administrator's rules: where they lie, what they may say, and who is told what is wrong with them.
        module("PaviseManaged", "Kit/Managed", ["PavisePrimitives", "PaviseTransport", "PaviseJWT"]),
        module("PaviseValidation", "Kit/Validation", ["PavisePrimitives"]),
        // The private log, masking and the audit trail.
        module("PaviseLog", "Kit/Log", ["PavisePrimitives", "SecurityFramework", "PaviseVault"]),
        // What a screen and a notification show.
        module("PavisePrivacy", "Kit/Privacy", ["PavisePrimitives", "SecurityFramework", "PaviseVault", "PaviseLog"]),
        // Documents as pages that can be shown.
        module("PaviseDocuments", "Kit/Documents", ["PavisePrimitives"]),
        module(
            "PaviseAppLock", "Kit/AppLock",
            [
                "PavisePrimitives", "SecurityFramework", "PaviseVault", "PaviseLog", "PaviseValidation", "PaviseJWT",
                "PaviseIntegrity",
            ]),
        module("PaviseIntegrity", "Kit/Integrity", ["PavisePrimitives"]),
        // A product of its own: whoever does not use URLSession does not load FoundationNetworking.
        module(
            "PaviseURLSession", "Kit/URLSession",
            ["PavisePrimitives", "SecurityFramework", "PaviseChallenges", "PaviseTransport"]),
        // FoundationNetworking's names with those checks behind them, for code that stays as it is.
        module("PaviseNetworking", "Kit/Networking", ["PaviseTransport", "PaviseURLSession", "PaviseFileProtection"]),
        // What a server verifies of an app's installation.
        module("PaviseAttestation", "Kit/Attestation", ["PavisePrimitives", "SecurityFramework"]),
        module("PaviseJWT", "Kit/JSONWebTokens", ["PavisePrimitives", "SecurityFramework"]),
        module(
            "PaviseStorage", "Kit/Storage",
            [
                "PavisePrimitives", "SecurityFramework", "PaviseProtectedStorage", "PaviseVault", "PaviseTransport",
            ]),
        module(
            "PaviseSession", "Kit/Session",
            [
                "PavisePrimitives", "SecurityFramework", "PaviseVault", "PaviseTransport", "PaviseJWT",
                "PaviseStorage",
            ]),
        module(
            "Pavise", "Kit/Pavise",
            [
                "PavisePrimitives", "SecurityFramework", "PaviseProtectedStorage", "PaviseVault", "PaviseLog",
                "PaviseTransport", "PaviseManaged", "PaviseStorage", "PaviseSession", "PaviseAppLock",
                "PaviseIntegrity", "PaviseJWT", "PavisePrivacy",
            ]),
        // Files and records that are the same on this device and at an account's server. A product of its own.
        module(
            "PaviseSync", "Kit/Sync",
            [
                "PavisePrimitives", "SecurityFramework", "PaviseProtectedStorage", "PaviseTransport", "PaviseStorage",
                "PaviseSession", "Pavise",
            ]),

        // Tools: what people run.
        module("PaviseLab", "Tools/Lab", ["PavisePrimitives", "PaviseCrypto", "PaviseAttestation"]),
        // The attack matrix's ways out: the client, URLSession, the program.
        module(
            "PaviseAttackedClients", "Tools/AttackedClients",
            [
                "PavisePrimitives", "PaviseDevice", "SecurityFramework", "PaviseTransport", "PaviseURLSession",
                "PaviseManaged", "PaviseStorage", "PaviseSession", "PaviseAppLock", "Pavise", "PaviseLab",
            ]),
        // For the tests of apps: a world of their own, and what goes wrong in it by name.
        module(
            "PaviseTesting", "Tools/Testing",
            [
                "PavisePrimitives", "PaviseDevice", "SecurityFramework", "PaviseVault", "PaviseTransport",
                "PaviseSession",
                "PaviseAppLock", "Pavise", "PaviseLab",
            ]),
        module("PaviseArguments", "Tools/Arguments"),
        // Reads programs of any maker; nothing else of ours is in it.
        module("PaviseBuildCheck", "Tools/BuildCheck", ["PavisePrimitives"]),
        module(
            "PaviseCommands", "Tools/Commands",
            [
                "PavisePrimitives", "PaviseCrypto", "PaviseDevice", "PaviseArguments", "PaviseBuildCheck",
                "PaviseIntegrity",
                "Pavise", "SecurityFramework",
                "PaviseProtectedStorage", "PaviseVault", "PaviseTransport", "PaviseManaged", "PaviseStorage",
                "PaviseSession", "PaviseAppLock", "PaviseJWT", "PaviseLog", "PavisePrivacy", "PaviseDocuments",
                "PaviseSync", "PaviseValidation", "PaviseDatabase", "PaviseCurl",
            ]),
        // Servers and attacks: a program of their own, and nothing of it in `pavise` (Scripts/check-program).
        module(
            "PaviseLabCommands", "Tools/LabCommands",
            [
                "PaviseCommands", "PaviseArguments", "PaviseLab", "PavisePrimitives", "Pavise", "SecurityFramework",
                "PaviseVault", "PaviseTransport", "PaviseStorage", "PaviseSession",
            ]),
        // Not named after the product: on a file system that ignores case, `pavise` and `Pavise` are one folder.
        .executableTarget(
            name: "PaviseProgram", dependencies: ["PaviseCommands", "PavisePrimitives"], path: "Sources/Tools/pavise",
            swiftSettings: strictSettings),
        .executableTarget(
            name: "PaviseLabProgram", dependencies: ["PaviseLabCommands", "PavisePrimitives"],
            path: "Sources/Tools/pavise-lab", swiftSettings: strictSettings),

        // The core of the example app: what it keeps and counts, without a window. It sees what any app sees.
        .target(
            name: "DiaryCore",
            dependencies: [
                "Pavise", "PaviseSync", "PavisePrivacy", "PaviseDocuments", "PaviseIntegrity", "PaviseStorage",
                "PaviseProtectedStorage",
            ],
            path: "Examples/SleepDiary/Sources/DiaryCore", packageAccess: false, swiftSettings: strictSettings),

        // Tests.
        .target(
            name: "TestSupport", dependencies: ["PavisePrimitives"], path: "Tests/TestSupport",
            swiftSettings: strictSettings),
        tests("Primitives", ["PavisePrimitives", "TestSupport"]),
        tests("CryptoBackend", ["PaviseCrypto", "PavisePrimitives", "TestSupport"]),
        tests("EncryptedDatabase", ["PaviseDatabase", "PaviseCrypto", "PavisePrimitives", "TestSupport"]),
        tests(
            "TPM",
            ["SecurityFramework", "PaviseDevice", "PaviseCrypto", "PavisePrimitives", "TestSupport"]),
        tests(
            "SecurityFramework",
            [
                "SecurityFramework", "PaviseDevice", "PaviseDatabase", "PaviseCrypto", "PavisePrimitives", "PaviseLab",
                "KeychainTestSupport", "TestSupport",
            ]),
        .target(
            name: "KeychainTestSupport",
            dependencies: ["SecurityFramework", "PaviseDevice", "PavisePrimitives", "TestSupport"],
            path: "Tests/KeychainTestSupport", swiftSettings: strictSettings),
        tests(
            "KeychainConformance",
            [
                "SecurityFramework", "PaviseDevice", "PaviseDatabase", "PaviseCrypto", "PavisePrimitives",
                "KeychainTestSupport", "TestSupport",
            ]),
        tests(
            "DeviceConformance",
            [
                "PaviseLocalAuthentication", "SecurityFramework", "PaviseDevice", "PaviseDatabase", "PaviseCrypto",
                "PavisePrimitives", "TestSupport",
            ]),
        tests("KeyConformance", ["SecurityFramework", "PaviseCrypto", "PavisePrimitives", "TestSupport"]),
        // Apple-style code as an app has it: without the strict settings.
        .testTarget(
            name: "SecurityModuleTests",
            dependencies: ["Security", "SecurityFramework", "PavisePrimitives", "TestSupport"],
            path: "Tests/SecurityModuleTests", swiftSettings: [.swiftLanguageMode(.v6)]),
        tests(
            "Transport",
            [
                "PaviseTransport", "PaviseManaged", "PaviseCurl", "SecurityFramework", "PaviseDevice",
                "PavisePrimitives", "PaviseLab",
                "KeychainTestSupport", "TestSupport",
            ]),
        tests(
            "URLSession",
            [
                "PaviseURLSession", "PaviseTransport", "PavisePrimitives", "PaviseLab", "SecurityFramework",
                "TestSupport", "PaviseChallenges",
            ]),
        // Code as an app has it: Foundation's names come from this one module.
        tests(
            "Networking",
            [
                "PaviseNetworking", "PaviseURLSession", "PaviseTransport", "PaviseLab", "SecurityFramework",
                "TestSupport",
            ]),
        tests(
            "ProtectedStorage",
            [
                "PaviseStorage", "PaviseProtectedStorage", "SecurityFramework", "PaviseDatabase", "PaviseDevice",
                "PaviseCrypto", "PavisePrimitives", "TestSupport",
            ], excluding: ["Vectors"]),
        tests(
            "ProtectedDatabase",
            [
                "PaviseStorage", "PaviseProtectedStorage", "SecurityFramework", "PaviseDatabase", "PaviseDevice",
                "PavisePrimitives", "TestSupport",
            ]),
        tests(
            "DiaryCore",
            [
                "DiaryCore", "Pavise", "PaviseSync", "PaviseTesting", "PaviseLab", "PavisePrivacy", "PaviseDocuments",
                "PaviseStorage",
                "PaviseProtectedStorage", "PaviseSession", "PaviseTransport", "SecurityFramework", "PaviseDevice",
                "PavisePrimitives", "TestSupport",
            ]),
        tests(
            "Vault",
            [
                "PaviseVault", "SecurityFramework", "PaviseDatabase", "PaviseDevice", "PavisePrimitives", "TestSupport",
            ]),
        tests("StorageCheck", ["PaviseStorage", "PaviseTransport", "PavisePrimitives", "TestSupport"]),
        // A process of its own, into which the tests put foreign code.
        .executableTarget(
            name: "IntegrityProbe", dependencies: ["PaviseIntegrity", "PavisePrimitives"], path: "Tests/IntegrityProbe",
            swiftSettings: strictSettings),
        tests("Integrity", ["PaviseIntegrity", "PavisePrimitives", "TestSupport", "IntegrityProbe"]),
        tests(
            "Attestation",
            [
                "PaviseAttestation", "PaviseLab", "PaviseTransport", "PaviseDevice", "PaviseCrypto", "PavisePrimitives",
                "PaviseVault", "SecurityFramework", "TestSupport",
            ]),
        tests("BuildCheck", ["PaviseBuildCheck", "PavisePrimitives", "TestSupport"]),
        tests(
            "Log",
            ["PaviseLog", "PaviseTransport", "PaviseVault", "SecurityFramework", "PavisePrimitives", "TestSupport"]),
        tests("Privacy", ["PavisePrivacy", "PaviseLog", "PaviseVault", "PavisePrimitives", "TestSupport"]),
        tests("Documents", ["PaviseDocuments", "SecurityFramework", "PavisePrimitives", "TestSupport"]),
        tests("Validation", ["PaviseValidation", "PavisePrimitives", "TestSupport"]),
        tests(
            "AppLock",
            [
                "PaviseAppLock", "PaviseLog", "PaviseValidation", "PaviseVault", "PaviseJWT", "SecurityFramework",
                "PaviseDevice",
                "PaviseCrypto", "PavisePrimitives", "TestSupport",
            ]),
        tests("JWT", ["PaviseJWT", "PaviseCrypto", "PavisePrimitives", "TestSupport"]),
        tests(
            "Session",
            [
                "Pavise", "PaviseSession", "PaviseJWT", "PaviseVault", "PaviseTransport", "PaviseManaged",
                "PaviseStorage",
                "PaviseProtectedStorage", "SecurityFramework", "PaviseDevice", "PavisePrimitives", "PaviseCrypto",
                "PaviseLab", "TestSupport",
            ]),
        tests(
            "AppSecurity",
            [
                "Pavise", "PaviseAppLock", "PaviseSession", "PaviseJWT", "PaviseCrypto", "PaviseTransport",
                "PaviseManaged", "PaviseVault", "PaviseDevice", "PaviseProtectedStorage",
                "SecurityFramework", "PaviseLab", "PaviseLog", "PaviseIntegrity", "PavisePrivacy", "PavisePrimitives",
                "TestSupport",
            ]),
        tests("Testing", ["Pavise", "PaviseTesting"]),
        tests(
            "Sync",
            [
                "PaviseSync", "Pavise", "PaviseTesting", "PaviseStorage", "PaviseProtectedStorage", "PaviseTransport",
                "PaviseSession", "PaviseLab", "SecurityFramework", "PavisePrimitives", "TestSupport",
            ]),
        tests("Lab", ["PaviseLab", "PaviseCrypto", "PavisePrimitives", "TestSupport"]),
        tests("AttackMatrix", ["PaviseAttackedClients", "PaviseLab", "PavisePrimitives", "PaviseProgram"]),
        tests("Arguments", ["PaviseArguments"]),
        tests(
            "Commands",
            [
                "PaviseCommands", "PaviseLabCommands", "PaviseDevice", "PaviseArguments", "PaviseBuildCheck",
                "PaviseDatabase", "PaviseLab", "PaviseVault",
                "PaviseTransport", "PaviseManaged", "PaviseSession", "PaviseStorage", "PaviseSync", "PaviseAppLock",
                "PavisePrimitives", "TestSupport",
                "SecurityFramework", "PaviseJWT", "PaviseCrypto", "PaviseProgram", "PaviseLabProgram",
                "PaviseIntegrity", "PaviseLog", "PaviseProtectedStorage", "PaviseFileProtection", "PaviseNetworking",
                // Not imported: ProgramContentTests search these tests' program for every module of Tools.
                "PaviseAttackedClients", "PaviseTesting",
            ], excluding: ["Snapshots"]),
    ]
)

// PAVISE_TESTS="Session Vault" leaves out the other test targets: a quick turn while one part is changed
// (CONTRIBUTING.md).
if let chosen = Context.environment["PAVISE_TESTS"]?.split(separator: " ").map({ "\($0)Tests" }), !chosen.isEmpty {
    package.targets.removeAll { $0.type == .test && !chosen.contains($0.name) }
}

// A manifest runs on the machine that builds, and only macOS builds for Apple's systems. They bring what Platform gives
// to Linux, so the Kit stands on an adapter there (Documentation/Decisions/0005-apple-hosts.md). There is no target
// `Security`, which would hide the system's framework, and nothing that needs our own backends: lab, program, most
// tests.
#if os(macOS)
let onApple: Set = [
    "CPavisePlatform", "PavisePrimitives", "SecurityFramework", "PaviseProtectedStorage",
    "PaviseVault", "PaviseLog", "PavisePrivacy", "PaviseDocuments", "PaviseTransport", "PaviseManaged", "PaviseJWT",
    "DiaryCore", "PaviseStorage",
    "PaviseSession",
    "Pavise", "PaviseValidation", "PaviseAppLock", "PaviseIntegrity", "PaviseSync",
    "TestSupport", "PrimitivesTests",
]

/// Whether a dependency is built on Apple hosts too. All of ours are targets of this package, by name.
func isOnApple(_ dependency: Target.Dependency) -> Bool {
    guard case .byNameItem(let name, _) = dependency else { return false }
    return onApple.contains(name)
}

let offered = [
    "Pavise", "PaviseJWT", "PaviseAppLock", "PaviseValidation", "PaviseIntegrity", "PaviseLog", "PavisePrivacy",
    "PaviseDocuments", "PaviseSync", "SecurityFramework", "DiaryCore",
]
package.products.removeAll { !offered.contains($0.name) }
package.targets.removeAll { !onApple.contains($0.name) }
for target in package.targets {
    target.dependencies.removeAll { !isOnApple($0) }
    if target.name == "SecurityFramework" { target.path = "Sources/Platform/SecurityFrameworkApple" }
    if target.name == "PavisePrimitives" {
        target.exclude = []
        target.resources = [.process(privacy)]
    }
    if target.name == "PaviseProtectedStorage" {
        // The formats and the order of steps are the same everywhere; only the system below is another.
        target.path = "Sources/Platform"
        target.sources = ["ProtectedStorage/Shared", "ProtectedStorage/Database/Shared", "ProtectedStorageApple"]
    }
}
#endif
