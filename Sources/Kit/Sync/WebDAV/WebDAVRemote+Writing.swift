internal import PaviseTransport
internal import Synchronization

extension WebDAVRemote {
    /// Makes a file where nothing is.
    ///
    /// The content is written under a name of ours and moved, with `Overwrite: F`. One request with `If-None-Match: *`
    /// would do at a server whose own look and write are one step; between the two, which can be as long as the upload,
    /// another's new file would be lost. A connection that breaks leaves no half file under the name.
    public func create(_ path: SyncPath, _ content: SyncContent) async throws(SyncFailure) -> RemoteVersion? {
        // Nobody else writes in a folder that was begun: its name is ours.
        if path.count > 1, path.first?.isReserved == true {
            let answer = try await put(path, content, [("If-None-Match", "*")])
            try expect(answer, [200, 201, 204])
            return server.keepsTags ? proof(answer, content) : nil
        }
        let (temporary, version) = try await upload(content, for: path)
        do throws(SyncFailure) {
            try await move(temporary, path, [], isFolder: false)
        } catch {
            await remove(temporary)
            throw error
        }
        return version
    }

    // Under a name of ours, where it waits for its place; and the version, where the answer proves it.
    private func upload(
        _ content: SyncContent, for path: SyncPath
    ) async throws(SyncFailure) -> (temporary: SyncPath, version: RemoteVersion?) {
        if let whole = try await putInParts(content, for: path) { return (whole, nil) }
        let temporary = temporary(RemoteLeftover.upload)
        do throws(SyncFailure) {
            let answer = try await put(temporary, content, [("If-None-Match", "*")])
            try expect(answer, [200, 201, 204])
            return (temporary, server.keepsTags ? proof(answer, content) : nil)
        } catch {
            await remove(temporary)
            throw error
        }
    }

    // `nil` where the server takes no parts, or the content is small.
    private func putInParts(_ content: SyncContent, for path: SyncPath) async throws(SyncFailure) -> SyncPath? {
        if isChunked(content) { return try await putInChunks(content, for: path) }
        return isResumable(content) ? try await putResumably(content, for: path) : nil
    }

    /// Removes what is ours; what stays is found by the next run.
    func remove(_ own: SyncPath) async { _ = try? await send("DELETE", try url(own)) }

    /// See ``SyncRemote/beginFolder()``. Under a name of ours, as a file that is being written.
    public func beginFolder() async throws(SyncFailure) -> SyncPath? {
        let begun = temporary(RemoteLeftover.upload)
        try expect(try await send("MKCOL", try url(begun, isFolder: true)), [201])
        return begun
    }

    /// See ``SyncRemote/placeFolder(_:at:)``.
    public func placeFolder(_ begun: SyncPath, at path: SyncPath) async throws(SyncFailure) {
        try await move(begun, path, [], isFolder: true)
    }

    /// See ``SyncRemote/dropFolder(_:)``.
    public func dropFolder(_ begun: SyncPath) async {
        _ = try? await send("DELETE", try url(begun, isFolder: true))
    }

    /// Puts content in the place of version `old`.
    ///
    /// What is there is moved to a name of ours and looked at there, as before a deletion; the new content then takes
    /// the name that is free, with `Overwrite: F`. So nothing is overwritten that nobody looked at: neither by a server
    /// without conditions, nor by one that judged another's write before ours and does it afterwards. Where files have
    /// identifiers, versions and shares of their own (ownCloud, Nextcloud), the content is replaced in its place.
    public func replace(
        _ path: SyncPath, _ content: SyncContent, old: RemoteVersion
    ) async throws(SyncFailure) -> RemoteVersion? {
        guard server.level > .newNamesOnly else { throw .refused("The server's conditions do not hold.") }
        guard server.speaksOwnCloud else { return try await exchangeNames(path, content, old) }
        // What takes long is sent before anything is locked.
        var assembled: SyncPath?
        if server.takesListConditions { assembled = try await putInParts(content, for: path) }
        do throws(SyncFailure) { return try await replaceInPlace(path, content, old, assembled) } catch {
            if let assembled, error == .changed { await remove(assembled) }
            throw error
        }
    }

    private func exchangeNames(
        _ path: SyncPath, _ content: SyncContent, _ old: RemoteVersion
    ) async throws(SyncFailure) -> RemoteVersion? {
        let (temporary, version) = try await upload(content, for: path)
        let aside: SyncPath
        do throws(SyncFailure) { aside = try await takeAside(path, old) } catch {
            await remove(temporary)
            throw error
        }
        do throws(SyncFailure) {
            try await move(temporary, path, [], isFolder: false)
        } catch {
            // Nobody may have the name now: what was there comes back, unless somebody else has taken its place.
            let isBack: Void? = try? await move(aside, path, [], isFolder: false)
            if isBack == nil, error == .changed { await remove(aside) }
            await remove(temporary)
            throw error
        }
        await remove(aside)
        return version
    }

    private func replaceInPlace(
        _ path: SyncPath, _ content: SyncContent, _ old: RemoteVersion, _ assembled: SyncPath?
    ) async throws(SyncFailure) -> RemoteVersion? {
        guard server.locks else {
            let version = try await strongVersion(path, old)
            if let assembled { return try await exchange(assembled, path, version, token: nil) }
            let answer = try await put(path, content, [("If-Match", version.validator)])
            try expect(answer, [200, 201, 204])
            return proof(answer, content)
        }
        let token = try await lock(path)
        do throws(SyncFailure) {
            let there = try await look(at: try url(path))
            guard there.digest == state.withLock({ $0.digests[path] }) else { throw .changed }
            if let assembled {
                _ = try await exchange(assembled, path, there.version, token: token)
                await unlock(path, token)
                return nil
            }
            var fields = [("If", "(<\(token)>)")]
            if server.level == .conditions, there.version.isStrong {
                fields.append(("If-Match", there.version.validator))
            }
            let answer = try await put(path, content, fields)
            try expect(answer, [200, 201, 204])
            await unlock(path, token)
            return proof(answer, content)
        } catch {
            await unlock(path, token)
            throw error
        }
    }

    /// See ``SyncRemote/makeFolder(_:)``.
    public func makeFolder(_ path: SyncPath) async throws(SyncFailure) {
        let answer = try await send("MKCOL", try url(path, isFolder: true))
        // 405: something is there; a listing tells whether it is a folder.
        guard answer.status == 405 else { return try expect(answer, [201]) }
        guard try await propfind(path, depth: "0").status == 207 else { throw .changed }
    }

    /// See ``SyncRemote/move(_:to:old:)``.
    public func move(_ path: SyncPath, to target: SyncPath, old: RemoteVersion?) async throws(SyncFailure) {
        guard server.level > .newNamesOnly else { throw .refused("The server's conditions do not hold.") }
        var fields: [(String, String)] = []
        if server.level == .conditions, let old, old.isStrong { fields.append(("If-Match", old.validator)) }
        try await move(path, target, fields, isFolder: old == nil)
    }

    /// Deletes a file of version `old`, or an empty folder.
    ///
    /// It is first moved to a name of ours and looked at there, where nobody else writes: what is not what was read
    /// goes back.
    public func delete(_ path: SyncPath, old: RemoteVersion?) async throws(SyncFailure) {
        guard server.level > .newNamesOnly else { throw .refused("The server's conditions do not hold.") }
        let aside = try await takeAside(path, old)
        try expect(try await send("DELETE", try url(aside, isFolder: old == nil)), [200, 204, 404])
    }

    // A file of version `old`, or an empty folder: away from where others find it, and what was read before.
    private func takeAside(_ path: SyncPath, _ old: RemoteVersion?) async throws(SyncFailure) -> SyncPath {
        let digest = state.withLock { $0.digests[path] }
        guard old == nil || digest != nil else { throw .changed }
        let what = old == nil ? "folder" : "\(digest.map { "\($0)" } ?? "")".prefix(16)
        let seconds = state.withLock { $0.seconds }
        let aside = [RemoteLeftover.name(RemoteLeftover.gone, "\(what)-\(mark)-\(seconds)", freshNumber())]
        var fields: [(String, String)] = []
        if server.level == .conditions, let old, old.isStrong { fields.append(("If-Match", old.validator)) }
        try await move(path, aside, fields, isFolder: old == nil)
        do throws(SyncFailure) {
            guard try await isExpected(aside, path, isFolder: old == nil) else { throw .changed }
            return aside
        } catch {
            // Where this fails the next listing finds it.
            try? await move(aside, path, [], isFolder: old == nil)
            throw error
        }
    }

    /// What a kill left aside during a deletion or a replacement: it goes when it is what was to go, else it comes back
    /// under a name that people see, and that nobody has.
    ///
    /// - Returns: Whether it came back.
    func settle(_ aside: SyncPath, isFolder: Bool) async throws(SyncFailure) -> Bool {
        guard let name = aside.last, aside.count == 1 else { return false }
        let parts = RemoteLeftover.parts(ofAside: name)
        let isExpected: Bool
        if isFolder {
            let answer = try await propfind(aside, depth: "1")
            guard answer.status == 207 else { return false }
            isExpected = try Multistatus(answer.body).members.count == 1
        } else {
            let digest = try await look(at: try url(aside)).digest
            isExpected = parts.first.map { "\(digest)".prefix(16) == $0 } ?? false
        }
        guard !isExpected else {
            try expect(try await send("DELETE", try url(aside, isFolder: isFolder)), [200, 204, 404])
            return false
        }
        let text = "recovered " + (parts.last ?? "file")
        for number in 1...Self.mostNames {
            let back = SyncItemName(unchecked: number == 1 ? text : "\(text) \(number)")
            do throws(SyncFailure) {
                try await move(aside, [back], [], isFolder: isFolder)
                return true
            } catch {
                guard error == .changed else { throw error }
            }
        }
        throw .changed
    }

    /// How many names are tried for what comes back.
    private static let mostNames = 9

    /// What an earlier run left under a name of ours while it sent something goes: that of this owner at once, since
    /// nothing of it is on its way during a listing; anybody else's after a week by the server's clock.
    func sweep(_ leftovers: [RemoteLeftover]) async {
        for leftover in leftovers.prefix(100) where leftover.isOver(for: mark) {
            _ = try? await send("DELETE", try url([leftover.name], isFolder: leftover.isFolder))
        }
    }

    private func isExpected(_ aside: SyncPath, _ path: SyncPath, isFolder: Bool) async throws(SyncFailure) -> Bool {
        guard isFolder else {
            return try await look(at: try url(aside)).digest == state.withLock { $0.digests[path] }
        }
        let answer = try await propfind(aside, depth: "1")
        guard answer.status == 207 else { throw SyncFailure(status: answer.status) }
        return try Multistatus(answer.body).members.count == 1
    }

    func move(
        _ path: SyncPath, _ target: SyncPath, _ fields: [(String, String)], isFolder: Bool
    ) async throws(SyncFailure) {
        let goal = try url(target, isFolder: isFolder)
        let answer = try await send(
            "MOVE", try url(path, isFolder: isFolder),
            [("Destination", "\(goal.origin)\(goal.path)"), ("Overwrite", "F")] + fields)
        // 204 would say that something was replaced.
        guard answer.status == 201 || answer.status == 204 else { throw SyncFailure(status: answer.status) }
    }

    private func put(
        _ path: SyncPath, _ content: SyncContent, _ fields: [(String, String)]
    ) async throws(SyncFailure) -> HTTPResponse {
        var fields = fields + [("Content-Type", "application/octet-stream")]
        if server.speaksOwnCloud { fields.append(("OC-Checksum", "SHA256:\(content.digest)")) }
        fields += date(of: content)
        return try await send("PUT", try url(path), fields, content, 0..<content.count)
    }

    /// ownCloud's and Nextcloud's word for when a file was changed. A time before 1980, or after tomorrow, is none
    /// (sync/SY8).
    func date(of content: SyncContent) -> [(String, String)] {
        guard server.speaksOwnCloud, let seconds = content.modified.map({ $0 / 1_000_000_000 }),
            (315_532_800...state.withLock({ max($0.seconds, 315_532_800) }) + 86_400).contains(seconds)
        else { return [] }
        return [("X-OC-Mtime", "\(seconds)")]
    }

    // RFC 9110 §9.3.4: a tag in the answer says that the bytes were stored as they are.
    private func proof(_ answer: HTTPResponse, _ content: SyncContent) -> RemoteVersion? {
        guard server.answersTags, server.hasFineTags, let tag = answer.fields["ETag"] else { return nil }
        let version = RemoteVersion(validator: tag, size: content.count)
        return version.isStrong ? version : nil
    }

    // A tag is weak for the first second on one server: no If-Match holds with it. It is waited out.
    private func strongVersion(_ path: SyncPath, _ old: RemoteVersion) async throws(SyncFailure) -> RemoteVersion {
        if old.isStrong { return old }
        for _ in 0..<3 {
            await sleep(.milliseconds(1_100))
            let there = try await look(at: try url(path))
            guard there.digest == state.withLock({ $0.digests[path] }) else { throw .changed }
            if there.version.isStrong { return there.version }
        }
        throw .refused("The server gives no version of the file with which a condition would hold.")
    }

    // MARK: Locks

    private var wantedLock: [UInt8] {
        Array(
            """
            <?xml version="1.0"?><d:lockinfo xmlns:d="DAV:"><d:lockscope><d:exclusive/></d:lockscope><d:locktype>\
            <d:write/></d:locktype><d:owner>\(owner)</d:owner></d:lockinfo>
            """.utf8)
    }

    /// Locks a file. One writer is at work for this owner: a lock of its name is one whose answer was lost, and goes.
    func lock(_ path: SyncPath) async throws(SyncFailure) -> String {
        do throws(SyncFailure) { return try await lockOnce(path) } catch {
            guard error.mayLeaveLock, let left = try? await ownLock(path) else { throw error }
            await unlock(path, left)
            guard error == .changed else { throw error }
            return try await lockOnce(path)
        }
    }

    private func lockOnce(_ path: SyncPath) async throws(SyncFailure) -> String {
        let answer = try await send(
            "LOCK", try url(path), [("Depth", "0"), ("Timeout", "Second-120"), ("Content-Type", "application/xml")],
            body: wantedLock)
        // 201: nothing was there, and now there is an empty file of ours.
        if answer.status == 201, let token = Self.token(answer) {
            _ = try await send("DELETE", try url(path), [("If", "(<\(token)>)")])
            throw .changed
        }
        guard answer.status == 200, let token = Self.token(answer) else { throw SyncFailure(status: answer.status) }
        return token
    }

    // RFC 4918 §15.8: who has locked it, and with which token.
    private func ownLock(_ path: SyncPath) async throws(SyncFailure) -> String? {
        let answer = try await send(
            "PROPFIND", try url(path), [("Depth", "0"), ("Content-Type", "application/xml")],
            body: Array(
                "<?xml version=\"1.0\"?><d:propfind xmlns:d=\"DAV:\"><d:prop><d:lockdiscovery/></d:prop></d:propfind>"
                    .utf8))
        guard answer.status == 207 else { return nil }
        return try ActiveLock.all(in: answer.body).first { $0.owner == owner }.flatMap { Self.plain($0.token) }
    }

    func unlock(_ path: SyncPath, _ token: String) async {
        // A lock that stays ends by itself.
        _ = try? await send("UNLOCK", try url(path), [("Lock-Token", "<\(token)>")])
    }

    static func token(_ answer: HTTPResponse) -> String? {
        guard let field = answer.fields["Lock-Token"], field.hasPrefix("<"), field.hasSuffix(">"),
            field.utf8.count < 512
        else { return nil }
        return plain(String(field.dropFirst().dropLast()))
    }

    private static func plain(_ token: String) -> String? {
        !token.isEmpty && token.utf8.count < 512
            && token.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x3C && $0 != 0x3E } ? token : nil
    }
}
