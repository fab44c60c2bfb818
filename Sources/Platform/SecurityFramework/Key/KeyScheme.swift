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

    case ecdsa(Input, isRaw: Bool)
    case rsaSignature(Input, isPSS: Bool)
    /// ECDH, then X9.63 with the hash where there is one.
    case agreement(HashFunction?)
    case ecies(HashFunction, derivesNonce: Bool)
    /// OAEP; hybrid packets carry a session key for AES-GCM.
    case oaep(HashFunction, isHybrid: Bool)

    init?(_ algorithm: SecKeyAlgorithm) {
        guard let scheme = Self.table[algorithm.name] else { return nil }
        self = scheme
    }

    private static let table: [String: KeyScheme] = {
        var table: [String: KeyScheme] = [
            "algid:sign:ECDSA:digest-X962": .ecdsa(.anyDigest, isRaw: false),
            "algid:sign:ECDSA:digest-RFC4754": .ecdsa(.anyDigest, isRaw: true),
            "algid:sign:ECDSA:RFC4754": .ecdsa(.anyDigest, isRaw: true),
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
            table["algid:encrypt:RSA:OAEP:\(name)"] = .oaep(hash, isHybrid: false)
            table["algid:encrypt:RSA:OAEP:\(name):AESGCM"] = .oaep(hash, isHybrid: true)
            addAgreements(&table, hash, name)
        }
        return table
    }()

    // On these curves the cofactor is 1: both names mean the same.
    private static func addAgreements(_ table: inout [String: KeyScheme], _ hash: HashFunction, _ name: String) {
        for kind in ["ECDH", "ECDHC"] {
            table["algid:keyexchange:\(kind)"] = .agreement(nil)
            table["algid:keyexchange:\(kind):KDFX963:\(name)"] = .agreement(hash)
            let ecies = "algid:encrypt:ECIES:\(kind):KDFX963:\(name):AESGCM"
            table[ecies] = .ecies(hash, derivesNonce: false)
            if hash != .sha1 { table["\(ecies)-KDFIV"] = .ecies(hash, derivesNonce: true) }
        }
    }

    /// Whether a key of this material does this operation with this scheme.
    func isSupported(_ operation: SecKeyOperationType, by material: KeyMaterial) -> Bool {
        switch (self, operation) {
        case (.ecdsa, .sign), (.agreement, .keyExchange), (.ecies, .decrypt): material.isPrivate && material.isEC
        case (.ecdsa, .verify), (.ecies, .encrypt): !material.isPrivate && material.isEC
        case (.rsaSignature(let input, let isPSS), .sign), (.rsaSignature(let input, let isPSS), .verify):
            !material.isEC && material.isPrivate == (operation == .sign)
                && (!isPSS || material.bits >= 16 * input.digestBytes + 9)
        case (.oaep(let hash, let isHybrid), .encrypt), (.oaep(let hash, let isHybrid), .decrypt):
            !material.isEC && material.isPrivate == (operation == .decrypt)
                && material.blockBytes >= 2 * hash.byteCount + 2 + (isHybrid ? 32 : 0)
        default: false
        }
    }
}

extension KeyScheme.Input {
    /// The length of the digest in bytes; 0 when any will do.
    var digestBytes: Int {
        switch self {
        case .message(let hash), .digest(let hash): hash.byteCount
        case .anyDigest: 0
        }
    }

    /// The digest of what the caller gave.
    func digest(of data: [UInt8]) throws(KeyFailure) -> [UInt8] {
        switch self {
        case .message(let hash): return Hash.digest(hash, data)
        case .digest(let hash):
            guard data.count == hash.byteCount else { throw .parameter("the digest has another length than its hash") }
            return data
        case .anyDigest: return data
        }
    }
}
