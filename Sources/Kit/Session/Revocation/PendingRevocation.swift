internal import PavisePrimitives
package import PaviseStorage
package import PaviseTransport

/// A token that its server has to take back later, and what is needed to ask it then.
///
/// It is for one endpoint of one authority. It holds no approval of a certificate: approvals end with their connection.
package struct PendingRevocation: Sendable {
    /// What the token is.
    enum Kind: UInt8 {
        case refresh = 1
        case access = 2

        /// Its name in a request (RFC 7009 §2.1).
        var hint: String { self == .refresh ? "refresh_token" : "access_token" }
    }

    /// The longest time that a token waits, 14 days in milliseconds.
    static let longestTime: Int64 = 14 * 86_400_000

    /// Names the entry in its queue.
    package let id: UInt64
    /// The connection that the token belonged to, without approvals. Its pins hold for the request as they held before.
    package let descriptor: ConnectionDescriptor
    /// What the authority's server showed when the connection trusted it last; empty where it had shown nothing yet.
    package let known: ServerTrustRecord
    /// The authority, with the client's secret where it had one.
    package let server: TokenServer
    let kind: Kind
    /// The token. A server that answers an old one with a new one changes it.
    var token: SharedSecretBytes
    /// Milliseconds from ``moment`` until nobody asks any more.
    var left: Int64
    var moment: ClockReading
    /// How often the server was asked.
    var tries: Int
    /// When it was asked last.
    var tried: ClockReading
    /// Milliseconds from ``tried`` to the next time.
    var pause: Int64
}

extension PendingRevocation {
    /// What is left to do for a session that ended.
    ///
    /// - Returns: `nil` where nothing can be done later: no token, no endpoint over TLS, no time left, or tokens that
    ///   are bound to a key, which is destroyed by now: without it they are worth nothing.
    init?(
        _ record: SessionRecord, of descriptor: ConnectionDescriptor, known: KnownServer?, at now: ClockReading,
        _ policy: RefreshPolicy
    ) {
        guard record.binding == nil, let endpoint = record.server.revocationEndpoint, endpoint.origin.scheme == .https,
            let token = record.refresh ?? record.access
        else { return nil }
        let own = record.lifetime.multipliedReportingOverflow(by: 1000)
        let end = (own.overflow ? .max : own.partialValue) - now.milliseconds(since: record.received)
        let absolute = policy.absoluteLimit.milliseconds - record.age(at: now)
        // A session that its limit ended goes on at the server, which knows nothing of this limit.
        left = min(Self.longestTime, absolute > 0 ? absolute : Self.longestTime, record.refresh == nil ? end : .max)
        guard left > 0 else { return nil }
        id = UInt64.random(in: 1 ... .max)
        var bare = descriptor
        bare.approvals = []
        self.descriptor = bare
        var servers = ServerTrustRecord()
        if let known { servers.note(.trusted(known), of: endpoint.origin) }
        self.known = servers
        server = record.server
        kind = record.refresh == nil ? .access : .refresh
        self.token = token
        moment = now
        // The sign-out asks now.
        tries = 1
        tried = now
        pause = Self.shortestPause(policy)
    }

    /// Whether its time is over.
    func isOver(at now: ClockReading) -> Bool { now.milliseconds(since: moment) >= left }

    /// Whether the pause is over. After a reboot it is.
    func isDue(at now: ClockReading) -> Bool { !now.isSameBoot(as: tried) || now.milliseconds(since: tried) >= pause }

    /// The same with the time until `now` taken off: a wall clock that is changed across a reboot moves no more than
    /// that.
    func aged(to now: ClockReading) -> PendingRevocation {
        var next = self
        next.left -= now.milliseconds(since: moment)
        next.moment = now
        return next
    }

    /// The server was asked in vain: full jitter up to a doubling ceiling, or what the server asked for.
    mutating func postpone(at now: ClockReading, retryAfter: Int64?, chance: Double, _ policy: RefreshPolicy) {
        let ceiling = min(3_600_000, 60_000 << Int64(min(max(0, tries - 1), 16)))
        let asked = min(.seconds(retryAfter ?? 0), policy.retryAfterCap).milliseconds
        tries = min(tries + 1, 1_000_000)
        tried = now
        pause = max(Self.shortestPause(policy), Int64(Double(ceiling) * chance), asked)
    }

    // Longer than a request can still be on its way: nobody sends the same token at the same time.
    private static func shortestPause(_ policy: RefreshPolicy) -> Int64 {
        let (sum, isOver) = policy.revocation.milliseconds.addingReportingOverflow(5_000)
        return isOver ? .max : sum
    }
}

extension PendingRevocation: CustomStringConvertible, CustomReflectable {
    /// The server alone.
    package var description: String { "revocation at \(server.issuer)" }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
