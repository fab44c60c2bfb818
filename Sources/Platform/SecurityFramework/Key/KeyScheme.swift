internal import PaviseCrypto

/// What a ``SecKeyAlgorithm`` means. An algorithm without a scheme is not supported.
enum KeyScheme: Hashable, Sendable {
    /// Whether the hash is made here or by the caller.
    enum Input: Hashable, Sendable {
        case message(HashFunction)
        case digest(HashFunction)
        /// A digest of any length; the leftmost bits count.
        case anyDigest
    }

    /// How RSA pads what it encrypts.
    enum Encryption: Hashable, Sendable {
        case plain(RSAEncryptionPadding)
        /// A session key for AES-GCM under OAEP.
        case hybrid(HashFunction)
    }

    case ecdsa(Input, isRaw: Bool)
    case eddsa
    case rsaSignature(Input, isPSS: Bool)
    /// PKCS#1 v1.5 padding without a DigestInfo.
    case rsaBareSignature
    /// RSA without padding.
    case rsaRawSignature
    /// ECDH, then X9.63 with the hash where there is one.
    case agreement(HashFunction?)
    case ecies(HashFunction, derivesNonce: Bool)
    case rsaEncryption(Encryption)

    init?(_ algorithm: SecKeyAlgorithm) {
        guard let scheme = Self.table[algorithm.name] else { return nil }
        self = scheme
    }

    /// All names that are offered.
    static let names = Set(table.keys)

    private static let table: [String: KeyScheme] = {
        var table: [String: KeyScheme] = [
            "algid:sign:ECDSA:digest-X962": .ecdsa(.anyDigest, isRaw: false),
            "algid:sign:ECDSA:digest-RFC4754": .ecdsa(.anyDigest, isRaw: true),
            "algid:sign:ECDSA:RFC4754": .ecdsa(.anyDigest, isRaw: true),
            "algid:sign:EdDSA:message-Curve25519:SHA512": .eddsa,
            "algid:sign:RSA:raw": .rsaRawSignature, "algid:sign:RSA:digest-PKCS1v15": .rsaBareSignature,
            "algid:encrypt:RSA:raw": .rsaEncryption(.plain(.none)),
            "algid:encrypt:RSA:PKCS1": .rsaEncryption(.plain(.pkcs1)),
        ]
        for hash in HashFunction.allCases {
            let name = hash.rawValue.uppercased()
            for (format, isRaw) in [("X962", false), ("RFC4754", true)] {
                table["algid:sign:ECDSA:digest-\(format):\(name)"] = .ecdsa(.digest(hash), isRaw: isRaw)
                table["algid:sign:ECDSA:message-\(format):\(name)"] = .ecdsa(.message(hash), isRaw: isRaw)
            }
            let pss = "PSS:\(name):\(name):\(hash.byteCount)"
            for (padding, isPSS) in [("PKCS1v15:\(name)", false), (pss, true)] {
                table["algid:sign:RSA:digest-\(padding)"] = .rsaSignature(.digest(hash), isPSS: isPSS)
                table["algid:sign:RSA:message-\(padding)"] = .rsaSignature(.message(hash), isPSS: isPSS)
            }
            table["algid:encrypt:RSA:OAEP:\(name)"] = .rsaEncryption(.plain(.oaep(hash)))
            table["algid:encrypt:RSA:OAEP:\(name):AESGCM"] = .rsaEncryption(.hybrid(hash))
            addAgreements(&table, hash, name)
        }
        return table
    }()

    // On the NIST curves the cofactor is 1, and X25519 has it in the scalar: both names mean the same.
    private static func addAgreements(_ table: inout [String: KeyScheme], _ hash: HashFunction, _ name: String) {
        for kind in ["ECDH", "ECDHC"] {
            table["algid:keyexchange:\(kind)"] = .agreement(nil)
            table["algid:keyexchange:\(kind):KDFX963:\(name)"] = .agreement(hash)
            let ecies = "algid:encrypt:ECIES:\(kind):KDFX963:\(name):AESGCM"
            table[ecies] = .ecies(hash, derivesNonce: false)
            if hash != .sha1 { table["\(ecies)-KDFIV"] = .ecies(hash, derivesNonce: true) }
        }
    }
}
