internal import PavisePrimitives

/// SHA-256 of a whole certificate: it changes with every renewal. For pins that name one certificate and for denials.
public struct CertificateDigest: Hashable, Sendable, Codable, CustomStringConvertible {
    /// 64 lower-case hexadecimal digits.
    public let hex: String

    /// Reads 64 hexadecimal digits, in either case, with or without colons between the bytes.
    ///
    /// - Returns: `nil` for anything else.
    public init?(_ text: String) {
        let plain = text.utf8.count == 95 ? text.split(separator: ":", omittingEmptySubsequences: false).joined() : text
        guard plain.utf8.count == 64, let bytes = Hex.decode(plain.lowercased()), bytes.count == 32 else { return nil }
        hex = plain.lowercased()
    }

    /// The hexadecimal form.
    public var description: String { hex }

    /// Reads the hexadecimal form; anything else is refused.
    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let digest = CertificateDigest(text) else {
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "no digest"))
        }
        self = digest
    }

    /// Writes the hexadecimal form.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(hex)
    }
}
