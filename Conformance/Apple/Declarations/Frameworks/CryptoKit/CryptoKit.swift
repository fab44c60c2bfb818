// Declarations of ours of what Pavise names of CryptoKit, from Apple's documentation. For checking types on Linux.
// Pages: https://developer.apple.com/documentation/cryptokit/ and the name in lower case.
@_exported public import Foundation

public protocol Digest: ContiguousBytes, Hashable, Sendable, Sequence where Element == UInt8 {}
public protocol HashFunction: Sendable {
    associatedtype Digest: CryptoKit.Digest
    init()
    mutating func update<D: DataProtocol>(data: D)
    func finalize() -> Digest
}
extension HashFunction {
    public static func hash<D: DataProtocol>(data: D) -> Digest { fatalError() }
}
public struct SHA256Digest: Digest {
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R { fatalError() }
    public func makeIterator() -> Array<UInt8>.Iterator { fatalError() }
}
public typealias SHA384Digest = SHA256Digest
public typealias SHA512Digest = SHA256Digest
public struct SHA256: HashFunction {
    public init() {}
    public mutating func update<D: DataProtocol>(data: D) {}
    public func finalize() -> SHA256Digest { fatalError() }
}
public struct SHA384: HashFunction {
    public init() {}
    public mutating func update<D: DataProtocol>(data: D) {}
    public func finalize() -> SHA384Digest { fatalError() }
}
public struct SHA512: HashFunction {
    public init() {}
    public mutating func update<D: DataProtocol>(data: D) {}
    public func finalize() -> SHA512Digest { fatalError() }
}
public struct SymmetricKey: ContiguousBytes, Equatable, Sendable {
    public init<D: ContiguousBytes>(data: D) { fatalError() }
    public var bitCount: Int { fatalError() }
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R { fatalError() }
    public static func == (a: SymmetricKey, b: SymmetricKey) -> Bool { fatalError() }
}
public struct HashedAuthenticationCode<H: HashFunction>: ContiguousBytes, Hashable, Sendable, Sequence {
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R { fatalError() }
    public func makeIterator() -> Array<UInt8>.Iterator { fatalError() }
    public static func == (a: Self, b: Self) -> Bool { fatalError() }
    public func hash(into hasher: inout Hasher) {}
}
public struct HMAC<H: HashFunction>: Sendable {
    public typealias MAC = HashedAuthenticationCode<H>
    public static func authenticationCode<D: DataProtocol>(for data: D, using key: SymmetricKey) -> MAC { fatalError() }
    public static func isValidAuthenticationCode<D: DataProtocol>(
        _ mac: MAC, authenticating data: D, using key: SymmetricKey
    ) -> Bool { fatalError() }
}
public struct HKDF<H: HashFunction>: Sendable {
    public static func deriveKey<Info: DataProtocol>(
        inputKeyMaterial: SymmetricKey, info: Info, outputByteCount: Int
    ) -> SymmetricKey { fatalError() }
    public static func deriveKey<Salt: DataProtocol, Info: DataProtocol>(
        inputKeyMaterial: SymmetricKey, salt: Salt, info: Info, outputByteCount: Int
    ) -> SymmetricKey { fatalError() }
}
public enum AES {
    public enum GCM {
        public struct Nonce: Sendable, ContiguousBytes, Sequence {
            public init() { fatalError() }
            public init<D: DataProtocol>(data: D) throws { fatalError() }
            public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R { fatalError() }
            public func makeIterator() -> Array<UInt8>.Iterator { fatalError() }
        }
        public struct SealedBox: Sendable {
            public init<D: DataProtocol>(combined: D) throws { fatalError() }
            /// https://developer.apple.com/documentation/cryptokit/aes/gcm/sealedbox/init(nonce:ciphertext:tag:)
            public init<C: DataProtocol, T: DataProtocol>(nonce: Nonce, ciphertext: C, tag: T) throws { fatalError() }
            public var combined: Data? { fatalError() }
            public var ciphertext: Data { fatalError() }
            public var tag: Data { fatalError() }
            public var nonce: Nonce { fatalError() }
        }
        public static func seal<P: DataProtocol, A: DataProtocol>(
            _ message: P, using key: SymmetricKey, nonce: Nonce? = nil, authenticating data: A
        ) throws -> SealedBox { fatalError() }
        public static func open<A: DataProtocol>(
            _ box: SealedBox, using key: SymmetricKey, authenticating data: A
        ) throws -> Data { fatalError() }
    }
}
/// https://developer.apple.com/documentation/cryptokit/sharedsecret
public struct SharedSecret: ContiguousBytes, Sendable {
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R { fatalError() }
}
extension HashFunction {
    /// https://developer.apple.com/documentation/cryptokit/hashfunction/update(bufferpointer:)
    public mutating func update(bufferPointer: UnsafeRawBufferPointer) {}
}
extension AES {
    /// https://developer.apple.com/documentation/cryptokit/aes/keywrap
    public enum KeyWrap {
        public static func wrap(_ keyToWrap: SymmetricKey, using kek: SymmetricKey) throws -> Data { fatalError() }
        public static func unwrap<D: DataProtocol>(_ wrapped: D, using kek: SymmetricKey) throws -> SymmetricKey {
            fatalError()
        }
    }
}
extension Curve25519 {
    /// https://developer.apple.com/documentation/cryptokit/curve25519/keyagreement
    public enum KeyAgreement {
        public struct PublicKey: Sendable {
            public init<D: ContiguousBytes>(rawRepresentation: D) throws { fatalError() }
            public var rawRepresentation: Data { fatalError() }
        }
        public struct PrivateKey: Sendable {
            public init() { fatalError() }
            public init<D: ContiguousBytes>(rawRepresentation: D) throws { fatalError() }
            public var publicKey: PublicKey { fatalError() }
            public func sharedSecretFromKeyAgreement(with key: PublicKey) throws -> SharedSecret { fatalError() }
        }
    }
}
public enum Curve25519 {
    public enum Signing {
        public struct PublicKey: Sendable {
            public init<D: ContiguousBytes>(rawRepresentation: D) throws { fatalError() }
            public func isValidSignature<S: DataProtocol, D: DataProtocol>(_ signature: S, for data: D) -> Bool {
                fatalError()
            }
        }
    }
}
public enum P256 {
    public enum Signing {
        public struct ECDSASignature: Sendable, ContiguousBytes {
            public init<D: DataProtocol>(derRepresentation: D) throws { fatalError() }
            public init<D: DataProtocol>(rawRepresentation: D) throws { fatalError() }
            public var rawRepresentation: Data { fatalError() }
            public var derRepresentation: Data { fatalError() }
            public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R { fatalError() }
        }
        public struct PublicKey: Sendable {
            public init<D: ContiguousBytes>(x963Representation: D) throws { fatalError() }
            public var x963Representation: Data { fatalError() }
        }
    }
}
