internal import PavisePrimitives

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
        let tokens = Self.tokens(request)
        if let condition = request.field("If"), !state.switches.ignoresConditions,
            !holds(condition, tag, tokens, path, state)
        {
            return LabResponse(status: 412)
        }
        var touched = request.method == "COPY" ? [] : [path]
        if let target = destination(request) { touched.append(target) }
        for place in touched {
            let holder = lock(over: place, state)
            let below =
                ["DELETE", "MOVE"].contains(request.method)
                ? state.locks.first { $0.key.starts(with: place) }?.value : nil
            for token in [holder, below].compactMap({ $0 }) where !tokens.contains(token) {
                return LabResponse(status: 423)
            }
        }
        return nil
    }

    // The lock of a place or, for a folder's, of what lies in it.
    func lock(over path: [String], _ state: State) -> String? {
        for count in stride(from: path.count, through: 0, by: -1) {
            if let token = state.locks[Array(path.prefix(count))] { return token }
        }
        return nil
    }

    static func tokens(_ request: LabRequest) -> Set<String> {
        let text = (request.field("If") ?? "") + (request.field("Lock-Token") ?? "")
        return Set(
            text.split(separator: "<").dropFirst(0).compactMap { part in
                part.split(separator: ">").first.map(String.init)
            })
    }

    // One of the lists has to hold (RFC 4918 §10.4).
    private func holds(_ text: String, _ tag: String, _ tokens: Set<String>, _ path: [String], _ state: State) -> Bool {
        var lists: [String] = []
        var rest = text[...]
        while let open = rest.firstIndex(of: "("), let close = rest[open...].firstIndex(of: ")") {
            lists.append(String(rest[rest.index(after: open)..<close]))
            rest = rest[rest.index(after: close)...]
        }
        return lists.contains { list in
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
                let isTrue = first == "[" ? value == tag : state.locks.values.contains(value)
                if isTrue == isNot { return false }
                isNot = false
                items = items[items.index(after: end)...]
            }
            return true
        }
    }

    func destination(_ request: LabRequest) -> [String]? {
        guard ["MOVE", "COPY"].contains(request.method), var text = request.field("Destination") else { return nil }
        if let mark = text.firstRange(of: "://") {
            let rest = text[mark.upperBound...]
            text = rest.firstIndex(of: "/").map { String(rest[$0...]) } ?? "/"
        }
        return path(text)
    }

    func tag(_ path: [String], _ state: State) -> String {
        guard case .file(let bytes, let version, let second) = state.nodes[path], !state.switches.hasNoTags else {
            return ""
        }
        let inner = state.switches.hasSecondTags ? "\(second)-\(bytes.count)" : "v\(version)-\(bytes.count)"
        return (state.switches.hasWeakTags ? "W/" : "") + "\"\(inner)\""
    }

    func act(_ request: LabRequest, _ path: [String], _ state: inout State) -> LabResponse {
        switch request.method {
        case "OPTIONS":
            return LabResponse(fields: [
                .init("DAV", state.switches.hasNoLocks ? "1" : "1, 2"),
                .init("Allow", "OPTIONS, GET, HEAD, PUT, DELETE, MKCOL, MOVE, COPY, PROPFIND, PROPPATCH, LOCK, UNLOCK"),
            ])
        case "GET", "HEAD": return read(request, path, &state)
        case "PUT": return put(request, path, &state)
        case "DELETE":
            guard state.nodes[path] != nil else { return LabResponse(status: 404) }
            guard !request.target.contains("#") else { return LabResponse(status: 400) }
            Self.remove(path, &state)
            return LabResponse(status: 204)
        case "MKCOL": return makeFolder(request, path, &state)
        case "MOVE", "COPY": return relocate(request, path, &state)
        case "PROPFIND": return find(request, path, state)
        case "PROPPATCH": return patch(request, path, &state)
        case "LOCK": return lock(request, path, &state)
        case "UNLOCK":
            guard let token = Self.tokens(request).first, state.locks[path] == token else {
                return LabResponse(status: 409)
            }
            state.locks[path] = nil
            return LabResponse(status: 204)
        default: return LabResponse(status: 405)
        }
    }

    private func isFolder(_ path: [String], _ state: State) -> Bool {
        if case .folder = state.nodes[path] { true } else { false }
    }

    private func read(_ request: LabRequest, _ path: [String], _ state: inout State) -> LabResponse {
        guard let node = state.nodes[path] else { return LabResponse(status: 404) }
        guard case .file(let bytes, _, let second) = node else { return .text("a folder\n") }
        let tag = tag(path, state)
        var fields = [LabRequest.Field("Last-Modified", IMFFixdate.text(second)), .init("Accept-Ranges", "bytes")]
        if !tag.isEmpty { fields.append(.init("ETag", tag)) }
        var answer = LabResponse(fields: fields, body: .fixed(bytes))
        if let range = request.field("Range"), range.hasPrefix("bytes="), range.hasSuffix("-"),
            let start = Int(range.dropFirst(6).dropLast()), request.field("If-Range").map({ $0 == tag }) ?? true
        {
            guard start < bytes.count else {
                return LabResponse(status: 416).with("Content-Range", "bytes */\(bytes.count)")
            }
            answer = LabResponse(status: 206, fields: fields, body: .fixed(Array(bytes[start...])))
                .with("Content-Range", "bytes \(start)-\(bytes.count - 1)/\(bytes.count)")
        }
        if request.method == "GET", state.switches.cutReads > 0 {
            state.switches.cutReads -= 1
            return answer.cut(after: 300 + state.switches.cutAfter)
        }
        return answer
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
        let locked = state.locks[target]
        if isThere { Self.remove(target, &state) }
        if request.method == "MOVE" { Self.remove(path, &state) }
        for (old, node) in found {
            let new = target + old.dropFirst(path.count)
            state.nodes[new] = node
            state.properties[new] = properties[old]
            state.counter += 1
            state.identities[new] = request.method == "MOVE" ? identities[old] : state.counter
        }
        // A lock belongs to the address.
        if let locked { state.locks[target] = locked }
        return LabResponse(status: isThere ? 204 : 201)
    }

    private func lock(_ request: LabRequest, _ path: [String], _ state: inout State) -> LabResponse {
        guard !state.switches.hasNoLocks else { return LabResponse(status: 405) }
        if request.body.isEmpty {
            guard let token = state.locks[path], Self.tokens(request).contains(token) else {
                return LabResponse(status: 412)
            }
            return granted(token, 200)
        }
        guard lock(over: path, state) == nil else { return LabResponse(status: 423) }
        guard isFolder(path.dropLast(), state) else { return LabResponse(status: 409) }
        state.counter += 1
        let token = "urn:uuid:00000000-0000-4000-8000-\(String(state.counter + 100_000_000_000))"
        let isNew = state.nodes[path] == nil
        if isNew { put(path, [], &state) }
        state.locks[path] = token
        state.lockOwners[token] = Self.owner(String(decoding: request.body, as: UTF8.self))
        return granted(token, isNew ? 201 : 200)
    }

    // What stands in the element `owner`, whatever its prefix.
    private static func owner(_ body: String) -> String {
        guard let start = body.firstRange(of: "owner>"), let end = body[start.upperBound...].firstIndex(of: "<") else {
            return ""
        }
        return String(body[start.upperBound..<end])
    }

    private func granted(_ token: String, _ status: Int) -> LabResponse {
        let body = """
            <?xml version="1.0" encoding="utf-8"?><D:prop xmlns:D="DAV:"><D:lockdiscovery><D:activelock>\
            <D:locktype><D:write/></D:locktype><D:lockscope><D:exclusive/></D:lockscope><D:depth>infinity</D:depth>\
            <D:timeout>Second-600</D:timeout><D:locktoken><D:href>\(token)</D:href></D:locktoken></D:activelock>\
            </D:lockdiscovery></D:prop>
            """
        return LabResponse(
            status: status, fields: [.init("Content-Type", "application/xml"), .init("Lock-Token", "<\(token)>")],
            body: .fixed(Array(body.utf8)))
    }

    private func patch(_ request: LabRequest, _ path: [String], _ state: inout State) -> LabResponse {
        guard state.nodes[path] != nil else { return LabResponse(status: 404) }
        let place = href(path, isFolder: isFolder(path, state))
        return multistatus(
            "<D:response><D:href>\(place)</D:href><D:propstat><D:prop/><D:status>HTTP/1.1 403 Forbidden</D:status></D:propstat>"
                + "</D:response>")
    }

    private func find(_ request: LabRequest, _ path: [String], _ state: State) -> LabResponse {
        guard state.nodes[path] != nil else { return LabResponse(status: 404) }
        let depth = request.field("Depth") ?? "infinity"
        guard depth != "infinity" || !state.switches.refusesInfinity else { return LabResponse(status: 403) }
        let body = String(decoding: request.body, as: UTF8.self)
        guard request.body.isEmpty || body.contains("propfind") && body.contains("</") else {
            return LabResponse(status: 400)
        }
        let shown = state.nodes.keys.filter { other in
            guard other != path else { return true }
            guard other.starts(with: path), !(state.switches.listsEmptyRoot && path.isEmpty) else { return false }
            return depth == "infinity" || (depth == "1" && other.count == path.count + 1)
        }.sorted { $0.lexicographicallyPrecedes($1) }
        var text = ""
        for (index, other) in shown.enumerated() {
            text +=
                state.switches.hasMemberInError && index == 1
                ? "<D:response><D:href>\(href(other, isFolder: false))</D:href><D:status>HTTP/1.1 500 Oh</D:status></D:response>"
                : member(other, state)
        }
        return multistatus(text)
    }

    private func member(_ path: [String], _ state: State) -> String {
        var properties = ""
        let isFolder = isFolder(path, state)
        if case .file(let bytes, _, let second) = state.nodes[path] {
            let tag = tag(path, state)
            if !tag.isEmpty { properties += "<D:getetag>\(DAVText.escape(tag))</D:getetag>" }
            properties += "<D:getcontentlength>\(bytes.count)</D:getcontentlength><D:resourcetype/>"
            properties += "<D:getlastmodified>\(IMFFixdate.text(second))</D:getlastmodified>"
        } else {
            properties += "<D:resourcetype><D:collection/></D:resourcetype>"
        }
        if let token = state.locks[path] {
            properties += "<D:lockdiscovery><D:activelock><D:owner>\(state.lockOwners[token] ?? "")</D:owner>"
            properties += "<D:locktoken><D:href>\(token)</D:href></D:locktoken></D:activelock></D:lockdiscovery>"
        }
        if state.switches.hasFileIDs {
            properties += "<o:fileid xmlns:o=\"http://owncloud.org/ns\">\(state.identities[path] ?? 0)</o:fileid>"
        }
        return
            "<D:response><D:href>\(href(path, isFolder: isFolder))</D:href><D:propstat><D:prop>\(properties)</D:prop>"
            + "<D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>"
    }

    private func multistatus(_ text: String) -> LabResponse {
        let body = "<?xml version=\"1.0\" encoding=\"utf-8\"?><D:multistatus xmlns:D=\"DAV:\">\(text)</D:multistatus>"
        return LabResponse(
            status: 207, fields: [.init("Content-Type", "application/xml; charset=utf-8")],
            body: .fixed(Array(body.utf8)))
    }
}
