/// Header fields in the order they were sent; names are compared without regard to case (RFC 9110 §5.1).
public struct HTTPFields: Hashable, Sendable {
    /// One field line.
    public struct Field: Hashable, Sendable {
        /// The name as it was written.
        public let name: String
        /// The value without surrounding blanks.
        public let value: String

        /// A line that nobody has checked; ``HTTPFields/append(_:_:)`` does.
        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
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
        guard Self.isToken(name.utf8), Self.isValue(value.utf8) else { return false }
        fields.append(Field(name: name, value: value))
        return true
    }

    // Room for `count` lines.
    mutating func reserve(_ count: Int) { fields.reserveCapacity(count) }

    // The same for bytes of a head: they are checked before text is made of them.
    mutating func append(_ name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) -> Bool {
        guard Self.isToken(name), Self.isValue(value) else { return false }
        fields.append(Field(name: String(decoding: name, as: UTF8.self), value: String(decoding: value, as: UTF8.self)))
        return true
    }

    /// The value of the first line with this name.
    public subscript(name: String) -> String? { fields.first { Self.isSame($0.name, name) }?.value }

    /// The values of all lines with this name.
    public func all(_ name: String) -> [String] {
        var values: [String] = []
        for field in fields where Self.isSame(field.name, name) { values.append(field.value) }
        return values
    }

    // Names are ASCII: compared byte by byte, without making lower-case copies.
    private static func isSame(_ one: String, _ other: String) -> Bool {
        guard one.utf8.count == other.utf8.count else { return false }
        return zip(one.utf8, other.utf8).allSatisfy { lower($0) == lower($1) }
    }

    private static func lower(_ byte: UInt8) -> UInt8 { byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte }

    static func isToken(_ name: some Collection<UInt8>) -> Bool {
        !name.isEmpty
            && name.allSatisfy { byte in
                switch byte {
                case 0x2D, 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
                default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            }
    }

    private static func isValue(_ value: some Collection<UInt8>) -> Bool {
        value.allSatisfy { $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7F) }
    }
}
