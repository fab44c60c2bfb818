/// A signed certificate timestamp: a log's promise to publish a certificate (RFC 6962 §3.2).
package struct SignedCertificateTimestamp: Hashable, Sendable {
    /// SHA-256 of the log's SubjectPublicKeyInfo.
    package let log: [UInt8]
    /// When the log promised, milliseconds since 1970.
    package let milliseconds: UInt64
    let extensions: ArraySlice<UInt8>
    /// How it is signed; `nil` for a pair of hash and algorithm that no log may use.
    let scheme: SignatureScheme?
    let signature: ArraySlice<UInt8>

    /// The most timestamps that are read from one list.
    package static let limit = 64

    /// Reads a list as certificates and handshakes carry it (RFC 6962 §3.3); `nil` when a length does not fit, bytes
    /// are left over, or the list is empty or too long. A timestamp in a form that is not known here is left out.
    package static func list(_ bytes: ArraySlice<UInt8>) -> [SignedCertificateTimestamp]? {
        var outer = LengthReader(bytes)
        guard var list = outer.block(), outer.isAtEnd, !list.isEmpty else { return nil }
        var timestamps: [SignedCertificateTimestamp] = []
        var count = 0
        while !list.isEmpty {
            var reader = LengthReader(list)
            guard let entry = reader.block(), !entry.isEmpty, count < limit else { return nil }
            count += 1
            list = reader.rest
            if let timestamp = SignedCertificateTimestamp(entry) { timestamps.append(timestamp) }
        }
        return timestamps
    }

    /// Reads one timestamp of version 1 (the number 0) and nothing behind it.
    package init?(_ bytes: ArraySlice<UInt8>) {
        var reader = LengthReader(bytes)
        guard reader.number(1) == 0, let log = reader.take(32), let time = reader.number(8),
            let extensions = reader.block(), let hash = reader.number(1), let algorithm = reader.number(1),
            let signature = reader.block(), reader.isAtEnd
        else { return nil }
        self.log = Array(log)
        milliseconds = time
        self.extensions = extensions
        scheme = Self.scheme(hash: hash, algorithm: algorithm)
        self.signature = signature
    }

    // RFC 5246 §7.4.1.4.1.
    private static func scheme(hash: UInt64, algorithm: UInt64) -> SignatureScheme? {
        let hashes: [UInt64: HashFunction] = [2: .sha1, 4: .sha256, 5: .sha384]
        guard let hash = hashes[hash] else { return nil }
        switch algorithm {
        case 1: return .rsa(hash)
        case 3: return .ecdsa(hash)
        default: return nil
        }
    }
}

/// Reads fields whose length stands in front of them, as TLS writes them (RFC 8446 §3.4).
struct LengthReader {
    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    var isAtEnd: Bool { rest.isEmpty }

    /// A big-endian number of this many bytes.
    mutating func number(_ width: Int) -> UInt64? { take(width)?.reduce(0) { $0 << 8 | UInt64($1) } }

    mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        guard rest.count >= count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    /// A field with a length of two bytes.
    mutating func block() -> ArraySlice<UInt8>? { number(2).flatMap { take(Int($0)) } }
}
