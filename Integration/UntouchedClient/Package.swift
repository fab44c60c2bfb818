// swift-tools-version: 5.9
import PackageDescription

// A package as its author published it for Apple's systems. It names nothing of Pavise, and it is not edited for Linux.
let package = Package(
    name: "Shelf",
    platforms: [.macOS(.v13), .iOS(.v16)],
    products: [.library(name: "Shelf", targets: ["Shelf"])],
    targets: [
        .target(name: "Shelf"),
        .target(name: "Names", exclude: ["KeyCalls.swift"]),
        .testTarget(name: "ShelfTests", dependencies: ["Shelf", "Names"]),
        .testTarget(name: "ShelfSuites", dependencies: ["Shelf"]),
    ]
)
