/// The form of a file with keys and certificates, for ``SecItemExport(_:_:_:_:_:)`` and
/// ``SecItemImport(_:_:_:_:_:_:_:_:)``. The names and numbers are macOS's.
public enum SecExternalFormat: UInt32, Hashable, Sendable {
    /// Import: to be found out. Export: what fits the item.
    case formatUnknown = 0
    /// A key as OpenSSL writes it: RSAPrivateKey, ECPrivateKey, or SubjectPublicKeyInfo for a public one.
    case formatOpenSSL
    /// Not offered: OpenSSH, version 1.
    case formatSSH
    /// A key as PrivateKeyInfo (PKCS#8), or RSAPublicKey (PKCS#1) for a public RSA key.
    case formatBSAFE
    /// Not offered: the bytes of a symmetric key.
    case formatRawKey
    /// A private key as EncryptedPrivateKeyInfo (PKCS#8), under a passphrase.
    case formatWrappedPKCS8
    /// Import only: a private key as OpenSSL wrote it under a passphrase until version 1.0. It is not written,
    /// because its
    /// key derivation is one round of MD5.
    case formatWrappedOpenSSL
    /// Not offered: OpenSSH, version 1, under a passphrase.
    case formatWrappedSSH
    /// Not offered.
    case formatWrappedLSH
    /// One certificate, DER.
    case formatX509Cert
    /// Certificates and keys, one block of PEM after the other.
    case formatPEMSequence
    /// Certificates in a PKCS#7 file.
    case formatPKCS7
    /// Certificates and private keys in a PKCS#12 file, under a passphrase.
    case formatPKCS12
    /// Not offered.
    case formatNetscapeCertSequence
    /// Not offered: OpenSSH, version 2.
    case formatSSHv2
}

/// What a file holds. The names and numbers are macOS's.
public enum SecExternalItemType: UInt32, Hashable, Sendable {
    /// To be found out.
    case itemTypeUnknown = 0
    /// One private key.
    case itemTypePrivateKey
    /// One public key.
    case itemTypePublicKey
    /// Not offered: a symmetric key.
    case itemTypeSessionKey
    /// One certificate.
    case itemTypeCertificate
    /// Several of them, or a file that may hold several.
    case itemTypeAggregate
}

/// How a file is written.
public struct SecItemImportExportFlags: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt32

    /// Flags from their bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// As PEM, a text.
    public static let pemArmour = SecItemImportExportFlags(rawValue: 1)
}

/// How keys are read and written.
public struct SecKeyImportExportFlags: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt32

    /// Flags from their bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// A file with more than one private key is refused with -25259.
    public static let importOnlyOne = SecKeyImportExportFlags(rawValue: 1)
    /// macOS asks the person for the passphrase. Nobody is asked here: without a passphrase the call ends with -25260.
    public static let securePassphrase = SecKeyImportExportFlags(rawValue: 2)
    /// Without effect: keys that are read here are in memory, and no list guards them.
    public static let noAccessControl = SecKeyImportExportFlags(rawValue: 4)
}
