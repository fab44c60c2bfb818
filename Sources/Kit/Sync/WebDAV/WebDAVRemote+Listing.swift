internal import PaviseTransport
internal import Synchronization

extension WebDAVRemote {
    static let listed = Array(
        """
        <?xml version="1.0"?><d:propfind xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns"><d:prop><d:resourcetype/>\
        <d:getetag/><d:getcontentlength/><d:getlastmodified/><oc:fileid/></d:prop></d:propfind>
        """.utf8)

    /// How many folders are listed in one look.
    static let folderLimit = 100_000

    /// How often it lists anew for what comes back.
    static let mostListings = 3

    /// All items: in one request where the server lets, else folder by folder.
    public func list() async throws(SyncFailure) -> [RemoteEntry] {
        for _ in 0..<Self.mostListings {
            if let entries = try await finish(try await allMembers()) { return entries }
        }
        throw .listing("What was taken aside is brought back, and is aside again.")
    }

    private func allMembers() async throws(SyncFailure) -> [(SyncPath, Multistatus.Member, String?)] {
        state.withLock { ($0.aside, $0.leftovers, $0.leftOut) = ([], [], []) }
        if state.withLock({ $0.takesInfinity }), let all = try await listAtOnce() { return all }
        // What a listing that was not whole has named comes again.
        state.withLock { ($0.aside, $0.leftovers, $0.leftOut) = ([], [], []) }
        var (open, found) = ([SyncPath()], [(SyncPath, Multistatus.Member, String?)]())
        while let folder = open.popLast() {
            let answer = try await propfind(folder, depth: "1")
            // A folder that went away meanwhile is no empty one: the look begins anew.
            guard answer.status == 207 else {
                throw answer.status == 404 && !folder.isEmpty
                    ? .listing("A folder went away.") : SyncFailure(status: answer.status)
            }
            let members = try members(answer, of: folder, isWhole: false)
            guard found.count + members.count <= Multistatus.memberLimit, open.count <= Self.folderLimit else {
                throw .listing("The server has more than \(Multistatus.memberLimit) items.")
            }
            found += members
            open += members.filter { $0.1.isCollection }.map(\.0)
        }
        return found
    }

    private func listAtOnce() async throws(SyncFailure) -> [(SyncPath, Multistatus.Member, String?)]? {
        let answer = try await propfind([], depth: "infinity")
        guard answer.status == 207 else {
            if [401, 404].contains(answer.status) { throw SyncFailure(status: answer.status) }
            state.withLock { $0.takesInfinity = false }
            return nil
        }
        let members = try members(answer, of: [], isWhole: true)
        // Some answer as if Depth: 1 had been asked for: a folder without members proves nothing then.
        let parents = Set(members.map { SyncPath($0.0.dropLast()) })
        guard members.allSatisfy({ !$0.1.isCollection || parents.contains($0.0) }) else {
            state.withLock { $0.takesInfinity = false }
            return nil
        }
        return members
    }

    func propfind(_ folder: SyncPath, depth: String) async throws(SyncFailure) -> HTTPResponse {
        try await send(
            "PROPFIND", try url(folder, isFolder: true), [("Depth", depth), ("Content-Type", "application/xml")],
            body: Self.listed)
    }

    // The members below `folder`. The folder itself has to be among them: a listing without it is not one of it.
    private func members(
        _ answer: HTTPResponse, of folder: SyncPath, isWhole: Bool
    ) throws(SyncFailure) -> [(SyncPath, Multistatus.Member, String?)] {
        var found: [(SyncPath, Multistatus.Member, String?)] = []
        var hasItself = false
        for member in try Multistatus(answer.body).members {
            guard member.failure == nil else {
                throw .listing("The listing has a member in error (\(member.failure ?? 0)).")
            }
            guard let path = try path(of: member) else { continue }
            if path == folder {
                guard member.isCollection else { throw .listing("It is no folder.") }
                hasItself = true
                continue
            }
            guard path.starts(with: folder), isWhole || path.count == folder.count + 1 else {
                throw .listing("The listing names what was not asked for.")
            }
            // Ours, and not a person's.
            if let name = path.first(where: \.isReserved), !name.text.hasPrefix(SyncItemName.reservedPrefix + "moving-")
            {
                if path.count == 1 { note(name, member, answer.fields["Date"]) }
                continue
            }
            // A folder that lies deeper could not be scanned here.
            guard path.count < PlainFolder.depthLimit else {
                throw .listing("The listing has more than \(PlainFolder.depthLimit) folders in each other.")
            }
            found.append((path, member, answer.fields["Date"]))
        }
        guard hasItself else { throw .listing("The listing does not have the folder itself.") }
        return found
    }

    // `nil` for what this device cannot have, which keeps nothing else from coming (sync/SY17).
    private func path(of member: Multistatus.Member) throws(SyncFailure) -> SyncPath? {
        do throws(SyncFailure) { return try address.path(of: member.href) } catch {
            guard let odd = address.oddPath(of: member.href) else { throw error }
            state.withLock { state in
                guard state.leftOut.count < Multistatus.memberLimit else { return }
                state.leftOut.append(LeftOutItem(side: .there, path: odd, identity: member.fileID))
            }
            return nil
        }
    }

    // What is beside the files: taken aside, or on its way.
    private func note(_ name: SyncItemName, _ member: Multistatus.Member, _ date: String?) {
        state.withLock { state in
            if RemoteLeftover.isAside(name) {
                guard !RemoteLeftover.isBusy(name, for: mark, date) else { return }
                state.aside.append(([name], member.isCollection))
            } else if RemoteLeftover.isUpload(name) {
                let age = Self.age(member.modified, date)
                state.leftovers.append(RemoteLeftover(name: name, isFolder: member.isCollection, age: age))
            }
        }
    }

    // `nil` where something came back, which a new listing sees. What went was in no listing: a server that lists it
    // for longer, or does not delete it, is not asked again for that.
    private func finish(
        _ members: [(SyncPath, Multistatus.Member, String?)]
    ) async throws(SyncFailure) -> [RemoteEntry]? {
        let (aside, leftovers) = state.withLock { ($0.aside, $0.leftovers) }
        var isBack = false
        if !onlyLooks { await sweep(leftovers) }
        for (path, isFolder) in aside where !onlyLooks { isBack = try await settle(path, isFolder: isFolder) || isBack }
        guard !isBack else { return nil }
        var entries: [RemoteEntry] = []
        var seen: Set<SyncPath> = []
        for (path, member, date) in members {
            guard seen.insert(path).inserted else { throw .listing("The listing names an item twice.") }
            guard !member.isCollection else {
                entries.append(RemoteEntry(path: path, version: nil, identity: member.fileID))
                continue
            }
            // A listing without tags: the file itself has one, perhaps.
            guard let etag = member.etag else {
                let answer = try await send("HEAD", try url(path))
                guard answer.status == 200 else { throw .listing("A member of the listing is not there.") }
                entries.append(
                    RemoteEntry(path: path, version: version(answer, member.length), identity: member.fileID))
                continue
            }
            let isYoung = !server.hasFineTags && !Self.isSettled(member.modified, date)
            let tag = Self.quoted(etag)
            let version = RemoteVersion(
                validator: isYoung && !tag.hasPrefix("W/") ? "W/" + tag : tag, size: member.length)
            entries.append(RemoteEntry(path: path, version: version, identity: member.fileID))
        }
        return entries
    }

    // One server lists tags without their quotes, and writes them in answers with them.
    private static func quoted(_ tag: String) -> String {
        tag.hasPrefix("\"") || tag.hasPrefix("W/") ? tag : "\"\(tag)\""
    }
}
