internal import PavisePrimitives

/// A request as the lab's server received it.
public struct LabRequest: Hashable, Sendable {
    /// One header field or form parameter.
    public struct Field: Hashable, Sendable {
        /// The name as it was sent.
        public let name: String
        /// The value without surrounding blanks.
        public let value: String

        /// A field from its parts.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The method, for example `GET`.
    public let method: String
    /// Path and query as they stood in the request line.
    public let target: String
    /// All header fields in their order.
    public let fields: [Field]
    /// The whole body, without its transfer coding.
    public let body: [UInt8]
    /// Which connection of the server carried it, counted from 1.
    public let connection: Int
    /// The certificate that the client showed in the handshake, DER; empty without one.
    public internal(set) var clientCertificate: [UInt8] = []
    /// After how many bytes of a request's body the connection ends; `nil` lets it come whole. The request has no body
    /// yet.
    public typealias BodyCut = @Sendable (LabRequest) -> Int?

    /// Whether the connection ended before the body did: ``body`` is what came of it. See
    /// ``LabServer/cutBodies(_:)``.
    public internal(set) var isTorn = false

    /// The path without the query.
    public var path: String { String(target.prefix { $0 != "?" }) }

    /// What stands behind `?`, or nothing.
    public var query: String {
        guard let mark = target.firstIndex(of: "?") else { return "" }
        return String(target[target.index(after: mark)...])
    }

    /// The value of the first header field `name`, compared without regard to case.
    public func field(_ name: String) -> String? {
        let wanted = name.lowercased()
        return fields.first { $0.name.lowercased() == wanted }?.value
    }

    /// The parameters of the query.
    public var queryParameters: [Field] { LabForm.decode(query) }

    /// The parameters of a form body.
    public var formParameters: [Field] { LabForm.decode(String(decoding: body, as: UTF8.self)) }

    /// The value of the first form parameter `name`.
    public func form(_ name: String) -> String? { formParameters.first { $0.name == name }?.value }

    /// The value of the first query parameter `name`.
    public func queryValue(_ name: String) -> String? { queryParameters.first { $0.name == name }?.value }
}

/// Form encoding of the lab's own, so that the attacker does not share a parser with the code it attacks.
enum LabForm {
    static func decode(_ text: String) -> [LabRequest.Field] {
        text.split(separator: "&").map { pair in
            let mark = pair.firstIndex(of: "=") ?? pair.endIndex
            return LabRequest.Field(unescape(pair[..<mark]), unescape(pair[mark...].dropFirst()))
        }
    }

    static func encode(_ pairs: [(String, String)]) -> String {
        pairs.map { "\(escape($0.0))=\(escape($0.1))" }.joined(separator: "&")
    }

    private static func escape(_ text: String) -> String {
        text.utf8.map { byte in
            let isPlain =
                byte < 0x80 && (Character(Unicode.Scalar(byte)).isLetter || Character(Unicode.Scalar(byte)).isNumber)
            return isPlain || "-._~".utf8.contains(byte)
                ? String(Character(Unicode.Scalar(byte))) : "%" + Hex.encode([byte]).uppercased()
        }.joined()
    }

    // Lenient: a broken escape stays as it is.
    private static func unescape(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let value = Hex.decode(String(rest.prefix(2)) ?? ""), value.count == 1 {
                bytes += value
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte == UInt8(ascii: "+") ? 0x20 : byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
