/// Reads XML of office documents, piece by piece: elements, attributes and text. Document types, and with them entities
/// and outside files, are refused; depth is bounded; names are told without their prefix.
package struct XMLReader {
    package struct Tag {
        /// The name without its prefix.
        package let name: String
        package let attributes: [(prefix: String, name: String, value: String)]

        /// The value of an attribute, whatever its prefix.
        package func value(_ name: String) -> String? { attributes.first { $0.name == name }?.value }

        /// The value of an attribute that has a prefix, such as `r:id`.
        package func prefixed(_ name: String) -> String? {
            attributes.first { $0.name == name && !$0.prefix.isEmpty }?.value
        }
    }

    package enum Piece {
        case start(Tag)
        case end(String)
        case text(ArraySlice<UInt8>)
    }

    private let bytes: [UInt8]
    private var at = 0
    private var open: [String] = []
    private var ending: String?
    private let depth: Int
    /// How many bytes were looked at.
    package var steps: Int { at }
    /// Instructions to other programs, such as style sheets.
    package private(set) var instructions = 0

    package init(_ bytes: [UInt8], depth: Int = 256) {
        self.bytes = UTF8Text.normalized(bytes)
        self.depth = depth
    }

    /// How many elements are open.
    package var level: Int { open.count }

    /// The next piece; `nil` at the end.
    package mutating func next() throws(DocumentFailure) -> Piece? {
        if let name = ending {
            ending = nil
            open.removeLast()
            return .end(name)
        }
        while at < bytes.count {
            guard bytes[at] == 0x3C else {
                let start = at
                while at < bytes.count, bytes[at] != 0x3C { at += 1 }
                return .text(bytes[start..<at])
            }
            guard at + 1 < bytes.count else { throw .damaged(.xml) }
            switch bytes[at + 1] {
            case 0x3F:
                if open.isEmpty, !has("<?xml ") { instructions += 1 }
                try skip(to: "?>")
            case 0x21:
                if has("<!--") {
                    try skip(to: "-->")
                } else if has("<![CDATA[") {
                    at += 9
                    let start = at
                    try skip(to: "]]>")
                    // Its text has no references; the caller's decoding must not see any.
                    return .text(Self.escaped(bytes[start..<at - 3]))
                } else {
                    throw .documentType
                }
            case 0x2F: return try endTag()
            default: return try startTag()
            }
        }
        guard open.isEmpty else { throw .damaged(.xml) }
        return nil
    }

    private static func escaped(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard text.contains(0x26) else { return text }
        return text.flatMap { $0 == 0x26 ? Array("&amp;".utf8) : [$0] }[...]
    }

    private mutating func startTag() throws(DocumentFailure) -> Piece {
        at += 1
        let (_, name) = try qualifiedName()
        var attributes: [(prefix: String, name: String, value: String)] = []
        while true {
            skipSpace()
            guard at < bytes.count else { throw .damaged(.xml) }
            if bytes[at] == 0x3E {
                at += 1
                break
            }
            if bytes[at] == 0x2F, at + 1 < bytes.count, bytes[at + 1] == 0x3E {
                at += 2
                ending = name
                break
            }
            let (prefix, attribute) = try qualifiedName()
            skipSpace()
            guard at < bytes.count, bytes[at] == 0x3D, attributes.count < 256 else { throw .damaged(.xml) }
            at += 1
            skipSpace()
            guard at < bytes.count, bytes[at] == 0x22 || bytes[at] == 0x27 else { throw .damaged(.xml) }
            let quote = bytes[at]
            at += 1
            let start = at
            while at < bytes.count, bytes[at] != quote { at += 1 }
            guard at < bytes.count else { throw .damaged(.xml) }
            attributes.append((prefix, attribute, Self.text(of: bytes[start..<at])))
            at += 1
        }
        guard open.count < depth else { throw .bomb }
        open.append(name)
        return .start(Tag(name: name, attributes: attributes))
    }

    private mutating func endTag() throws(DocumentFailure) -> Piece {
        at += 2
        let (_, name) = try qualifiedName()
        skipSpace()
        guard at < bytes.count, bytes[at] == 0x3E, open.popLast() == name else { throw .damaged(.xml) }
        at += 1
        return .end(name)
    }

    private mutating func qualifiedName() throws(DocumentFailure) -> (String, String) {
        let start = at
        var colon: Int?
        while at < bytes.count, !Self.endsName(bytes[at]) {
            if bytes[at] == 0x3A, colon == nil { colon = at }
            at += 1
        }
        guard at > start, at - start <= 256 else { throw .damaged(.xml) }
        guard let colon else { return ("", String(decoding: bytes[start..<at], as: UTF8.self)) }
        return (
            String(decoding: bytes[start..<colon], as: UTF8.self),
            String(decoding: bytes[(colon + 1)..<at], as: UTF8.self)
        )
    }

    private static func endsName(_ byte: UInt8) -> Bool {
        byte <= 0x20 || byte == 0x3E || byte == 0x2F || byte == 0x3D || byte == 0x3C || byte == 0x22 || byte == 0x27
    }

    private mutating func skipSpace() { while at < bytes.count, bytes[at] <= 0x20 { at += 1 } }

    private mutating func skip(to text: StaticString) throws(DocumentFailure) {
        let wanted = Array(text.description.utf8)
        var found = 0
        while at < bytes.count {
            let byte = bytes[at]
            at += 1
            // Both ends that are looked for repeat their first byte only at their beginning.
            if byte == wanted[found] {
                found += 1
            } else if !(found == wanted.count - 1 && found > 1 && byte == wanted[0]) {
                found = byte == wanted[0] ? 1 : 0
            }
            if found == wanted.count { return }
        }
        throw .damaged(.xml)
    }

    private func has(_ text: StaticString) -> Bool {
        let wanted = text.description.utf8
        return at + wanted.count <= bytes.count && bytes[at..<at + wanted.count].elementsEqual(wanted)
    }

    /// Text without references: the five of XML, and numbers. Others stay as they are written.
    package static func text(of bytes: ArraySlice<UInt8>) -> String {
        guard bytes.contains(0x26) else { return String(decoding: bytes, as: UTF8.self) }
        let all = Array(bytes)
        var result: [UInt8] = []
        var at = 0
        while at < all.count {
            if all[at] == 0x26, let (scalar, next) = CharacterReferences.read(all, at: at, end: all.count),
                let found = Unicode.Scalar(scalar)
            {
                result += Array(String(Character(found)).utf8)
                at = next
            } else {
                result.append(all[at])
                at += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
