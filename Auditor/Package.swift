// swift-tools-version: 6.2
import Foundation
import PackageDescription

// The toolchain's own SwiftSyntax, found through the first `swift` on the path: the parser of the compiler, and nothing
// fetched. A nested package, because such flags make a package unusable as a dependency of others.
func hostFolder() -> String {
    let folders = (Context.environment["PATH"] ?? "").split(separator: ":").map(String.init)
    let found = folders.map { $0 + "/swift" }.first { FileManager.default.isExecutableFile(atPath: $0) } ?? "swift"
    let program = URL(fileURLWithPath: found).resolvingSymlinksInPath()
    return program.deletingLastPathComponent().deletingLastPathComponent().path + "/lib/swift/host"
}

let host = hostFolder()
let strictSettings: [SwiftSetting] = [
    .swiftLanguageMode(.v6), .strictMemorySafety(), .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"), .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .unsafeFlags(["-I", host]),
]
// What is tested is optimized (hostile sources have seconds); what tests it need not be, and a minute of work goes with it.
let testSettings = strictSettings + [.unsafeFlags(["-Onone"])]
let linked: [LinkerSetting] = [
    .unsafeFlags(["-L", host, "-Xlinker", "-rpath", "-Xlinker", "$ORIGIN", "-Xlinker", "-rpath", "-Xlinker", host])
]

let package = Package(
    name: "Auditor",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "pavise-audit", targets: ["pavise-audit"])],
    targets: [
        .systemLibrary(
            name: "CAuditSystem", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"]), .brew(["openssl"])]),
        .target(
            name: "AuditCore", dependencies: ["CAuditSystem"], swiftSettings: strictSettings, linkerSettings: linked),
        .target(
            name: "AuditDriver", dependencies: ["AuditCore"], swiftSettings: strictSettings, linkerSettings: linked),
        .target(
            name: "AuditEvidence", dependencies: ["AuditCore", "AuditDriver", "CAuditSystem"],
            swiftSettings: strictSettings, linkerSettings: linked),
        .executableTarget(
            name: "pavise-audit", dependencies: ["AuditDriver", "AuditEvidence"], swiftSettings: strictSettings,
            linkerSettings: linked),
        .target(name: "MutantFinder", swiftSettings: strictSettings, linkerSettings: linked),
        .executableTarget(
            name: "pavise-mutants", dependencies: ["MutantFinder"], swiftSettings: strictSettings,
            linkerSettings: linked),
        .testTarget(
            name: "MutantFinderTests", dependencies: ["MutantFinder"], swiftSettings: testSettings,
            linkerSettings: linked),
        .testTarget(
            name: "AuditCoreTests", dependencies: ["AuditCore"], swiftSettings: testSettings, linkerSettings: linked),
        .testTarget(
            name: "AuditDriverTests", dependencies: ["AuditCore", "AuditDriver", "pavise-audit"],
            swiftSettings: testSettings, linkerSettings: linked),
        .testTarget(
            name: "AuditEvidenceTests", dependencies: ["AuditCore", "AuditDriver", "AuditEvidence", "pavise-audit"],
            swiftSettings: testSettings, linkerSettings: linked),
    ]
)

// libFuzzer's instrumentation is for Fuzz/fuzz.sh, which asks for this target.
if Context.environment["PAVISE_FUZZ"] != nil {
    package.targets.append(
        .executableTarget(
            name: "audit-fuzz", dependencies: ["AuditCore", "AuditDriver", "AuditEvidence"], path: "Fuzz",
            swiftSettings: strictSettings, linkerSettings: linked))
}
