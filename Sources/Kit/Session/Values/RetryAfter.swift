internal import PavisePrimitives

/// The `Retry-After` field (RFC 9110 §10.2.3).
package enum RetryAfter {
    /// Seconds to wait, from a number or a date; `nil` for anything else. Never negative.
    package static func seconds(_ text: String?, wallSeconds: Int64) -> Int64? {
        guard let text else { return nil }
        if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) { return Int64(text) ?? .max }
        return IMFFixdate.seconds(text).map { max(0, $0 - wallSeconds) }
    }
}
