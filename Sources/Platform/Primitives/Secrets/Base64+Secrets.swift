extension Base64 {
    /// The text of a secret as a secret, padded: no copy of either is left behind.
    package static func encode(secret: borrowing SecretBytes) -> SecretBytes {
        secret.withBytes { bytes in
            SecretBytes(count: (bytes.count + 2) / 3 * 4) { target in
                for index in 0..<target.count {
                    target[index] = letter(of: bytes, at: index)
                }
            }
        }
    }

    // Letter `index` of four for each three bytes.
    private static func letter(of bytes: Span<UInt8>, at index: Int) -> UInt8 {
        let start = index / 4 * 3
        let place = index % 4
        guard start + place - 1 < bytes.count else { return UInt8(ascii: "=") }
        let triple = (0..<3).reduce(UInt32(0)) { sum, step in
            sum << 8 | (start + step < bytes.count ? UInt32(bytes[start + step]) : 0)
        }
        return alphabet[Int(triple >> UInt32(18 - 6 * place) & 63)]
    }
}
