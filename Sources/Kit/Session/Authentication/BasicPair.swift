internal import PavisePrimitives
internal import PaviseTransport
internal import PaviseVault

/// A user name and password with the origin that they are for, as they are sealed.
///
/// Form 2: the byte 2, then origin and user each behind its length in 16 bits, then the password. An older Pavise
/// sealed `user:password` alone, which begins with no control character.
struct BasicPair: ~Copyable {
    private static let form: UInt8 = 2

    /// The only origin that gets it; `nil` in the form of an older Pavise.
    let origin: String?
    let user: String
    let password: SecretBytes

    /// A pair for `origin`.
    init(user: String, password: borrowing SecretBytes, for origin: Origin) {
        self.origin = "\(origin)"
        self.user = user
        self.password = password.duplicate()
    }

    /// Reads what was sealed.
    ///
    /// - Throws: `VaultFailure.newer` for what a later version sealed; `VaultFailure.corrupt` for anything else.
    init(decoding content: borrowing SecretBytes) throws(VaultFailure) {
        let form = content.withBytes { bytes in bytes.count > 0 ? bytes[0] : 0 }
        // Forms are control characters, which no user name begins with.
        if form > Self.form, form < 0x20 { throw .newer }
        let parts = content.withBytes { bytes in Self.parts(bytes) }
        guard let parts else { throw .corrupt(.content) }
        origin = parts.origin
        user = parts.user
        password = content.withBytes { bytes in
            SecretBytes(count: bytes.count - parts.start) { target in
                for index in 0..<target.count { target[index] = bytes[parts.start + index] }
            }
        }
    }

    /// What is sealed; an origin that is not known stays unknown.
    func encoded(for origin: Origin) -> SecretBytes {
        let head = [Self.form] + Self.framed("\(origin)") + Self.framed(user)
        return joined(head)
    }

    /// `user:password`, of which the base64 form is sent (RFC 7617 §2).
    var credential: SecretBytes { Base64.encode(secret: joined(Array("\(user):".utf8))) }

    private func joined(_ head: [UInt8]) -> SecretBytes {
        password.withBytes { bytes in
            SecretBytes(count: head.count + bytes.count) { target in
                for index in head.indices { target[index] = head[index] }
                for index in bytes.indices { target[head.count + index] = bytes[index] }
            }
        }
    }

    private static func framed(_ text: String) -> [UInt8] {
        let bytes = Array(text.utf8)
        return [UInt8(truncatingIfNeeded: bytes.count >> 8), UInt8(truncatingIfNeeded: bytes.count)] + bytes
    }

    private static func parts(_ bytes: Span<UInt8>) -> (origin: String?, user: String, start: Int)? {
        guard bytes.count > 0 else { return nil }
        guard bytes[0] == form else { return older(bytes) }
        var position = 1
        guard let origin = text(bytes, &position), let user = text(bytes, &position), position < bytes.count else {
            return nil
        }
        return (origin, user, position)
    }

    private static func older(_ bytes: Span<UInt8>) -> (origin: String?, user: String, start: Int)? {
        guard bytes[0] >= 0x20, let colon = bytes.indices.first(where: { bytes[$0] == UInt8(ascii: ":") }),
            colon + 1 < bytes.count
        else { return nil }
        return (nil, String(decoding: (0..<colon).map { bytes[$0] }, as: UTF8.self), colon + 1)
    }

    private static func text(_ bytes: Span<UInt8>, _ position: inout Int) -> String? {
        guard position + 2 <= bytes.count else { return nil }
        let count = Int(bytes[position]) << 8 | Int(bytes[position + 1])
        guard count > 0, position + 2 + count <= bytes.count else { return nil }
        let start = position + 2
        position = start + count
        return String(decoding: (start..<position).map { bytes[$0] }, as: UTF8.self)
    }
}
