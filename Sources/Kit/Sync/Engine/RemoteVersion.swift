/// The version of a file on a server.
public struct RemoteVersion: Hashable, Sendable {
    /// The entity tag as the server writes it (RFC 9110 §8.8.3); empty when it has none.
    public let validator: String
    /// The size in bytes; `nil` when the server does not say.
    public let size: Int?

    /// A version from its parts.
    public init(validator: String, size: Int?) { (self.validator, self.size) = (validator, size) }

    /// Whether the tag says that the bytes are the same: it is there, and is not weak. Another is never a base
    /// (sync/SY8).
    public var isStrong: Bool { validator.utf8.count > 2 && validator.hasPrefix("\"") && validator.hasSuffix("\"") }
}
