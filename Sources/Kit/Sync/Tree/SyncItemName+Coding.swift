extension SyncItemName: Codable {
    /// Reads a name as ``init(_:)`` does.
    ///
    /// - Throws: `DecodingError.dataCorrupted` for a text that is no name.
    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let name = SyncItemName(text) else {
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "No name."))
        }
        self = name
    }

    /// Writes the text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
