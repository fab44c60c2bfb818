import Foundation
import PaviseBuildCheck
import TestSupport
import Testing

/// Programs that break one rule each (IN16 to IN18).
@Suite(.serialized) struct BuildCheckTests {
    private let folder: TemporaryFolder
    private static let good = [
        "-O2", "-fPIE", "-pie", "-D_FORTIFY_SOURCE=2", "-fstack-protector-strong", "-Wl,-z,relro,-z,now", "-s",
        "-Wl,-z,noexecstack",
    ]
    private static let source = """
        #include <stdio.h>
        #include <string.h>
        #ifdef WORD
        const char *volatile word = WORD;
        #endif
        #ifdef BOTH
        __asm__(".section .both,\\"awx\\"\\n.byte 0\\n.text");
        #endif
        int main(int count, char **words) { char text[8]; strcpy(text, words[0]); return puts(text) + count; }

        """

    init() throws { folder = try TemporaryFolder() }

    private func build(_ flags: [String], without left: [String] = []) throws -> [UInt8] {
        try Self.source.write(toFile: folder.path + "/main.c", atomically: true, encoding: .utf8)
        let compiler = Process()
        compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        compiler.currentDirectoryURL = URL(fileURLWithPath: folder.path)
        compiler.arguments = ["cc", "main.c", "-o", "program"] + Self.good.filter { !left.contains($0) } + flags
        compiler.standardError = FileHandle.nullDevice
        try compiler.run()
        compiler.waitUntilExit()
        try #require(compiler.terminationStatus == 0)
        return Array(try Data(contentsOf: URL(fileURLWithPath: folder.path + "/program")))
    }

    private func rules(_ bytes: [UInt8], _ policy: BuildPolicy = BuildPolicy()) throws -> [BuildRule] {
        try BuildCheck.judge(bytes, for: policy).findings.map(\.rule)
    }

    @Test func `a hardened program has no finding`() throws {
        let result = try BuildCheck.judge(try build([]))
        #expect(result.findings.isEmpty, "\(result.findings)")
        #expect(result.facts.format == .elf && result.facts.isProgram && result.facts.libraries == ["libc.so.6"])
        #expect(result.facts.imports.contains("__stack_chk_fail") && result.facts.identity?.count == 40)
    }

    @Test(
        arguments: [
            (["-fno-PIE", "-no-pie"], [], BuildRule.notPositionIndependent), (["-Wl,-z,lazy"], [], .bindsLate),
            (["-Wl,-z,norelro"], [], .noReadOnlyRelocations), (["-Wl,-z,execstack"], [], .executableStack),
            (["-DBOTH"], [], .writableCode), (["-Wl,-rpath,$ORIGIN"], [], .searchPath),
            (["-Wl,-rpath,/opt/x", "-Wl,--disable-new-dtags"], [], .searchPath), (["-Wl,-rpath,:"], [], .searchPath),
            ([], ["-s"], .symbols),
            (["-g"], ["-s"], .debugInformation), (["-fno-stack-protector"], [], .noStackProtector),
            (["-U_FORTIFY_SOURCE"], [], .notFortified),
        ] as [([String], [String], BuildRule)])
    func `a program that breaks one rule of hardening is noticed`(
        _ flags: [String], _ left: [String], _ rule: BuildRule
    ) throws {
        let found = try rules(try build(flags, without: left))
        #expect(found.contains(rule), "\(found)")
        let usual: Set<BuildRule> = rule == .debugInformation ? [rule, .symbols, .buildPath] : [rule]
        #expect(Set(found).isSubset(of: usual), "\(found)")
    }

    @Test(arguments: [
        ("pavise-debug-switch:menu", BuildRule.debugSwitch, "pavise-debug-switch:menu"),
        ("x -DDEBUG y", .debugFlag, "-DDEBUG"), ("-enable-testing", .debugFlag, "-enable-testing"),
        ("-Ounchecked", .debugFlag, "-Ounchecked"), ("https://staging.shop.de/a", .host, "staging.shop.de"),
        ("http://localhost:8080/", .host, "localhost"), ("https://api.shop.test", .host, "api.shop.test"),
        ("http://[::1]:8080/", .host, "::1"), ("https://ada:secret@api.shop.test/", .host, "api.shop.test"),
        ("http://127.0.0.1/x", .host, "127.0.0.1"), ("PAVISE_BACKDOOR", .environmentName, "PAVISE_BACKDOOR"),
        ("/Users/ada/app/Sources/main.swift", .buildPath, "/Users/ada/app/Sources/main.swift"),
        ("/home/ada/app/x.c", .buildPath, "/home/ada/app/x.c"), ("-fsanitize=address", .debugFlag, "-fsanitize="),
        ("ASAN_OPTIONS", .instrumented, "ASAN_OPTIONS"), ("TSAN_OPTIONS", .instrumented, "TSAN_OPTIONS"),
        ("LLVM_PROFILE_FILE", .instrumented, "LLVM_PROFILE_FILE"), ("GCOV_PREFIX", .instrumented, "GCOV_PREFIX"),
        ("GNU C17 12.2.0 -O0 -g -fstack-protector-strong", .debugFlag, "-O0"),
        ("GNU C17 12.2.0 -O2 -g", .noStackProtector, "a file of C was compiled without -fstack-protector"),
        (
            "GNU C++17 12.2.0 -O2 -fno-stack-protector", .noStackProtector,
            "a file of C was compiled without -fstack-protector"
        ),
    ])
    func `each kind of leftover is noticed`(_ word: String, _ rule: BuildRule, _ evidence: String) throws {
        var policy = BuildPolicy()
        policy.variablePrefixes = ["PAVISE_"]
        let findings = try BuildCheck.judge(try build(["-DWORD=\"\(word)\""]), for: policy).findings
        #expect(findings == [BuildFinding(rule, evidence)], "\(findings)")
    }

    @Test(arguments: [
        "-DDEBUGGER=1", "https://cloud.shop.de", "http://www.w3.org/1999/xhtml", "/home/", "/Users/Shared",
        "https://contest.org", "PAVISE_HOME", "XPAVISE_BACKDOOR", "https://devices.shop.de", "set ASAN_OPTIONS=x",
        "GNU C Library 2.36", "GNU C17 is a language", "GNU C17 12.2.0 -O2 -g -fstack-protector-strong", "gcc -O0",
    ])
    func `what only looks like a leftover is none`(_ word: String) throws {
        var policy = BuildPolicy()
        policy.variablePrefixes = ["PAVISE_"]
        policy.variables = ["PAVISE_HOME"]
        #expect(try rules(try build(["-DWORD=\"\(word)\""]), policy).isEmpty)
    }

    @Test func `IN17 a variable behind a hundred that are declared is noticed`() throws {
        var policy = BuildPolicy()
        policy.variablePrefixes = ["PAVISE_"]
        policy.variables = Set((0..<150).map { "PAVISE_DECLARED_\($0)" })
        let names = policy.variables.sorted() + ["PAVISE_BACKDOOR_OF_ALL"]
        let bytes = try build([]) + names.flatMap { Array($0.utf8) + [0] }
        #expect(
            try BuildCheck.judge(bytes, for: policy).findings
                == [BuildFinding(.environmentName, "PAVISE_BACKDOOR_OF_ALL")])
    }

    @Test func `a debug build has to have every declared switch, or the check is blind`() throws {
        var policy = BuildPolicy()
        policy.switches = ["pavise-debug-switch:menu", "pavise-debug-switch:clock"]
        let bytes = try build(["-DWORD=\"pavise-debug-switch:menu\""])
        #expect(
            try BuildCheck.judge(bytes, for: policy, as: .debug).findings
                == [BuildFinding(.switchNotFound, "pavise-debug-switch:clock")])
    }

    @Test func `IN17 a library that watches the program is compared, too`() throws {
        var policy = BuildPolicy()
        policy.libraries = ["libc.so.6"]
        let findings = try BuildCheck.judge(try build(["-Wl,--audit=/opt/x.so:/opt/y.so"]), for: policy).findings
        #expect(findings == [BuildFinding(.library, "/opt/x.so"), BuildFinding(.library, "/opt/y.so")])
    }

    @Test func `a library that is not declared is noticed`() throws {
        var policy = BuildPolicy()
        policy.libraries = ["libm.so.6"]
        #expect(try rules(try build([]), policy) == [.library])
    }

    @Test(arguments: [
        "{}", "[]", "{\"environment\":{\"allowed\":{\"X\":\"\"}}}", "{\"host\":[]}", "{", "{\"hosts\":[1]}",
        "{\"environment\":{\"prefix\":[\"PAVISE_\"]}}", "{\"environment\":[\"PAVISE_\"]}", "{\"switchPrefix\":5}",
        "{\"switchPrefix\":\"\"}",
    ])
    func `a policy with a slip is refused whole`(_ text: String) {
        guard text != "{}" else { return #expect((try? BuildPolicy(json: Array(text.utf8))) == BuildPolicy()) }
        #expect(throws: BuildPolicy.Problem.self) { try BuildPolicy(json: Array(text.utf8)) }
    }

    @Test func `a program whose dynamic section leads out of the file is damaged, not one without a fault`() throws {
        var bytes = try build([])
        func number(_ place: Int, _ count: Int) -> Int {
            (0..<count).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
        }
        // The entry of type PT_DYNAMIC in the table of parts (gabi chapter 5), and in it the place.
        let entries = (0..<number(56, 2)).map { number(32, 8) + $0 * number(54, 2) }
        let place = try #require(entries.first { number($0, 4) == 2 }) + 8
        let outside = bytes.count - 4
        for index in 0..<8 { bytes[place + index] = UInt8(truncatingIfNeeded: outside >> (8 * index)) }
        #expect(throws: ProgramProblem.damaged("the dynamic section")) { try ProgramFacts(bytes) }
    }

    /// An ELF file with one part, of notes, and `empty` notes before the build's identity.
    private static func notes(_ empty: Int) -> [UInt8] {
        func little(_ value: Int, _ size: Int) -> [UInt8] { (0..<size).map { UInt8(value >> ($0 * 8) & 0xFF) } }
        let name = Array("GNU".utf8) + [0]
        let identity = little(4, 4) + little(20, 4) + little(3, 4) + name + [UInt8](repeating: 0, count: 20)
        let notes = [UInt8](repeating: 0, count: 12 * empty) + identity
        let head: [UInt8] = [0x7F, 0x45, 0x4C, 0x46, 2, 1] + [UInt8](repeating: 0, count: 10)
        let rest =
            little(3, 2) + little(62, 2) + little(0, 12) + little(64, 8) + little(0, 14) + little(56, 2) + little(1, 2)
            + little(0, 6)
        let part =
            little(4, 4) + little(0, 4) + little(120, 8) + little(0, 16) + little(notes.count, 8) + little(0, 16)
        return head + rest + part + notes
    }

    @Test func `the notes of a file are followed within a limit`() throws {
        #expect(try ProgramFacts(Self.notes(10)).identity == String(repeating: "00", count: 20))
        #expect(try ProgramFacts(Self.notes(70_000)).identity == nil)
    }

    @Test func `a second table of dynamic symbols is damage, and not read`() throws {
        var bytes = try build([])
        // The type of the first section after the empty one (gabi chapter 4).
        let table = (0..<8).reduce(0) { $0 | Int(bytes[40 + $1]) << (8 * $1) }
        bytes[table + 64 + 4] = 11
        #expect(throws: ProgramProblem.doubled("table of dynamic symbols")) { try ProgramFacts(bytes) }
    }

    @Test func `hostile bytes end in a problem or in facts, and never in a trap`() throws {
        let bytes = try build([])
        for count in stride(from: 0, to: min(bytes.count, 1200), by: 7) {
            _ = try? ProgramFacts(Array(bytes.prefix(count)))
        }
        var random = SystemRandomNumberGenerator()
        for _ in 0..<2000 {
            var changed = bytes
            for _ in 0..<4 {
                changed[Int.random(in: 0..<1200, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            _ = try? ProgramFacts(changed)
        }
        #expect(throws: ProgramProblem.otherFormat) { try ProgramFacts(Array("#!/bin/sh\n".utf8)) }
    }
}
