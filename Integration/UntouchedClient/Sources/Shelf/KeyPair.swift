import Foundation
import Security

/// A pair of keys, and what it signs and opens.
public final class KeyPair {
    public enum Kind {
        case rsa(bits: Int)
        case curve(bits: Int)

        var parameters: [String: Any] {
            switch self {
            case .rsa(let bits):
                return [kSecAttrKeyType as String: kSecAttrKeyTypeRSA, kSecAttrKeySizeInBits as String: bits]
            case .curve(let bits):
                return [
                    kSecAttrKeyType as String: kSecAttrKeyTypeECSECPrimeRandom,
                    kSecAttrKeySizeInBits as String: bits as NSNumber,
                ]
            }
        }
    }

    public let privateKey: SecKey
    public let publicKey: SecKey

    public init(_ kind: Kind, tag: String? = nil) throws {
        var parameters = kind.parameters
        if let tag = tag {
            parameters[kSecPrivateKeyAttrs as String] =
                [kSecAttrIsPermanent as String: true, kSecAttrApplicationTag as String: tag.data(using: .utf8)!]
                as [String: Any]
        }
        var error: Unmanaged<CFError>?
        guard let key = SecKeyCreateRandomKey(parameters as CFDictionary, &error) else {
            throw error!.takeRetainedValue() as Error
        }
        guard let half = SecKeyCopyPublicKey(key) else { throw ShelfError(errSecInvalidKeyRef) }
        privateKey = key
        publicKey = half
    }

    public func sign(_ message: Data, _ algorithm: SecKeyAlgorithm) throws -> Data {
        guard SecKeyIsAlgorithmSupported(privateKey, .sign, algorithm) else { throw ShelfError(errSecUnimplemented) }
        var error: Unmanaged<CFError>?
        let result = SecKeyCreateSignature(privateKey, algorithm, message as CFData, &error)
        guard let signature = result else { throw error!.takeRetainedValue() }
        return signature as Data
    }

    public func isValid(_ signature: Data, for message: Data, _ algorithm: SecKeyAlgorithm) -> Bool {
        var error: Unmanaged<CFError>?
        let isValid = SecKeyVerifySignature(publicKey, algorithm, message as CFData, signature as CFData, &error)
        if let error = error?.takeRetainedValue() { return CFErrorGetCode(error) == 0 }
        return isValid
    }

    public func seal(_ plain: Data, _ algorithm: SecKeyAlgorithm) throws -> Data {
        var error: Unmanaged<CFError>?
        guard let sealed = SecKeyCreateEncryptedData(publicKey, algorithm, plain as CFData, &error) as Data? else {
            throw (error?.takeRetainedValue() as Error?) ?? ShelfError(errSecParam)
        }
        return sealed
    }

    public func open(_ sealed: Data, _ algorithm: SecKeyAlgorithm) throws -> Data {
        var error: Unmanaged<CFError>?
        guard let plain = SecKeyCreateDecryptedData(privateKey, algorithm, sealed as CFData, &error) else {
            throw error!.takeRetainedValue() as Error
        }
        return plain as Data
    }

    /// The public half as bytes, and a key made of them again.
    public func exported() throws -> (bytes: Data, again: SecKey) {
        var error: Unmanaged<CFError>?
        guard let bytes = SecKeyCopyExternalRepresentation(publicKey, &error) else {
            throw error!.takeRetainedValue() as Error
        }
        guard let attributes = SecKeyCopyAttributes(publicKey) as? [CFString: Any],
            let kind = attributes[kSecAttrKeyType], let bits = attributes[kSecAttrKeySizeInBits] as? Int
        else { throw ShelfError(errSecInternalComponent) }
        let wanted: [CFString: Any] = [
            kSecAttrKeyType: kind, kSecAttrKeyClass: kSecAttrKeyClassPublic, kSecAttrKeySizeInBits: bits,
        ]
        guard let key = SecKeyCreateWithData(bytes, wanted as CFDictionary, &error) else {
            throw error!.takeRetainedValue() as Error
        }
        return (bytes as Data, key)
    }

    /// Looks for a permanent key.
    public static func find(tag: String) throws -> SecKey {
        let query: [CFString: Any] = [
            kSecClass: kSecClassKey, kSecAttrApplicationTag: Data(tag.utf8), kSecReturnRef: kCFBooleanTrue!,
        ]
        var item: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &item)
        guard status == errSecSuccess, let item = item, CFGetTypeID(item) == SecKeyGetTypeID() else {
            throw NSError(domain: NSOSStatusErrorDomain, code: Int(status), userInfo: nil)
        }
        return item as! SecKey
    }

    public static func remove(tag: String) {
        let query: [CFString: Any] = [kSecClass: kSecClassKey, kSecAttrApplicationTag: tag.data(using: .utf8)!]
        SecItemDelete(query as CFDictionary)
    }
}
