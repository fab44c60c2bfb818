import PavisePrimitives
import PaviseSync
import Synchronization

/// A server with records and several devices in memory, with persons at each device and a random source for all that
/// happens (sync/SY20).
final class RecordWorld: Sendable {
    struct Kept: Equatable {
        var version: Int
        var fields: RecordFields?
        var original: RecordID?
    }

    struct Device {
        var rows: [RecordID: RecordRow] = [:]
        var position: RecordPosition?
        var isDead = false
    }

    struct State {
        var random: SeededRandom
        var server: [RecordID: Kept] = [:]
        var done: [String: Int] = [:]
        var counter = 0
        var oldest = 0
        var devices: [Device] = []
        var isQuiet = false
        var knowsKeys = true
        var namesVersions = true
        /// Values that nobody has deliberately replaced or deleted.
        var live: Set<String> = []
        var trace: [String] = []
    }

    let state: Mutex<State>

    init(seed: UInt64, devices: Int = 2) {
        var random = SeededRandom(seed)
        let (keys, names) = (!random.chance(3), !random.chance(4))
        var made = State(random: random)
        (made.knowsKeys, made.namesVersions) = (keys, names)
        made.devices = Array(repeating: Device(), count: devices)
        state = Mutex(made)
    }

    /// One call of a device: others act before it, it may not arrive, its answer may be lost, the process may die.
    func call<Result: Sendable>(
        _ name: String, _ device: Int, _ body: (inout State) throws(SyncFailure) -> Result
    ) throws(SyncFailure) -> Result {
        try state.withLock { state throws(SyncFailure) in
            state.trace.append("\(device) \(name)")
            if state.devices[device].isDead { throw .unreachable("killed") }
            guard !state.isQuiet else { return try body(&state) }
            if state.random.chance(4) { state.personActs() }
            if state.random.chance(60) { state.forgets() }
            if state.random.chance(30) { state.devices[device].isDead = true }
            if state.devices[device].isDead || state.random.chance(20) { throw .unreachable("not sent") }
            let result = try body(&state)
            if state.random.chance(30) { state.devices[device].isDead = true }
            if state.devices[device].isDead || state.random.chance(15) { throw .unreachable("no answer") }
            return result
        }
    }

    func person() { state.withLock { $0.personActs() } }

    func engine(_ device: Int) -> RecordEngine {
        RecordEngine(
            remote: Remote(world: self, device: device), store: Store(world: self, device: device), width: 1,
            key: { [self] () throws(SyncFailure) in
                state.withLock { state in
                    state.counter += 1
                    return "key-\(state.counter)"
                }
            })
    }
}

extension RecordWorld.State {
    static let ids = ["a", "b", "c"].compactMap(RecordID.init)
    static let names = ["x", "y", "z"]

    static func values(_ fields: RecordFields?) -> Set<String> {
        Set((fields?.values ?? [:]).values.compactMap(\.string))
    }

    mutating func personActs() {
        let device = random.below(devices.count)
        counter += 1
        var rows = devices[device].rows
        let others = rows.values.filter { $0.original != nil && $0.here != nil }.sorted { $0.id < $1.id }
        let id = Self.ids[random.below(Self.ids.count)]
        let seen = rows[id]?.here
        switch random.below(8) {
        case 0: edit(id, nil, over: nil, seeing: Self.values(seen), device)
        case 1 where !others.isEmpty:
            // Closes a conflict: keeps one of the two, or both in one.
            let other = others[random.below(others.count)]
            guard let main = other.original, let theirs = other.here else { return }
            let current = rows[main]?.here
            var chosen = random.chance(2) ? theirs : current ?? theirs
            if random.chance(3) {
                chosen = RecordFields(values: (current?.values ?? [:]).merging(theirs.values) { $1 })
            }
            let visible = Self.values(current).union(Self.values(theirs))
            live.subtract(visible.subtracting(Self.values(chosen)))
            trace.append("\(device) closes \(other.id)")
            rows = change(rows, [(main, .edited(chosen, over: current)), (other.id, .edited(nil, over: theirs))])
            devices[device].rows = rows
        default:
            var values = seen?.values ?? [:]
            let name = Self.names[random.below(Self.names.count)]
            values[name] = random.chance(6) ? nil : .string("value \(counter)")
            edit(id, RecordFields(values: values), over: seen, seeing: Self.values(seen), device)
        }
    }

    private mutating func edit(
        _ id: RecordID, _ fields: RecordFields?, over seen: RecordFields?, seeing: Set<String>, _ device: Int
    ) {
        let now = Self.values(fields)
        live.subtract(seeing.subtracting(now))
        live.formUnion(now.subtracting(seeing))
        trace.append("\(device) person \(id) \(now.sorted())")
        // Half of the deletions erase.
        let event = fields == nil && counter.isMultiple(of: 2) ? RecordEvent.erased : .edited(fields, over: seen)
        devices[device].rows = change(devices[device].rows, [(id, event)])
    }

    func change(_ rows: [RecordID: RecordRow], _ events: [(RecordID, RecordEvent)]) -> [RecordID: RecordRow] {
        var changes = RecordChanges()
        for (id, event) in events { changes.apply(event, to: id) { rows[$0] } }
        var rows = rows
        for (id, row) in changes.rows { rows[id] = row.isGone ? nil : row }
        return rows
    }

    // Tombstones and cursors do not live for ever.
    mutating func forgets() {
        trace.append("server forgets")
        server = server.filter { $0.value.fields != nil }
        oldest = counter
    }

    mutating func write(_ id: RecordID, _ fields: RecordFields?, _ original: RecordID?) -> Int {
        counter += 1
        server[id] = .init(version: counter, fields: fields, original: original)
        return counter
    }

    func remote(_ id: RecordID) -> RemoteRecord? {
        server[id].map {
            RemoteRecord(
                id: id, version: RecordVersion(tag: "\($0.version)", fields: $0.fields, original: $0.original))
        }
    }
}

extension RecordWorld {
    struct Store: RecordStore {
        let world: RecordWorld
        let device: Int

        func apply(
            _ events: [(RecordID, RecordEvent)], position: RecordPosition?
        ) throws(SyncFailure) -> RecordChanges {
            try world.call("store", device) { state throws(SyncFailure) in
                let rows = state.devices[device].rows
                var changes = RecordChanges()
                for (id, event) in events { changes.apply(event, to: id) { rows[$0] } }
                for (id, row) in changes.rows { state.devices[device].rows[id] = row.isGone ? nil : row }
                if let position { state.devices[device].position = position }
                return changes
            }
        }

        func row(_ id: RecordID) throws(SyncFailure) -> RecordRow? {
            world.state.withLock { $0.devices[device].rows[id] }
        }

        func rows(areThere: Bool) throws(SyncFailure) -> [RecordRow] {
            world.state.withLock { state in
                state.devices[device].rows.values.filter { !areThere || $0.here != nil }.sorted { $0.id < $1.id }
            }
        }

        func waiting() throws(SyncFailure) -> [RecordID] {
            try rows(areThere: false).filter { $0.isDirty || $0.pending != nil }.map(\.id)
        }

        func position() throws(SyncFailure) -> RecordPosition? {
            world.state.withLock { $0.devices[device].position }
        }
    }

    struct Remote: RecordRemote {
        let world: RecordWorld
        let device: Int

        func changes(since cursor: String?) async throws(SyncFailure) -> RecordPage? {
            try world.call("changes", device) { state throws(SyncFailure) in
                // A whole list ends where it began: what changes meanwhile is in the next one.
                let parts = (cursor ?? "").split(separator: "-").compactMap { Int($0) }
                let isWhole = parts.count != 1
                let (end, since) = (parts.count == 2 ? parts[0] : state.counter, parts.last ?? 0)
                if !isWhole, since < state.oldest { return nil }
                let found = state.server.filter {
                    $0.value.version > since && (!isWhole || $0.value.fields != nil)
                }.sorted { $0.value.version < $1.value.version }
                let page = found.prefix(2)
                let hasMore = page.count < found.count
                let last = page.last?.value.version ?? 0
                let next = hasMore ? (isWhole ? "\(end)-\(last)" : "\(last)") : "\(end)"
                return RecordPage(
                    collection: "one", cursor: next, hasMore: hasMore,
                    records: page.compactMap { state.remote($0.key) })
            }
        }

        func record(_ id: RecordID) async throws(SyncFailure) -> RemoteRecord? {
            try world.call("record", device) { state throws(SyncFailure) in state.remote(id) }
        }

        func put(
            _ id: RecordID, _ fields: RecordFields, original: RecordID?, old: String?, key: String
        ) async throws(SyncFailure) -> RecordWriteResult {
            try world.call("put \(id) \(key)", device) { state throws(SyncFailure) in
                if state.knowsKeys, let version = state.done[key] { return .done(tag: "\(version)") }
                let present = state.server[id]
                let version = present?.fields == nil ? nil : present.map { "\($0.version)" }
                guard version == old else { return .other(state.remote(id)) }
                let made = state.write(id, fields, original)
                state.done[key] = made
                return .done(tag: "\(made)")
            }
        }

        func delete(_ id: RecordID, old: String, key: String) async throws(SyncFailure) -> RecordWriteResult {
            try world.call("delete \(id) \(key)", device) { state throws(SyncFailure) in
                if state.knowsKeys, state.done[key] != nil { return .done(tag: "") }
                guard let present = state.server[id], present.fields != nil else { return .other(state.remote(id)) }
                guard "\(present.version)" == old else { return .other(state.remote(id)) }
                state.done[key] = state.write(id, nil, nil)
                return .done(tag: "")
            }
        }
    }
}
