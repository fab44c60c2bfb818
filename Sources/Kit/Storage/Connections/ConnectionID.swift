package import PavisePrimitives

/// Names a connection for the machine: 128 random bits, the name of its folder and the account of its secrets.
public struct ConnectionID: Hashable, Sendable, Codable, CustomStringConvertible {
    /// Lower-case UUID text (RFC 9562 §4), 36 characters.
    public let text: String

    /// No connection: names the vault of the revocations that have to wait, which is one for all connections.
    public static let revocations = ConnectionID(checked: "00000000-0000-0000-0000-000000000000")

    /// Reads a UUID in lower case.
    ///
    /// - Returns: `nil` for any other text, so that a name such as `..` never becomes a folder.
    public init?(_ text: String) {
        let groups = text.split(separator: "-", omittingEmptySubsequences: false)
        guard groups.map(\.utf8.count) == [8, 4, 4, 4, 12], text == text.lowercased(),
            groups.allSatisfy({ $0.utf8.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit } })
        else { return nil }
        self.text = text
    }

    /// A fresh one.
    ///
    /// - Throws: `EntropyFailure`, which does not happen on a booted system.
    package static func random() throws(EntropyFailure) -> ConnectionID {
        var bytes = try Entropy.kernel.bytes(16)
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        let digits = Array(Hex.encode(bytes))
        let groups = [digits[0..<8], digits[8..<12], digits[12..<16], digits[16..<20], digits[20...]]
        return ConnectionID(checked: groups.map { String($0) }.joined(separator: "-"))
    }

    private init(checked text: String) { self.text = text }

    /// Reads the text form; anything else is refused.
    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let id = ConnectionID(text) else {
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "no identifier"))
        }
        self = id
    }

    /// Writes the text form.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }

    /// The text.
    public var description: String { text }
}

extension ConnectionID {
    /// The tag of the enclave key that seals what a connection keeps, while no PIN is set.
    package var keyTag: String { "org.pavise.key.\(self)" }
}
