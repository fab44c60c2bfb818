internal import PavisePrimitives
internal import Synchronization

/// The lab's record interface: collections of JSON records in memory, with versions, tombstones, a cursor and
/// idempotency keys, switches for what servers do wrong, and a hook for a second writer in every window.
///
/// `GET /…/NAME?since=CURSOR&limit=N` lists what changed, `GET`, `PUT` and `DELETE /…/NAME/ID` speak of one record. A
/// write needs a condition (428 without) and is done once for each `Idempotency-Key`; a condition that does not hold is
/// 412 with the present record.
public final class RecordServer: Sendable {
    /// What the server does otherwise than it should.
    public struct Switches: Hashable, Sendable {
        /// `Idempotency-Key` is passed over.
        public var forgetsKeys = false
        /// Answers to writes name no version.
        public var hidesTags = false
        /// 412 comes without the present record.
        public var hidesConflicts = false
        /// That many requests of this method are done, and their answers lost.
        public var lostAnswers: [String: Int] = [:]
        /// Every write is refused with this status.
        public var refusesWrites: Int?
        /// Writes of these records end with 500, and are not done.
        public var failsWrites: Set<String> = []
        /// Each page says that there is more.
        public var neverEnds = false
        /// This text in place of each list.
        public var listing: String?

        /// None: the server does as it should.
        public init() {}
    }

    struct Record {
        var version: Int
        // Canonical by its own text; `nil` is a tombstone.
        var fields: JSONValue?
        var original: String?
    }

    struct Collection {
        var name: String
        var records: [String: Record] = [:]
        /// Changes up to this version were forgotten: older cursors are not known.
        var oldest = 0
    }

    struct State {
        var collections: [String: Collection] = [:]
        var counter = 0
        var done: [String: (request: String, answer: LabResponse)] = [:]
        var switches = Switches()
    }

    private let state = Mutex(State())
    private let writer = Mutex<(@Sendable (RecordServer, LabRequest, DAVServer.Moment) -> Void)?>(nil)

    /// A server without collections: each is made by its first request.
    public init() {}

    /// Changes the switches.
    public func set(_ change: (inout Switches) -> Void) { state.withLock { change(&$0.switches) } }

    /// Lets a second writer come at each moment of each request; it writes by the same server.
    public func secondWriter(_ body: (@Sendable (RecordServer, LabRequest, DAVServer.Moment) -> Void)?) {
        writer.withLock { $0 = body }
    }

    /// Somebody else writes a record; `nil` deletes it.
    ///
    /// - Parameters:
    ///   - path: Collection and identifier, for example `alice/nights/2026-11-24`.
    ///   - json: An object.
    public func write(_ path: String, _ json: String?) {
        let fields = json.flatMap { try? JSONValue.parse(Array($0.utf8)) }
        let parts = path.split(separator: "/").map(String.init)
        guard let id = parts.last else { return }
        state.withLock { state in
            let name = parts.dropLast().joined(separator: "/")
            let old = state.collections[name]?.records[id]
            Self.put(id, fields, old?.original, in: name, &state)
        }
    }

    /// What the records of a collection hold, as JSON, without tombstones.
    public func records(_ collection: String) -> [String: String] {
        state.withLock { state in
            (state.collections[collection]?.records ?? [:]).compactMapValues { $0.fields?.text }
        }
    }

    /// Forgets tombstones, and what changed up to now: cursors are not known any more.
    public func forget(_ collection: String) {
        state.withLock { state in
            guard var known = state.collections[collection] else { return }
            known.records = known.records.filter { $0.value.fields != nil }
            known.oldest = state.counter
            state.collections[collection] = known
        }
    }

    /// Puts another, empty collection in the place of this one: what a server does that lost its data.
    public func replace(_ collection: String) {
        state.withLock { state in
            state.counter += 1
            state.collections[collection] = Collection(name: "c-\(state.counter)")
        }
    }

    // MARK: Requests

    /// The answer to a request for `path`, collection first.
    ///
    /// - Parameter user: Whose collections they are.
    func answer(_ request: LabRequest, _ path: String, user: String) -> LabResponse {
        let second = writer.withLock { $0 }
        second?(self, request, .before)
        let parts = path.split(separator: "/").map(String.init)
        guard let name = parts.first, parts.count <= 2 else { return LabResponse(status: 404) }
        let collection = "\(user)/\(name)"
        let answer = state.withLock { state in
            if state.collections[collection] == nil {
                state.counter += 1
                state.collections[collection] = Collection(name: "c-\(state.counter)")
            }
            guard parts.count == 2 else { return list(request, collection, state) }
            return one(request, parts[1], collection, &state)
        }
        second?(self, request, .after)
        let isLost = state.withLock { state in
            guard let left = state.switches.lostAnswers[request.method], left > 0 else { return false }
            state.switches.lostAnswers[request.method] = left - 1
            return true
        }
        return isLost ? .hangUp : answer
    }

    private func list(_ request: LabRequest, _ collection: String, _ state: State) -> LabResponse {
        guard request.method == "GET", let known = state.collections[collection] else {
            return LabResponse(status: 405)
        }
        if let text = state.switches.listing { return .json(text) }
        // A list of all ends where it began, so that nothing which changes while it is read is missed: its cursors are
        // two numbers.
        let cursor = (request.queryValue("since") ?? "").split(separator: "-").map { Int($0) ?? -1 }
        let isWhole = cursor.count != 1
        let (end, since) = (cursor.count == 2 ? cursor[0] : state.counter, cursor.last ?? 0)
        guard (0...state.counter).contains(since), isWhole || since >= known.oldest else {
            return LabResponse(status: 410)
        }
        let limit = max(1, min(1_000, request.queryValue("limit").flatMap { Int($0) } ?? 100))
        let found = known.records.filter { $0.value.version > since && (!isWhole || $0.value.fields != nil) }
            .sorted { $0.value.version < $1.value.version }
        let page = found.prefix(limit)
        let hasMore = page.count < found.count || state.switches.neverEnds
        let last = page.last?.value.version ?? since
        let next = hasMore ? (isWhole ? "\(end)-\(last)" : "\(last)") : "\(end)"
        return .json(
            JSONValue.fields([
                "collection": .string(known.name), "cursor": .string(next), "more": .bool(hasMore),
                "records": .array(page.map { Self.json($0.key, $0.value) }),
            ]).text)
    }

    private static func json(_ id: String, _ record: Record) -> JSONValue {
        .fields([
            "id": .string(id), "version": .string("\(record.version)"), "fields": record.fields,
            "deleted": record.fields == nil ? true : nil, "conflictOf": record.original.map { .string($0) },
        ])
    }

    private func one(
        _ request: LabRequest, _ id: String, _ collection: String, _ state: inout State
    ) -> LabResponse {
        let present = state.collections[collection]?.records[id]
        let isThere = present?.fields != nil
        switch request.method {
        case "GET":
            guard let present else { return LabResponse(status: 404) }
            return .json(Self.json(id, present).text, status: isThere ? 200 : 410)
        case "PUT", "DELETE": break
        default: return LabResponse(status: 405)
        }
        if state.switches.failsWrites.contains(id) { return LabResponse(status: 500) }
        if let status = state.switches.refusesWrites { return LabResponse(status: status) }
        // The IETF's draft on Idempotency-Key: the same request again gets the same answer, another one 422.
        let print =
            "\(request.method) \(collection) \(id) \(request.field("If-Match") ?? "*") "
            + String(decoding: request.body, as: UTF8.self)
        let key = request.field("Idempotency-Key").map { "\(collection) \($0)" }
        if let key, !state.switches.forgetsKeys, let before = state.done[key] {
            return before.request == print ? before.answer : LabResponse(status: 422)
        }
        guard request.field("If-Match") != nil || request.field("If-None-Match") == "*" else {
            return LabResponse(status: 428)
        }
        let holds =
            request.field("If-Match").map { isThere && $0 == "\"\(present?.version ?? 0)\"" }
            ?? !isThere
        guard holds else {
            guard let present, !state.switches.hidesConflicts else { return LabResponse(status: 412) }
            return .json(Self.json(id, present).text, status: 412)
        }
        guard let answer = write(request, id, collection, isThere, &state) else { return LabResponse(status: 400) }
        if let key { state.done[key] = (print, answer) }
        return answer
    }

    private func write(
        _ request: LabRequest, _ id: String, _ collection: String, _ isThere: Bool, _ state: inout State
    ) -> LabResponse? {
        guard request.method == "PUT" else {
            Self.put(id, nil, nil, in: collection, &state)
            return LabResponse(status: 204)
        }
        guard let body = try? JSONValue.parse(request.body, limit: 1 << 20, depth: 32), let fields = body["fields"],
            fields.members != nil
        else { return nil }
        Self.put(id, fields, body["conflictOf"]?.string, in: collection, &state)
        let answer = LabResponse(status: isThere ? 200 : 201)
        return state.switches.hidesTags ? answer : answer.with("ETag", "\"\(state.counter)\"")
    }

    private static func put(
        _ id: String, _ fields: JSONValue?, _ original: String?, in collection: String, _ state: inout State
    ) {
        state.counter += 1
        state.collections[collection, default: Collection(name: "c-\(state.counter)")].records[id] = Record(
            version: state.counter, fields: fields, original: original)
    }
}
