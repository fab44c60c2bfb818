internal import PavisePrimitives

/// `application/x-www-form-urlencoded` as OAuth uses it (RFC 6749 appendix B).
public enum FormEncoding {
    /// `name=value&…`, every byte outside the unreserved set percent-encoded.
    public static func encode(_ pairs: [(String, String)]) -> String {
        pairs.map { "\(escape($0.0))=\(escape($0.1))" }.joined(separator: "&")
    }

    /// The pairs of `text` in their order, or `nil` when an escape is broken or the text is not UTF-8.
    public static func decode(_ text: String) -> [(name: String, value: String)]? {
        var pairs: [(name: String, value: String)] = []
        for piece in text.split(separator: "&") {
            let mark = piece.firstIndex(of: "=") ?? piece.endIndex
            let rest = mark == piece.endIndex ? "" : piece[piece.index(after: mark)...]
            guard let name = unescape(piece[..<mark]), let value = unescape(rest) else { return nil }
            pairs.append((name, value))
        }
        return pairs
    }

    /// Percent-encodes all but letters, digits and `-._~` (RFC 3986 §2.3).
    public static func escape(_ text: String) -> String {
        var out = ""
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E:
                out.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                out += "%" + Hex.encode([byte]).uppercased()
            }
        }
        return out
    }

    private static func unescape(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+"): bytes.append(0x20)
            case UInt8(ascii: "%"):
                guard rest.count >= 2, let decoded = Hex.decode(String(decoding: rest.prefix(2), as: UTF8.self)) else {
                    return nil
                }
                bytes += decoded
                rest = rest.dropFirst(2)
            default: bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
