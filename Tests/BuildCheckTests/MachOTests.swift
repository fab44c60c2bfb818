import Foundation
import PaviseBuildCheck
import TestSupport
import Testing

/// Mach-O files that a test writes: no Apple system is needed to read one.
@Suite struct MachOTests {
    private static let entitlements = """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict><key>application-identifier</key><string>A.b</string>
        <key>get-task-allow</key><true/></dict></plist>
        """

    private static func little(_ value: UInt64, _ size: Int) -> [UInt8] {
        (0..<size).map { UInt8(value >> ($0 * 8) & 0xFF) }
    }
    private static func big(_ value: UInt64, _ size: Int) -> [UInt8] { little(value, size).reversed() }

    /// A program for arm64 with a library, a folder to search in, a symbol taken from a library, and a signature.
    static func file(
        flags: UInt64 = 0x20_0085, rights: UInt64 = 5, path: String = "/opt/x", list: String = entitlements,
        command: UInt64 = 0xC
    ) -> [UInt8] {
        let padded = { (text: String, size: Int) in
            Array(text.utf8) + [UInt8](repeating: 0, count: size - text.utf8.count)
        }
        let segment =
            little(0x19, 4) + little(72, 4) + padded("__TEXT", 16) + little(0, 32) + little(7, 4) + little(rights, 4)
            + little(0, 8)
        // maxprot stands before initprot.
        let library =
            little(command, 4) + little(56, 4) + little(24, 4) + little(0, 12)
            + padded("/usr/lib/libSystem.B.dylib", 32)
        let search = little(0x8000_001C, 4) + little(52, 4) + little(12, 4) + padded(path, 40)
        let content = Array(list.utf8)
        let blob = big(0xFADE_7171, 4) + big(UInt64(content.count + 8), 4) + content
        let signature =
            big(0xFADE_0CC0, 4) + big(UInt64(20 + blob.count), 4) + big(1, 4) + big(5, 4) + big(20, 4) + blob
        let strings: [UInt8] = [0] + Array("___stack_chk_fail".utf8) + [0]
        let symbol = little(1, 4) + [1, 0] + little(0, 2) + little(0, 8)
        let commands = segment.count + library.count + search.count + 24 + 16
        let tail = 32 + commands
        let table =
            little(2, 4) + little(24, 4) + little(UInt64(tail), 4) + little(1, 4) + little(UInt64(tail + 16), 4)
            + little(UInt64(strings.count), 4)
        let signed =
            little(0x1D, 4) + little(16, 4) + little(UInt64(tail + 16 + strings.count), 4)
            + little(UInt64(signature.count), 4)
        let header =
            little(0xFEED_FACF, 4) + little(0x0100_000C, 4) + little(0, 4) + little(2, 4) + little(5, 4)
            + little(UInt64(commands), 4) + little(flags, 4) + little(0, 4)
        return header + segment + library + search + table + signed + symbol + strings + signature
    }

    @Test func `facts and findings of a program`() throws {
        let result = try BuildCheck.judge(Self.file())
        #expect(result.facts.format == .machO && result.facts.processor == "arm64" && result.facts.isProgram)
        #expect(
            result.facts.libraries == ["/usr/lib/libSystem.B.dylib"] && result.facts.imports == ["__stack_chk_fail"])
        #expect(result.findings == [BuildFinding(.entitlement, "get-task-allow"), BuildFinding(.searchPath, "/opt/x")])
    }

    @Test func `an entitlement that is declared is none`() throws {
        var policy = BuildPolicy()
        policy.entitlements = ["get-task-allow"]
        let bytes = Self.file(path: "/usr/lib/swift")
        #expect(try BuildCheck.judge(bytes, for: policy).findings.isEmpty)
    }

    @Test func `a fixed address, an executable stack and writable code are noticed`() throws {
        let bytes = Self.file(
            flags: 0x2_0085, rights: 7, path: "@executable_path/Frameworks", list: "<plist><dict/></plist>")
        #expect(
            Set(try BuildCheck.judge(bytes).findings.map(\.rule))
                == [.notPositionIndependent, .executableStack, .writableCode])
    }

    @Test func `both halves of a file for two processors are judged`() throws {
        let inner = Self.file(path: "/usr/lib/swift", list: "<plist><dict/></plist>")
        let weak = Self.file(flags: 0x85, path: "/usr/lib/swift", list: "<plist><dict/></plist>")
        #expect(try BuildCheck.judge(Self.both(inner, weak)).findings.map(\.rule) == [.notPositionIndependent])
    }

    @Test func `IN17 a library that the second half alone needs is compared, too`() throws {
        let inner = Self.file(path: "/usr/lib/swift", list: "<plist><dict/></plist>")
        var other = inner
        let place = try #require(other.firstRange(of: Array("libSystem.B".utf8)))
        other.replaceSubrange(place, with: Array("libPlanted.".utf8))
        var policy = BuildPolicy()
        policy.libraries = ["/usr/lib/libSystem.B.dylib"]
        #expect(
            try BuildCheck.judge(Self.both(inner, other), for: policy).findings
                == [BuildFinding(.library, "/usr/lib/libPlanted..dylib")])
    }

    @Test(arguments: [[UInt8]([0xFA, 0xDE, 0x0C, 0xC0]), [0xFA, 0xDE, 0x71, 0x71]])
    func `IN17 a signature that cannot be read is not one without entitlements`(_ magic: [UInt8]) throws {
        var bytes = Self.file(path: "/usr/lib/swift")
        let place = try #require(bytes.firstRange(of: magic))
        bytes[place.lowerBound] = 0
        #expect(try BuildCheck.judge(bytes).findings == [BuildFinding(.entitlement, "they cannot be read")])
    }

    /// A file for two processors.
    private static func both(_ one: [UInt8], _ other: [UInt8]) -> [UInt8] {
        let start = 8 + 2 * 20
        var bytes = big(0xCAFE_BABE, 4) + big(2, 4)
        bytes +=
            big(0x0100_000C, 4) + big(0, 4) + big(UInt64(start), 4) + big(UInt64(one.count), 4) + big(0, 4)
        bytes +=
            big(0x0100_0007, 4) + big(0, 4) + big(UInt64(start + one.count), 4) + big(UInt64(other.count), 4)
            + big(0, 4)
        return bytes + one + other
    }

    @Test func `a second table of symbols is damage, and not read`() {
        #expect(throws: ProgramProblem.doubled("table of symbols")) { try BuildCheck.judge(Self.file(command: 2)) }
    }

    @Test func `hostile bytes never trap`() {
        let good = Self.file()
        for index in good.indices {
            for value in [UInt8(0), 0xFF, 0x80] {
                var bytes = good
                bytes[index] = value
                _ = try? BuildCheck.judge(bytes)
            }
            _ = try? BuildCheck.judge(Array(good.prefix(index)))
        }
    }
}
