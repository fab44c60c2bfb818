package import PavisePrimitives

/// Why a file is no list of certificate logs.
package enum LogListFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// Not JSON within the limits.
    case json(JSONFailure)
    /// No array `operators`, or one of its elements has no name or no logs.
    case noOperators
    /// A log's field is missing or cannot be read.
    case field(log: String, name: String)
    /// The field `log_id` is not the SHA-256 of the field `key`.
    case wrongIdentifier(log: String)
    /// The same log twice.
    case repeated(log: String)
    /// The time of the list cannot be read.
    case timestamp
    /// What was given as its maker's key is none.
    case key
    /// The maker's key did not sign these bytes.
    case signature
    /// More operators or logs than any list has.
    case tooMany(limit: Int)

    /// One sentence for a person.
    package var description: String {
        switch self {
        case .json: "The list of certificate logs is not JSON, or too large."
        case .noOperators: "The list of certificate logs names no operators with their logs."
        case .field(let log, let name): "In the list of certificate logs, “\(name)” of “\(log)” is missing or wrong."
        case .wrongIdentifier(let log):
            "In the list of certificate logs, the identifier of “\(log)” is not that of its key."
        case .repeated(let log): "In the list of certificate logs, “\(log)” has the key of another log."
        case .key:
            "The key of the list's maker cannot be read. It has to be one public key, PEM (PUBLIC KEY) or DER."
        case .signature:
            "The list of certificate logs was not signed with the given key: fetch list and signature again, together."
        case .timestamp: "The time of the list of certificate logs cannot be read."
        case .tooMany(let limit): "The list of certificate logs has more than \(limit) entries."
        }
    }
}
