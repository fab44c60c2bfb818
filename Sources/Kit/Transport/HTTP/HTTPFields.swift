/// Header fields in the order they were sent; names are compared without regard to case (RFC 9110 §5.1).
public struct HTTPFields: Hashable, Sendable {
    /// One field line.
    public struct Field: Hashable, Sendable {
        /// The name as it was written.
        public let name: String
        /// The value without surrounding blanks.
        public let value: String
    }

    /// All field lines.
    public private(set) var fields: [Field] = []

    /// No fields.
    public init() {}

    /// Appends a line.
    ///
    /// - Returns: `false`, and nothing is appended, for a name that is no token or a value with a line break or other
    ///   control character, so that a value from outside can never add a header of its own.
    @discardableResult
    public mutating func append(_ name: String, _ value: String) -> Bool {
        guard Self.isToken(name), value.utf8.allSatisfy({ $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7F) }) else {
            return false
        }
        fields.append(Field(name: name, value: value))
        return true
    }

    /// The value of the first line with this name.
    public subscript(name: String) -> String? { all(name).first }

    /// The values of all lines with this name.
    public func all(_ name: String) -> [String] {
        let wanted = name.lowercased()
        return fields.filter { $0.name.lowercased() == wanted }.map(\.value)
    }

    private static func isToken(_ name: String) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
                default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            }
    }
}
