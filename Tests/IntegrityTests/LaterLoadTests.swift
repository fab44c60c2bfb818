import Foundation
import PaviseIntegrity
import Testing

/// Libraries that a program loads later are no finding (IN7), and a check is repeated as often as one wants.
@Suite struct LaterLoadTests {
    @Test func `libcurl, the name service, a provider of OpenSSL and a way to a TPM are no finding`() throws {
        let before = DeviceIntegrity.check().findings.filter { $0.kind == .injectedCode }
        for name in ["libcurl.so.4", "libtss2-tcti-device.so.0", "libnss_files.so.2", "libssl.so.3"] {
            _ = unsafe dlopen(name, RTLD_NOW)
        }
        let folder = "/usr/lib/x86_64-linux-gnu/ossl-modules/legacy.so"
        if FileManager.default.fileExists(atPath: folder) { _ = unsafe dlopen(folder, RTLD_NOW) }
        _ = unsafe getpwnam("root")
        let after = DeviceIntegrity.check().findings.filter { $0.kind == .injectedCode }
        #expect(after == before)
    }

    @Test func `a debug build says that it is one, with each switch that is compiled in`() {
        let facts = BuildFacts.current
        #expect(facts.configuration == (facts.switches.isEmpty ? "release" : "debug"))
        #expect(IntegrityPolicy.standard == (facts.switches.isEmpty ? .release : .reporting))
        #expect(facts.switches.allSatisfy { $0.hasPrefix("pavise-debug-switch:") && $0.utf8.count > 15 })
        #expect(BuildFacts.version.contains(/^\d+\.\d+\.\d+$/))
    }

    @Test func `each file that asks for DEBUG is named by the list of differences, and each that is named asks`() throws
    {
        let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        #expect(try Self.asking(below: package, "Sources") == Set(BuildDifference.all.flatMap(\.files)))
        #expect(try Self.asking(below: package, "Examples") == Set(BuildDifference.ofExamples.flatMap(\.files)))
    }

    /// The files that ask for DEBUG, by name; a program's main file with its folder.
    private static func asking(below package: URL, _ folder: String) throws -> Set<String> {
        let sources = try #require(
            FileManager.default.enumerator(
                at: package.appendingPathComponent(folder), includingPropertiesForKeys: nil,
                options: .skipsHiddenFiles))
        var asking: Set<String> = []
        for case let file as URL in sources where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            if text.contains(/(^|\n)[ ]*#(if|elseif)[^\n]*\bDEBUG\b/) {
                let isMain = file.lastPathComponent == "main.swift"
                asking.insert(file.pathComponents.suffix(isMain ? 2 : 1).joined(separator: "/"))
            }
            #expect(
                folder != "Sources" || !text.contains(/#filePath\b/),
                "\(file.lastPathComponent) would put the builder's folder into the program")
        }
        return asking
    }
}
