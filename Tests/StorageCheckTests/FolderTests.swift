import Foundation
import PavisePrimitives
import PaviseStorage
import TestSupport
import Testing

@Suite struct `What the storage check says of a folder` {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func put(_ bytes: some Sequence<UInt8>, _ name: String, mode: Int = 0o600) throws {
        let path = "\(folder.path)/\(name)"
        try FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        #expect(
            FileManager.default.createFile(atPath: path, contents: Data(bytes), attributes: [.posixPermissions: mode]))
    }

    private var rules: [StorageRule] { StorageCheck(folder: folder.path).run().findings.map(\.rule) }

    @Test func `an empty folder and ordinary files give nothing`() throws {
        #expect(rules == [])
        try put("{\"theme\": \"dark\"}".utf8, "settings.json")
        try put([0x89, 0x50, 0x4E, 0x47, 0, 1, 2, 3], "picture.png")
        let report = StorageCheck(folder: folder.path).run()
        #expect(report.findings == [])
        #expect(report.files == 2)
    }

    @Test func `a binary property list is read by its keys`() throws {
        let list: [String: Any] = [
            "authToken": "abcdef", "count": 5, "nested": ["pin": 482_913, "password": "hunter2"],
        ]
        try put(try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0), "a.plist")
        #expect(rules == [.namedSecret, .namedSecret, .namedSecret])
    }

    @Test func `a damaged binary property list is looked through as it lies there`() throws {
        try put(Array("bplist00".utf8) + [0xFF, 0x00] + Array("password: hunter2\n".utf8), "a.plist")
        #expect(rules == [.namedSecret])
    }

    @Test func `a database in clear and its log are told, a cache of URL loading by its own name`() throws {
        let head = Array("SQLite format 3\0".utf8)
        try put(head + [UInt8](repeating: 0, count: 100), "a/plain.db")
        try put([0x37, 0x7F, 0x06, 0x82, 0, 0], "a/plain.db-wal")
        try put(head + [0] + Array("CREATE TABLE cfurl_cache_response(entry_ID INTEGER".utf8) + [0], "b/Cache.db")
        #expect(rules == [.plainDatabase, .plainDatabase, .urlCache])
    }

    @Test func `files that others can read are told once for a folder, and only where others can get to it`() throws {
        for name in ["a", "b"] { try put([], name, mode: 0o644) }
        #expect(rules == [])
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
        let findings = StorageCheck(folder: folder.path).run().findings
        #expect(findings.map(\.rule) == [.readableByOthers])
        #expect(findings.map(\.detail) == ["2 files in it can be read by other users"])
    }

    @Test func `of a file that is checked alone it is told, too, where others can read it and get to it`() throws {
        try put([], "open", mode: 0o644)
        try put([], "closed", mode: 0o600)
        let rules = { (name: String) in StorageCheck(folder: "\(folder.path)/\(name)").run().findings.map(\.rule) }
        #expect(rules("open") == [])
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
        #expect(rules("open") == [.readableByOthers])
        #expect(rules("closed") == [])
    }

    @Test func `links are not followed, pipes not waited at`() throws {
        try put("password: hunter2".utf8, "inner/secret")
        let other = try TemporaryFolder()
        #expect(unsafe symlink("\(folder.path)/inner", "\(other.path)/link") == 0)
        #expect(unsafe mkfifo("\(other.path)/pipe", 0o600) == 0)
        let report = StorageCheck(folder: other.path).run()
        #expect(report.findings == [])
        #expect(report.files == 0)
    }

    @Test func `a file whose name is no UTF-8 is a finding, not a silence`() throws {
        let path = Array("\(folder.path)/a".utf8CString.dropLast()) + [CChar(bitPattern: 0xFF), 0]
        let file = unsafe creat(path, 0o600)
        try #require(file >= 0)
        #expect(close(file) == 0)
        #expect(rules == [.notChecked])
    }

    @Test func `what cannot be looked at is a finding, not a silence`() throws {
        #expect(StorageCheck(folder: "\(folder.path)/absent").run().findings.map(\.rule) == [.notChecked])
        try put("aaaaaaaaaa\npassword: hunter2".utf8, "long")
        var limits = StorageCheck.Limits()
        limits.bytesOfFile = 5
        #expect(StorageCheck(folder: folder.path, limits: limits).run().findings.contains { $0.rule == .notChecked })
        limits = StorageCheck.Limits()
        limits.entries = 0
        #expect(StorageCheck(folder: folder.path, limits: limits).run().findings.map(\.rule) == [.notChecked])
        limits = StorageCheck.Limits()
        limits.depth = 1
        try put([], "a/b/c/d")
        #expect(StorageCheck(folder: folder.path, limits: limits).run().findings.contains { $0.rule == .notChecked })
    }

    @Test func `each rule says what it is and what to do`() {
        for rule in StorageRule.allCases { #expect(rule.summary.hasSuffix(".") && rule.remedy.hasSuffix(".")) }
    }
}
