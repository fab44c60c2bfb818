import Foundation
import PavisePrimitives
import PaviseSync
import Synchronization
import Testing

/// Records of an app in a simulated world: nothing that a person did not replace or delete is ever lost.
@Suite struct RecordEngineTests {
    static let seeds: [UInt64] = {
        let count = ProcessInfo.processInfo.environment["PAVISE_SYNC_SEEDS"].flatMap { UInt64($0) } ?? 1_000
        let first = ProcessInfo.processInfo.environment["PAVISE_SYNC_FIRST"].flatMap { UInt64($0) } ?? 1
        return Array(first..<first + count)
    }()

    /// Runs of two or three devices with faults, then quiet ones until nothing changes.
    static func play(_ seed: UInt64) async -> (world: RecordWorld, problem: String?) {
        let count = seed % 3 == 0 ? 3 : 2
        let world = RecordWorld(seed: seed, devices: count)
        for step in 0..<12 {
            world.person()
            let device = step % count
            world.state.withLock { $0.devices[device].isDead = false }
            let report = await world.engine(device).run()
            if case .some(.journal(let text)) = report.failure { return (world, text) }
            if case .some(.listing(let text)) = report.failure { return (world, text) }
        }
        world.state.withLock { state in
            state.isQuiet = true
            for index in state.devices.indices { state.devices[index].isDead = false }
        }
        for _ in 0..<8 {
            for device in 0..<count {
                var report = await world.engine(device).run()
                if !report.questions.isEmpty { report = await world.engine(device).run(approving: report.questions) }
                if let failure = report.failure { return (world, "\(failure)") }
            }
        }
        return (world, world.state.withLock { problem($0) })
    }

    private static func problem(_ state: RecordWorld.State) -> String? {
        let there = state.server.compactMapValues(\.fields)
        for (number, device) in state.devices.enumerated() {
            guard device.rows.compactMapValues(\.here) == there else { return "device \(number) differs" }
            guard device.rows.values.allSatisfy({ !$0.isDirty && $0.pending == nil }) else { return "unsent" }
        }
        let left = there.values.reduce(into: Set<String>()) { $0.formUnion(RecordWorld.State.values($1)) }
        let lost = state.live.subtracting(left)
        return lost.isEmpty ? nil : "lost \(lost.sorted())"
    }

    @Test func `SY9, SY15: whatever arrives, dies or is lost, no value is lost and all devices become equal`() async {
        for seed in Self.seeds {
            let (world, problem) = await Self.play(seed)
            guard let problem else { continue }
            Issue.record("seed \(seed): \(problem)\n\(world.state.withLock { $0.trace.joined(separator: "\n") })")
            return
        }
    }

    @Test func `SY20: one seed, one run`() async {
        for seed: UInt64 in [1, 2, 3, 77] {
            let (one, other) = (await Self.play(seed).world, await Self.play(seed).world)
            #expect(one.state.withLock { $0.trace } == other.state.withLock { $0.trace })
        }
    }
}

/// A server whose list goes on and on.
private struct EndlessRecords: RecordRemote {
    func changes(since cursor: String?) async throws(SyncFailure) -> RecordPage? {
        let number = (cursor.flatMap { Int($0) } ?? 0) + 1
        let fields = RecordFields(values: ["a": .string(String(repeating: "y", count: 100_000))])
        let record = RecordID("r\(number)").map {
            RemoteRecord(id: $0, version: RecordVersion(tag: "1", fields: fields))
        }
        return RecordPage(
            collection: "one", cursor: "\(number)", hasMore: number < 100, records: [record].compactMap(\.self))
    }

    func record(_ id: RecordID) async throws(SyncFailure) -> RemoteRecord? { nil }

    func put(
        _ id: RecordID, _ fields: RecordFields, original: RecordID?, old: String?, key: String
    ) async throws(SyncFailure) -> RecordWriteResult { .other(nil) }

    func delete(_ id: RecordID, old: String, key: String) async throws(SyncFailure) -> RecordWriteResult { .other(nil) }
}

/// What a list may be.
@Suite struct RecordListTests {
    @Test func `SY18: a list that would fill the memory ends the run, and nothing of it is applied`() async throws {
        let world = RecordWorld(seed: 1, devices: 1)
        world.state.withLock { $0.isQuiet = true }
        let store = RecordWorld.Store(world: world, device: 0)
        for (limit, count) in [(1 << 20, 0), (20 << 20, 100)] {
            let engine = RecordEngine(remote: EndlessRecords(), store: store, sizeLimit: limit) { "key" }
            let report = await engine.run()
            if count == 0 {
                guard case .listing = report.failure else { throw SyncFailure.changed }
            } else {
                #expect(report.failure == nil && report.received == count)
            }
            #expect(try store.rows(areThere: true).count == count)
        }
    }
}

/// What one event makes of one record.
@Suite struct RecordRowTests {
    private func fields(_ text: String) throws -> RecordFields { try RecordFields(json: Array(text.utf8)) }

    // base, here, there, merged or nil for a clash
    static let merges: [(String?, String, String, String?)] = [
        (#"{"a":1,"b":1}"#, #"{"a":2,"b":1}"#, #"{"a":1,"b":2}"#, #"{"a":2,"b":2}"#),
        (#"{"a":1}"#, #"{"a":2}"#, #"{"a":3}"#, nil),
        (#"{"a":1}"#, #"{"a":2}"#, #"{"a":2}"#, #"{"a":2}"#),
        (#"{"a":1,"b":1}"#, #"{"b":1}"#, #"{"a":1,"b":2}"#, #"{"b":2}"#),
        (#"{"a":1}"#, "{}", #"{"a":2}"#, nil),
        (nil, #"{"a":1}"#, #"{"b":1}"#, #"{"a":1,"b":1}"#),
        (nil, #"{"a":1}"#, #"{"a":2}"#, nil),
        (#"{"a":[1,{"x":1,"y":2}]}"#, #"{"a":[1,{"y":2,"x":1.0}]}"#, #"{"a":[]}"#, #"{"a":[]}"#),
        (#"{"a":null}"#, "{}", #"{"a":null}"#, "{}"),
    ]

    @Test(arguments: merges)
    func `SY9: fields that one side changed are merged, a field that both changed is a clash`(
        _ base: String?, _ here: String, _ there: String, _ wanted: String?
    ) throws {
        let merge = RecordMerge(
            base: try base.map { try fields($0) }, here: try fields(here), there: try fields(there))
        guard let wanted else {
            guard case .clash = merge else { throw Wrong() }
            return
        }
        #expect(merge == .merged(try fields(wanted)))
    }

    struct Wrong: Error {}

    private func row(base: String?, here: String?) throws -> RecordRow {
        var row = RecordRow(try #require(RecordID("a")))
        row.base = try base.map { RecordVersion(tag: "1", fields: try fields($0)) }
        row.here = try here.map { try fields($0) }
        return row
    }

    // base, here, there; here afterwards, the other version
    static let received: [(String?, String?, String?, String?, String?)] = [
        (#"{"a":1}"#, #"{"a":1}"#, #"{"a":2}"#, #"{"a":2}"#, nil),
        (#"{"a":1}"#, #"{"a":1}"#, nil, nil, nil),
        (#"{"a":1}"#, nil, #"{"a":2}"#, #"{"a":2}"#, nil),
        (#"{"a":1}"#, nil, nil, nil, nil),
        (#"{"a":1}"#, #"{"a":2}"#, nil, #"{"a":2}"#, nil),
        (#"{"a":1}"#, #"{"a":2}"#, #"{"a":3}"#, #"{"a":3}"#, #"{"a":2}"#),
        (nil, nil, #"{"a":2}"#, #"{"a":2}"#, nil),
        (nil, #"{"a":1}"#, #"{"a":2}"#, #"{"a":2}"#, #"{"a":1}"#),
    ]

    @Test(arguments: received)
    func `SY9: changed, deleted and new, here and there`(
        _ base: String?, _ here: String?, _ there: String?, _ wanted: String?, _ other: String?
    ) throws {
        let version = RecordVersion(tag: "2", fields: try there.map { try fields($0) })
        let outcome = try row(base: base, here: here).after(.received(version))
        #expect(outcome.row.here == (try wanted.map { try fields($0) }))
        #expect(outcome.other == (try other.map { try fields($0) }))
        #expect(outcome.row.base == (there == nil ? nil : version))
        // Again it says nothing new.
        #expect(outcome.row.after(.received(version)).row == outcome.row)
    }

    @Test func `SY15: what was sent and is there is ours, and what was written meanwhile is sent next`() throws {
        var row = try row(base: #"{"a":1}"#, here: #"{"a":2}"#).after(.started(key: "k")).row
        row = row.after(.edited(try fields(#"{"a":3}"#), over: row.here)).row
        let outcome = row.after(.received(RecordVersion(tag: "2", fields: try fields(#"{"a":2}"#))))
        #expect(outcome.other == nil && outcome.row.pending == nil && outcome.row.isDirty)
        #expect(outcome.row.here == (try fields(#"{"a":3}"#)))
        // A second key does not begin while the first is open; another key's answer says nothing.
        #expect(row.after(.started(key: "l")).row == row)
        #expect(row.after(.confirmed(key: "l", tag: "9")).row == row)
    }

    @Test func `SY14: of an erased record only the name of its version stays, and its deletion is still sent`() throws {
        let before = try row(base: #"{"a":1}"#, here: #"{"a":1}"#)
        let outcome = before.after(.erased)
        #expect(outcome.replaced == nil && outcome.row.here == nil && outcome.row.base?.fields == .erased)
        #expect(outcome.row.isDirty)
        let sent = outcome.row.after(.started(key: "k")).row
        #expect(sent.pending?.fields == nil && sent.pending?.key == "k" && sent.pending?.old == "1")
        #expect(sent.after(.confirmed(key: "k", tag: "")).row.isGone)
        // An edit elsewhere beats it, and what a person writes anew is written over the version that is there.
        let theirs = RecordVersion(tag: "2", fields: try fields(#"{"a":2}"#))
        #expect(outcome.row.after(.received(theirs)).row.here == theirs.fields)
        let anew = outcome.row.after(.edited(try fields(#"{"a":1}"#), over: nil)).row.after(.started(key: "l")).row
        #expect(anew.pending?.fields == (try fields(#"{"a":1}"#)) && anew.pending?.old == "1")
        #expect(try row(base: nil, here: #"{"a":1}"#).after(.erased).row.isGone)
        // Also a record without fields is written over it.
        #expect(outcome.row.after(.edited(RecordFields(), over: nil)).row.isDirty)
    }

    @Test func `SY14: what was erased on its way does not come back as what both sides agreed on`() throws {
        for base in [nil, #"{"a":1}"#] {
            let sent = try row(base: base, here: #"{"a":2}"#).after(.started(key: "k")).row
            let erased = sent.after(.erased).row
            let theirs = RecordVersion(tag: "2", fields: try fields(#"{"a":2}"#))
            for answer in [RecordEvent.confirmed(key: "k", tag: "2"), .received(theirs)] {
                let row = erased.after(answer).row
                #expect(row.base == RecordVersion(tag: "2", fields: .erased) && row.here == nil && row.isErased)
                let deletion = row.after(.started(key: "l")).row.pending
                #expect(deletion?.fields == nil && deletion?.old == "2")
            }
            // What somebody else wrote is an edit, which beats it.
            let edit = RecordVersion(tag: "3", fields: try fields(#"{"a":3}"#))
            let edited = erased.after(.received(edit)).row
            #expect(edited.here == edit.fields && edited.base == edit)
        }
    }

    @Test func `SY14: what was erased on its way goes with the answer, also where the record was written anew`()
        throws
    {
        for base in [nil, #"{"a":1}"#] {
            let sent = try row(base: base, here: #"{"a":2}"#).after(.started(key: "k")).row
            let anew = sent.after(.erased).row.after(.edited(try fields(#"{"b":9}"#), over: nil)).row
            #expect(anew.pending?.fields == sent.pending?.fields, "the request is the same again")
            let theirs = RecordVersion(tag: "2", fields: try fields(#"{"a":2}"#))
            for answer in [RecordEvent.confirmed(key: "k", tag: "2"), .received(theirs)] {
                let row = anew.after(answer).row
                #expect(row.base == RecordVersion(tag: "2", fields: .erased) && row.here == anew.here && row.isDirty)
                let next = row.after(.started(key: "l")).row
                #expect(next.pending?.fields == anew.here && next.pending?.old == "2")
                let settled = next.after(.confirmed(key: "l", tag: "3")).row
                #expect(!settled.isDirty && settled.base?.fields == anew.here && settled.base?.tag == "3")
            }
            #expect(anew.after(.dropped(key: "k")).row.pending == nil)
        }
    }

    @Test func `SY14: a record that is written anew after it was erased is sent once, and is what both sides have`()
        throws
    {
        let erased = try row(base: #"{"a":1}"#, here: #"{"a":1}"#).after(.erased).row
        let sent = erased.after(.edited(try fields(#"{"a":2}"#), over: nil)).row.after(.started(key: "k")).row
        let theirs = RecordVersion(tag: "2", fields: try fields(#"{"a":2}"#))
        for answer in [RecordEvent.confirmed(key: "k", tag: "2"), .received(theirs)] {
            let row = sent.after(answer).row
            #expect(!row.isDirty && row.pending == nil && row.base == theirs)
        }
    }

    @Test func `SY14: what is deleted before a server had it is kept, and so is what a conflict's end replaces`() throws
    {
        for base in [nil, #"{"a":1}"#] {
            let unsent = try row(base: base, here: #"{"a":2}"#)
            #expect(unsent.after(.edited(nil, over: nil)).replaced == unsent.here)
            #expect(unsent.after(.superseded).replaced == unsent.here && unsent.after(.superseded).row == unsent)
            // Of edits one after the other the last counts.
            #expect(unsent.after(.edited(try fields(#"{"a":3}"#), over: unsent.here)).replaced == nil)
        }
        // What the server has is kept by the edit itself.
        #expect(try row(base: #"{"a":1}"#, here: #"{"a":1}"#).after(.superseded).replaced == nil)
    }

    @Test func `SY9: two halves that make too much together stay two`() throws {
        let (one, other) = (RecordFields(values: ["a": Self.long]), RecordFields(values: ["b": Self.long]))
        let merge = RecordMerge(base: RecordFields(), here: one, there: other)
        guard case .clash = merge else { throw Wrong() }
        let outcome = try row(base: "{}", here: "{}").after(.edited(one, over: RecordFields())).row
            .after(.received(RecordVersion(tag: "2", fields: other)))
        #expect(outcome.row.here == other && outcome.other == one)
    }

    private static let long = JSONValue.string(String(repeating: "y", count: 200_000))

    @Test func `SY3: the oldest base stays while a person goes on editing`() throws {
        var row = try row(base: #"{"a":1}"#, here: #"{"a":1}"#)
        for value in 2...5 { row = row.after(.edited(try fields(#"{"a":\#(value)}"#), over: row.here)).row }
        #expect(row.base?.tag == "1")
    }

    @Test func `an edit of what a person did not see merges with it, and a clash keeps both`() throws {
        let row = try row(base: #"{"a":5,"b":1}"#, here: #"{"a":5,"b":1}"#)
        let seen = try fields(#"{"a":1,"b":1}"#)
        let merged = row.after(.edited(try fields(#"{"a":1,"b":2}"#), over: seen))
        #expect(merged.row.here == (try fields(#"{"a":5,"b":2}"#)) && merged.other == nil)
        let clash = row.after(.edited(try fields(#"{"a":2,"b":1}"#), over: seen))
        #expect(clash.row.here == (try fields(#"{"a":2,"b":1}"#)) && clash.other == row.here)
    }

    @Test func `names of other versions do not pile up, and one content has one name`() throws {
        var changes = RecordChanges()
        let id = try #require(RecordID(String(repeating: "x", count: 128)))
        var row = RecordRow(id)
        row.here = try fields(#"{"a":1}"#)
        changes.apply(.received(RecordVersion(tag: "1", fields: try fields(#"{"a":2}"#))), to: id) {
            $0 == id ? row : nil
        }
        let other = try #require(changes.conflicts.first)
        #expect(other.text.utf8.count <= RecordID.limit && changes.rows[other]?.original == id)
        // A clash of the other version is one of the record's own.
        var next = RecordChanges()
        var version = RecordRow(other)
        (version.original, version.here) = (id, try fields(#"{"a":3}"#))
        let theirs = RecordVersion(tag: "2", fields: try fields(#"{"a":4}"#), original: id)
        next.apply(.received(theirs), to: other) { $0 == other ? version : nil }
        #expect(next.conflicts.count == 1 && next.rows[next.conflicts[0]]?.original == id)
    }
}
