internal import PavisePrimitives
package import PaviseTransport

/// How far the clocks of servers are from this device's, one figure for each origin. A value.
///
/// It is used for the date of proofs (`iat`) and for nothing else: no lifetime, no certificate and no limit of a
/// session listens to a server's clock. Only a refused proof teaches it, and only that server's proofs change.
package struct ProofClocks: Sendable {
    /// How many origins are remembered.
    private static let limit = 64
    /// The greatest difference that is believed, in seconds: a day. Certificates fail long before.
    private static let greatest: Int64 = 86_400
    /// The least difference that is worth another try, in seconds.
    private static let least: Int64 = 15
    /// By how many seconds a proof is dated back: a server whose clock is a moment behind may refuse what comes from
    /// its future, and a proof is good for longer than that (RFC 9449 §11.1).
    private static let margin: Int64 = 1
    private var known: [Origin: Int64] = [:]

    package init() {}

    /// Seconds to add to this device's clock for proofs to `origin`.
    package subscript(origin: Origin) -> Int64 { known[origin] ?? 0 }

    /// The date of a proof to `origin`, in seconds since 1970.
    package func date(of origin: Origin, deviceSeconds: Int64) -> Int64 { deviceSeconds + self[origin] - Self.margin }

    /// Learns from an answer, and says whether the request is worth a second try: the proof was refused, and the
    /// server's `Date` differs from the one that was used.
    package mutating func take(_ response: HTTPResponse, from origin: Origin, deviceSeconds: Int64) -> Bool {
        let dates = response.fields.all("Date")
        guard ProofRefusal(response) == .proof, dates.count == 1, let date = IMFFixdate.seconds(dates[0]) else {
            return false
        }
        let offset = date - deviceSeconds
        guard abs(offset) <= Self.greatest, abs(offset - self[origin]) >= Self.least else { return false }
        if known[origin] == nil, known.count >= Self.limit { known = [:] }
        known[origin] = offset
        return true
    }
}
