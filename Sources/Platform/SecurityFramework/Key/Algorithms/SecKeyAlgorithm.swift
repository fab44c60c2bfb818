public import Foundation

/// Names how a key is used: family, hash, padding or format. The text is Apple's and may be stored.
public struct SecKeyAlgorithm: RawRepresentable, Hashable, Sendable {
    let name: String

    init(_ name: String) { self.name = name }

    /// An algorithm from its text. Operations refuse a text that they do not know with -50.
    public init(rawValue: CFString) { name = rawValue as String }

    /// The algorithm's text, for example `algid:sign:ECDSA:message-X962:SHA256`.
    public var rawValue: CFString { name as NSString }
}

/// What a key is asked to do.
public enum SecKeyOperationType: CFIndex, Hashable, Sendable {
    /// Sign, with a private key.
    case sign = 0
    /// Check a signature, with a public key.
    case verify = 1
    /// Encrypt, with a public key.
    case encrypt = 2
    /// Decrypt, with a private key.
    case decrypt = 3
    /// Agree on a secret, with a private key and somebody's public key.
    case keyExchange = 4
}

/// Names a parameter of ``SecKeyCopyKeyExchangeResult(_:_:_:_:_:)``.
public struct SecKeyKeyExchangeParameter: RawRepresentable, Hashable, Sendable {
    private let name: String

    /// A parameter from its text.
    public init(rawValue: CFString) { name = rawValue as String }

    /// The text, which is the key of the dictionary.
    public var rawValue: CFString { name as NSString }

    /// How many bytes to derive, a number. Needed by the `X963` algorithms.
    public static let requestedSize = SecKeyKeyExchangeParameter(rawValue: "requestedSize")
    /// Bytes that both sides put into the derivation.
    public static let sharedInfo = SecKeyKeyExchangeParameter(rawValue: "sharedInfo")
}
