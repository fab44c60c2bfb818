package import PavisePrimitives
package import PaviseTransport
internal import SecurityFramework

extension SessionRecord {
    /// The first record of a session.
    package init(
        beginning grant: TokenGrant, server: TokenServer, resource: Origin, identity: Identity?, scopes: [String],
        binding: String? = nil, after stamp: TokenVersion, at now: ClockReading
    ) {
        self.init(
            generation: stamp.generation + 1, epoch: stamp.epoch + 1, server: server, resource: resource,
            access: grant.accessToken, refresh: grant.refreshToken, scopes: grant.scopes ?? scopes, identity: identity,
            lifetime: grant.lifetime, received: now, start: now, age: 0, aged: now, rejections: 0,
            binding: binding)
    }

    /// The record after a successful refresh: generation + 1, the new refresh token or the old one, nothing pending
    /// (SR9).
    package func renewed(by grant: TokenGrant, at now: ClockReading) -> SessionRecord {
        var next = aged(to: now)
        next.generation += 1
        next.access = grant.accessToken
        next.refresh = grant.refreshToken ?? refresh
        next.scopes = grant.scopes ?? scopes
        next.lifetime = grant.lifetime
        next.received = now
        next.idle = nil
        next.rejections = 0
        next.pending = nil
        return next
    }

    /// The record with the journal of a refresh that `owner` is about to send.
    package func journaling(owner: UInt64, at now: ClockReading) -> SessionRecord {
        guard let refresh else { return self }
        let digest = refresh.digest
        var next = aged(to: now)
        let known = pending.map { $0.digest == digest && ($0.owner != owner || $0.isInherited) } ?? false
        next.pending = Pending(
            generation: generation, digest: digest, moment: now, owner: owner, isInherited: known)
        return next
    }

    /// The record with one more rejection.
    package func rejectedOnce(at now: ClockReading) -> SessionRecord {
        var next = aged(to: now)
        next.rejections += 1
        return next
    }

    /// The record of an ended session: no token and no client secret is left in it.
    package func ended(_ ending: Ending, at now: ClockReading) -> SessionRecord {
        var next = aged(to: now)
        next.access = nil
        next.refresh = nil
        next.server.authentication = nil
        next.pending = nil
        next.ending = ending
        next.generation += 1
        // The identity stays: whoever signs in next must be the same user (connections C18).
        if ending == .signedOut { next.epoch += 1 }
        return next
    }

    /// The record without an access token whose time is over, where that is all there is: nobody need be asked to take
    /// it back.
    func withLivingTokens(at now: ClockReading) -> SessionRecord {
        guard refresh == nil else { return self }
        let isLiving = now.isSameBoot(as: received) && now.milliseconds(since: received) / 1000 < lifetime
        var next = self
        if !isLiving { next.access = nil }
        return next
    }

    /// Whether a refresh is journaled that `owner` did not begin: its answer may be lost (SR11, SR12).
    package func hasForeignPending(for owner: UInt64) -> Bool {
        guard let pending, let refresh, pending.digest == refresh.digest else { return false }
        return pending.owner != owner || pending.isInherited
    }

    /// Milliseconds since signing in, by trusted time.
    package func age(at now: ClockReading) -> Int64 {
        let sum = age.addingReportingOverflow(now.milliseconds(since: aged))
        return sum.overflow ? .max : sum.partialValue
    }

    /// Milliseconds since the last refresh, by trusted time.
    package func idle(at now: ClockReading) -> Int64 {
        let sum = (idle ?? 0).addingReportingOverflow(now.milliseconds(since: idle == nil ? received : aged))
        return sum.overflow ? .max : max(sum.partialValue, now.milliseconds(since: received))
    }

    /// The same record with its age at `now`. Nothing else changes: it is the same token.
    package func aged(to now: ClockReading) -> SessionRecord {
        var next = self
        next.age = age(at: now)
        // Two clocks that one boot shares need no sum.
        next.idle = now.isSameBoot(as: received) ? nil : idle(at: now)
        // A wall clock that was set back counts from the latest time that was noted, or its way forward would count as
        // passed time.
        let wall = aged.wall.addingReportingOverflow(now.milliseconds(since: aged))
        next.aged = ClockReading(
            wall: max(now.wall, wall.overflow ? .max : wall.partialValue), continuous: now.continuous, boot: now.boot)
        return next
    }

    /// Which limit has passed, if any (oauth S4, S6).
    package func passedLimit(_ policy: RefreshPolicy, at now: ClockReading) -> ReloginReason? {
        if age(at: now) >= policy.absoluteLimit.milliseconds { return .absoluteLimit }
        if idle(at: now) >= policy.inactivity.milliseconds { return .inactivity }
        return nil
    }
}

extension SharedSecretBytes {
    /// SHA-256 of the bytes.
    package var digest: [UInt8] { withCopy { bytes in MessageDigest.sha256(bytes) } }
}
