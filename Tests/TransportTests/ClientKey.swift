import Foundation
import PavisePrimitives
import SecurityFramework
import TestSupport
import Testing

/// Where the private key of a client's certificate is.
enum ClientKey: CaseIterable, CustomTestStringConvertible {
    case ec256
    case ec384
    case rsa
    case element

    var testDescription: String { "\(self)" }

    var attributes: [CFString: Any] {
        switch self {
        case .ec256: [kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256]
        case .ec384: [kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 384]
        case .rsa: [kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeySizeInBits: 2048]
        case .element:
            [
                kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256,
                kSecAttrTokenID: kSecAttrTokenIDSecureEnclave,
            ]
        }
    }

    // What stands before the key's own bytes in a SubjectPublicKeyInfo (RFC 5480, RFC 8017 A.1).
    private var start: String {
        switch self {
        case .ec256, .element: "3059301306072a8648ce3d020106082a8648ce3d030107034200"
        case .ec384: "3076301006072a8648ce3d020106052b81040022036200"
        case .rsa: "30820122300d06092a864886f70d01010105000382010f00"
        }
    }

    /// A fresh key and what a certificate says of it.
    func make(_ control: SecAccessControl? = nil) throws -> (key: SecKey, spki: [UInt8]) {
        var attributes = attributes
        if let control { attributes[kSecPrivateKeyAttrs] = [kSecAttrAccessControl: control] as [CFString: Any] }
        let made = SecKeyCreateRandomKey(attributes as CFDictionary, nil)
        let key = try #require(made)
        let half = try #require(SecKeyCopyPublicKey(key))
        let external = SecKeyCopyExternalRepresentation(half, nil)
        let bytes = try #require(external)
        return (key, try #require(Hex.decode(start)) + [UInt8](bytes as Data))
    }
}
