public import PaviseProtectedStorage
internal import PaviseStorage
internal import PaviseTransport

extension Account {
    /// An image of the account's server: the one that was kept, or the server's, which is kept then.
    ///
    /// It is kept for seven days at most, sealed, in the account's own container: 100 MiB of each class, the ones that
    /// were not used for the longest time go first. They end with ``signOut(closesBrowserSession:)``. What the server
    /// forbids to keep (`no-store` and the like, RFC 9111 §5.2.2) is asked for each time. Originals of medical images,
    /// and other people's data, are no matter for a cache: use ``download(_:to:protection:named:progress:)`` or
    /// ``stream(_:limit:)``.
    ///
    /// ```swift
    /// let picture = try await account.image("/users/7/picture", protection: .complete)
    /// ```
    ///
    /// - Parameters:
    ///   - path: The path at the account's server, percent-encoded, with a query where there is one.
    ///   - protection: When it can be read. There is no default.
    /// - Returns: At most 8 MiB, as the server sent them: nothing is decoded here.
    /// - Throws: ``PaviseError``: `appLocked`, `deviceLocked`, and those of ``send(_:)``. An image that cannot be kept,
    ///   for example on a full disk, is given all the same.
    public func image(_ path: String, protection: ProtectionClass) async throws(PaviseError) -> [UInt8] {
        let request = try request("GET", path, accepting: "image/*")
        let address = request.url.description
        let ends = app.live.endCount
        if let known = try await kept(address, protection) { return known }
        let answer = try await send(request)
        guard (200...299).contains(answer.status) else { throw app.log.told(AnswerUnreadable.status(answer.status)) }
        let image = answer.body
        let mayKeep = (try? CachingRule.lifetime(of: answer, to: "GET", now: app.connections.now).get()) != nil
        if mayKeep { await keep(image, address, protection, unlessEndedSince: ends) }
        return image
    }

    // Not on the caller's actor, which may be the one that draws.
    @concurrent
    private func kept(_ address: String, _ protection: ProtectionClass) async throws(PaviseError) -> [UInt8]? {
        let cache = try cache(protection)
        do throws(ProtectedDatabaseError) {
            do throws(ProtectedDatabaseError) { return try cache.image(for: address, user: user) } catch {
                // A sign-out took the container of this cache, and there is another one now.
                guard error == .absent else { throw error }
            }
        } catch {
            guard isUnlocked() else { throw .appLocked }
            throw app.log.told(error)
        }
        images.close()
        return nil
    }

    @concurrent
    private func keep(
        _ image: [UInt8], _ address: String, _ protection: ProtectionClass, unlessEndedSince ends: Int
    ) async {
        // A sign-out meanwhile took what was kept of this person: nothing comes after it.
        guard app.live.endCount == ends else { return }
        // A cache may lack anything: what is not kept is asked for again.
        guard let cache = try? cache(protection) else { return }
        try? cache.keep(image, for: address, user: user)
        if app.live.endCount != ends { cache.removeAll() }
    }

    // The container has one person's images alone: it ends with their sign-out.
    private var user: String { connection.descriptor.id.text }

    private func cache(_ protection: ProtectionClass) throws(PaviseError) -> ImageCache {
        // While the lock is closed the container is not asked for: a cache that is open is none then.
        guard isUnlocked() else { throw .appLocked }
        return try images.cache(protection) { () throws(PaviseError) in
            let container = try container()
            return try app.storage.images { () throws(ProtectedDatabaseError) in
                try ImageCache.open(in: container, protection: protection)
            }
        }
    }
}
