internal import PavisePrimitives

/// Something that a person or an auditor may ask about later: a wrong PIN, an approved certificate, a wipe.
public struct AuditEvent: Hashable, Sendable {
    /// What happened. The names are stable: programs that collect trails compare them.
    public enum Name: String, Hashable, Sendable, CaseIterable {
        /// A PIN or passphrase was set.
        case pinSet = "lock.pin.set"
        /// It was changed.
        case pinChanged = "lock.pin.changed"
        /// It was removed.
        case pinRemoved = "lock.pin.removed"
        /// A wrong one was typed; the fact `failures` has the count in a row.
        case pinWrong = "lock.pin.wrong"
        /// The lock was opened.
        case unlocked = "lock.unlocked"
        /// A wipe, or the end of a session, began; the fact `action` says which.
        case wipeBegun = "wipe.begun"
        /// It ended.
        case wipeDone = "wipe.done"
        /// An administrator's order was taken; the facts are `action` and `name`.
        case orderTaken = "order.taken"
        /// An order was refused; the fact `reason` says why.
        case orderRefused = "order.refused"
        /// A certificate was refused; the facts are `server` and `reason`.
        case serverRefused = "server.refused"
        /// A server's key is none of the app's pins, and the app wanted that told and not refused; the fact is
        /// `server`. In the log alone.
        case pinReported = "server.pin.reported"
        /// A person approved a certificate; the facts are `server` and `fingerprint`.
        case serverApproved = "server.approved"
        /// An administrator's rules changed while the app ran, or since it ran last.
        case policyChanged = "policy.changed"
        /// A session's tokens were refreshed; the fact is `server`. In the log alone.
        case sessionRefreshed = "session.refreshed"
        /// Something keeps failing while a session goes on; the facts are `server` and `reason`. In the log alone.
        case sessionDegraded = "session.degraded"
        /// A session ended by itself; the facts are `server` and `reason`.
        case sessionEnded = "session.ended"
        /// Somebody signed in; the fact is `server`.
        case signedIn = "account.signed.in"
        /// Somebody signed out; the facts are `server` and, where something stayed, `failure`.
        case signedOut = "account.signed.out"
        /// An account was removed.
        case accountRemoved = "account.removed"
        /// The lock closed. In the log alone.
        case locked = "lock.locked"
        /// A check of the device found something; the facts are `rules` and `action`, and `noted`, the time, where a
        /// process ended on it before its trail could be opened.
        case deviceFindings = "device.findings"
        /// A picture of the screen was taken: the system tells so afterwards, and on iOS alone. In the log alone.
        case screenshotTaken = "screen.screenshot"
        /// The screen is recorded, mirrored or shared from now on, and what is private is covered: told on iOS alone.
        /// In the log alone.
        case screenCaptured = "screen.captured"
        /// An app's error, or the program's, was told with a number for support; the facts are `error` and `support`.
        /// In the log alone.
        case errorTold = "error.told"
        /// The trail began.
        case trailStarted = "trail.started"
        /// Entries could not be written; the fact `count` says how many.
        case trailLost = "trail.lost"
        /// What was there before is damaged and was put aside.
        case trailDamaged = "trail.damaged"
    }

    /// What happened.
    public let name: Name
    /// What is needed to judge it: never a secret. Texts are cut at 256 bytes, masked and encoded when they are
    /// written.
    public let facts: [String: String]

    /// An event with its facts.
    public init(_ name: Name, _ facts: [String: String] = [:]) {
        self.name = name
        self.facts = facts
    }
}

/// Takes events for a trail. It never throws and never stops what it is told about: what it cannot keep, it counts.
public protocol AuditRecorder: Sendable {
    /// Keeps one event, durably where it can.
    func record(_ event: AuditEvent)
}

/// One entry of a trail.
public struct AuditEntry: Hashable, Sendable {
    /// Its number; each is one more than the one before.
    public let number: UInt64
    /// When it was written: milliseconds since 1970 by the wall clock, which a person can set.
    public let milliseconds: Int64
    /// What happened.
    public let name: String
    /// What is needed to judge it.
    public let facts: [String: String]

    /// The entry as one line of JSON: `number`, `time` (RFC 3339), `event`, `facts`.
    public var json: String { data.text }
}
