#if os(Linux)
import Foundation

/// Asks the compiler about a program that must not compile, with the modules that the tests were built with.
///
/// What a rule forbids by type is shown so: the program is refused, and the same program without the one forbidden line
/// is not.
public enum CompilerCheck {
    /// The errors that the compiler finds in `source`; empty when it compiles.
    public static func errors(in source: String) throws -> [String] {
        try diagnostics(of: source, options: ["-swift-version", "6", "-I", modules]).filter { $0.contains(": error: ") }
    }

    /// The errors and warnings about `source`, a library's file, with these options and the C modules of the tests.
    public static func diagnostics(of source: String, options: [String]) throws -> [String] {
        let folder = try TemporaryFolder()
        let file = folder.path + "/main.swift"
        try source.write(toFile: file, atomically: true, encoding: .utf8)
        let compiler = Process()
        compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        compiler.arguments =
            ["swiftc", "-typecheck"] + options + moduleMaps(built).flatMap { ["-Xcc", "-fmodule-map-file=\($0)"] } + [
                file
            ]
        let output = Pipe()
        compiler.standardError = output
        try compiler.run()
        let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        compiler.waitUntilExit()
        let found = said.split(separator: "\n").filter { $0.contains(": error: ") || $0.contains(": warning: ") }
            .map(String.init)
        // A compiler that fails for a reason of its own has shown nothing about the program.
        guard compiler.terminationStatus == 0 || found.contains(where: { $0.hasPrefix(file) }) else {
            throw Failed(said: said)
        }
        return found
    }

    /// The folder of the modules that the tests were built with.
    public static var modules: String { built.path + "/Modules" }

    private static var built: URL { URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent() }

    /// The compiler did not get as far as the program.
    public struct Failed: Error { let said: String }

    private static func moduleMaps(_ built: URL) -> [String] {
        let made = (try? FileManager.default.contentsOfDirectory(atPath: built.path)) ?? []
        let ours = made.filter { $0.hasPrefix("CPavise") && $0.hasSuffix(".build") }.map {
            "\(built.path)/\($0)/module.modulemap"
        }
        let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let system = ["COpenSSL", "CArgon2", "CSQLite", "CTSS"].map {
            "\(package.path)/Sources/Platform/\($0)/module.modulemap"
        }
        return (ours + system).filter { FileManager.default.fileExists(atPath: $0) }
    }
}
#endif
