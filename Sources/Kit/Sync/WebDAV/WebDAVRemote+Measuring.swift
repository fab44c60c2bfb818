internal import PaviseTransport

extension WebDAVRemote {
    /// What the server calls itself, and the folder; and whether it is a WebDAV folder at all.
    func itself() async throws(SyncFailure) -> (software: String, root: String?) {
        let answer = try await send(
            "PROPFIND", try url([], isFolder: true), [("Depth", "0"), ("Content-Type", "application/xml")],
            body: Self.wantedOfItself)
        guard answer.status == 207 else {
            throw answer.status == 404 ? .refused("The server has no such folder.") : SyncFailure(status: answer.status)
        }
        guard let itself = try Multistatus(answer.body).members.first, itself.isCollection else {
            throw .refused("The address is no folder of a WebDAV server.")
        }
        let software = String((answer.fields["Server"] ?? "").prefix(200)) + (itself.fileID == nil ? "" : " oc")
        // Nextcloud's fingerprint is another one after a backup was brought back.
        let root = itself.fileID.map { "\($0) \(itself.fingerprint ?? "")" }
        return (software, root)
    }

    /// Sends a request of the measuring, and gives an answer that says something of the server's ways.
    ///
    /// What is measured once holds until the server calls itself otherwise: an answer of the moment would make it weak
    /// for good.
    ///
    /// - Throws: ``SyncFailure/serverError(_:)``, or ``SyncFailure/unreachable(_:)`` for 429, where a server is out of
    ///   order now (429, 502, 503, 504): nothing is measured, and the next run tries again. 500 is believed the second
    ///   time.
    func tried(
        _ method: String, _ url: WebURL, _ fields: [(String, String)] = [], body: [UInt8]? = nil
    ) async throws(SyncFailure) -> HTTPResponse {
        var answer = try await send(method, url, fields, body: body)
        if answer.status == 500 { answer = try await send(method, url, fields, body: body) }
        guard ![429, 502, 503, 504].contains(answer.status) else { throw SyncFailure(status: answer.status) }
        return answer
    }

    private static let wantedOfItself = Array(
        """
        <?xml version="1.0"?><d:propfind xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns"><d:prop><d:resourcetype/>\
        <oc:fileid/><oc:data-fingerprint/></d:prop></d:propfind>
        """.utf8)

    /// Tries with a file of ours what the server does; the file goes afterwards.
    func measure(_ software: String) async throws(SyncFailure) -> MeasuredServer {
        var found = MeasuredServer()
        found.software = software
        found.speaksOwnCloud = software.hasSuffix(" oc")
        let (probe, other) = (temporary(RemoteLeftover.probe), temporary(RemoteLeftover.probe))
        do throws(SyncFailure) {
            let first = try await tried("PUT", try url(probe), [("If-None-Match", "*")], body: Array("one".utf8))
            try expect(first, [200, 201, 204])
            found.answersTags = first.fields["ETag"]?.hasPrefix("\"") == true
            found.hasFineTags = try await tagsDiffer(probe)
            if found.answersTags, found.hasFineTags { found.keepsTags = try await tagsMove(probe, other) }
            let holds = try await conditionsHold(probe, other)
            found.locks = try await locksHold(probe, other)
            found.level = holds ? .conditions : found.locks ? .locks : .newNamesOnly
            if found.speaksOwnCloud { found.takesChunks = try await measureChunks(other) }
            if !found.takesChunks {
                await remove(other)
                found.takesResumable = try await measureResumable(other)
            }
            if found.speaksOwnCloud, found.takesChunks || found.takesResumable {
                found.takesListConditions = try await measureListConditions(probe, other)
            }
        } catch {
            for path in [probe, other] { await remove(path) }
            throw error
        }
        for path in [probe, other] { await remove(path) }
        return found
    }

    // Three contents of one size one after the other: with tags that count in seconds two of them are the same.
    private func tagsDiffer(_ probe: SyncPath) async throws(SyncFailure) -> Bool {
        var tags: [String] = []
        for text in ["two", "six", "ten", "the"] {
            _ = try await tried("PUT", try url(probe), body: Array(text.utf8))
            tags.append(try await tried("HEAD", try url(probe)).fields["ETag"] ?? "")
        }
        return Set(tags).count == tags.count && !tags.contains("")
    }

    // A write's answer proves what is in the file's place only where a move changes no tag.
    private func tagsMove(_ probe: SyncPath, _ other: SyncPath) async throws(SyncFailure) -> Bool {
        let before = try await tried("HEAD", try url(probe)).fields["ETag"]
        try await move(probe, other, [], isFolder: false)
        let after = try await tried("HEAD", try url(other)).fields["ETag"]
        try await move(other, probe, [], isFolder: false)
        return before != nil && before == after
    }

    private func conditionsHold(_ probe: SyncPath, _ other: SyncPath) async throws(SyncFailure) -> Bool {
        let (place, goal) = (try url(probe), try url(other))
        let wrong = ("If-Match", "\"pavise-wrong\"")
        let refused = [
            try await tried("PUT", place, [("If-None-Match", "*")], body: Array("bad".utf8)),
            try await tried("PUT", place, [wrong], body: Array("bad".utf8)),
            try await tried("MOVE", place, [wrong, ("Destination", "\(goal.origin)\(goal.path)"), ("Overwrite", "F")]),
            try await tried("DELETE", place, [wrong]),
        ]
        guard refused.allSatisfy({ $0.status == 412 }) else {
            // It may be gone, or elsewhere.
            _ = try await send("PUT", place, body: Array("the".utf8))
            return false
        }
        var tag = ""
        for _ in 0..<3 where !tag.hasPrefix("\"") {
            if !tag.isEmpty { await sleep(.milliseconds(1_100)) }
            tag = try await tried("HEAD", place).fields["ETag"] ?? ""
        }
        guard tag.hasPrefix("\"") else { return false }
        let right = try await tried("PUT", place, [("If-Match", tag)], body: Array("new".utf8))
        return (200...299).contains(right.status)
    }

    private func locksHold(_ probe: SyncPath, _ other: SyncPath) async throws(SyncFailure) -> Bool {
        let (place, goal) = (try url(probe), try url(other))
        let token: String
        do throws(SyncFailure) { token = try await lock(probe) } catch {
            if error.mayPass || error.needsDecision { throw error }
            return false
        }
        let without = try await tried("PUT", place, body: Array("bad".utf8))
        let with = try await tried("PUT", place, [("If", "(<\(token)>)")], body: Array("own".utf8))
        await unlock(probe, token)
        _ = try await tried("PUT", goal, body: Array("two".utf8))
        let over = try await tried("MOVE", place, [("Destination", "\(goal.origin)\(goal.path)"), ("Overwrite", "F")])
        return without.status == 423 && (200...299).contains(with.status) && over.status == 412
    }
}
