internal import PavisePrimitives
package import PaviseStorage
package import PaviseTransport

/// Where the revocations of one connection's sessions wait, and what is remembered with them.
package struct RevocationStore: Sendable {
    let queue: RevocationQueue
    private let descriptor: ConnectionDescriptor
    private let known: @Sendable (Origin) async -> KnownServer?

    /// - Parameters:
    ///   - queue: The queue, one for all connections.
    ///   - descriptor: The connection.
    ///   - known: What a server showed when the connection trusted it last.
    package init(
        queue: RevocationQueue, descriptor: ConnectionDescriptor,
        known: @escaping @Sendable (Origin) async -> KnownServer?
    ) {
        self.queue = queue
        self.descriptor = descriptor
        self.known = known
    }

    /// Keeps what is needed to take the tokens of an ended session back later.
    ///
    /// - Returns: The entry's name; `nil` where nothing can be done later, or the store took nothing.
    func keep(_ record: SessionRecord, at now: ClockReading, _ policy: RefreshPolicy) async -> UInt64? {
        guard let origin = record.server.revocationEndpoint?.origin,
            let entry = PendingRevocation(record, of: descriptor, known: await known(origin), at: now, policy)
        else { return nil }
        return (try? await queue.add(entry)) == nil ? nil : entry.id
    }
}
