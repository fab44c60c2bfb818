internal import PavisePrimitives

/// Finds the SubjectPublicKeyInfo of a certificate, which pins are made of and which Apple's API gives only in parts.
enum SubjectPublicKeyInfo {
    private struct NotDER: Error {}

    /// The element as it stands in the certificate (RFC 5280 §4.1); `nil` for other bytes.
    static func bytes(of certificate: [UInt8]) -> [UInt8]? {
        var outer = ByteReader(certificate)
        guard let whole = try? element(&outer), whole.tag == 0x30 else { return nil }
        var inner = ByteReader(whole.content)
        guard let body = try? element(&inner), body.tag == 0x30 else { return nil }
        var fields = ByteReader(body.content)
        guard var field = try? element(&fields) else { return nil }
        // The version is the only one of these that may be missing. Then: serial, signature, issuer, validity, subject,
        // key.
        let steps = field.tag == 0xA0 ? 6 : 5
        for _ in 0..<steps {
            guard let next = try? element(&fields) else { return nil }
            field = next
        }
        return field.tag == 0x30 ? field.whole : nil
    }

    // One DER element with a definite length of at most four bytes (X.690 §8.1, §10.1).
    private static func element(
        _ reader: inout ByteReader
    ) throws -> (tag: UInt8, content: [UInt8], whole: [UInt8]) {
        var head = try reader.read(2)
        var count = Int(head[1])
        if count >= 0x80 {
            let size = count & 0x7F
            guard (1...4).contains(size) else { throw NotDER() }
            let length = try reader.read(size)
            count = length.reduce(0) { $0 << 8 | Int($1) }
            head += length
        }
        let content = try reader.read(count)
        return (head[0], content, head + content)
    }
}
