#if os(Linux)
import Foundation
import PavisePrimitives
import PaviseVault
import TestSupport
import Testing

@testable import PaviseLog

@Suite struct SinkTests {
    private func entry(_ text: [UInt8]) -> LogEntry {
        LogEntry(
            level: .error, subsystem: "org.example", category: "tests", milliseconds: 1_764_024_000_123, text: text)
    }

    /// A service with a socket of its own.
    final class Service: Sendable {
        let path: String
        let number: Int32
        init(_ path: String, type: __socket_type = SOCK_DGRAM) throws {
            self.path = path
            number = socket(AF_UNIX, Int32(type.rawValue), 0)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            let bytes = Array(path.utf8)
            unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
            let code = unsafe withUnsafePointer(to: &address) {
                unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe bind(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            try #require(code == 0)
        }
        func receive() -> [UInt8] {
            var bytes = [UInt8](repeating: 0, count: 70_000)
            let count = unsafe recv(number, &bytes, bytes.count, Int32(truncatingIfNeeded: MSG_DONTWAIT))
            return Array(bytes.prefix(max(0, count)))
        }
        deinit { close(number) }
    }

    @Test func `journald gets its native protocol`() throws {
        let folder = try TemporaryFolder()
        let service = try Service(folder.path + "/journal")
        let log = SystemLog(journal: service.path, syslog: "/nowhere", descriptor: -1)
        #expect(log.write(entry(Array("hello".utf8))))
        let text = String(decoding: service.receive(), as: UTF8.self)
        #expect(text == "MESSAGE=hello\nPRIORITY=3\nSYSLOG_IDENTIFIER=org.example\nPAVISE_CATEGORY=tests\n")
    }

    @Test func `a value with a line end has its length before it`() {
        var bytes: [UInt8] = []
        JournalEncoder.append("MESSAGE", Array("a\nPRIORITY=0".utf8), to: &bytes)
        #expect(bytes == Array("MESSAGE\n".utf8) + [12, 0, 0, 0, 0, 0, 0, 0] + Array("a\nPRIORITY=0\n".utf8))
    }

    @Test func `without journald the entry goes to the system's log, without both to the stream`() throws {
        let folder = try TemporaryFolder()
        let service = try Service(folder.path + "/log")
        #expect(SystemLog(journal: "/nowhere", syslog: service.path, descriptor: -1).write(entry(Array("a".utf8))))
        #expect(String(decoding: service.receive(), as: UTF8.self) == "<11>org.example: a")
        let pipe = Pipe()
        let stream = SystemLog(
            journal: "/nowhere", syslog: "/nowhere", descriptor: pipe.fileHandleForWriting.fileDescriptor)
        #expect(stream.write(entry(Array("a".utf8))))
        let line = String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self)
        #expect(line == "<3>org.example tests: a\n")
    }

    @Test func `PR10: a service that does not read, and a pipe that is full, lose entries and stop nobody`() throws {
        let folder = try TemporaryFolder()
        let service = try Service(folder.path + "/journal")
        let pipe = Pipe()
        for log in [
            SystemLog(journal: service.path, syslog: "/nowhere", descriptor: -1),
            SystemLog(journal: "/nowhere", syslog: "/nowhere", descriptor: pipe.fileHandleForWriting.fileDescriptor),
        ] {
            let taken = (0..<2000).count { _ in log.write(entry(Array(repeating: 0x61, count: 1000))) }
            #expect((1..<2000).contains(taken))
        }
        #expect(!SystemLog(journal: "/nowhere", syslog: "/nowhere", descriptor: -1).write(entry([0x61])))
    }

    @Test func `PR10: a socket that a dead service left is passed over, and the service is used when it is back`()
        throws
    {
        let folder = try TemporaryFolder()
        let (journal, syslog, pipe) = (folder.path + "/journal", folder.path + "/log", Pipe())
        let log = SystemLog(
            journal: journal, syslog: syslog, descriptor: pipe.fileHandleForWriting.fileDescriptor)
        var services: [Service] = [try Service(journal), try Service(syslog)]
        #expect(log.write(entry(Array("one".utf8))) && !services[0].receive().isEmpty)
        services.removeFirst()
        #expect(FileManager.default.fileExists(atPath: journal), "the socket is still there")
        #expect(log.write(entry(Array("two".utf8))))
        #expect(String(decoding: services[0].receive(), as: UTF8.self) == "<11>org.example: two")
        services.removeFirst()
        #expect(log.write(entry(Array("three".utf8))))
        let line = String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self)
        #expect(line == "<3>org.example tests: three\n")
        try FileManager.default.removeItem(atPath: journal)
        services.append(try Service(journal))
        #expect(log.write(entry(Array("four".utf8))) && !services[0].receive().isEmpty)
    }

    @Test func `a line that is too long for a pipe is cut at the beginning of a character, and says so`() {
        let line = SystemLog.streamLine(entry(Array(String(repeating: "ä", count: 2048).utf8)))
        let text = String(validating: line, as: UTF8.self)
        #expect(line.count <= 4096 && text?.hasSuffix("ä… (cut)\n") == true)
    }

    @Test func `an entry that is too large for a datagram goes as a sealed file`() throws {
        let folder = try TemporaryFolder()
        let service = try Service(folder.path + "/journal")
        let socket = try LogSocket(service.path)
        #expect(socket.send([UInt8](repeating: 0x61, count: 4 << 20), orAsFile: true) == 0)
        #expect(service.receive().isEmpty)
        #expect(socket.send([UInt8](repeating: 0x61, count: 4 << 20), orAsFile: false) == EMSGSIZE)
    }

    // MARK: The support log

    @Test func `the support log is sealed, bounded, and leaves by an export alone`() throws {
        let folder = try TemporaryFolder()
        let log = try SupportLog(folder: folder.path + "/support", limit: 16_384, store: VolatileStore())
        for number in 0..<400 { #expect(log.write(entry(Array("canary line \(number)".utf8)))) }
        var size = 0
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path + "/support") {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/support/" + name))
            #expect(bytes.range(of: Data("canary".utf8)) == nil)
            size += bytes.count
        }
        #expect(size <= 16_384)
        let exported = try log.export()
        #expect(exported.isWhole && exported.lines.last?.hasSuffix("canary line 399") == true)
        #expect(exported.lines.last?.hasPrefix("2025-11-24T22:40:00.123Z error org.example tests: ") == true)
        try log.erase()
        #expect(try log.export().lines.isEmpty)
    }

    @Test func `E1: processes that share a support log go on in one chain, and none takes another's lines away`() throws
    {
        let folder = try TemporaryFolder()
        let store = VolatileStore()
        // Each has a state of its own, as a process does; every third is a new one.
        var logs = try (0..<3).map { _ in try SupportLog(folder: folder.path + "/support", store: store) }
        for number in 0..<60 {
            if number % 10 == 9 { logs[number % 3] = try SupportLog(folder: folder.path + "/support", store: store) }
            #expect(logs[number % 3].write(entry(Array("line \(number)".utf8))))
        }
        let exported = try logs[0].export()
        #expect(exported.isWhole && exported.lines.count == 60)
        #expect(exported.lines.enumerated().allSatisfy { $1.hasSuffix("line \($0)") })
    }

    @Test func `a line that was not written to its end is cut off, and the next one goes on behind the good ones`()
        throws
    {
        let folder = try TemporaryFolder()
        let store = VolatileStore()
        let log = try SupportLog(folder: folder.path + "/support", store: store)
        #expect(log.write(entry([0x61])) && log.write(entry([0x62])))
        let path = folder.path + "/support/lines"
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(unsafe truncate(path, off_t(bytes.count - 3)) == 0)
        let next = try SupportLog(folder: folder.path + "/support", store: store)
        #expect(try !next.export().isWhole)
        #expect(next.write(entry([0x63])) && log.write(entry([0x64])))
        let exported = try log.export()
        #expect(exported.isWhole && exported.lines.map { $0.suffix(1) } == ["a", "c", "d"])
    }

    @Test func `a support log that was larger under another limit is exported whole, and goes on`() throws {
        let folder = try TemporaryFolder()
        let store = VolatileStore()
        let large = try SupportLog(folder: folder.path + "/support", limit: 8 << 20, store: store)
        for _ in 0..<2_500 { #expect(large.write(entry(Array(repeating: 0x61, count: 1000)))) }
        let exported = try SupportLog.export(of: folder.path + "/support", store: store)
        #expect(exported.isWhole && exported.lines.count == 2_500)
        let small = try SupportLog(folder: folder.path + "/support", limit: 4096, store: store)
        #expect(small.write(entry([0x62])))
        #expect(try small.export().lines.last?.hasSuffix(" b") == true)
    }

    @Test func `a support log that another key sealed is put aside, and the lines go on`() throws {
        let folder = try TemporaryFolder()
        #expect(try SupportLog(folder: folder.path + "/support", store: VolatileStore()).write(entry([0x61])))
        let other = try SupportLog(folder: folder.path + "/support", store: VolatileStore())
        #expect(other.write(entry([0x62])))
        let exported = try other.export()
        #expect(!exported.isWhole && exported.lines.map { $0.suffix(1) } == ["b"])
    }

    @Test func `a support log is opened with its first entry, and loses what it cannot be opened for`() throws {
        let folder = try TemporaryFolder()
        let lazy = LazySupportLog(folder: folder.path + "/support", store: VolatileStore())
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/support"))
        #expect(lazy.write(entry([0x61])))
        #expect(FileManager.default.fileExists(atPath: folder.path + "/support/lines"))
        try Data().write(to: URL(fileURLWithPath: folder.path + "/file"))
        #expect(!LazySupportLog(folder: folder.path + "/file/log", store: VolatileStore()).write(entry([0x61])))
    }

    @Test func `a support log whose folder cannot be made is none`() throws {
        let folder = try TemporaryFolder()
        try Data().write(to: URL(fileURLWithPath: folder.path + "/support"))
        #expect(throws: SystemFailure.self) {
            try SupportLog(folder: folder.path + "/support/log", store: VolatileStore())
        }
    }

    @Test func `PR10: while another process holds the support log's lock a line is lost, and the next one is kept`()
        throws
    {
        let folder = try TemporaryFolder()
        let log = try SupportLog(folder: folder.path + "/support", store: VolatileStore())
        #expect(log.write(entry([0x61])))
        let path = folder.path + "/support/lines.lock"
        try FileLock.holding(path, wait: .seconds(1), or: { $0.asSystemFailure(path) }) { () throws(SystemFailure) in
            #expect(!log.write(entry([0x62])))
        }
        #expect(log.write(entry([0x63])))
        #expect(try log.export().lines.map { $0.suffix(1) } == ["a", "c"])
    }

    @Test func `PR10: a disk that is full while the support log's files take turns takes none of the older lines`()
        throws
    {
        let folder = try TemporaryFolder()
        let log = try SupportLog(folder: folder.path + "/support", limit: 4096, store: VolatileStore())
        let line = [UInt8](repeating: 0x78, count: 1000)
        #expect(log.write(entry(line + [0x61])))
        let full = FileObserver(failure: { $0.call == .write ? ENOSPC : nil })
        FileObserver.$current.withValue(full) {
            for _ in 0..<3 { #expect(!log.write(entry(line + [0x62]))) }
        }
        // As a kill leaves it.
        let path = folder.path + "/support/lines"
        let head = try Data(contentsOf: URL(fileURLWithPath: path + ".old")).prefix(20)
        try DurableFile.write([UInt8](head).span, to: path)
        #expect(log.write(entry(line + [0x63])))
        let exported = try log.export()
        #expect(exported.isWhole && exported.lines.map { $0.suffix(1) } == ["a", "c"])
    }

    @Test func `PR10: a full disk loses lines, and the next ones are kept`() throws {
        let folder = try TemporaryFolder()
        let log = try SupportLog(folder: folder.path + "/support", store: VolatileStore())
        #expect(log.write(entry([0x61])))
        let full = FileObserver(failure: { $0.call == .write ? ENOSPC : nil })
        FileObserver.$current.withValue(full) { #expect(!log.write(entry([0x62]))) }
        #expect(log.write(entry([0x63])))
        #expect(try log.export().lines.map { $0.suffix(1) } == ["a", "c"])
    }
}
#endif
