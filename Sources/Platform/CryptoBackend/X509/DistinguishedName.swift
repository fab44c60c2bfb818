internal import PavisePrimitives

/// The name of a certificate's subject or issuer (RFC 5280 §4.1.2.4).
package struct DistinguishedName: Hashable, Sendable {
    /// One attribute: its type and its value as text, or `#` and hexadecimal where it is not text.
    package struct Attribute: Hashable, Sendable {
        package let type: String
        package let value: String
    }

    /// The name as it stands in the certificate, DER.
    package let der: [UInt8]
    /// A form that is equal for names that RFC 5280 §7.1 calls equal: case and repeated spaces do not count. One piece
    /// for each relative name, its length in front: the form of a name begins with the form of those above it.
    package let comparable: [UInt8]

    /// Reads a Name.
    package init(der element: DERElement) throws(DERFailure) {
        guard element.tag == DERTag.sequence else { throw DERFailure() }
        var reader = DERReader(element.content)
        var comparable: [UInt8] = []
        comparable.reserveCapacity(element.whole.count + 32)
        while !reader.isAtEnd {
            let set = try reader.inside(DERTag.set)
            guard !set.isAtEnd else { throw DERFailure() }
            try NameFolding.append(set, to: &comparable)
        }
        der = Array(element.whole)
        self.comparable = comparable
    }

    /// Reads a Name that stands alone; `nil` for anything else, and for what follows it.
    package init?(encoded bytes: [UInt8]) {
        var reader = DERReader(bytes[...])
        guard bytes.count <= 65_536, let element = try? reader.next(), reader.isAtEnd,
            let name = try? DistinguishedName(der: element)
        else { return nil }
        self = name
    }

    /// Whether there is no attribute at all.
    package var isEmpty: Bool { comparable.isEmpty }

    /// The relative names in the order of the certificate, each a set of attributes.
    package var relativeNames: [[Attribute]] {
        // What was read once is read again without failure.
        (try? Self.relativeNames(der)) ?? []
    }

    /// The last common name.
    package var commonName: String? { values(of: "2.5.4.3").last }

    /// All values of an attribute type.
    package func values(of type: String) -> [String] {
        relativeNames.joined().filter { $0.type == type }.map(\.value)
    }

    /// Whether the names are the same person or authority.
    package func matches(_ other: DistinguishedName) -> Bool { comparable == other.comparable }

    /// Whether this name lies in the subtree of `root`: it begins with the same relative names.
    package func isWithin(_ root: DistinguishedName) -> Bool {
        comparable.starts(with: root.comparable)
    }

    /// The name for a person, most particular part first (RFC 4514 §2).
    package var line: String {
        relativeNames.reversed().map { set in
            set.map { "\(Self.shortName($0.type))=\(Self.escaped($0.value))" }.joined(separator: "+")
        }.joined(separator: ",")
    }

    private static func relativeNames(_ der: [UInt8]) throws(DERFailure) -> [[Attribute]] {
        var outer = DERReader(der[...])
        var reader = try outer.inside()
        var names: [[Attribute]] = []
        while !reader.isAtEnd {
            var set = try reader.inside(DERTag.set)
            var attributes: [Attribute] = []
            while !set.isAtEnd { attributes.append(try attribute(&set)) }
            names.append(attributes)
        }
        return names
    }

    private static func attribute(_ reader: inout DERReader) throws(DERFailure) -> Attribute {
        var pair = try reader.inside()
        let type = try pair.next(DERTag.objectIdentifier).objectIdentifier()
        let value = try pair.next()
        guard NameFolding.isText(value.tag), let text = value.text() else {
            let hex = value.whole.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
            return Attribute(type: type, value: "#" + hex)
        }
        return Attribute(type: type, value: text)
    }

    private static func shortName(_ type: String) -> String {
        switch type {
        case "2.5.4.3": "CN"
        case "2.5.4.5": "serialNumber"
        case "2.5.4.6": "C"
        case "2.5.4.7": "L"
        case "2.5.4.8": "ST"
        case "2.5.4.9": "street"
        case "2.5.4.10": "O"
        case "2.5.4.11": "OU"
        case "0.9.2342.19200300.100.1.25": "DC"
        case "0.9.2342.19200300.100.1.1": "UID"
        case "1.2.840.113549.1.9.1": "emailAddress"
        default: type
        }
    }

    // What moves text is shown as a code point, so that a name cannot write to a terminal or begin a line.
    private static func escaped(_ value: String) -> String {
        var result = ""
        for (index, scalar) in value.unicodeScalars.enumerated() {
            switch scalar {
            case ",", "+", "\"", "\\", "<", ">", ";": result += "\\\(scalar)"
            case "#" where index == 0, " " where index == 0: result += "\\\(scalar)"
            default:
                if let number = scalar.shownAsNumber { result += number } else { result.unicodeScalars.append(scalar) }
            }
        }
        return result
    }
}
