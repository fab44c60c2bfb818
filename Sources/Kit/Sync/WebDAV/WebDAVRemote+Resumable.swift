internal import PavisePrimitives
internal import PaviseTransport

/// Resumable uploads as tus 1.0.0 has them (https://tus.io/protocols/resumable-upload): a POST to the folder makes an
/// upload, PATCH adds to it, and HEAD says how much is there.
///
/// Where an upload lies is the server's choice, and is written down before the first byte leaves: the next run goes on
/// with it. tus has no conditions; so the file is made under a name of ours, and then takes its place as every file
/// does.
extension WebDAVRemote {
    private static let version = ("Tus-Resumable", "1.0.0")

    func isResumable(_ content: SyncContent) -> Bool { server.takesResumable && content.count > chunkSize }

    /// Sends a content in parts to a name of ours, where it waits for its place.
    func putResumably(_ content: SyncContent, for path: SyncPath) async throws(SyncFailure) -> SyncPath {
        let id = try uploadID(content, path)
        let temporary = [RemoteLeftover.whole(id)]
        if try await isAssembled(content, temporary) {
            // A kill may have come between its last byte and the end of its note.
            try notes?.setNote(Self.note(id), nil)
            return temporary
        }
        let known = try notes?.note(Self.note(id)).flatMap { try? WebURL($0) }
        var (place, offset) = try await goOn(known, id, content, temporary)
        var failures = 0
        while offset < content.count {
            let part = offset..<min(offset + chunkSize, content.count)
            do throws(SyncFailure) {
                offset = try await add(part, of: content, to: place)
                failures = 0
            } catch {
                guard error.isWorthAnotherTry, failures < 4 else { throw error }
                await sleep(.milliseconds(200 << failures))
                (place, offset) = try await goOn(place, id, content, temporary)
                // A try that got further is none in vain.
                failures = offset > part.lowerBound ? 0 : failures + 1
            }
        }
        try notes?.setNote(Self.note(id), nil)
        try await waitUntilThere(content, temporary)
        return temporary
    }

    private static func note(_ id: String) -> String { "\(uploadNote)\(id)" }

    /// What the notes of uploads begin with.
    static let uploadNote = "upload-"

    // An upload of an earlier try, as far as it came; one that is gone has ended, or begins anew.
    private func goOn(
        _ known: WebURL?, _ id: String, _ content: SyncContent, _ temporary: SyncPath
    ) async throws(SyncFailure) -> (place: WebURL, offset: Int) {
        if let known, known.origin == address.folder.origin {
            if let offset = try await offset(of: known, content.count) { return (known, offset) }
            if try await isAssembled(content, temporary) { return (known, content.count) }
        }
        let place = try await makeUpload(content.count, temporary)
        try notes?.setNote(Self.note(id), "\(place)")
        return (place, 0)
    }

    private func makeUpload(_ count: Int, _ temporary: SyncPath) async throws(SyncFailure) -> WebURL {
        let name = temporary.last?.text ?? ""
        let answer = try await send(
            "POST", try url([], isFolder: true),
            [
                Self.version, ("Upload-Length", "\(count)"),
                ("Upload-Metadata", "filename \(Base64.encode(name.utf8))"),
            ], body: [])
        guard answer.status == 201, let location = answer.fields["Location"] else {
            throw answer.status == 201
                ? .refused("The server does not say where the upload is.") : SyncFailure(status: answer.status)
        }
        let place: WebURL
        do throws(WebURL.Problem) { place = try address.folder.resolving(location) } catch {
            throw .refused("The server names no place for the upload.")
        }
        // The credential belongs to this server alone.
        guard place.origin == address.folder.origin else { throw .refused("The server sends uploads to another one.") }
        return place
    }

    // `nil` for an upload that is gone, or is one of another size.
    private func offset(of place: WebURL, _ count: Int) async throws(SyncFailure) -> Int? {
        let answer = try await send("HEAD", place, [Self.version])
        switch answer.status {
        case 200, 204: return Self.offset(answer, upTo: count)
        case 403, 404, 410: return nil
        default: throw SyncFailure(status: answer.status)
        }
    }

    private static func offset(_ answer: HTTPResponse, upTo count: Int) -> Int? {
        answer.fields["Upload-Offset"].flatMap { Int($0) }.flatMap { (0...count).contains($0) ? $0 : nil }
    }

    // 409: the server has another offset than we think; it is asked for.
    private func add(_ part: Range<Int>, of content: SyncContent, to place: WebURL) async throws(SyncFailure) -> Int {
        let fields = [
            Self.version, ("Upload-Offset", "\(part.lowerBound)"), ("Content-Type", "application/offset+octet-stream"),
        ]
        let answer = try await send("PATCH", place, fields, content, part)
        try expect(answer, [200, 204])
        guard let offset = Self.offset(answer, upTo: content.count), offset > part.lowerBound else { throw .changed }
        return offset
    }

    // Some servers look at a file before it is shown.
    private func waitUntilThere(_ content: SyncContent, _ temporary: SyncPath) async throws(SyncFailure) {
        for attempt in 0..<5 {
            let answer = try await send("HEAD", try url(temporary))
            if answer.status == 200, answer.wholeCount == nil || answer.wholeCount == content.count { return }
            await sleep(.milliseconds(250 << attempt))
        }
        throw .changed
    }

    // MARK: Measuring

    /// Tries with two small parts whether the server takes an upload in several, and says how far it is.
    func measureResumable(_ probe: SyncPath) async throws(SyncFailure) -> Bool {
        let offer = try await tried("OPTIONS", try url([], isFolder: true)).fields
        func has(_ word: String, _ field: String) -> Bool {
            offer[field]?.split(separator: ",").contains { $0.filter { $0 != " " } == word } == true
        }
        guard has("1.0.0", "Tus-Version"), has("creation", "Tus-Extension") else { return false }
        let content = SyncContent(Array("one two".utf8))
        do throws(SyncFailure) {
            let place = try await makeUpload(content.count, probe)
            guard try await add(0..<4, of: content, to: place) == 4, try await offset(of: place, content.count) == 4,
                try await add(4..<7, of: content, to: place) == 7
            else { return false }
            try await waitUntilThere(content, probe)
            return try await look(at: try url(probe)).digest == content.digest
        } catch {
            if error.mayPass || error.needsDecision { throw error }
            return false
        }
    }
}

extension SyncFailure {
    /// Whether what was sent may have come in part, or the server thinks otherwise of how far it is.
    fileprivate var isWorthAnotherTry: Bool { mayPass || self == .changed }
}
