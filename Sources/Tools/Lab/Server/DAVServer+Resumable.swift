internal import PavisePrimitives
internal import Synchronization

/// Resumable uploads of tus 1.0.0 with the extension `creation`: POST to the folder, then PATCH and HEAD of what it
/// names.
extension DAVServer {
    struct ResumableUpload {
        let target: [String]
        let length: Int
        var bytes: [UInt8] = []
    }

    // Beside the folder, where no listing shows it.
    private var uploadRoot: String { root + ".tus/" }

    /// How many bytes have come of each upload that has not ended.
    public var resumableUploads: [Int] { state.withLock { $0.resumable.values.map(\.bytes.count).sorted() } }

    /// Forgets all uploads that have not ended, as a server does with old ones.
    public func dropResumableUploads() { state.withLock { $0.resumable = [:] } }

    func isResumable(_ request: LabRequest) -> Bool {
        guard state.withLock({ $0.switches.hasResumable }) else { return false }
        return request.path.hasPrefix(uploadRoot) || (request.method == "POST" && path(request.path) != nil)
    }

    /// What came of a request that was torn is kept: that is what tus is for.
    func takeResumable(_ request: LabRequest) -> LabResponse {
        let answer = state.withLock { state in
            guard request.field("Tus-Resumable") == "1.0.0" else { return LabResponse(status: 412) }
            return request.method == "POST" ? make(request, &state) : go(on: request, &state)
        }
        let isLost = state.withLock { state in
            guard let left = state.switches.lostAnswers[request.method], left > 0 else { return false }
            state.switches.lostAnswers[request.method] = left - 1
            return true
        }
        return isLost || request.isTorn ? .hangUp : answer.with("Tus-Resumable", "1.0.0")
    }

    private func make(_ request: LabRequest, _ state: inout State) -> LabResponse {
        let metadata = (request.field("Upload-Metadata") ?? "").split(separator: ",").map { $0.split(separator: " ") }
        guard let folder = path(request.path), isFolder(folder, state),
            let length = request.field("Upload-Length").flatMap({ Int($0) }), length >= 0,
            let name = metadata.first(where: { $0.first == "filename" })?.last.flatMap({ Base64.decode($0) })
        else { return LabResponse(status: 400) }
        state.counter += 1
        let id = "\(state.counter)"
        state.resumable[id] = ResumableUpload(target: folder + [String(decoding: name, as: UTF8.self)], length: length)
        return LabResponse(status: 201).with("Location", uploadRoot + id).with("Upload-Offset", "0")
    }

    private func go(on request: LabRequest, _ state: inout State) -> LabResponse {
        let id = String(request.path.dropFirst(uploadRoot.utf8.count))
        guard var upload = state.resumable[id] else { return LabResponse(status: 404) }
        switch request.method {
        case "HEAD":
            return LabResponse(status: 200).with("Upload-Offset", "\(upload.bytes.count)")
                .with("Upload-Length", "\(upload.length)").with("Cache-Control", "no-store")
        case "PATCH":
            guard request.field("Content-Type") == "application/offset+octet-stream" else {
                return LabResponse(status: 415)
            }
            guard request.field("Upload-Offset") == "\(upload.bytes.count)",
                upload.bytes.count + request.body.count <= upload.length
            else { return LabResponse(status: 409) }
            // With its last byte the file is written, which a lock of somebody else and a folder that is gone forbid.
            if upload.bytes.count + request.body.count == upload.length {
                if isLocked(request, upload.target, state) { return LabResponse(status: 423) }
                guard isFolder(upload.target.dropLast(), state), !isFolder(upload.target, state) else {
                    return LabResponse(status: 404)
                }
            }
            upload.bytes += request.body
            state.resumable[id] = upload
            if upload.bytes.count == upload.length {
                put(upload.target, upload.bytes, &state)
                state.resumable[id] = nil
            }
            return LabResponse(status: 204).with("Upload-Offset", "\(upload.bytes.count)")
        default: return LabResponse(status: 405)
        }
    }
}
