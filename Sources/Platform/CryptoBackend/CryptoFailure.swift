internal import CPaviseOpenSSL

/// A cryptographic operation did not give a result. Nothing in it is secret.
package enum CryptoFailure: Error, Hashable, Sendable {
    /// The bytes do not fit their tag, wrapping or padding: altered, or another key. One error for every cause.
    case authentication
    /// A key or point that is not one: wrong length, not on the curve, out of range, unparsable.
    case invalidKey
    /// A length or parameter that the algorithm does not take.
    case invalidParameter(String)
    /// OpenSSL refused for another reason.
    case library(operation: String, reason: String)
    /// No random bytes.
    case entropy

    /// The last error of OpenSSL on this thread; its queue is emptied.
    package static func last(_ operation: String) -> CryptoFailure {
        let code = ERR_get_error()
        ERR_clear_error()
        guard code != 0, let words = unsafe ERR_reason_error_string(code) else {
            return .library(operation: operation, reason: "no reason given")
        }
        return .library(operation: operation, reason: unsafe String(cString: words))
    }
}
