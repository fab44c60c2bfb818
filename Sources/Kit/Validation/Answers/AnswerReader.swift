internal import PavisePrimitives

/// A server's JSON answer, read member by member into types, with bounds on everything (RFC 8259).
///
/// ```swift
/// let answer = try AnswerReader(body)
/// let name = try answer.text("name", 1...256)
/// let size = try answer.integer("size", 0...1 << 40)
/// for file in try answer.objects("files", atMost: 1000) { print(name, size, try file.text("id", 1...64)) }
/// ```
///
/// Nothing is guessed: `"1"` is no number, a member that is `null` counts as absent, one that stands twice is refused.
/// Members that nobody asks for are passed over, so that a server may add some.
public struct AnswerReader: Sendable {
    private let value: JSONValue
    /// Where this object stands in the answer, for a message: `files[3]`.
    private let place: String

    /// What is read at most.
    public struct Limits: Hashable, Sendable {
        /// Bytes of the whole answer.
        public var bytes: Int
        /// Objects and arrays inside each other.
        public var depth: Int

        /// Bounds; 1 MiB and 16 unless others are given.
        public init(bytes: Int = 1 << 20, depth: Int = 16) {
            self.bytes = bytes
            self.depth = min(max(1, depth), 64)
        }
    }

    /// Reads an answer, which has to be an object.
    ///
    /// - Throws: ``AnswerProblem``.
    public init(_ body: [UInt8], limits: Limits = Limits()) throws(AnswerProblem) {
        do throws(JSONFailure) {
            value = try JSONValue.parse(body, limit: limits.bytes, depth: limits.depth)
        } catch {
            throw AnswerProblem(error)
        }
        place = ""
        guard value.members != nil else { throw .wrongType(place: "the answer", expected: "an object") }
    }

    private init(_ value: JSONValue, _ place: String) {
        self.value = value
        self.place = place
    }

    /// A text of so many bytes of UTF-8, without control characters.
    public func text(_ name: String, _ length: ClosedRange<Int>) throws(AnswerProblem) -> String {
        guard let text = try member(name).string else { throw .wrongType(place: path(name), expected: "a text") }
        return try Self.checked(text, length, path(name))
    }

    /// A whole number within bounds.
    public func integer(_ name: String, _ range: ClosedRange<Int64>) throws(AnswerProblem) -> Int64 {
        guard let number = try member(name).integer else {
            throw .wrongType(place: path(name), expected: "a whole number")
        }
        guard range.contains(number) else { throw .outOfBounds(place: path(name)) }
        return number
    }

    /// `true` or `false`.
    public func flag(_ name: String) throws(AnswerProblem) -> Bool {
        guard let flag = try member(name).bool else {
            throw .wrongType(place: path(name), expected: "true or false")
        }
        return flag
    }

    /// One of the texts that the app knows.
    public func choice<Choice: RawRepresentable>(
        _ name: String, of _: Choice.Type = Choice.self
    ) throws(AnswerProblem) -> Choice where Choice.RawValue == String {
        guard let choice = Choice(rawValue: try text(name, 0...256)) else { throw .unknownChoice(place: path(name)) }
        return choice
    }

    /// An object inside this one.
    public func object(_ name: String) throws(AnswerProblem) -> AnswerReader {
        let value = try member(name)
        guard value.members != nil else { throw .wrongType(place: path(name), expected: "an object") }
        return AnswerReader(value, path(name))
    }

    /// A list of objects, of so many at most.
    public func objects(_ name: String, atMost most: Int) throws(AnswerProblem) -> [AnswerReader] {
        try elements(name, most).enumerated().map { index, value throws(AnswerProblem) in
            let place = "\(path(name))[\(index)]"
            guard value.members != nil else { throw .wrongType(place: place, expected: "an object") }
            return AnswerReader(value, place)
        }
    }

    /// A list of texts, of so many at most, each of so many bytes and without control characters.
    public func texts(
        _ name: String, atMost most: Int, _ length: ClosedRange<Int>
    ) throws(AnswerProblem) -> [String] {
        try elements(name, most).enumerated().map { index, value throws(AnswerProblem) in
            let place = "\(path(name))[\(index)]"
            guard let text = value.string else { throw .wrongType(place: place, expected: "a text") }
            return try Self.checked(text, length, place)
        }
    }

    // A control character would write to a terminal, or begin a line of a log.
    private static func checked(
        _ text: String, _ length: ClosedRange<Int>, _ place: String
    ) throws(AnswerProblem) -> String {
        guard length.contains(text.utf8.count),
            text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
        else { throw .outOfBounds(place: place) }
        return text
    }

    /// What `read` reads, or `nil` where the member is not there or is `null`. A member of a wrong type is still
    /// refused.
    public func optional<Value>(
        _ name: String, _ read: (AnswerReader, String) throws -> Value
    ) rethrows -> Value? {
        guard let found = value[name], found != .null else { return nil }
        return try read(self, name)
    }

    private func elements(_ name: String, _ most: Int) throws(AnswerProblem) -> [JSONValue] {
        guard let elements = try member(name).array else { throw .wrongType(place: path(name), expected: "a list") }
        guard elements.count <= most else { throw .outOfBounds(place: path(name)) }
        return elements
    }

    private func member(_ name: String) throws(AnswerProblem) -> JSONValue {
        guard let found = value[name], found != .null else { throw .missing(place: path(name)) }
        return found
    }

    private func path(_ name: String) -> String { place.isEmpty ? name : "\(place).\(name)" }
}

/// Why an answer cannot be used. Places are names that the app asked for; no value of the answer is in it.
public enum AnswerProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// More bytes than are read.
    case tooLarge(limit: Int)
    /// Objects and arrays inside each other beyond the limit.
    case tooDeep(limit: Int)
    /// A name stands twice in one object.
    case duplicateMember
    /// Not JSON from this byte on: often a page for people, from a proxy or a sign-in page.
    case malformed(offset: Int)
    /// A member that is needed is not there.
    case missing(place: String)
    /// A member is of another type.
    case wrongType(place: String, expected: String)
    /// A text, number or list is too short, too long, too small or too large, or holds control characters.
    case outOfBounds(place: String)
    /// A text that the app does not know.
    case unknownChoice(place: String)

    init(_ failure: JSONFailure) {
        switch failure {
        case .tooLarge(let limit): self = .tooLarge(limit: limit)
        case .tooDeep(let limit): self = .tooDeep(limit: limit)
        case .duplicateMember: self = .duplicateMember
        case .malformed(let offset): self = .malformed(offset: offset)
        }
    }

    /// One sentence for a log and for whoever runs the server.
    public var description: String {
        switch self {
        case .tooLarge(let limit): "The server's answer is larger than \(limit) bytes."
        case .tooDeep(let limit): "The server's answer has more than \(limit) levels."
        case .duplicateMember: "The server's answer says something twice."
        case .malformed(let offset):
            "The server's answer is no JSON (byte \(offset)). A proxy or a sign-in page may have answered."
        case .missing(let place): "The server's answer lacks “\(place)”."
        case .wrongType(let place, let expected): "“\(place)” in the server's answer is not \(expected)."
        case .outOfBounds(let place): "“\(place)” in the server's answer is out of bounds."
        case .unknownChoice(let place): "“\(place)” in the server's answer is nothing that this app knows."
        }
    }
}
