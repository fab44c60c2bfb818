internal import PaviseCrypto

/// A log of certificates, as a list of logs describes it.
package struct TransparencyLog: Hashable, Sendable {
    /// What a log may be relied on for. Times are seconds since 1970.
    package enum State: Hashable, Sendable {
        /// Takes certificates and counts.
        case current
        /// Takes none any more since then; what it promised before counts as if it were current.
        case readOnly(since: Int64)
        /// No longer relied on since then; what it promised before may still count inside certificates.
        case retired(since: Int64)
    }

    /// The SubjectPublicKeyInfo, DER.
    package let spki: [UInt8]
    /// SHA-256 of the SubjectPublicKeyInfo: how timestamps name the log.
    package let identifier: [UInt8]
    /// Who runs it.
    package let operatorName: String
    package let state: State
    /// The log takes certificates that expire in this span, seconds since 1970; `nil` takes all.
    package let shard: Range<Int64>?
    /// Whether it is a log as in RFC 6962, and not one of the static kind.
    package let isClassic: Bool

    package init(
        spki: [UInt8], operatorName: String, state: State = .current, shard: Range<Int64>? = nil, isClassic: Bool = true
    ) {
        self.spki = spki
        identifier = Hash.digest(.sha256, spki)
        self.operatorName = operatorName
        self.state = state
        self.shard = shard
        self.isClassic = isClassic
    }

    /// Whether it counts as current: retired logs do not.
    var isCurrent: Bool {
        if case .retired = state { return false }
        return true
    }
}

/// A list of logs and its age.
package struct TransparencyLogList: Sendable {
    package let logs: [TransparencyLog]
    /// When the list was made, seconds since 1970; `nil` for one that the caller vouches for whatever its age.
    package let date: Int64?

    /// How old a dated list may be, in seconds: 60 days.
    package static let maximumAge: Int64 = 60 * 86_400

    package init(_ logs: [TransparencyLog], date: Int64?) {
        self.logs = logs
        self.date = date
    }

    /// Whether it may be used at this time.
    package func isFresh(at seconds: Int64) -> Bool { date.map { seconds - $0 <= Self.maximumAge } ?? true }

    func log(_ identifier: [UInt8]) -> TransparencyLog? { logs.first { $0.identifier == identifier } }
}
