internal import PavisePrimitives
internal import Synchronization

/// Uploads in chunks, as ownCloud and Nextcloud take them: `uploads/USER/ID/00001` …, and a MOVE of `.file`.
extension DAVServer {
    /// What of an upload an address below `uploads/USER` names; `nil` for any other address.
    func chunkName(_ path: String) -> (upload: String, file: String)? {
        guard let mark = root.firstRange(of: "/files/"), state.withLock({ $0.switches.hasChunks }) else { return nil }
        let uploads = "\(root[..<mark.lowerBound])/uploads/\(root[mark.upperBound...])/"
        guard path.hasPrefix(uploads) else { return nil }
        let parts = path.dropFirst(uploads.count).split(separator: "/").map { DAVText.decode(String($0)) }
        guard let upload = parts.first, parts.count <= 2 else { return nil }
        return (upload, parts.count == 2 ? parts[1] : "")
    }

    /// The chunks that the server has of its uploads.
    public var chunks: [String: [Int: [UInt8]]] { state.withLock { $0.uploads } }

    func takeChunk(
        _ request: LabRequest, _ name: (upload: String, file: String), _ state: inout State
    ) -> LabResponse {
        if request.method == "MKCOL" {
            guard state.uploads[name.upload] == nil else { return LabResponse(status: 405) }
            guard destination(request, ofAny: true) != nil else { return LabResponse(status: 400) }
            state.uploads[name.upload] = [:]
            return LabResponse(status: 201)
        }
        guard let chunks = state.uploads[name.upload] else { return LabResponse(status: 404) }
        switch request.method {
        case "PROPFIND": return list(name.upload, chunks)
        case "DELETE":
            state.uploads[name.upload] = nil
            return LabResponse(status: 204)
        case "PUT":
            guard let number = Int(name.file), (1...10_000).contains(number) else { return LabResponse(status: 400) }
            state.uploads[name.upload]?[number] = request.body
            return LabResponse(status: chunks[number] == nil ? 201 : 204)
        case "MOVE" where name.file == ".file": return assemble(request, name.upload, chunks, &state)
        default: return LabResponse(status: 405)
        }
    }

    private func assemble(
        _ request: LabRequest, _ upload: String, _ chunks: [Int: [UInt8]], _ state: inout State
    ) -> LabResponse {
        guard let target = destination(request) else { return LabResponse(status: 502) }
        let bytes = chunks.sorted { $0.key < $1.key }.flatMap(\.value)
        if let said = request.field("OC-Total-Length"), said != "\(bytes.count)" { return LabResponse(status: 400) }
        if let condition = request.field("If"), !holds(condition, target, state) { return LabResponse(status: 412) }
        // What is put together is written as by any other MOVE (RFC 4918 §9.9).
        if isLocked(request, target, state) { return LabResponse(status: 423) }
        guard isFolder(target.dropLast(), state), !isFolder(target, state) else { return LabResponse(status: 409) }
        let isThere = state.nodes[target] != nil
        if isThere, request.field("Overwrite") == "F" { return LabResponse(status: 412) }
        put(target, bytes, &state)
        state.uploads[upload] = nil
        let isLost = (state.switches.lostAnswers["MOVE"] ?? 0) > 0
        if isLost { state.switches.lostAnswers["MOVE", default: 1] -= 1 }
        return isLost ? .hangUp : LabResponse(status: isThere ? 204 : 201).with("ETag", tag(target, state))
    }

    private func list(_ upload: String, _ chunks: [Int: [UInt8]]) -> LabResponse {
        func row(_ name: String, _ inner: String) -> String {
            "<D:response><D:href>/uploads/\(upload)/\(name)</D:href><D:propstat><D:prop>\(inner)</D:prop>"
                + "<D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>"
        }
        var text = row("", "<D:resourcetype><D:collection/></D:resourcetype>")
        for (number, bytes) in chunks.sorted(by: { $0.key < $1.key }) {
            text += row("\(number)", "<D:resourcetype/><D:getcontentlength>\(bytes.count)</D:getcontentlength>")
        }
        return multistatus(text)
    }
}
