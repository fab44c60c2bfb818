internal import PavisePrimitives

/// PROPFIND and PROPPATCH (RFC 4918 §9.1, §9.2): properties that the server makes, and those that clients give.
extension DAVServer {
    /// The name of a property, with its namespace.
    struct PropertyName: Hashable {
        let namespace: String
        let name: String

        init(_ namespace: String, _ name: String) { (self.namespace, self.name) = (namespace, name) }
        init(_ element: DAVElement) { self.init(element.namespace, element.name) }

        func element(_ inner: String) -> String { DAVText.element(namespace, name, inner) }
    }

    private enum Wanted {
        case all
        case names
        case named([PropertyName])

        /// `nil` for what asks for nothing.
        init?(_ body: [UInt8]) {
            guard !body.isEmpty else {
                self = .all
                return
            }
            guard let root = DAVElement(body), root.namespace == "DAV:", root.name == "propfind" else { return nil }
            if root.first("allprop") != nil {
                self = .all
            } else if root.first("propname") != nil {
                self = .names
            } else if let asked = root.first("prop") {
                self = .named(asked.children.map(PropertyName.init))
            } else {
                return nil
            }
        }
    }

    func find(_ request: LabRequest, _ path: [String], _ state: State) -> LabResponse {
        guard state.nodes[path] != nil else { return LabResponse(status: 404) }
        let depth = request.field("Depth") ?? "infinity"
        guard depth != "infinity" || !state.switches.refusesInfinity else { return LabResponse(status: 403) }
        guard let wanted = Wanted(request.body) else { return LabResponse(status: 400) }
        let shown = state.nodes.keys.filter { other in
            guard other != path else { return true }
            guard other.starts(with: path), !(state.switches.listsEmptyRoot && path.isEmpty) else { return false }
            return depth == "infinity" || (depth == "1" && other.count == path.count + 1)
        }.sorted { $0.lexicographicallyPrecedes($1) }
        var text = ""
        for (index, other) in shown.enumerated() {
            guard state.switches.hasMemberInError, index == 1 else {
                text += member(other, wanted, state)
                continue
            }
            text += "<D:response><D:href>\(href(other, isFolder: false))</D:href>"
            text += "<D:status>HTTP/1.1 500 Oh</D:status></D:response>"
        }
        return multistatus(text)
    }

    // Those that the server makes itself.
    private func live(_ path: [String], _ state: State) -> [PropertyName: String] {
        var found: [PropertyName: String] = [:]
        if case .file(let bytes, _, let second) = state.nodes[path] {
            let tag = tag(path, state)
            if !tag.isEmpty { found[.init("DAV:", "getetag")] = DAVText.escape(tag) }
            found[.init("DAV:", "getcontentlength")] = "\(bytes.count)"
            found[.init("DAV:", "getlastmodified")] = IMFFixdate.text(second)
            found[.init("DAV:", "resourcetype")] = ""
        } else {
            found[.init("DAV:", "resourcetype")] = "<D:collection/>"
        }
        found[.init("DAV:", "lockdiscovery")] = Self.covering(path, state).map(active).joined()
        if state.switches.hasFileIDs {
            let number = path.isEmpty ? state.switches.rootID : state.identities[path] ?? 0
            found[.init("http://owncloud.org/ns", "fileid")] = "\(number)"
            if path.isEmpty { found[.init("http://owncloud.org/ns", "data-fingerprint")] = state.switches.fingerprint }
        }
        return found
    }

    private func member(_ path: [String], _ wanted: Wanted, _ state: State) -> String {
        let known = live(path, state).merging(state.properties[path] ?? [:]) { own, _ in own }
        let names = known.keys.sorted { ($0.namespace, $0.name) < ($1.namespace, $1.name) }
        var parts: [(status: Int, properties: [String])] = []
        switch wanted {
        case .all: parts = [(200, names.map { $0.element(known[$0] ?? "") })]
        case .names: parts = [(200, names.map { $0.element("") })]
        case .named(let asked):
            let (there, missing) = (asked.filter { known[$0] != nil }, asked.filter { known[$0] == nil })
            parts = [(200, there.map { $0.element(known[$0] ?? "") }), (404, missing.map { $0.element("") })]
        }
        return response(path, parts, state)
    }

    private func response(_ path: [String], _ parts: [(status: Int, properties: [String])], _ state: State) -> String {
        let inner = parts.filter { !$0.properties.isEmpty || parts.count == 1 }.map { part in
            "<D:propstat><D:prop>\(part.properties.joined())</D:prop>"
                + "<D:status>HTTP/1.1 \(part.status) Lab</D:status></D:propstat>"
        }
        return
            "<D:response><D:href>\(href(path, isFolder: isFolder(path, state)))</D:href>\(inner.joined())</D:response>"
    }

    // All of it or nothing: who changes a property of the server's own changes none (RFC 4918 §9.2).
    func patch(_ request: LabRequest, _ path: [String], _ state: inout State) -> LabResponse {
        guard state.nodes[path] != nil else { return LabResponse(status: 404) }
        guard let root = DAVElement(request.body), root.namespace == "DAV:", root.name == "propertyupdate" else {
            return LabResponse(status: 400)
        }
        var (mine, names, isRefused) = (state.properties[path] ?? [:], [PropertyName](), false)
        for step in root.children where step.namespace == "DAV:" {
            for property in step.first("prop")?.children ?? [] {
                let name = PropertyName(property)
                if !names.contains(name) { names.append(name) }
                isRefused = isRefused || name.namespace == "DAV:"
                mine[name] = step.name == "set" ? property.inner : nil
            }
        }
        if !isRefused { state.properties[path] = mine }
        return multistatus(
            response(path, [(isRefused ? 403 : 200, names.map { $0.element("") })], state))
    }

    func multistatus(_ text: String) -> LabResponse {
        let body = "<?xml version=\"1.0\" encoding=\"utf-8\"?><D:multistatus xmlns:D=\"DAV:\">\(text)</D:multistatus>"
        return LabResponse(
            status: 207, fields: [.init("Content-Type", "application/xml; charset=utf-8")],
            body: .fixed(Array(body.utf8)))
    }
}
