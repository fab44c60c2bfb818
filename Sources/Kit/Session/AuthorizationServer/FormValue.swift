package import PavisePrimitives

/// A parameter of a form. Tokens and codes go from their owner into the body without a text in between, which nobody
/// could wipe.
package enum FormValue: Sendable {
    /// What anybody may know.
    case text(String)
    /// A token, a code, a verifier.
    case secret(SharedSecretBytes)
}

extension FormValue {
    /// The form of ``FormEncoding``, as a body that is wiped with its last owner.
    static func encode(_ pairs: [(String, FormValue)]) -> SharedSecretBytes {
        var body: [UInt8] = []
        // Every byte may need three. An array that grew would leave copies behind.
        body.reserveCapacity(pairs.reduce(0) { $0 + ($1.0.utf8.count + $1.1.count) * 3 + 2 })
        defer { Wipe.bytes(&body) }
        for (name, value) in pairs {
            if !body.isEmpty { body.append(UInt8(ascii: "&")) }
            for byte in name.utf8 { append(byte, to: &body) }
            body.append(UInt8(ascii: "="))
            switch value {
            case .text(let text): for byte in text.utf8 { append(byte, to: &body) }
            case .secret(let secret):
                secret.withBytes { span in for index in span.indices { append(span[index], to: &body) } }
            }
        }
        return SharedSecretBytes(SecretBytes(copying: body))
    }

    /// `name:secret`, each in the form of ``FormEncoding`` (RFC 6749 §2.3.1), wiped with its last owner.
    static func pair(_ name: String, _ secret: SharedSecretBytes) -> SecretBytes {
        var pair: [UInt8] = []
        // As above.
        pair.reserveCapacity((name.utf8.count + secret.count) * 3 + 1)
        defer { Wipe.bytes(&pair) }
        for byte in name.utf8 { append(byte, to: &pair) }
        pair.append(UInt8(ascii: ":"))
        secret.withBytes { span in for index in span.indices { append(span[index], to: &pair) } }
        return SecretBytes(copying: pair)
    }

    private var count: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .secret(let secret): secret.count
        }
    }

    // RFC 3986 §2.3: letters, digits and four marks stand for themselves.
    private static func append(_ byte: UInt8, to body: inout [UInt8]) {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: body.append(byte)
        default:
            body.append(UInt8(ascii: "%"))
            for digit in [byte >> 4, byte & 15] { body.append(digit < 10 ? 0x30 + digit : 0x37 + digit) }
        }
    }
}
