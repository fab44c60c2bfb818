internal import PavisePrimitives

/// SHA-256 of a certificate's SubjectPublicKeyInfo: it survives a renewal with the same key (RFC 7469 §2.4).
public struct Pin: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The 32 bytes as base64, 44 characters.
    public let base64: String

    /// Reads the form that `openssl dgst -sha256 -binary | base64` prints.
    ///
    /// - Returns: `nil` for anything but 32 bytes in canonical base64.
    public init?(_ base64: String) {
        guard let bytes = Base64.decode(base64), bytes.count == 32, Base64.encode(bytes) == base64 else { return nil }
        self.base64 = base64
    }

    /// The base64 form.
    public var description: String { base64 }

    /// Reads the base64 form; anything else is refused.
    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let pin = Pin(text) else {
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "no pin"))
        }
        self = pin
    }

    /// Writes the base64 form.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(base64)
    }
}
