// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

/// Key exchange and encryption with elliptic-curve keys.
extension SecKeyAlgorithm {
    /// Standard ECDH: the x coordinate.
    public static let ecdhKeyExchangeStandard = SecKeyAlgorithm("algid:keyexchange:ECDH")
    /// Standard ECDH, then the X9.63 key derivation with SHA-1.
    public static let ecdhKeyExchangeStandardX963SHA1 = SecKeyAlgorithm("algid:keyexchange:ECDH:KDFX963:SHA1")
    /// Standard ECDH, then the X9.63 key derivation with SHA-224.
    public static let ecdhKeyExchangeStandardX963SHA224 = SecKeyAlgorithm("algid:keyexchange:ECDH:KDFX963:SHA224")
    /// Standard ECDH, then the X9.63 key derivation with SHA-256.
    public static let ecdhKeyExchangeStandardX963SHA256 = SecKeyAlgorithm("algid:keyexchange:ECDH:KDFX963:SHA256")
    /// Standard ECDH, then the X9.63 key derivation with SHA-384.
    public static let ecdhKeyExchangeStandardX963SHA384 = SecKeyAlgorithm("algid:keyexchange:ECDH:KDFX963:SHA384")
    /// Standard ECDH, then the X9.63 key derivation with SHA-512.
    public static let ecdhKeyExchangeStandardX963SHA512 = SecKeyAlgorithm("algid:keyexchange:ECDH:KDFX963:SHA512")
    /// Cofactor ECDH: the x coordinate.
    public static let ecdhKeyExchangeCofactor = SecKeyAlgorithm("algid:keyexchange:ECDHC")
    /// Cofactor ECDH, then the X9.63 key derivation with SHA-1.
    public static let ecdhKeyExchangeCofactorX963SHA1 = SecKeyAlgorithm("algid:keyexchange:ECDHC:KDFX963:SHA1")
    /// Cofactor ECDH, then the X9.63 key derivation with SHA-224.
    public static let ecdhKeyExchangeCofactorX963SHA224 = SecKeyAlgorithm("algid:keyexchange:ECDHC:KDFX963:SHA224")
    /// Cofactor ECDH, then the X9.63 key derivation with SHA-256.
    public static let ecdhKeyExchangeCofactorX963SHA256 = SecKeyAlgorithm("algid:keyexchange:ECDHC:KDFX963:SHA256")
    /// Cofactor ECDH, then the X9.63 key derivation with SHA-384.
    public static let ecdhKeyExchangeCofactorX963SHA384 = SecKeyAlgorithm("algid:keyexchange:ECDHC:KDFX963:SHA384")
    /// Cofactor ECDH, then the X9.63 key derivation with SHA-512.
    public static let ecdhKeyExchangeCofactorX963SHA512 = SecKeyAlgorithm("algid:keyexchange:ECDHC:KDFX963:SHA512")
    /// ECIES, standard ECDH, X9.63 with SHA-1, AES-GCM, zero nonce.
    public static let eciesEncryptionStandardX963SHA1AESGCM =
        SecKeyAlgorithm("algid:encrypt:ECIES:ECDH:KDFX963:SHA1:AESGCM")
    /// ECIES, standard ECDH, X9.63 with SHA-224, AES-GCM, zero nonce.
    public static let eciesEncryptionStandardX963SHA224AESGCM =
        SecKeyAlgorithm("algid:encrypt:ECIES:ECDH:KDFX963:SHA224:AESGCM")
    /// ECIES, standard ECDH, X9.63 with SHA-256, AES-GCM, zero nonce.
    public static let eciesEncryptionStandardX963SHA256AESGCM =
        SecKeyAlgorithm("algid:encrypt:ECIES:ECDH:KDFX963:SHA256:AESGCM")
    /// ECIES, standard ECDH, X9.63 with SHA-384, AES-GCM, zero nonce.
    public static let eciesEncryptionStandardX963SHA384AESGCM =
        SecKeyAlgorithm("algid:encrypt:ECIES:ECDH:KDFX963:SHA384:AESGCM")
    /// ECIES, standard ECDH, X9.63 with SHA-512, AES-GCM, zero nonce.
    public static let eciesEncryptionStandardX963SHA512AESGCM =
        SecKeyAlgorithm("algid:encrypt:ECIES:ECDH:KDFX963:SHA512:AESGCM")
    /// ECIES, standard ECDH, X9.63 with SHA-224 for key and nonce, AES-GCM.
    public static let eciesEncryptionStandardVariableIVX963SHA224AESGCM =
        SecKeyAlgorithm("algid:encrypt:ECIES:ECDH:KDFX963:SHA224:AESGCM-KDFIV")
    /// ECIES, standard ECDH, X9.63 with SHA-256 for key and nonce, AES-GCM.
    public static let eciesEncryptionStandardVariableIVX963SHA256AESGCM =
        SecKeyAlgorithm("algid:encrypt:ECIES:ECDH:KDFX963:SHA256:AESGCM-KDFIV")
    /// ECIES, standard ECDH, X9.63 with SHA-384 for key and nonce, AES-GCM.
    public static let eciesEncryptionStandardVariableIVX963SHA384AESGCM =
        SecKeyAlgorithm("algid:encrypt:ECIES:ECDH:KDFX963:SHA384:AESGCM-KDFIV")
    /// ECIES, standard ECDH, X9.63 with SHA-512 for key and nonce, AES-GCM.
    public static let eciesEncryptionStandardVariableIVX963SHA512AESGCM =
        SecKeyAlgorithm("algid:encrypt:ECIES:ECDH:KDFX963:SHA512:AESGCM-KDFIV")
    /// ECIES, cofactor ECDH, X9.63 with SHA-1, AES-GCM, zero nonce.
    public static let eciesEncryptionCofactorX963SHA1AESGCM =
        SecKeyAlgorithm("algid:encrypt:ECIES:ECDHC:KDFX963:SHA1:AESGCM")
    /// ECIES, cofactor ECDH, X9.63 with SHA-224, AES-GCM, zero nonce.
    public static let eciesEncryptionCofactorX963SHA224AESGCM =
        SecKeyAlgorithm("algid:encrypt:ECIES:ECDHC:KDFX963:SHA224:AESGCM")
    /// ECIES, cofactor ECDH, X9.63 with SHA-256, AES-GCM, zero nonce.
    public static let eciesEncryptionCofactorX963SHA256AESGCM =
        SecKeyAlgorithm("algid:encrypt:ECIES:ECDHC:KDFX963:SHA256:AESGCM")
    /// ECIES, cofactor ECDH, X9.63 with SHA-384, AES-GCM, zero nonce.
    public static let eciesEncryptionCofactorX963SHA384AESGCM =
        SecKeyAlgorithm("algid:encrypt:ECIES:ECDHC:KDFX963:SHA384:AESGCM")
    /// ECIES, cofactor ECDH, X9.63 with SHA-512, AES-GCM, zero nonce.
    public static let eciesEncryptionCofactorX963SHA512AESGCM =
        SecKeyAlgorithm("algid:encrypt:ECIES:ECDHC:KDFX963:SHA512:AESGCM")
    /// ECIES, cofactor ECDH, X9.63 with SHA-224 for key and nonce, AES-GCM.
    public static let eciesEncryptionCofactorVariableIVX963SHA224AESGCM =
        SecKeyAlgorithm("algid:encrypt:ECIES:ECDHC:KDFX963:SHA224:AESGCM-KDFIV")
    /// ECIES, cofactor ECDH, X9.63 with SHA-256 for key and nonce, AES-GCM.
    public static let eciesEncryptionCofactorVariableIVX963SHA256AESGCM =
        SecKeyAlgorithm("algid:encrypt:ECIES:ECDHC:KDFX963:SHA256:AESGCM-KDFIV")
    /// ECIES, cofactor ECDH, X9.63 with SHA-384 for key and nonce, AES-GCM.
    public static let eciesEncryptionCofactorVariableIVX963SHA384AESGCM =
        SecKeyAlgorithm("algid:encrypt:ECIES:ECDHC:KDFX963:SHA384:AESGCM-KDFIV")
    /// ECIES, cofactor ECDH, X9.63 with SHA-512 for key and nonce, AES-GCM.
    public static let eciesEncryptionCofactorVariableIVX963SHA512AESGCM =
        SecKeyAlgorithm("algid:encrypt:ECIES:ECDHC:KDFX963:SHA512:AESGCM-KDFIV")
}
