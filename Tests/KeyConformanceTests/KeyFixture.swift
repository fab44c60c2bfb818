import Foundation
import PavisePrimitives
import SecurityFramework
import TestSupport
import Testing

/// Keys that tests share: some take a second to make, and none of them ever changes.
enum Keys {
    /// Type and size of every software key that is offered.
    static let kinds: [(type: String, bits: Int)] = [
        ("73", 192), ("73", 224), ("73", 256), ("73", 384), ("73", 521), ("42", 1024), ("42", 2048), ("105", 256),
        ("106", 256),
    ]

    private static let made = try? kinds.map { try make($0.type, $0.bits) }

    /// The private keys of ``kinds``.
    static func all() throws -> [SecKey] { try #require(made) }

    /// The private key of one kind.
    static func one(_ type: String, _ bits: Int) throws -> SecKey {
        let index = try #require(kinds.firstIndex { $0.type == type && $0.bits == bits })
        return try all()[index]
    }

    /// A fresh private key.
    static func make(_ type: String, _ bits: Int) throws -> SecKey {
        try SecKey.random([kSecAttrKeyType: type, kSecAttrKeySizeInBits: bits])
    }

    /// A key from its external representation.
    static func read(_ bytes: Data, _ type: String?, _ keyClass: String?) throws -> SecKey {
        var attributes: [CFString: Any] = [:]
        attributes[kSecAttrKeyType] = type
        attributes[kSecAttrKeyClass] = keyClass
        return try SecKey.reading(bytes, attributes)
    }
}

extension SecKey {
    /// The public half.
    func publicHalf() throws -> SecKey { try #require(SecKeyCopyPublicKey(self)) }

    /// The value of an attribute.
    func fact<Value>(_ key: CFString, as type: Value.Type = Value.self) -> Value? {
        SecKeyCopyAttributes(self)?[key] as? Value
    }
}

/// An algorithm by its text.
func algorithm(_ name: String) -> SecKeyAlgorithm { SecKeyAlgorithm(rawValue: name as CFString) }

/// The five hashes and the lengths of their digests.
let hashes: [(name: String, count: Int)] = [
    ("SHA1", 20), ("SHA224", 28), ("SHA256", 32), ("SHA384", 48), ("SHA512", 64),
]

/// Every algorithm that is offered, by its text.
let algorithmNames: [String] = {
    var names = [
        "algid:sign:RSA:raw", "algid:sign:RSA:digest-PKCS1v15", "algid:encrypt:RSA:raw", "algid:encrypt:RSA:PKCS1",
        "algid:sign:ECDSA:digest-X962", "algid:sign:ECDSA:digest-RFC4754", "algid:sign:ECDSA:RFC4754",
        "algid:sign:EdDSA:message-Curve25519:SHA512", "algid:keyexchange:ECDH", "algid:keyexchange:ECDHC",
    ]
    for (hash, count) in hashes {
        for input in ["digest", "message"] {
            names += [
                "algid:sign:RSA:\(input)-PKCS1v15:\(hash)", "algid:sign:RSA:\(input)-PSS:\(hash):\(hash):\(count)",
                "algid:sign:ECDSA:\(input)-X962:\(hash)", "algid:sign:ECDSA:\(input)-RFC4754:\(hash)",
            ]
        }
        names += ["algid:encrypt:RSA:OAEP:\(hash)", "algid:encrypt:RSA:OAEP:\(hash):AESGCM"]
        for agreement in ["ECDH", "ECDHC"] {
            names.append("algid:keyexchange:\(agreement):KDFX963:\(hash)")
            names.append("algid:encrypt:ECIES:\(agreement):KDFX963:\(hash):AESGCM")
            if hash != "SHA1" { names.append("algid:encrypt:ECIES:\(agreement):KDFX963:\(hash):AESGCM-KDFIV") }
        }
    }
    return names
}()

/// The code of the `NSError` that `body` throws; 0 when it throws nothing, 1 for another error.
func statusCode(_ body: () throws -> some Any) -> Int {
    do {
        _ = try body()
        return 0
    } catch let error as NSError {
        return error.domain == "NSOSStatusErrorDomain" ? error.code : 1
    }
}

/// A keychain of its own below a temporary folder.
struct KeychainFixture {
    let folder: TemporaryFolder
    let environment: SecurityEnvironment

    init() throws {
        folder = try TemporaryFolder()
        environment = SecurityEnvironment(home: PaviseHome(path: folder.path + "/home"))
    }

    /// The keychain of another fixture, in a child process.
    init(_ environment: SecurityEnvironment) throws {
        folder = try TemporaryFolder()
        self.environment = environment
    }

    func run<Result>(_ body: () throws -> Result) rethrows -> Result {
        try SecurityEnvironment.$override.withValue(environment) { try body() }
    }

    /// How many key items match.
    func count(_ more: [String: Any] = [:]) -> Int {
        var result: AnyObject?
        let query: [String: Any] = ["class": "keys", "m_Limit": kSecMatchLimitAll, "r_Attributes": true]
        _ = unsafe SecItemCopyMatching(query.merging(more) { $1 } as CFDictionary, &result)
        return (result as? [Any])?.count ?? 0
    }

    /// The one key that matches.
    func key(_ more: [String: Any]) -> SecKey? {
        var result: AnyObject?
        let query: [String: Any] = ["class": "keys", "r_Ref": true]
        _ = unsafe SecItemCopyMatching(query.merging(more) { $1 } as CFDictionary, &result)
        return result as? SecKey
    }
}
