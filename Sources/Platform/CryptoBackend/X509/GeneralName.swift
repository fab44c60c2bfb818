/// A name of the subject alternative name or of a name constraint (RFC 5280 §4.2.1.6).
package enum GeneralName: Hashable, Sendable {
    case dns(String)
    case mail(String)
    case uri(String)
    /// 4 or 16 bytes in a name; 8 or 32 (address and mask) in a constraint.
    case address([UInt8])
    case directory(DistinguishedName)
    /// Another kind, by the number of its tag.
    case other(UInt8)

    /// Reads one GeneralName.
    package init(_ element: DERElement) throws(DERFailure) {
        switch element.tag {
        case 0x82: self = .dns(try Self.ascii(element))
        case 0x81: self = .mail(try Self.ascii(element))
        case 0x86: self = .uri(try Self.ascii(element))
        case 0x87: self = .address(Array(element.content))
        case 0xA4:
            var reader = DERReader(element.content)
            self = .directory(try DistinguishedName(der: try reader.next()))
            try reader.finish()
        case 0xA0, 0xA3, 0xA5, 0x88: self = .other(element.tag & 0x1F)
        default: throw DERFailure()
        }
    }

    /// The number of the kind in RFC 5280's CHOICE.
    package var number: UInt8 {
        switch self {
        case .other(let number): number
        case .mail: 1
        case .dns: 2
        case .directory: 4
        case .uri: 6
        case .address: 7
        }
    }

    // IA5String holds seven-bit characters; a zero byte or line break would fool whoever prints it.
    private static func ascii(_ element: DERElement) throws(DERFailure) -> String {
        guard element.content.allSatisfy({ (0x20..<0x7F).contains($0) }) else { throw DERFailure() }
        return String(decoding: element.content, as: UTF8.self)
    }
}
