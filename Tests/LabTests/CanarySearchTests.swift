import Foundation
import PaviseLab
import PavisePrimitives
import TestSupport
import Testing

@Suite struct CanarySearchTests {
    let folder: TemporaryFolder
    let canary = "canary-access-3w5e11264sgsf"

    init() throws { folder = try TemporaryFolder() }

    private func write(_ bytes: [UInt8], to name: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: folder.path + "/" + name))
    }

    static func disguises(of text: String) -> [(CanarySearch.Form, [UInt8])] {
        let bytes = Array(text.utf8)
        let around = (0..<3).map { Array(String(repeating: "~", count: $0).utf8) + bytes + [0xFF, 0xFE, 0xFB] }
        let little = text.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
        let big = text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
        var all: [(CanarySearch.Form, [UInt8])] = [(.utf8, bytes), (.reversed, bytes.reversed())]
        all += [(.hexadecimal, Array(Hex.encode(bytes).utf8))]
        all += [(.upperHexadecimal, Array(Hex.encode(bytes).uppercased().utf8))]
        all += [(.utf16LittleEndian, little), (.utf16BigEndian, big)]
        all += around.map { (.base64, Array(Base64.encode($0).utf8)) }
        all += around.map { (.base64, Array(Base64URL.encode($0).utf8)) }
        return all
    }

    @Test(arguments: 0..<12)
    func `every disguise is found at its place`(_ number: Int) throws {
        let (form, bytes) = Self.disguises(of: canary)[number]
        try write([UInt8](repeating: 0x20, count: 100) + bytes + [0x20, 0x20], to: "file")
        let report = try CanarySearch.find(["other-secret", canary], in: folder.path)
        let finding = try #require(report.findings.first)
        #expect(report.findings.count == 1)
        #expect(finding.canary == 1)
        #expect(finding.form == form)
        #expect((100..<110).contains(finding.offset ?? 0))
        #expect(!report.isClean)
    }

    @Test func `a canary across two pieces is found once`() throws {
        let wide = canary.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
        for (bytes, gap) in [(Array(canary.utf8), 0), (Array(canary.utf8), 1), (wide, 2), (wide, wide.count - 1)] {
            try write([UInt8](repeating: 0x2E, count: (1 << 20) - gap) + bytes + [1, 2, 3], to: "large")
            let report = try CanarySearch.find([canary], in: folder.path)
            #expect(report.findings.map(\.offset) == [(1 << 20) - gap])
        }
    }

    @Test func `nothing is found in noise, and everything was read`() throws {
        let noise = try Entropy.kernel.bytes(1 << 20)
        try write(noise, to: "noise")
        let report = try CanarySearch.find([canary, "canary"], in: folder.path)
        #expect(report.isClean)
        #expect(report.files == 1)
        #expect(report.bytes == 1 << 20)
    }

    @Test func `names of files count, links are not followed`() throws {
        try write([], to: canary)
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/link", withDestinationPath: "/etc/hostname")
        let pipe = unsafe mkfifo(folder.path + "/pipe", 0o600)
        #expect(pipe == 0)
        let report = try CanarySearch.find([canary], in: folder.path)
        #expect(report.findings.map(\.offset) == [nil])
        #expect(report.skipped.count == 2)
    }

    @Test func `what cannot be read is never clean`() throws {
        try write(Array("harmless".utf8), to: "file")
        let report = try CanarySearch.find([canary], in: folder.path, byteLimit: 3)
        #expect(report.unread == [folder.path + "/file"])
        #expect(!report.isClean)
        #expect(throws: LabFailure.self) { try CanarySearch.find([canary], in: folder.path + "/missing") }
    }

    @Test(arguments: [[], ["short"], ["long enough", ""]])
    func `a search for nothing is an error`(_ canaries: [String]) {
        #expect(throws: LabFailure.self) { try CanarySearch.find(canaries, in: folder.path) }
    }

    @Test func `bytes in memory are searched the same way`() {
        let found = CanarySearch.find([canary], in: Array("log: \(canary)".utf8), named: "log")
        #expect(found == CanarySearch.find([canary], in: Array("log: \(canary)".utf8), named: "log"))
        #expect(found.map(\.offset) == [5])
    }
}
