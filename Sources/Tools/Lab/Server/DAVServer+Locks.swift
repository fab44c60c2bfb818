/// Locks (RFC 4918 §6, §7).
extension DAVServer {
    struct Lock {
        let token: String
        let owner: String
        let isShared: Bool
        let isDeep: Bool
        let root: [String]
    }

    /// The locks that a place is under: its own, and those of folders above it that reach down.
    static func covering(_ path: [String], _ state: State) -> [Lock] {
        (0...path.count).flatMap { count in
            (state.locks[Array(path.prefix(count))] ?? []).filter { count == path.count || $0.isDeep }
        }
    }

    /// Whether somebody else has locked what a request changes.
    func isLocked(_ request: LabRequest, _ path: [String], _ state: State) -> Bool {
        let tokens = Self.tokens(request)
        var touched = request.method == "COPY" ? [] : [path]
        if let target = destination(request) { touched.append(target) }
        let changesBelow = ["DELETE", "MOVE"].contains(request.method)
        for place in touched {
            var demands = [Self.covering(place, state)]
            // What appears or goes changes the folder that it is in.
            let isMember = changesBelow || request.method == "MKCOL" || state.nodes[place] == nil
            if isMember, !place.isEmpty { demands.append(state.locks[place.dropLast()] ?? []) }
            if changesBelow {
                demands += state.locks.filter { $0.key.starts(with: place) && $0.key != place }.map(\.value)
            }
            // Of those who share a lock each may write.
            for locks in demands where !locks.isEmpty && !locks.contains(where: { tokens.contains($0.token) }) {
                return true
            }
        }
        return false
    }

    static func tokens(_ request: LabRequest) -> Set<String> {
        let text = (request.field("If") ?? "") + (request.field("Lock-Token") ?? "")
        return Set(
            text.split(separator: "<").compactMap { part in part.split(separator: ">").first.map(String.init) })
    }

    func lock(_ request: LabRequest, _ path: [String], _ state: inout State) -> LabResponse {
        guard !state.switches.hasNoLocks else { return LabResponse(status: 405) }
        if request.body.isEmpty {
            guard let lock = Self.covering(path, state).first(where: { Self.tokens(request).contains($0.token) }) else {
                return LabResponse(status: 412)
            }
            return granted(lock, 200)
        }
        guard let wanted = DAVElement(request.body), wanted.name == "lockinfo", wanted.namespace == "DAV:" else {
            return LabResponse(status: 400)
        }
        let isShared = wanted.first("lockscope")?.first("shared") != nil
        let isDeep = request.field("Depth") != "0"
        var others = Self.covering(path, state)
        if isDeep { others += state.locks.filter { $0.key.starts(with: path) && $0.key != path }.flatMap(\.value) }
        guard others.allSatisfy({ isShared && $0.isShared }) else { return LabResponse(status: 423) }
        guard isFolder(path.dropLast(), state) else { return LabResponse(status: 409) }
        state.counter += 1
        let lock = Lock(
            token: "urn:uuid:00000000-0000-4000-8000-\(String(state.counter + 100_000_000_000))",
            owner: wanted.first("owner")?.inner ?? "", isShared: isShared, isDeep: isDeep, root: path)
        let isNew = state.nodes[path] == nil
        if isNew { put(path, [], &state) }
        state.locks[path, default: []].append(lock)
        return granted(lock, isNew ? 201 : 200).with("Lock-Token", "<\(lock.token)>")
    }

    func unlock(_ request: LabRequest, _ path: [String], _ state: inout State) -> LabResponse {
        let tokens = Self.tokens(request)
        guard let lock = Self.covering(path, state).first(where: { tokens.contains($0.token) }) else {
            return LabResponse(status: 409)
        }
        let left = (state.locks[lock.root] ?? []).filter { $0.token != lock.token }
        state.locks[lock.root] = left.isEmpty ? nil : left
        return LabResponse(status: 204)
    }

    private func granted(_ lock: Lock, _ status: Int) -> LabResponse {
        let body = """
            <?xml version="1.0" encoding="utf-8"?><D:prop xmlns:D="DAV:"><D:lockdiscovery>\(active(lock))\
            </D:lockdiscovery></D:prop>
            """
        return LabResponse(
            status: status, fields: [.init("Content-Type", "application/xml")], body: .fixed(Array(body.utf8)))
    }

    /// A lock as an answer tells of it (RFC 4918 §14.1).
    func active(_ lock: Lock) -> String {
        "<D:activelock><D:locktype><D:write/></D:locktype>"
            + "<D:lockscope>\(lock.isShared ? "<D:shared/>" : "<D:exclusive/>")</D:lockscope>"
            + "<D:depth>\(lock.isDeep ? "infinity" : "0")</D:depth><D:owner>\(lock.owner)</D:owner>"
            + "<D:timeout>Second-600</D:timeout><D:locktoken><D:href>\(lock.token)</D:href></D:locktoken>"
            + "<D:lockroot><D:href>\(href(lock.root, isFolder: false))</D:href></D:lockroot></D:activelock>"
    }
}
