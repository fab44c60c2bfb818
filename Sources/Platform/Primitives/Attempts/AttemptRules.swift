/// What follows failures in a row: delays as data, and whether the limit ends it all.
package protocol AttemptRules: Sendable {
    /// Failures in a row after which the limit is reached; at least 3.
    var limit: UInt8 { get }
    /// Whether something is done at the limit, instead of longer delays.
    var endsAtLimit: Bool { get }

    /// The delay after this many failures in a row, in seconds, at most a day; `nil`: no further try is allowed.
    func delay(after failures: UInt8) -> Int64?
}
