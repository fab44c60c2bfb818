internal import PavisePrimitives
internal import Synchronization

extension DAVServer {
    /// What stops a request: conditions, locks, missing folders; `nil` when nothing does.
    func judge(_ request: LabRequest, _ path: [String], _ state: inout State) -> LabResponse? {
        let tag = tag(path, state)
        let exists = state.nodes[path] != nil
        let isWrite = ["PUT", "DELETE", "MOVE", "COPY", "MKCOL", "PROPPATCH", "LOCK"].contains(request.method)
        if isWrite, !state.switches.ignoresConditions {
            if let wanted = request.field("If-Match"),
                wanted == "*" ? !exists : !exists || tag != wanted || tag.hasPrefix("W/")
            {
                return LabResponse(status: 412)
            }
            if let unwanted = request.field("If-None-Match"), unwanted == "*" ? exists : tag == unwanted {
                return LabResponse(status: 412)
            }
        }
        guard isWrite, request.method != "LOCK" else { return nil }
        if let condition = request.field("If"), !state.switches.ignoresConditions,
            !holds(condition, path, state)
        {
            return LabResponse(status: 412)
        }
        return isLocked(request, path, state) ? LabResponse(status: 423) : nil
    }

    // One of the lists has to hold (RFC 4918 §10.4).
    func holds(_ text: String, _ path: [String], _ state: State) -> Bool {
        var lists: [(String, [String])] = []
        var rest = text[...]
        // A list without an address speaks of what was asked for, one with it of that.
        var place = path
        while let open = rest.firstIndex(of: "("), let close = rest[open...].firstIndex(of: ")") {
            if let named = Self.tagged(rest[..<open]), let found = self.path(named) { place = found }
            lists.append((String(rest[rest.index(after: open)..<close]), place))
            rest = rest[rest.index(after: close)...]
        }
        return lists.contains { list, place in
            let tag = tag(place, state)
            var items = list[...]
            var isNot = false
            while let first = items.first {
                if items.hasPrefix("Not") {
                    isNot = true
                    items = items.dropFirst(3)
                    continue
                }
                guard first == "<" || first == "[", let end = items.firstIndex(of: first == "<" ? ">" : "]") else {
                    items = items.dropFirst()
                    continue
                }
                let value = String(items[items.index(after: items.startIndex)..<end])
                let isTrue = first == "[" ? value == tag : Self.covering(place, state).contains { $0.token == value }
                if isTrue == isNot { return false }
                isNot = false
                items = items[items.index(after: end)...]
            }
            return true
        }
    }

    func destination(_ request: LabRequest, ofAny: Bool = false) -> [String]? {
        guard ofAny || ["MOVE", "COPY"].contains(request.method), var text = request.field("Destination") else {
            return nil
        }
        text = Self.local(text)
        return path(text)
    }

    // The path of an address, with a host or without.
    private static func local(_ text: String) -> String {
        guard let mark = text.firstRange(of: "://") else { return text }
        let rest = text[mark.upperBound...]
        return rest.firstIndex(of: "/").map { String(rest[$0...]) } ?? "/"
    }

    // The address before a list, as `<https://host/x> (…)`.
    private static func tagged(_ text: Substring) -> String? {
        guard let open = text.lastIndex(of: "<"), let close = text[open...].firstIndex(of: ">") else { return nil }
        return local(String(text[text.index(after: open)..<close]))
    }

    func tag(_ path: [String], _ state: State) -> String {
        guard case .file(let bytes, let version, let second) = state.nodes[path], !state.switches.hasNoTags else {
            return ""
        }
        var inner = state.switches.hasSecondTags ? "\(second)-\(bytes.count)" : "v\(version)-\(bytes.count)"
        if state.switches.hasRestlessTags {
            inner += looks.withLock {
                $0 += 1
                return "-\($0)"
            }
        }
        let isYoung = state.switches.hasYoungWeakTags && now(state) <= second
        return (state.switches.hasWeakTags || isYoung ? "W/" : "") + "\"\(inner)\""
    }

    func act(_ request: LabRequest, _ path: [String], _ state: inout State) -> LabResponse {
        switch request.method {
        case "OPTIONS":
            let answer = LabResponse(fields: [
                .init("DAV", state.switches.hasNoLocks ? "1" : "1, 2"),
                .init("Allow", "OPTIONS, GET, HEAD, PUT, DELETE, MKCOL, MOVE, COPY, PROPFIND, PROPPATCH, LOCK, UNLOCK"),
            ])
            guard state.switches.hasResumable else { return answer }
            return answer.with("Tus-Resumable", "1.0.0").with("Tus-Version", "1.0.0").with("Tus-Extension", "creation")
        case "GET", "HEAD": return read(request, path, &state)
        case "PUT": return put(request, path, &state)
        case "DELETE":
            guard state.nodes[path] != nil else { return LabResponse(status: 404) }
            guard !request.target.contains("#") else { return LabResponse(status: 400) }
            Self.remove(path, &state)
            return LabResponse(status: 204)
        case "MKCOL": return makeFolder(request, path, &state)
        case "MOVE", "COPY": return relocate(request, path, &state)
        case "PROPFIND": return find(request, path, request.field("Depth") == "0" ? state : state.late)
        case "PROPPATCH": return patch(request, path, &state)
        case "LOCK": return lock(request, path, &state)
        case "UNLOCK":
            return unlock(request, path, &state)
        default: return LabResponse(status: 405)
        }
    }

    func isFolder(_ path: [String], _ state: State) -> Bool {
        if case .folder = state.nodes[path] { true } else { false }
    }

    private func read(_ request: LabRequest, _ path: [String], _ state: inout State) -> LabResponse {
        guard let node = state.nodes[path] else { return LabResponse(status: 404) }
        guard case .file(let bytes, _, let second) = node else { return .text("a folder\n") }
        let tag = tag(path, state)
        var fields = [LabRequest.Field("Last-Modified", IMFFixdate.text(second)), .init("Accept-Ranges", "bytes")]
        if !tag.isEmpty { fields.append(.init("ETag", state.switches.shown(tag, to: request))) }
        var answer = LabResponse(fields: fields, body: Self.body(bytes, from: 0))
        if let range = request.field("Range"), range.hasPrefix("bytes="), range.hasSuffix("-"),
            let start = Int(range.dropFirst(6).dropLast()), start >= 0,
            request.field("If-Range").map({ $0 == tag }) ?? true
        {
            guard start < bytes.count else {
                return LabResponse(status: 416).with("Content-Range", "bytes */\(bytes.count)")
            }
            answer = part(of: bytes, from: start, fields, state.switches.rangeLie)
        }
        if request.method == "GET", state.switches.cutReads > 0 {
            state.switches.cutReads -= 1
            return answer.cut(after: 300 + state.switches.cutAfter)
        }
        return answer
    }

    // What is large goes piece by piece: a copy of all of it for each request would be many.
    private static func body(_ bytes: [UInt8], from first: Int) -> LabResponse.Body {
        let piece = 65_536
        guard bytes.count - first > 16 * piece else { return .fixed(Array(bytes[first...])) }
        return .announced(length: bytes.count - first) { index in
            let start = first + index * piece
            return start < bytes.count ? Array(bytes[start..<min(bytes.count, start + piece)]) : nil
        }
    }

    private func part(
        of bytes: [UInt8], from start: Int, _ fields: [LabRequest.Field], _ lie: RangeLie?
    ) -> LabResponse {
        let (first, size) = (lie == .otherPart ? 0 : start, lie == .otherSize ? bytes.count + 1 : bytes.count)
        let answer = LabResponse(status: 206, fields: fields, body: Self.body(bytes, from: first))
        return lie == .silence
            ? answer : answer.with("Content-Range", "bytes \(first)-\(bytes.count - 1)/\(size)")
    }

    private func put(_ request: LabRequest, _ path: [String], _ state: inout State) -> LabResponse {
        guard isFolder(path.dropLast(), state) else { return LabResponse(status: 409) }
        guard !isFolder(path, state), request.field("Content-Range") == nil else {
            return LabResponse(status: request.field("Content-Range") == nil ? 405 : 400)
        }
        let isNew = state.nodes[path] == nil
        put(path, request.body, &state)
        let answer = LabResponse(status: isNew ? 201 : 204)
        let tag = tag(path, state)
        return state.switches.hidesTagAfterWrite || tag.isEmpty ? answer : answer.with("ETag", tag)
    }

    private func makeFolder(_ request: LabRequest, _ path: [String], _ state: inout State) -> LabResponse {
        guard request.body.isEmpty else { return LabResponse(status: 415) }
        guard state.nodes[path] == nil else { return LabResponse(status: 405) }
        guard isFolder(path.dropLast(), state) else { return LabResponse(status: 409) }
        state.counter += 1
        state.nodes[path] = .folder
        state.identities[path] = state.counter
        return LabResponse(status: 201)
    }

    private func relocate(_ request: LabRequest, _ path: [String], _ state: inout State) -> LabResponse {
        guard state.nodes[path] != nil else { return LabResponse(status: 404) }
        guard let target = destination(request) else { return LabResponse(status: 502) }
        guard target != path, !target.starts(with: path) || request.method == "COPY" else {
            return LabResponse(status: 403)
        }
        guard isFolder(target.dropLast(), state) else { return LabResponse(status: 409) }
        let isThere = state.nodes[target] != nil
        if isThere, request.field("Overwrite") == "F" { return LabResponse(status: 412) }
        let isShallow = request.field("Depth") == "0"
        let found = state.nodes.filter { $0.key == path || ($0.key.starts(with: path) && !isShallow) }
        let (identities, properties) = (state.identities, state.properties)
        // A lock belongs to the address.
        let locked = state.locks.filter { $0.key.starts(with: target) }
        if isThere { Self.remove(target, &state) }
        if request.method == "MOVE" { Self.remove(path, &state) }
        for (old, node) in found {
            let new = target + old.dropFirst(path.count)
            state.nodes[new] = node
            state.properties[new] = properties[old]
            state.counter += 1
            state.identities[new] = request.method == "MOVE" ? identities[old] : state.counter
        }
        for (place, locks) in locked where state.nodes[place] != nil { state.locks[place] = locks }
        return LabResponse(status: isThere ? 204 : 201)
    }
}
