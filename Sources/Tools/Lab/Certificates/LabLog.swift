internal import PaviseCrypto

/// A log of certificates (RFC 6962) that keeps none: it signs the promise that a test needs.
public final class LabLog: Sendable {
    /// The log's key as SubjectPublicKeyInfo, DER: what a client has to know.
    public let spki: [UInt8]
    private let key: IssuingKey

    /// Makes a log with a key of its own.
    public init() throws(LabFailure) {
        let made = try LabFailure.translating { () throws(CryptoFailure) in try IssuingKey(generating: .ec256) }
        key = made
        spki = made.spki
    }

    /// A promise about the certificate of `identity`, to be sent in the handshake (RFC 6962 §3.2).
    ///
    /// - Parameters:
    ///   - identity: Whose certificate it is about.
    ///   - milliseconds: When it was given, since 1970.
    public func timestamp(for identity: ServerIdentity, at milliseconds: UInt64) throws(LabFailure) -> [UInt8] {
        let time = Self.bytes(milliseconds, 8)
        let entry = [0, 0] + Self.bytes(UInt64(identity.leaf.count), 3) + identity.leaf
        let signed: [UInt8] = [0, 0] + time + entry + [0, 0]
        let signature = try LabFailure.translating { () throws(CryptoFailure) in try key.sign(signed) }
        return [0] + Hash.digest(.sha256, spki) + time + [0, 0, 4, 3] + Self.block(signature)
    }

    /// Promises as one list (RFC 6962 §3.3).
    public static func list(_ timestamps: [[UInt8]]) -> [UInt8] { block(Array(timestamps.map(block).joined())) }

    private static func block(_ content: [UInt8]) -> [UInt8] { bytes(UInt64(content.count), 2) + content }

    private static func bytes(_ number: UInt64, _ width: Int) -> [UInt8] {
        (0..<width).reversed().map { UInt8(truncatingIfNeeded: number >> UInt64($0 * 8)) }
    }
}
