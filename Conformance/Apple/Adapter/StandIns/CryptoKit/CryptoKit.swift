public import Foundation
internal import PaviseCrypto
internal import PavisePrimitives

/// What the adapter names of CryptoKit, over our own backend.
public protocol HashFunction {
    /// Its name in the backend.
    static var name: String { get }
    /// The message so far.
    var message: [UInt8] { get set }
    init()
}

extension HashFunction {
    /// The digest of `data`.
    public static func hash<Bytes: Sequence<UInt8>>(data: Bytes) -> [UInt8] {
        PaviseCrypto.Hash.digest(function, Array(data))
    }
    static var function: PaviseCrypto.HashFunction { PaviseCrypto.HashFunction(rawValue: name) ?? .sha256 }

    public mutating func update<Bytes: Sequence<UInt8>>(data: Bytes) { message += data }
    public mutating func update(bufferPointer: UnsafeRawBufferPointer) {
        unsafe message.append(contentsOf: bufferPointer)
    }
    public func finalize() -> [UInt8] { Self.hash(data: message) }
}

public struct SHA256: HashFunction {
    public static let name = "sha256"
    public var message: [UInt8] = []
    public init() {}
}
public struct SHA384: HashFunction {
    public static let name = "sha384"
    public var message: [UInt8] = []
    public init() {}
}
public struct SHA512: HashFunction {
    public static let name = "sha512"
    public var message: [UInt8] = []
    public init() {}
}

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
        /// At least 12 bytes, as CryptoKit has it; the backend knows 12 and 16.
        public struct Nonce: Sendable {
            let bytes: [UInt8]
            public init<Bytes: Sequence<UInt8>>(data: Bytes) throws {
                bytes = Array(data)
                guard bytes.count >= 12 else { throw CocoaError(.coderInvalidValue) }
            }
        }

        /// Nonce of 12 bytes ‖ ciphertext ‖ tag.
        public struct SealedBox: Sendable {
            public let combined: Data?
            public init<Bytes: Sequence<UInt8>>(combined: Bytes) throws { self.combined = Data(combined) }
            public init<Text: Sequence<UInt8>, Tag: Sequence<UInt8>>(nonce: Nonce, ciphertext: Text, tag: Tag) throws {
                let tag = Array(tag)
                guard nonce.bytes.count == 12, tag.count == 16 else { throw CocoaError(.coderInvalidValue) }
                combined = Data(nonce.bytes + Array(ciphertext) + tag)
            }
            public var ciphertext: Data { Data((combined ?? Data()).dropFirst(12).dropLast(16)) }
            public var tag: Data { Data((combined ?? Data()).suffix(16)) }
        }

        public static func seal<Plain: Sequence<UInt8>, Label: Sequence<UInt8>>(
            _ message: Plain, using key: SymmetricKey, nonce: Nonce? = nil, authenticating label: Label
        ) throws -> SealedBox {
            let nonce = try nonce?.bytes ?? Entropy.kernel.bytes(12)
            let sealed = try AESGCM.sealOnce(
                Array(message).span, key: SecretBytes(copying: key.bytes.span), nonce: nonce,
                associatedData: Array(label))
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

extension AES {
    /// RFC 3394.
    public enum KeyWrap {
        public static func wrap(_ keyToWrap: SymmetricKey, using kek: SymmetricKey) throws -> Data {
            Data(try AESKeyWrap.wrap(keyToWrap.bytes.span, with: kek.bytes.span))
        }

        public static func unwrap<Bytes: Sequence<UInt8>>(
            _ wrapped: Bytes, using kek: SymmetricKey
        ) throws -> SymmetricKey {
            let key = try AESKeyWrap.unwrap(Array(wrapped), with: kek.bytes.span)
            return SymmetricKey(data: key.withBytes { bytes in Array(bytes) })
        }
    }
}

/// What an agreement gives.
public struct SharedSecret: Sendable {
    let bytes: [UInt8]
    public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try unsafe bytes.withUnsafeBytes(body)
    }
}

extension Curve25519 {
    /// X25519 (RFC 7748). A point of small order is refused, as CryptoKit does.
    public enum KeyAgreement {
        public struct PublicKey: Sendable {
            let key: Curve25519PublicKey
            public var rawRepresentation: Data { Data(key.raw) }
            init(_ key: Curve25519PublicKey) { self.key = key }
            public init<Bytes: Sequence<UInt8>>(rawRepresentation: Bytes) throws {
                key = try Curve25519PublicKey(raw: Array(rawRepresentation), use: .agreement)
            }
        }

        public struct PrivateKey: Sendable {
            private let key: Curve25519PrivateKey
            public var publicKey: PublicKey { PublicKey(key.publicKey) }

            public init() {
                // CryptoKit's cannot fail either.
                guard let key = try? Curve25519PrivateKey(generating: .agreement) else { fatalError("no key") }
                self.key = key
            }
            public init<Bytes: Sequence<UInt8>>(rawRepresentation: Bytes) throws {
                key = try Curve25519PrivateKey(raw: Array(rawRepresentation).span, use: .agreement)
            }
            public func sharedSecretFromKeyAgreement(with other: PublicKey) throws -> SharedSecret {
                SharedSecret(bytes: try key.sharedSecret(with: other.key).withBytes { bytes in Array(bytes) })
            }
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
