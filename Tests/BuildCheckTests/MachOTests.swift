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
        der: [UInt8] = [], command: UInt64 = 0xC
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
        let forms: [(kind: UInt64, magic: UInt64, content: [UInt8])] = [
            (5, 0xFADE_7171, Array(list.utf8)), (7, 0xFADE_7172, der),
        ]
        let slots = forms.filter { !$0.content.isEmpty }
        var (table, blobs): ([UInt8], [UInt8]) = ([], [])
        for slot in slots {
            table += big(slot.kind, 4) + big(UInt64(12 + 8 * slots.count + blobs.count), 4)
            blobs += big(slot.magic, 4) + big(UInt64(slot.content.count + 8), 4) + slot.content
        }
        let head = big(0xFADE_0CC0, 4) + big(UInt64(12 + table.count + blobs.count), 4) + big(UInt64(slots.count), 4)
        let signature = head + table + blobs
        let strings: [UInt8] = [0] + Array("___stack_chk_fail".utf8) + [0]
        let symbol = little(1, 4) + [1, 0] + little(0, 2) + little(0, 8)
        let commands = segment.count + library.count + search.count + 24 + 16
        let tail = 32 + commands
        let names =
            little(2, 4) + little(24, 4) + little(UInt64(tail), 4) + little(1, 4) + little(UInt64(tail + 16), 4)
            + little(UInt64(strings.count), 4)
        let signed =
            little(0x1D, 4) + little(16, 4) + little(UInt64(tail + 16 + strings.count), 4)
            + little(UInt64(signature.count), 4)
        let header =
            little(0xFEED_FACF, 4) + little(0x0100_000C, 4) + little(0, 4) + little(2, 4) + little(5, 4)
            + little(UInt64(commands), 4) + little(flags, 4) + little(0, 4)
        return header + segment + library + search + names + signed + symbol + strings + signature
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

    private static func tagged(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] { [tag, UInt8(content.count)] + content }

    @Test(arguments: ["", "<plist><dict/></plist>"])
    func `IN17 an entitlement that stands in the newer form alone is noticed`(_ list: String) throws {
        let entry = Self.tagged(0x30, Self.tagged(0x0C, Array("get-task-allow".utf8)) + [0x01, 0x01, 0xFF])
        let der = Self.tagged(0x70, [0x02, 0x01, 0x01] + Self.tagged(0xB0, entry))
        let file = { (der: [UInt8]) in Self.file(path: "/usr/lib/swift", list: list, der: der) }
        #expect(try BuildCheck.judge(file(der)).findings == [BuildFinding(.entitlement, "get-task-allow")])
        for count in 1..<der.count {
            let cut = file(Array(der.prefix(count)))
            #expect(try BuildCheck.judge(cut).findings == [BuildFinding(.entitlement, "they cannot be read")])
        }
    }

    @Test(arguments: [0x8000_001F, 0x20, 0x8000_0023] as [UInt64])
    func `IN17 a library that is loaded in another way is compared, too`(_ command: UInt64) throws {
        var policy = BuildPolicy()
        policy.libraries = []
        let bytes = Self.file(path: "/usr/lib/swift", list: "<plist><dict/></plist>", command: command)
        #expect(
            try BuildCheck.judge(bytes, for: policy).findings
                == [BuildFinding(.library, "/usr/lib/libSystem.B.dylib")])
    }

    @Test func `IN18 a variable of the loader in the file is a search path`() throws {
        var bytes = Self.file(path: "/usr/lib/swift", list: "<plist><dict/></plist>")
        let place = try #require(bytes.firstRange(of: Self.little(0x8000_001C, 4)))
        bytes.replaceSubrange(place, with: Self.little(0x27, 4))
        let path = try #require(bytes.firstRange(of: Array("/usr/lib/swift".utf8)))
        bytes.replaceSubrange(path, with: Array("DYLD_X_PATH=/x".utf8))
        #expect(try BuildCheck.judge(bytes).findings == [BuildFinding(.searchPath, "DYLD_X_PATH=/x")])
    }

    @Test func `a second signature is damage, and not read`() {
        #expect(throws: ProgramProblem.doubled("signature")) { try BuildCheck.judge(Self.file(command: 0x1D)) }
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
