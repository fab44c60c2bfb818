internal import PaviseTransport

/// Uploads in chunks, as ownCloud and Nextcloud take them (version 2): a folder below `uploads/USER`, files `00001` …
/// in it, and a MOVE of its `.file`, which the server makes of them.
///
/// What is there is listed before anything is sent: an upload that broke off, in this run or an earlier one, goes on
/// with the first chunk that is not whole. A chunk of a wrong size is sent anew; what the file became is read
/// afterwards, as after every write (sync/SY7).
extension WebDAVRemote {
    /// The most chunks of one upload.
    static let mostChunks = 9_000

    func isChunked(_ content: SyncContent) -> Bool { server.takesChunks && content.count > chunkSize }

    /// Sends a content in chunks to a name of ours, where it waits for its place.
    func putInChunks(_ content: SyncContent, for path: SyncPath) async throws(SyncFailure) -> SyncPath {
        let id = try uploadID(content, path)
        let temporary = [RemoteLeftover.whole(id)]
        if try await isAssembled(content, temporary) { return temporary }
        let goal = try url(temporary)
        let destination = ("Destination", "\(goal.origin)\(goal.path)")
        let made = try await send("MKCOL", try chunk("pavise-\(id)/"), [destination])
        guard made.status == 201 || made.status == 405 else { throw SyncFailure(status: made.status) }
        try await sendChunks(content, "pavise-\(id)", destination, isNew: made.status == 201)
        let answer = try await send(
            "MOVE", try chunk("pavise-\(id)/.file"),
            [
                destination, ("Overwrite", "T"), ("OC-Total-Length", "\(content.count)"),
                ("OC-Checksum", "SHA256:\(content.digest)"),
            ] + date(of: content))
        guard answer.status == 201 || answer.status == 204 else {
            // What is there does not fit together: it is sent anew.
            _ = try? await send("DELETE", try chunk("pavise-\(id)/"))
            throw SyncFailure(status: answer.status)
        }
        return temporary
    }

    /// The same for the same content and target, so that the next run finds what this one left; another owner has
    /// another.
    func uploadID(_ content: SyncContent, _ path: SyncPath) throws(SyncFailure) -> String {
        let target = try url(path)
        return String(
            "\(ContentDigest(of: Array("\(owner)\u{0}\(target)\u{0}\(content.digest)".utf8)))".prefix(32))
    }

    /// An answer that was lost after the server had put the file together.
    func isAssembled(_ content: SyncContent, _ temporary: SyncPath) async throws(SyncFailure) -> Bool {
        let answer = try await send("HEAD", try url(temporary))
        guard answer.status == 200, answer.wholeCount == content.count else { return false }
        return try await look(at: try url(temporary)).digest == content.digest
    }

    private func sendChunks(
        _ content: SyncContent, _ folder: String, _ destination: (String, String), isNew: Bool
    ) async throws(SyncFailure) {
        let size = max(chunkSize, (content.count + Self.mostChunks - 1) / Self.mostChunks)
        let count = (content.count + size - 1) / size
        var there = isNew ? [:] : try await chunks(folder)
        var failures = 0
        var number = 1
        while number <= count {
            let part = (number - 1) * size..<min(number * size, content.count)
            guard there[number] != part.count else {
                number += 1
                continue
            }
            let fields = [
                destination, ("OC-Total-Length", "\(content.count)"), ("Content-Type", "application/octet-stream"),
            ]
            do throws(SyncFailure) {
                let address = try chunk("\(folder)/\(Self.name(number))")
                try expect(try await send("PUT", address, fields, content, part), [200, 201, 204])
                (there[number], failures) = (part.count, 0)
            } catch {
                guard error.mayPass else { throw error }
                failures += 1
                guard failures < 5 else { throw error }
                await sleep(.milliseconds(100 << failures))
                there = try await chunks(folder)
            }
        }
    }

    static func name(_ number: Int) -> String {
        let text = "\(number)"
        return String(repeating: "0", count: max(0, 5 - text.utf8.count)) + text
    }

    // The sizes of the chunks that the server has, by number.
    private func chunks(_ folder: String) async throws(SyncFailure) -> [Int: Int] {
        let answer = try await send(
            "PROPFIND", try chunk("\(folder)/"), [("Depth", "1"), ("Content-Type", "application/xml")],
            body: Self.listed)
        guard answer.status == 207 else { throw SyncFailure(status: answer.status) }
        var found: [Int: Int] = [:]
        for member in try Multistatus(answer.body).members where !member.isCollection && member.failure == nil {
            guard let name = member.href.split(separator: "/").last, let number = Int(name), number > 0 else {
                continue
            }
            found[number] = member.length
        }
        return found
    }

    /// Puts what waits under a name of ours in the place of `version`: the condition speaks of the target (RFC 4918
    /// §10.4.2), and with it the lock's token.
    func exchange(
        _ assembled: SyncPath, _ path: SyncPath, _ version: RemoteVersion, token: String?
    ) async throws(SyncFailure) -> RemoteVersion? {
        let goal = try url(path)
        let lock = token.map { "<\($0)> " } ?? ""
        let tag = version.isStrong ? "[\(version.validator)]" : ""
        guard token != nil || version.isStrong else { throw .refused("The server gives no version of the file.") }
        let answer = try await send(
            "MOVE", try url(assembled),
            [
                ("Destination", "\(goal.origin)\(goal.path)"), ("Overwrite", "T"),
                ("If", "<\(goal.origin)\(goal.path)> (\(lock)\(tag))"),
            ])
        // 201 would say that nothing was there any more.
        guard answer.status == 204 else { throw SyncFailure(status: answer.status) }
        return nil
    }

    // MARK: Where chunks go

    /// The address of a chunk or, with a slash at its end, of an upload: `…/dav/files/USER/…` has
    /// `…/dav/uploads/USER/`.
    func chunk(_ name: String) throws(SyncFailure) -> WebURL {
        guard let uploads = Self.uploads(address.folder.path) else { throw .refused("The server takes no chunks.") }
        do throws(WebURL.Problem) { return try address.folder.replacing(path: uploads + name) } catch {
            throw .refused("The name cannot be part of an address.")
        }
    }

    static func uploads(_ path: String) -> String? {
        guard let mark = path.firstRange(of: "/dav/files/") else { return nil }
        let user = path[mark.upperBound...].prefix { $0 != "/" }
        return user.isEmpty ? nil : "\(path[..<mark.lowerBound])/dav/uploads/\(user)/"
    }

    /// Tries with chunks of our own whether the server puts them together.
    func measureChunks(_ probe: SyncPath) async throws(SyncFailure) -> Bool {
        guard Self.uploads(address.folder.path) != nil, let name = probe.last?.text else { return false }
        let (goal, folder) = (try url(probe), "pavise\(name.dropFirst(SyncItemName.reservedPrefix.utf8.count))")
        let destination = ("Destination", "\(goal.origin)\(goal.path)")
        guard try await tried("MKCOL", try chunk("\(folder)/"), [destination]).status == 201 else { return false }
        for (number, text) in ["one ", "two"].enumerated() {
            _ = try await tried(
                "PUT", try chunk("\(folder)/\(Self.name(number + 1))"), [destination, ("OC-Total-Length", "7")],
                body: Array(text.utf8))
        }
        let answer = try await tried(
            "MOVE", try chunk("\(folder)/.file"), [destination, ("Overwrite", "T"), ("OC-Total-Length", "7")])
        guard answer.status == 201 || answer.status == 204 else {
            _ = try await send("DELETE", try chunk("\(folder)/"))
            return false
        }
        return try await look(at: goal).digest == ContentDigest(of: Array("one two".utf8))
    }

    /// Whether a MOVE over a file is refused when an `If` list names another version of it.
    func measureListConditions(_ probe: SyncPath, _ other: SyncPath) async throws(SyncFailure) -> Bool {
        _ = try await tried("PUT", try url(probe), body: Array("from".utf8))
        _ = try await tried("PUT", try url(other), body: Array("over".utf8))
        let goal = try url(other)
        let wrong = try await tried(
            "MOVE", try url(probe),
            [
                ("Destination", "\(goal.origin)\(goal.path)"), ("Overwrite", "T"),
                ("If", "<\(goal.origin)\(goal.path)> ([\"pavise-wrong\"])"),
            ])
        guard wrong.status == 412 else { return false }
        let tag = try await tried("HEAD", goal).fields["ETag"] ?? ""
        guard tag.hasPrefix("\"") else { return false }
        let right = try await tried(
            "MOVE", try url(probe),
            [
                ("Destination", "\(goal.origin)\(goal.path)"), ("Overwrite", "T"),
                ("If", "<\(goal.origin)\(goal.path)> ([\(tag)])"),
            ])
        return right.status == 204
    }
}
