internal import PavisePrimitives
internal import SecurityFramework

/// Why a file of a connection is not used.
public enum ConnectionFileDamage: Error, Hashable, Sendable {
    /// Not what Pavise wrote: changed, without its authentication code, or another connection's.
    case altered
    /// An older copy was put back.
    case olderCopy
    /// It was written once and is gone.
    case missing
    /// The file is newer than the keychain: an older keychain was put back.
    case olderKeychain
}

/// The form of an authenticated file: JSON whose first members are the code and the number of the copy.
///
/// ```json
/// {"mac":"64 hexadecimal digits","generation":7, … }
/// ```
///
/// The code is HMAC-SHA-256 (RFC 2104) over the file's name, the connection's identifier and every byte behind the
/// code.
package enum AuthenticatedFile {
    /// What a file is, for a key that names the newest copy.
    enum Verdict: Equatable {
        /// The newest copy, or the next one whose number the keychain does not have yet.
        case current(isAhead: Bool)
        /// There is none and there never was one.
        case absent
        /// A file of an older Pavise, and no other was written since.
        case unauthenticated
        case damaged(ConnectionFileDamage)
    }

    private static let start = Array(#"{"mac":""#.utf8)
    private static let middle = Array(#"","generation":"#.utf8)
    private static let digits = 64

    /// Whether `bytes` have the form; nothing is checked.
    package static func hasForm(_ bytes: [UInt8]) -> Bool { bytes.starts(with: start) }

    /// Puts the code and the number in front of a JSON object that has members.
    static func encode(
        _ object: [UInt8], _ file: ConnectionFile, of id: ConnectionID, generation: UInt64, key: ConnectionKey
    ) -> [UInt8] {
        let rest = middle + Array("\(generation),".utf8) + object.dropFirst()
        return start + Array(Hex.encode(code(rest, file, id, key)).utf8) + rest
    }

    /// Judges what lies on the disk. Pure and total.
    static func judge(
        _ bytes: [UInt8]?, _ file: ConnectionFile, of id: ConnectionID, key: ConnectionKey
    ) -> Verdict {
        let newest = key[file]
        guard let bytes else { return newest == 0 ? .absent : .damaged(.missing) }
        guard hasForm(bytes) else { return newest == 0 ? .unauthenticated : .damaged(.altered) }
        guard let generation = authenticate(bytes, file, id, key) else { return .damaged(.altered) }
        if generation < newest { return .damaged(.olderCopy) }
        return generation - newest > 1 ? .damaged(.olderKeychain) : .current(isAhead: generation > newest)
    }

    // The number of an authentic copy; `nil` for anything else.
    private static func authenticate(
        _ bytes: [UInt8], _ file: ConnectionFile, _ id: ConnectionID, _ key: ConnectionKey
    ) -> UInt64? {
        guard bytes.count > start.count + digits else { return nil }
        let given = Array(bytes[start.count..<start.count + digits])
        let rest = Array(bytes[(start.count + digits)...])
        let own = Array(Hex.encode(code(rest, file, id, key)).utf8)
        guard own.count == digits, ConstantTime.equal(given, own), rest.starts(with: middle) else {
            return nil
        }
        let number = rest[middle.count...].prefix { $0 != UInt8(ascii: ",") }
        return UInt64(String(decoding: number, as: UTF8.self))
    }

    private static func code(
        _ rest: [UInt8], _ file: ConnectionFile, _ id: ConnectionID, _ key: ConnectionKey
    ) -> [UInt8] {
        let label = Array("pavise connection file 1\0\(file.rawValue)\0\(id.text)\0".utf8)
        return key.secret.bytes.withBytes { MessageDigest.hmac(.sha256, key: $0, label + rest) }
    }
}
