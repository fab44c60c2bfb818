// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

/// How the older functions pad; see `SecKeyRawSign`. No padding is the empty set.
public struct SecPadding: OptionSet, Hashable, Sendable {
    /// Apple's number.
    public let rawValue: UInt32

    /// A padding from its number. The functions refuse a number that they do not know with -50.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// PKCS#1 v1.5 padding, without a DigestInfo for signatures.
    public static let PKCS1 = SecPadding(rawValue: 1)
    /// OAEP with SHA-1, for encryption.
    public static let OAEP = SecPadding(rawValue: 2)
    /// For EC keys: a signature r ‖ s in the place of DER.
    public static let sigRaw = SecPadding(rawValue: 0x4000)
    /// Not supported: MD2.
    public static let PKCS1MD2 = SecPadding(rawValue: 0x8000)
    /// Not supported: MD5.
    public static let PKCS1MD5 = SecPadding(rawValue: 0x8001)
    /// PKCS#1 v1.5 over a SHA-1 digest.
    public static let PKCS1SHA1 = SecPadding(rawValue: 0x8002)
    /// PKCS#1 v1.5 over a SHA-224 digest.
    public static let PKCS1SHA224 = SecPadding(rawValue: 0x8003)
    /// PKCS#1 v1.5 over a SHA-256 digest.
    public static let PKCS1SHA256 = SecPadding(rawValue: 0x8004)
    /// PKCS#1 v1.5 over a SHA-384 digest.
    public static let PKCS1SHA384 = SecPadding(rawValue: 0x8005)
    /// PKCS#1 v1.5 over a SHA-512 digest.
    public static let PKCS1SHA512 = SecPadding(rawValue: 0x8006)
}

// C's names. Swift on Apple's systems has none of them, so here they only name what to write.

/// No padding.
@available(*, unavailable, message: "use []")
public let kSecPaddingNone: SecPadding = []
/// ``SecPadding/PKCS1``.
@available(*, unavailable, renamed: "SecPadding.PKCS1")
public let kSecPaddingPKCS1 = SecPadding.PKCS1
/// ``SecPadding/OAEP``.
@available(*, unavailable, renamed: "SecPadding.OAEP")
public let kSecPaddingOAEP = SecPadding.OAEP
/// ``SecPadding/sigRaw``.
@available(*, unavailable, renamed: "SecPadding.sigRaw")
public let kSecPaddingSigRaw = SecPadding.sigRaw
/// ``SecPadding/PKCS1SHA1``.
@available(*, unavailable, renamed: "SecPadding.PKCS1SHA1")
public let kSecPaddingPKCS1SHA1 = SecPadding.PKCS1SHA1
/// ``SecPadding/PKCS1SHA224``.
@available(*, unavailable, renamed: "SecPadding.PKCS1SHA224")
public let kSecPaddingPKCS1SHA224 = SecPadding.PKCS1SHA224
/// ``SecPadding/PKCS1SHA256``.
@available(*, unavailable, renamed: "SecPadding.PKCS1SHA256")
public let kSecPaddingPKCS1SHA256 = SecPadding.PKCS1SHA256
/// ``SecPadding/PKCS1SHA384``.
@available(*, unavailable, renamed: "SecPadding.PKCS1SHA384")
public let kSecPaddingPKCS1SHA384 = SecPadding.PKCS1SHA384
/// ``SecPadding/PKCS1SHA512``.
@available(*, unavailable, renamed: "SecPadding.PKCS1SHA512")
public let kSecPaddingPKCS1SHA512 = SecPadding.PKCS1SHA512
