public import Foundation
internal import PaviseCrypto
internal import PavisePrimitives

/// What the adapter names of CryptoKit, over our own backend.
public protocol HashFunction {
    /// Its name in the backend.
    static var name: String { get }
}

extension HashFunction {
    /// The digest of `data`.
    public static func hash<Bytes: Sequence<UInt8>>(data: Bytes) -> [UInt8] { PaviseCrypto.Hash.digest(function, Array(data)) }
    static var function: PaviseCrypto.HashFunction { PaviseCrypto.HashFunction(rawValue: name) ?? .sha256 }
}

public enum SHA256: HashFunction { public static let name = "sha256" }
public enum SHA384: HashFunction { public static let name = "sha384" }
public enum SHA512: HashFunction { public static let name = "sha512" }

/// A key of any length.
public struct SymmetricKey: Sendable {
    let bytes: [UInt8]
    public init<Bytes: Sequence<UInt8>>(data: Bytes) { bytes = Array(data) }
    public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try unsafe bytes.withUnsafeBytes(body)
    }
}

/// RFC 2104.
public struct HMAC<H: HashFunction> {
    public static func authenticationCode<Bytes: Sequence<UInt8>>(for data: Bytes, using key: SymmetricKey) -> [UInt8] {
        PaviseCrypto.HMAC.code(H.function, key: key.bytes.span, Array(data).span) ?? []
    }
}

/// RFC 5869.
public struct HKDF<H: HashFunction> {
    public static func deriveKey<Info: Sequence<UInt8>>(
        inputKeyMaterial: SymmetricKey, info: Info, outputByteCount: Int
    ) -> SymmetricKey {
        deriveKey(inputKeyMaterial: inputKeyMaterial, salt: [UInt8](), info: info, outputByteCount: outputByteCount)
    }

    public static func deriveKey<Salt: Sequence<UInt8>, Info: Sequence<UInt8>>(
        inputKeyMaterial: SymmetricKey, salt: Salt, info: Info, outputByteCount: Int
    ) -> SymmetricKey {
        let derived = try? KDF.hkdf(
            inputKeyMaterial.bytes.span, salt: Array(salt), info: Array(info), count: outputByteCount)
        return SymmetricKey(data: derived?.withBytes { bytes in Array(bytes) } ?? [])
    }
}

/// SP 800-38D.
public enum AES {
    public enum GCM {
        public struct SealedBox: Sendable {
            public let combined: Data?
            public init<Bytes: Sequence<UInt8>>(combined: Bytes) throws { self.combined = Data(combined) }
        }

        public static func seal<Plain: Sequence<UInt8>, Label: Sequence<UInt8>>(
            _ message: Plain, using key: SymmetricKey, authenticating label: Label
        ) throws -> SealedBox {
            let nonce = try Entropy.kernel.bytes(12)
            let sealed = try AESGCM.sealOnce(
                Array(message).span, key: SecretBytes(copying: key.bytes.span), nonce: nonce, associatedData: Array(label))
            return try SealedBox(combined: nonce + sealed)
        }

        public static func open<Label: Sequence<UInt8>>(
            _ box: SealedBox, using key: SymmetricKey, authenticating label: Label
        ) throws -> Data {
            let whole = Array(box.combined ?? Data())
            guard whole.count >= 28 else { throw CocoaError(.coderInvalidValue) }
            let opened = try AESGCM.openOnce(
                Array(whole.dropFirst(12)).span, key: SecretBytes(copying: key.bytes.span),
                nonce: Array(whole.prefix(12)), associatedData: Array(label))
            return opened.withBytes { bytes in Data(Array(bytes)) }
        }
    }
}

/// Ed25519 (RFC 8032).
public enum Curve25519 {
    public enum Signing {
        public struct PublicKey: Sendable {
            private let key: Curve25519PublicKey
            public init<Bytes: Sequence<UInt8>>(rawRepresentation: Bytes) throws {
                key = try Curve25519PublicKey(raw: Array(rawRepresentation), use: .signing)
            }
            public func isValidSignature<A: Sequence<UInt8>, B: Sequence<UInt8>>(_ signature: A, for data: B) -> Bool {
                key.verify(signature: Array(signature), message: Array(data))
            }
        }
    }
}

/// ECDSA's two forms (RFC 3279 §2.2.3, RFC 7518 §3.4).
public enum P256 {
    public enum Signing {
        public struct ECDSASignature: Sendable {
            public let rawRepresentation: Data
            public init<Bytes: Sequence<UInt8>>(derRepresentation: Bytes) throws {
                guard let raw = PaviseCrypto.ECDSASignature.raw(der: Array(derRepresentation), curve: .p256) else {
                    throw CocoaError(.coderInvalidValue)
                }
                rawRepresentation = Data(raw)
            }
        }
    }
}
