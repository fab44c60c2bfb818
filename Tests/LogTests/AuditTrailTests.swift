import Foundation
import PavisePrimitives
import PaviseVault
import Synchronization
import TestSupport
import Testing

@testable import PaviseLog

@Suite struct AuditTrailTests {
    let folder: TemporaryFolder
    let store = VolatileStore()
    let time = ManualTime()
    var path: String { folder.path + "/audit/trail" }

    init() throws { folder = try TemporaryFolder() }

    private func trail(limit: Int = 1 << 20, in store: (any SecretStore)? = nil) throws -> AuditTrail {
        try AuditTrail(folder: folder.path + "/audit", limit: limit, store: store ?? self.store, time: time.source)
    }

    private func wrong(_ count: Int) -> AuditEvent { AuditEvent(.pinWrong, ["failures": "\(count)"]) }

    private func filled(_ count: Int = 5) throws -> AuditTrail {
        let trail = try self.trail()
        for number in 1...count { trail.record(wrong(number)) }
        return trail
    }

    private func change(_ body: (inout [UInt8]) throws -> Void) throws {
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        try body(&bytes)
        let handle = try #require(FileHandle(forWritingAtPath: path))
        try handle.truncate(atOffset: 0)
        try handle.write(contentsOf: Data(bytes))
        try handle.close()
    }

    /// Where each record begins; the last number is the size.
    private func places(_ bytes: [UInt8]) -> [Int] {
        var places = [45]
        while let place = places.last, place + 4 <= bytes.count {
            places.append(place + 4 + bytes[place..<(place + 4)].reduce(0) { $0 << 8 | Int($1) })
        }
        return places
    }

    @Test func `events are kept in order, with numbers and times`() throws {
        let report = try filled().read()
        #expect(report.problems.isEmpty)
        #expect(report.entries.map(\.name) == ["trail.started"] + Array(repeating: "lock.pin.wrong", count: 5))
        #expect(report.entries.map(\.number) == Array(0...5))
        #expect(report.entries.last?.facts == ["failures": "5"])
        #expect(
            report.jsonLines.split(separator: "\n").last
                == #"{"number":5,"time":"2030-03-17T17:46:40.000Z","event":"lock.pin.wrong","facts":{"failures":"5"}}"#)
    }

    @Test func `nothing is on the disk in clear`() throws {
        try trail().record(AuditEvent(.serverRefused, ["server": "https://canary.example"]))
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)).range(of: Data("canary".utf8)) == nil)
    }

    @Test func `facts are masked, cut and encoded`() throws {
        let trail = try self.trail()
        trail.record(AuditEvent(.orderRefused, ["reason": "jane@example.org\n" + String(repeating: "x", count: 999)]))
        let reason = try #require(try trail.read().entries.last?.facts["reason"])
        #expect(reason.hasPrefix("«email»\\u{a}xx") && reason.utf8.count < 300)
    }

    @Test(arguments: [
        ("jane.doe@example.org", "jane.d"), ("4111111111111111", "411111"), ("https://ann:pw12@example.org/", "ann:p"),
    ])
    func `PR3: a value that lies across the cut of a fact is masked, wherever it is cut`(
        _ value: String, _ part: String
    ) {
        for place in (256 - value.utf8.count)...256 {
            let text = String(repeating: ".", count: place - 1) + " " + value + " " + String(repeating: ".", count: 90)
            let plain = AuditEntry.plain(AuditEvent(.orderRefused, ["reason": text]), at: 0)
            #expect(!String(decoding: plain, as: UTF8.self).contains(part), "\(place)")
        }
    }

    @Test func `a changed byte is told`() throws {
        let trail = try filled()
        try change { $0[$0.count - 20] ^= 1 }
        #expect(try trail.read().problems == [.damaged(after: 4)])
    }

    @Test func `entries that change places are told`() throws {
        let trail = try filled()
        try change { bytes in
            let places = places(bytes)
            let (one, other) = (Array(bytes[places[2]..<places[3]]), Array(bytes[places[3]..<places[4]]))
            bytes.replaceSubrange(places[2]..<places[4], with: other + one)
        }
        #expect(try trail.read().problems == [.damaged(after: 1)])
    }

    @Test func `an entry that is left out or repeated is told`() throws {
        let trail = try filled()
        let whole = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        let places = places(whole)
        try change { $0.removeSubrange(places[2]..<places[3]) }
        #expect(try trail.read().problems == [.damaged(after: 1)])
        try change { $0 = whole + whole[places[5]...] }
        #expect(try trail.read().problems == [.damaged(after: 5)])
    }

    @Test func `entries that are cut off at the end are told`() throws {
        let trail = try filled()
        try change { bytes in bytes.removeSubrange(places(bytes)[3]...) }
        let report = try trail.read()
        #expect(report.problems == [.cutOff(missing: 3)])
        #expect(report.entries.count == 3)
    }

    @Test func `a file of yesterday that is put back is told`() throws {
        let trail = try filled()
        let yesterday = try Data(contentsOf: URL(fileURLWithPath: path))
        trail.record(wrong(6))
        try change { $0 = [UInt8](yesterday) }
        #expect(try trail.read().problems == [.cutOff(missing: 1)])
    }

    @Test func `a file that is gone is told, and so is one of another installation`() throws {
        let trail = try filled()
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        try FileManager.default.removeItem(atPath: path)
        #expect(try trail.read().problems == [.missing])
        _ = bytes
        let other = VolatileStore()
        #expect(try self.trail(in: other).read().problems.isEmpty)
        try bytes.write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        #expect(try self.trail(in: other).read().problems == [.damaged(after: nil), .unknown])
    }

    @Test func `after damage the trail goes on, and says so for good`() throws {
        let trail = try filled()
        try change { bytes in bytes.removeSubrange(places(bytes)[3]...) }
        trail.record(wrong(6))
        let report = try trail.read()
        #expect(report.entries.map(\.name) == ["trail.damaged", "lock.pin.wrong"])
        #expect(report.entries.first?.number == 6)
        #expect(report.problems == [.putAside])
    }

    @Test func `kill -9 in the middle of a write leaves all entries before it`() throws {
        let trail = try filled()
        let whole = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        for rest in [1, 3, 4, 20, 40] {
            try change { $0 = whole + ([0, 0, 0, 60] + Array(repeating: 7, count: 60)).prefix(rest) }
            #expect(try trail.read().problems.isEmpty)
        }
        trail.record(wrong(6))
        #expect(try trail.read().problems.isEmpty)
        #expect(try trail.read().entries.count == 7)
    }

    @Test func `a kill between the entry and the secret store loses nothing`() throws {
        let store = StubbornStore(self.store)
        let trail = try self.trail(in: store)
        trail.record(wrong(1))
        store.refuses = true
        trail.record(wrong(2))
        store.refuses = false
        #expect(try trail.read().problems.isEmpty)
        trail.record(wrong(3))
        let report = try trail.read()
        #expect(report.problems.isEmpty)
        #expect(report.entries.contains { $0.facts == ["failures": "2"] })
    }

    @Test func `entries that the secret store took no anchor for are told, until it takes one`() throws {
        let store = StubbornStore(self.store)
        let trail = try self.trail(in: store)
        trail.record(wrong(1))
        store.refuses = true
        for number in 2...4 { trail.record(wrong(number)) }
        #expect(try trail.read().problems == [.notAnchored(count: 3)])
        #expect(trail.losses == 0)
        store.refuses = false
        trail.record(wrong(5))
        #expect(try trail.read().problems.isEmpty)
        #expect(try trail.read().entries.count == 6)
    }

    @Test func `a full disk loses entries, and the next one says how many`() throws {
        let trail = try filled(1)
        let full = FileObserver(failure: { $0.call == .write ? ENOSPC : nil })
        FileObserver.$current.withValue(full) {
            trail.record(wrong(2))
            trail.record(wrong(3))
        }
        #expect(trail.losses == 2)
        trail.record(wrong(4))
        #expect(trail.losses == 0)
        let report = try trail.read()
        #expect(report.problems.isEmpty)
        #expect(report.entries.map(\.name) == ["trail.started", "lock.pin.wrong", "trail.lost", "lock.pin.wrong"])
        #expect(report.entries[2].facts == ["count": "2"])
    }

    @Test func `events that a process could not write before it ended are told by the next one`() async throws {
        let audit = folder.path + "/audit"
        await #expect(processExitsWith: .success) { [audit = audit as String] in
            let closed = StubbornStore(VolatileStore())
            closed.refuses = true
            let trail = LazyTrail(folder: audit, name: "app", time: .system, store: closed)
            trail.record(AuditEvent(.pinWrong))
            trail.record(AuditEvent(.pinWrong))
        }
        let trail = try self.trail()
        #expect(trail.losses == 2)
        #expect(try trail.read().problems == [.notWritten(count: 2)])
        trail.record(wrong(3))
        let report = try trail.read()
        #expect(report.problems.isEmpty && trail.losses == 0)
        #expect(report.entries.map(\.name) == ["trail.started", "trail.lost", "lock.pin.wrong"])
        #expect(report.entries[1].facts == ["count": "2"])
        trail.record(wrong(4))
        #expect(try trail.read().entries.count == 4)
    }

    @Test func `IN12: a note of findings becomes an entry with the next one, once and before it`() throws {
        let audit = folder.path + "/audit"
        let pending = PendingFindings(in: audit)
        let found = AuditEvent(.deviceFindings, ["rules": "debugger-attached", "action": "end"])
        // Where there is no trail, none is made for a note.
        pending.note(found, at: 0)
        #expect(!DurableFile.exists(audit))
        let trail = try filled(1)
        pending.note(found, at: 1_900_000_000_123)
        #expect(try trail.read().entries.count == 2)
        trail.record(wrong(2))
        trail.record(wrong(3))
        let report = try trail.read()
        #expect(report.problems.isEmpty)
        #expect(report.entries.map(\.name).dropFirst(2) == ["device.findings", "lock.pin.wrong", "lock.pin.wrong"])
        #expect(
            report.entries[2].facts
                == ["rules": "debugger-attached", "action": "end", "noted": "2030-03-17T17:46:40.123Z"])
        #expect(try !FileManager.default.contentsOfDirectory(atPath: audit).contains { $0.contains("pending") })
    }

    @Test func `IN12: a note that is made while the trail takes the file of notes is not lost`() throws {
        let trail = try filled(1)
        let entry = wrong(2)
        let isTaken = Mutex(false)
        let observer = FileObserver(done: { step in
            guard step.call == .create, step.path.hasSuffix("/trail.pending") else { return }
            let isFirst = isTaken.withLock { isTaken in
                defer { isTaken = true }
                return !isTaken
            }
            if isFirst { trail.record(entry) }
        })
        FileObserver.$current.withValue(observer) {
            PendingFindings(in: folder.path + "/audit").note(
                AuditEvent(.deviceFindings, ["rules": "debugger-attached", "action": "end"]), at: 0)
        }
        trail.record(wrong(3))
        let names = try trail.read().entries.map(\.name).dropFirst(2)
        #expect(names == ["lock.pin.wrong", "device.findings", "lock.pin.wrong"])
    }

    @Test(arguments: [FileStep.Call.look, .rename, .open, .read])
    func `IN12: a note that cannot be read just now is an entry of a later time`(_ call: FileStep.Call) throws {
        let trail = try filled(1)
        PendingFindings(in: folder.path + "/audit").note(
            AuditEvent(.deviceFindings, ["rules": "debugger-attached", "action": "end"]), at: 0)
        let observer = FileObserver(failure: { step in
            step.call == call && (step.target ?? step.path).hasSuffix(".taken") ? 5 : nil
        })
        FileObserver.$current.withValue(observer) { trail.record(wrong(2)) }
        #expect(try trail.read().entries.count == 3 && trail.losses == 0)
        trail.record(wrong(3))
        let names = try trail.read().entries.map(\.name).dropFirst(3)
        #expect(names == ["device.findings", "lock.pin.wrong"])
    }

    @Test(arguments: [
        #"{"t":1,"e":"lock.unlocked","f":{}}"#, #"{"t":1,"e":"device.findings","f":{"rules":"a","action":"b\u0021"}}"#,
        #"{"t":1,"e":"device.findings","f":{"rules":"a","action":"end","server":"x"}}"#, "{", "",
        String(repeating: "x", count: 5000),
    ])
    func `what is no note of findings becomes no entry, and stops none`(_ line: String) throws {
        let trail = try filled(1)
        try DurableFile.write(Array((line + "\n").utf8).span, to: folder.path + "/audit/trail.pending")
        trail.record(wrong(2))
        #expect(try trail.read().entries.map(\.name) == ["trail.started", "lock.pin.wrong", "lock.pin.wrong"])
        #expect(trail.losses == 0)
    }

    @Test func `too many notes are counted, and a kill while they were taken tells them again`() throws {
        let trail = try filled(1)
        let pending = PendingFindings(in: folder.path + "/audit")
        for _ in 0..<100 { pending.note(AuditEvent(.deviceFindings, ["rules": "a", "action": "end"]), at: 0) }
        let kept = 100 - trail.losses
        #expect(kept > 10 && trail.losses > 0)
        // As a kill leaves it: moved, and not yet told.
        #expect(pending.take()?.count == kept)
        pending.note(AuditEvent(.deviceFindings, ["rules": "b", "action": "end"]), at: 0)
        trail.record(wrong(2))
        trail.record(wrong(3))
        let names = try trail.read().entries.map(\.name)
        #expect(names.count { $0 == "device.findings" } == kept + 1 && names.contains("trail.lost"))
    }

    @Test func `a count that was being told when a process was killed is told again, not forgotten`() throws {
        let trail = try filled(1)
        let path = folder.path + "/audit/trail.lost"
        try DurableFile.write([UInt8](repeating: 0, count: 3).span, to: path + ".told")
        try DurableFile.write([UInt8](repeating: 0, count: 5).span, to: path)
        #expect(trail.losses == 8)
        trail.record(wrong(2))
        let counts = try trail.read().entries.filter { $0.name == "trail.lost" }.map { $0.facts["count"] }
        #expect(counts == ["8"] && trail.losses == 0)
    }

    @Test func `PR23: an event that is lost while the count is being taken is counted all the same`() throws {
        let trail = try filled(1)
        let lost = LostEvents(in: folder.path + "/audit")
        #expect(lost.add(2))
        let isTaken = Atomic(false)
        // Another process takes the count, tells it and forgets it.
        let taken: @Sendable () -> Void = {
            guard !isTaken.exchange(true, ordering: .relaxed) else { return }
            let told = try? lost.take()
            #expect(told == 2)
            #expect(throws: Never.self) { try lost.forget() }
        }
        let isCounted = LostEvents.$opened.withValue(taken) { lost.add(1) }
        #expect(isCounted && lost.count == 1 && trail.losses == 1)
    }

    @Test func `a count that somebody put there as a link or without end stops no event`() throws {
        let trail = try filled(1)
        let path = folder.path + "/audit/trail.lost"
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: folder.path + "/elsewhere")
        trail.record(wrong(2))
        #expect(try trail.read().entries.last?.facts == ["failures": "2"])
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/elsewhere"))
        try? FileManager.default.removeItem(atPath: path)
        try? FileManager.default.removeItem(atPath: path + ".told")
        try DurableFile.write([UInt8](repeating: 0, count: 1 << 17).span, to: path)
        #expect(trail.losses == 1 << 16)
        trail.record(wrong(3))
        #expect(try trail.read().entries.map { $0.facts["count"] }.contains("65536"))
    }

    @Test func `PR23: a trail that somebody made endless is told and put aside, and stops no event`() throws {
        let trail = try filled(2)
        let handle = try #require(FileHandle(forWritingAtPath: path))
        try handle.truncate(atOffset: 65 << 20)
        try handle.close()
        #expect(try trail.read().problems == [.damaged(after: nil)])
        trail.record(wrong(3))
        let report = try trail.read()
        #expect(report.problems == [.putAside] && trail.losses == 0)
        #expect(report.entries.map(\.name) == ["trail.damaged", "lock.pin.wrong"])
    }

    @Test func `a trail that was larger under another limit goes on`() throws {
        let large = try trail(limit: 1 << 20)
        let words = String(repeating: "words ", count: 40)
        for _ in 1...150 { large.record(AuditEvent(.orderRefused, ["reason": words])) }
        let size = try Data(contentsOf: URL(fileURLWithPath: path)).count
        #expect(size > 40 << 10)
        let small = try trail(limit: 16 << 10)
        small.record(wrong(1))
        let report = try small.read()
        #expect(report.problems.isEmpty && small.losses == 0)
        #expect(report.entries.count == 152 && report.entries.last?.facts == ["failures": "1"])
    }

    @Test func `a lock file that is a link or is held is told as what it is, and the event is counted`() throws {
        let trail = try filled(1)
        let lock = folder.path + "/audit/trail.lock"
        try FileManager.default.removeItem(atPath: lock)
        try FileManager.default.createSymbolicLink(atPath: lock, withDestinationPath: folder.path + "/elsewhere")
        trail.record(wrong(2))
        #expect(trail.losses == 1)
        let failure = #expect(throws: SystemFailure.self) { try trail.read() }
        #expect(failure?.path == lock && failure?.refusal != nil)
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/elsewhere"))
        try FileManager.default.removeItem(atPath: lock)
        let held = try FileLock.tryAcquire(lock)
        #expect(throws: SystemFailure.held(lock)) { try trail.read() }
        _ = consume held
        #expect(try trail.read().problems == [.notWritten(count: 1)])
    }

    @Test func `the trail is bounded, and its two files are one chain`() throws {
        let trail = try self.trail(limit: 16 << 10)
        for number in 1...400 { trail.record(wrong(number)) }
        var size = 0
        for name in ["trail", "trail.old"] {
            size += try Data(contentsOf: URL(fileURLWithPath: folder.path + "/audit/" + name)).count
        }
        #expect(size <= 16 << 10)
        let report = try trail.read()
        #expect(report.problems.isEmpty && report.entries.last?.number == 400)
        #expect(zip(report.entries, report.entries.dropFirst()).allSatisfy { $0.number + 1 == $1.number })
    }

    @Test func `PR23: a disk that is full while the files take turns is no damage, and no entry of the older one goes`()
        throws
    {
        let trail = try self.trail(limit: 16 << 10)
        trail.record(wrong(10))
        let next = AuditEntry.plain(wrong(10), at: time.source.wallMilliseconds).count
        func size() throws -> Int { try Data(contentsOf: URL(fileURLWithPath: path)).count }
        while try size() + next + 64 <= 8 << 10 { trail.record(wrong(10)) }
        let count = try trail.read().entries.count
        let full = FileObserver(failure: { $0.call == .write ? ENOSPC : nil })
        FileObserver.$current.withValue(full) { trail.record(wrong(10)) }
        #expect(DurableFile.exists(path + ".old"))
        #expect(try trail.read().problems == [.notWritten(count: 1)])
        trail.record(wrong(10))
        let report = try trail.read()
        #expect(report.problems.isEmpty && report.entries.count == count + 2)
        #expect(!report.entries.map(\.name).contains("trail.damaged"))
    }

    @Test(arguments: [0, 3, 5, 44])
    func `PR23: a kill while the files take turns is no damage, and a file that is gone still is`(
        _ written: Int
    ) throws {
        let trail = try filled()
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        try FileManager.default.moveItem(atPath: path, toPath: path + ".old")
        try DurableFile.write([UInt8](bytes.prefix(written)).span, to: path)
        #expect(try trail.read().problems.isEmpty)
        trail.record(wrong(6))
        let report = try trail.read()
        #expect(report.problems.isEmpty && report.entries.map(\.number) == Array(0...6))
        // The older one does not end with the last entry now.
        try DurableFile.write([UInt8](bytes.prefix(written)).span, to: path)
        #expect(try trail.read().problems == [.missing])
        trail.record(wrong(7))
        #expect(try trail.read().entries.contains { $0.name == "trail.damaged" })
    }

    @Test(arguments: [3, 44])
    func `PR23: a kill in the first write of a trail is no damage`(_ written: Int) throws {
        let trail = try filled(1)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        try DurableFile.write([UInt8](bytes.prefix(written)).span, to: path)
        let anchor = try #require(ItemName(service: "org.pavise.audit", account: "app"))
        try AuditAnchor.none.write(anchor, in: store)
        trail.record(wrong(2))
        let report = try trail.read()
        #expect(report.problems.isEmpty && report.entries.map(\.name) == ["trail.started", "lock.pin.wrong"])
    }

    @Test func `PR21: records of two histories of one file do not fit together`() throws {
        let key = SecretBytes(copying: [UInt8](repeating: 7, count: 32).span)
        var records = try SealedRecords(startingAt: 1, after: [UInt8](repeating: 0, count: 16))
        let first = records.seal([1], key)
        var other = records
        let bytes = records.head + (first ?? []) + (records.seal([2], key) ?? [])
        _ = other.seal([3], key)
        // Both are record 3 of this file, after another second one.
        let (third, strange) = (records.seal([4], key) ?? [], other.seal([4], key) ?? [])
        #expect(SealedRecords.read(bytes + third, key).records.count == 3)
        let mixed = SealedRecords.read(bytes + strange, key)
        #expect(mixed.records.map(\.plain) == [[1], [2]] && mixed.rest == .damaged)
    }

    @Test(.long) func `the older of the two files cannot be left out unseen in between`() throws {
        let trail = try self.trail(limit: 16 << 10)
        for number in 1...400 { trail.record(wrong(number)) }
        let old = folder.path + "/audit/trail.old"
        let handle = try #require(FileHandle(forWritingAtPath: old))
        try handle.truncate(atOffset: 45)
        try handle.close()
        #expect(try trail.read().problems.contains { if case .gap = $0 { true } else { false } })
    }
}

/// A store that refuses to write when it is told to.
final class StubbornStore: SecretStore {
    private let store: VolatileStore
    private let isClosed = Mutex(false)
    var refuses: Bool {
        get { isClosed.withLock { $0 } }
        set { isClosed.withLock { $0 = newValue } }
    }
    init(_ store: VolatileStore) { self.store = store }
    func read(_ name: ItemName) throws(VaultFailure) -> StoreResult { try store.read(name) }
    func add(_ bytes: Span<UInt8>, as name: ItemName) throws(VaultFailure) {
        guard !refuses else { throw .busy }
        try store.add(bytes, as: name)
    }
    func replace(_ bytes: Span<UInt8>, as name: ItemName) throws(VaultFailure) {
        guard !refuses else { throw .busy }
        try store.replace(bytes, as: name)
    }
    func delete(_ name: ItemName) throws(VaultFailure) { try store.delete(name) }
}
