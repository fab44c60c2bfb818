/// A line of one request that holds a secret, such as `Authorization`. It has one owner, and is wiped when the request
/// is over.
package final class SecretField: Sendable {
    private let line: SecretBytes

    /// Joins `Authorization: `, the scheme, a blank and the credential.
    ///
    /// - Returns: `nil` when the credential holds anything but visible ASCII, because a line break would make two lines
    ///   of it.
    package init?(scheme: String, credential: borrowing SecretBytes) {
        let isVisible = credential.withBytes { bytes in
            bytes.indices.allSatisfy { bytes[$0] > 0x20 && bytes[$0] < 0x7F }
        }
        guard isVisible, credential.count > 0, scheme.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
        line = Self.join("Authorization: \(scheme) ", credential)
    }

    /// The line of any other field that holds a secret, such as `Cookie`.
    ///
    /// - Returns: `nil` when the value is empty or holds anything but visible ASCII and blanks.
    package init?(field: String, value: borrowing SecretBytes) {
        let isOneLine = value.withBytes { bytes in
            bytes.indices.allSatisfy { bytes[$0] >= 0x20 && bytes[$0] < 0x7F }
        }
        guard isOneLine, value.count > 0, field.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x3A }) else {
            return nil
        }
        line = Self.join("\(field): ", value)
    }

    private static func join(_ start: String, _ value: borrowing SecretBytes) -> SecretBytes {
        let start = Array(start.utf8)
        return value.withBytes { bytes in
            SecretBytes(count: start.count + bytes.count) { target in
                for index in start.indices { target[index] = start[index] }
                for index in bytes.indices { target[start.count + index] = bytes[index] }
            }
        }
    }

    /// Lends the bytes of the line, without a line end.
    package func withBytes<Result>(_ body: (Span<UInt8>) -> Result) -> Result { line.withBytes(body) }

    /// The size in bytes.
    package var count: Int { line.count }
}
