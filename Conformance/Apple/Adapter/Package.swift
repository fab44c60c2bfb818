// swift-tools-version: 6.2
import PackageDescription

// The adapter for Apple's systems, on Linux: our own implementation is built as the module `Security`, and on it stand
// the files of Sources/Platform/SecurityFrameworkApple as the module `SecurityFramework`, in exactly the shape that
// they have on a Mac. What is proved is the adapter's own logic (casts, statuses, queries, formats), against our
// reading of what Apple's framework does.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6), .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"), .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .unsafeFlags(["-package-name", "pavise"]), .define("PAVISE_APPLE_ADAPTER"),
]

func module(_ name: String, _ path: String, _ dependencies: [Target.Dependency] = [], _ more: [SwiftSetting] = [])
    -> Target
{
    .target(name: name, dependencies: dependencies, path: path, swiftSettings: settings + more)
}

/// The tests of a module; `linuxOnly` are files about what Linux alone has.
func tests(
    _ name: String, _ dependencies: [Target.Dependency], path: String? = nil, linuxOnly: [String] = []
) -> Target {
    .testTarget(
        name: "\(name)Tests", dependencies: dependencies + ["TestSupport", "PavisePrimitives", "SecurityFramework"],
        path: path ?? "Tests/\(name)Tests", exclude: linuxOnly, swiftSettings: settings)
}

let package = Package(
    name: "AppleAdapter",
    targets: [
        .target(name: "CPavisePlatform", path: "Sources/Platform/CPlatform"),
        .systemLibrary(name: "CPaviseOpenSSL", path: "Sources/Platform/COpenSSL", pkgConfig: "openssl"),
        .target(name: "CPaviseOpenSSLExit", dependencies: ["CPaviseOpenSSL"], path: "Sources/Platform/COpenSSLExit"),
        .systemLibrary(name: "CPaviseSQLite", path: "Sources/Platform/CSQLite", pkgConfig: "sqlite3"),
        // The system's SQLite, as Apple's systems name it.
        .systemLibrary(name: "SQLite3", path: "StandIns/SQLite3", pkgConfig: "sqlite3"),
        .systemLibrary(name: "CPaviseTSS", path: "Sources/Platform/CTSS", pkgConfig: "tss2-esys"),
        .systemLibrary(name: "CPaviseArgon2", path: "Sources/Platform/CArgon2", pkgConfig: "libargon2"),
        .target(
            name: "PavisePrimitives", dependencies: ["CPavisePlatform"], path: "Sources/Platform/Primitives",
            exclude: ["PrivacyInfo.xcprivacy"], swiftSettings: settings),
        module(
            "PaviseCrypto", "Sources/Platform/CryptoBackend",
            ["PavisePrimitives", "CPaviseOpenSSL", "CPaviseOpenSSLExit", "CPaviseArgon2"]),
        module(
            "PaviseDatabase", "Sources/Platform/EncryptedDatabase",
            ["PavisePrimitives", "PaviseCrypto", "CPaviseSQLite"]),
        module(
            "PaviseDevice", "Sources/Platform/DeviceProtection", ["PavisePrimitives", "PaviseCrypto", "CPaviseTSS"]),
        module(
            "Security", "Sources/Platform/SecurityFramework",
            ["PavisePrimitives", "PaviseCrypto", "PaviseDatabase", "PaviseDevice"]),
        module(
            "LocalAuthentication", "Sources/Platform/LocalAuthentication",
            ["PavisePrimitives", "PaviseDevice", "Security"],
            [.unsafeFlags(["-module-alias", "SecurityFramework=Security"])]),
        module("CryptoKit", "StandIns/CryptoKit", ["PaviseCrypto", "PavisePrimitives"]),
        module("CommonCrypto", "StandIns/CommonCrypto", ["CPaviseOpenSSL"]),
        module("CryptoTokenKit", "StandIns/CryptoTokenKit"),
        module(
            "SecurityFramework", "Sources/Platform/SecurityFrameworkApple",
            ["PavisePrimitives", "Security", "LocalAuthentication", "CryptoKit", "CommonCrypto", "CryptoTokenKit"]),

        // As on a Mac. What files are told of their class and of backups is kept by StandIns/FileAttributes. Modules of
        // several folders are composed by adapter.py, below Composed.
        .systemLibrary(name: "CFileAttributes", path: "StandIns/CFileAttributes"),
        module(
            "PaviseProtectedStorage", "Composed/PaviseProtectedStorage",
            [
                "PavisePrimitives", "SecurityFramework", "Security", "CryptoKit", "CommonCrypto", "SQLite3",
                "CFileAttributes",
            ]),
        module("PaviseVault", "Sources/Kit/Vault", ["PavisePrimitives", "SecurityFramework"]),
        // As a Mac builds it, over a unified log in memory.
        module("os", "StandIns/os"),
        module(
            "PaviseLog", "Composed/PaviseLog",
            ["PavisePrimitives", "SecurityFramework", "PaviseVault", "AppleFoundation", "os"]),
        module("PaviseIntegrity", "Sources/Kit/Integrity", ["PavisePrimitives"]),
        module("PaviseJWT", "Sources/Kit/JSONWebTokens", ["PavisePrimitives", "SecurityFramework"]),
        module("PaviseValidation", "Sources/Kit/Validation", ["PavisePrimitives"]),
        module(
            "PaviseAppLock", "Sources/Kit/AppLock",
            [
                "PavisePrimitives", "SecurityFramework", "PaviseVault", "PaviseLog", "PaviseIntegrity",
                "PaviseValidation", "PaviseJWT",
            ]),

        .target(
            name: "TestSupport", dependencies: ["PavisePrimitives"], path: "Tests/TestSupport",
            swiftSettings: settings),
        // The group that no program can name is Linux' own.
        tests(
            "Vault", ["PaviseVault", "PaviseDevice", "PaviseCrypto", "PaviseDatabase"],
            linuxOnly: ["OwnItemsTests.swift"]),
        tests("JWT", ["PaviseJWT", "PaviseCrypto"]),
        tests(
            "AppLock",
            [
                "PaviseAppLock", "PaviseValidation", "PaviseVault", "PaviseLog", "PaviseJWT", "PaviseDevice",
                "PaviseCrypto", "PaviseDatabase",
            ]),
        // What the Kit makes of it needs libcurl, which a Mac does not build.
        tests(
            "ProtectedStorage", ["PaviseProtectedStorage", "PaviseDevice"],
            path: "Composed/ProtectedStorageTests", linuxOnly: ["ProtectedStorageTests/Vectors"]),

        // The transport as a Mac builds it: adapter.py evaluates the conditions of its files as a Mac does, and gives
        // them Foundation with a URLSession that tests play.
        module("AppleFoundation", "StandIns/AppleFoundation", ["Security"]),
        module("Network", "StandIns/Network", ["AppleFoundation"]),
        module(
            "PaviseTransport", "Composed/PaviseTransport",
            ["PavisePrimitives", "SecurityFramework", "PaviseLog", "AppleFoundation", "Network"]),
        .target(
            name: "KeychainTestSupport", dependencies: ["Security", "PaviseDevice", "PavisePrimitives", "TestSupport"],
            path: "Tests/KeychainTestSupport",
            swiftSettings: settings + [.unsafeFlags(["-module-alias", "SecurityFramework=Security"])]),
        // The carrier's tests of Linux, over Apple's driver.
        tests(
            "Carrier",
            ["PaviseTransport", "PaviseLab", "PaviseDevice", "KeychainTestSupport", "AppleFoundation", "Network"],
            path: "Composed/CarrierTests"),

        tests(
            "Log", ["PaviseLog", "PaviseTransport", "PaviseVault", "AppleFoundation", "os"], path: "Composed/LogTests"),

        // An app's settings and an administrator's rules, in the user defaults of StandIns/AppleFoundation.
        module(
            "PaviseStorage", "Composed/PaviseStorage",
            [
                "PavisePrimitives", "SecurityFramework", "PaviseProtectedStorage", "PaviseVault", "PaviseTransport",
                "AppleFoundation",
            ]),
        tests("Settings", ["PaviseStorage", "AppleFoundation"], path: "Checks/SettingsTests"),
        tests("StorageCheck", ["PaviseStorage", "PaviseTransport"], path: "Composed/StorageCheckTests"),
        module(
            "PaviseManaged", "Composed/PaviseManaged",
            ["PavisePrimitives", "PaviseTransport", "PaviseJWT", "AppleFoundation"]),
        tests(
            "Managed", ["PaviseManaged", "PaviseTransport", "AppleFoundation"], path: "Composed/ManagedTests"),

        // Sessions, with servers that answer from memory.
        module(
            "PaviseSession", "Composed/PaviseSession",
            [
                "PavisePrimitives", "SecurityFramework", "PaviseVault", "PaviseTransport", "PaviseJWT", "PaviseStorage",
                "AppleFoundation",
            ]),
        tests(
            "Session",
            [
                "PaviseSession", "PaviseStorage", "PaviseTransport", "PaviseVault", "PaviseJWT", "PaviseDevice",
                "PaviseCrypto", "AppleFoundation",
            ], path: "Composed/SessionTests"),

        // Client identities: of the Kit's entrance only what they need stands here.
        module(
            "Pavise", "Composed/Pavise",
            ["PavisePrimitives", "SecurityFramework", "PaviseVault", "PaviseTransport", "PaviseStorage"]),
        tests(
            "Identity", ["Pavise", "PaviseTransport", "PaviseVault", "PaviseLab", "PaviseDevice"],
            path: "Composed/IdentityTests"),
        // The lab's verifier of quotes is a server's, which no Mac builds: it stands on our own implementation.
        module(
            "PaviseAttestation", "Sources/Kit/Attestation", ["PavisePrimitives", "Security"],
            [.unsafeFlags(["-module-alias", "SecurityFramework=Security"])]),
        module("PaviseLab", "Sources/Tools/Lab", ["PavisePrimitives", "PaviseCrypto", "PaviseAttestation"]),
        // What Apple's compiler refuses of it is seen in stage B.
        .target(
            name: "Traps", dependencies: ["Security"], path: "Traps", swiftSettings: [.swiftLanguageMode(.v6)]),
        .testTarget(
            name: "AdapterTests", dependencies: ["PaviseLab", "PavisePrimitives", "SecurityFramework", "TestSupport"],
            path: "Checks/AdapterTests", swiftSettings: settings),
    ]
)
