// swift-tools-version: 6.2
import PackageDescription

// A package of its own: the whole graph is built with libFuzzer's instrumentation, which nobody else wants.
// The targets call `package` declarations of the parent: the compiler knows a package by its folder's name,
// and `packageAccess: false` keeps SwiftPM from saying this folder's name as well.
let parent = Context.packageDirectory.split(separator: "/").dropLast().last.map(String.init) ?? "pavise"
let packageName = String(parent.lowercased().map { $0.isLetter || $0.isNumber ? $0 : "_" })

let package = Package(
    name: "Fuzz",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "Pavise", path: "..")],
    targets: [
        .executableTarget(
            name: "fuzz",
            dependencies: [
                .product(name: "Pavise", package: "Pavise"), .product(name: "PaviseJWT", package: "Pavise"),
                .product(name: "PaviseLab", package: "Pavise"),
                .product(name: "SecurityFramework", package: "Pavise"),
                .product(name: "PaviseAppLock", package: "Pavise"),
                .product(name: "PaviseAttestation", package: "Pavise"),
                .product(name: "PaviseProtectedStorage", package: "Pavise"),
                .product(name: "PaviseLog", package: "Pavise"),
                .product(name: "PaviseSync", package: "Pavise"),
                .product(name: "PaviseDocuments", package: "Pavise"),
                .product(name: "PaviseValidation", package: "Pavise"),
            ],
            path: "Sources/Fuzz",
            packageAccess: false,
            swiftSettings: [
                .swiftLanguageMode(.v6),
                .strictMemorySafety(),
                .treatAllWarnings(as: .error),
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("InternalImportsByDefault"),
                .enableUpcomingFeature("MemberImportVisibility"),
                .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
                .unsafeFlags(["-package-name", packageName]),
            ])
    ]
)
