/// One challenge of a `WWW-Authenticate` field (RFC 9110 §11.6.1): a scheme with parameters or a token68.
package struct Challenge: Hashable, Sendable {
    /// The scheme in lower case. Unknown ones are kept.
    package let scheme: String
    /// The token68; `nil` when there are parameters or nothing.
    package var token: String?
    /// The parameters with names in lower case, in their order.
    package var parameters: [Parameter] = []

    /// One parameter.
    package struct Parameter: Hashable, Sendable {
        /// In lower case.
        package let name: String
        /// Without quotes.
        package let value: String
    }

    /// The longest field that is read, in bytes, and the most challenges and parameters together.
    package static let limit = (bytes: 8192, parts: 64)

    /// The value of a parameter; `nil` when it is missing or stands twice.
    package subscript(name: String) -> String? {
        let found = parameters.filter { $0.name == name }
        return found.count == 1 ? found[0].value : nil
    }

    /// Reads one field, which may hold several challenges.
    ///
    /// - Returns: `nil` for anything that the grammar does not allow, or that is too long.
    package static func parse(_ field: String) -> [Challenge]? {
        guard field.utf8.count <= limit.bytes else { return nil }
        var reader = ChallengeReader(Array(field.utf8))
        return reader.challenges()
    }
}

/// Reads the grammar byte by byte. A comma separates parameters and challenges alike: what follows it tells which.
private struct ChallengeReader {
    private let bytes: [UInt8]
    private var place = 0
    private var parts = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func challenges() -> [Challenge]? {
        var found: [Challenge] = []
        skipCommas()
        while place < bytes.count {
            guard let scheme = word(Self.isToken) else { return nil }
            var challenge = Challenge(scheme: scheme.lowercased())
            if skipBlanks() > 0 { guard content(&challenge) else { return nil } }
            found.append(challenge)
            parts += 1
            guard parts <= Challenge.limit.parts, atEndOrComma() else { return nil }
            skipCommas()
        }
        return found
    }

    // A token68 stands alone; parameters go on as long as “name =” follows a comma.
    private mutating func content(_ challenge: inout Challenge) -> Bool {
        guard place < bytes.count, bytes[place] != UInt8(ascii: ",") else { return true }
        let start = place
        if let token = word(Self.isToken68) {
            while place < bytes.count, bytes[place] == UInt8(ascii: "=") { place += 1 }
            let end = place
            skipBlanks()
            if place == bytes.count || bytes[place] == UInt8(ascii: ",") {
                challenge.token = token + String(repeating: "=", count: end - start - token.utf8.count)
                return true
            }
            place = start
        }
        repeat {
            guard let parameter = parameter() else { return false }
            challenge.parameters.append(parameter)
            parts += 1
            guard parts <= Challenge.limit.parts else { return false }
        } while goesOn()
        return true
    }

    private mutating func parameter() -> Challenge.Parameter? {
        guard let name = word(Self.isToken) else { return nil }
        skipBlanks()
        guard place < bytes.count, bytes[place] == UInt8(ascii: "=") else { return nil }
        place += 1
        skipBlanks()
        guard let value = place < bytes.count && bytes[place] == UInt8(ascii: "\"") ? quoted() : word(Self.isToken)
        else { return nil }
        return Challenge.Parameter(name: name.lowercased(), value: value)
    }

    // Whether another parameter of this challenge follows, and not the next scheme.
    private mutating func goesOn() -> Bool {
        let start = place
        guard atEndOrComma(), place < bytes.count else { return false }
        skipCommas()
        let next = place
        if word(Self.isToken) != nil {
            skipBlanks()
            if place < bytes.count, bytes[place] == UInt8(ascii: "=") {
                place = next
                return true
            }
        }
        place = start
        return false
    }

    private mutating func quoted() -> String? {
        var text: [UInt8] = []
        place += 1
        while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
            if bytes[place] == UInt8(ascii: "\\") { place += 1 }
            guard place < bytes.count, bytes[place] >= 0x20 || bytes[place] == 0x09, bytes[place] != 0x7F else {
                return nil
            }
            text.append(bytes[place])
            place += 1
        }
        guard place < bytes.count else { return nil }
        place += 1
        return String(validating: text, as: UTF8.self)
    }

    private mutating func word(_ isPart: (UInt8) -> Bool) -> String? {
        let start = place
        while place < bytes.count, isPart(bytes[place]) { place += 1 }
        return place > start ? String(decoding: bytes[start..<place], as: UTF8.self) : nil
    }

    private mutating func atEndOrComma() -> Bool {
        skipBlanks()
        return place == bytes.count || bytes[place] == UInt8(ascii: ",")
    }

    @discardableResult
    private mutating func skipBlanks() -> Int {
        let start = place
        while place < bytes.count, bytes[place] == 0x20 || bytes[place] == 0x09 { place += 1 }
        return place - start
    }

    private mutating func skipCommas() {
        while place < bytes.count, [0x20, 0x09, UInt8(ascii: ",")].contains(bytes[place]) { place += 1 }
    }

    private static func isToken(_ byte: UInt8) -> Bool {
        isAlphanumeric(byte) || "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }

    private static func isToken68(_ byte: UInt8) -> Bool { isAlphanumeric(byte) || "-._~+/".utf8.contains(byte) }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: false
        }
    }
}
