/// A finding's text never repeats a secret.
package enum Redaction {
    /// The source with the inside of long literals replaced by two characters, length and a digest.
    package static func masked(_ line: String) -> String {
        var result = ""
        var literal: String?
        for character in line.prefix(400) {
            if character == "\"" {
                if let text = literal {
                    result += text.count < 12 ? text : "\(text.prefix(2))…(\(text.count), \(digest(text).prefix(8)))"
                    literal = nil
                } else {
                    literal = ""
                }
                result.append(character)
            } else if literal != nil {
                literal?.append(character)
            } else {
                result.append(character)
            }
        }
        return result + (literal.map { $0.count < 12 ? $0 : "\($0.prefix(2))…" } ?? "")
    }

    /// A short stable digest for identities (FNV-1a, 64 bit): it tells findings apart and protects nothing.
    package static func digest(_ text: String) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        let hex = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - hex.count) + hex
    }
}
