import Foundation
import Security

/// The older calls, in the forms in which libraries write them. Compiled, never run.
func olderCalls(_ key: SecKey, _ publicKey: SecKey, _ message: Data) -> Data? {
    let padding: SecPadding = [.PKCS1]
    _ = [SecPadding.PKCS1SHA1, .PKCS1SHA224, .PKCS1SHA256, .PKCS1SHA384, .PKCS1SHA512, .OAEP]
    let size = SecKeyGetBlockSize(key)

    var signature = [UInt8](repeating: 0, count: size)
    var signatureLength = signature.count
    let digest = [UInt8](message)
    guard SecKeyRawSign(key, .PKCS1SHA256, digest, digest.count, &signature, &signatureLength) == errSecSuccess,
        SecKeyRawVerify(publicKey, .PKCS1SHA256, digest, digest.count, signature, signatureLength) == noErr
    else { return nil }

    var sealed = [UInt8](repeating: 0, count: size)
    var sealedLength = size
    guard SecKeyEncrypt(publicKey, padding, digest, digest.count, &sealed, &sealedLength) == noErr else { return nil }
    var plain = [UInt8](repeating: 0, count: size)
    var plainLength = size
    guard SecKeyDecrypt(key, padding, sealed, sealedLength, &plain, &plainLength) == noErr else { return nil }
    return Data(bytes: plain, count: plainLength)
}

/// The same through the pointers of `NSData`, as the oldest libraries have it.
func olderCallsByPointer(_ key: SecKey, _ digest: NSData, _ signature: NSMutableData) -> OSStatus {
    var length = signature.length
    let bytes = digest.bytes.assumingMemoryBound(to: UInt8.self)
    let target = signature.mutableBytes.assumingMemoryBound(to: UInt8.self)
    return SecKeyRawSign(key, SecPadding.PKCS1SHA1, bytes, digest.length, target, &length)
}

func pair(_ parameters: [String: Any]) -> (SecKey, SecKey)? {
    var publicKey, privateKey: SecKey?
    let status = SecKeyGeneratePair(parameters as CFDictionary, &publicKey, &privateKey)
    guard status == errSecSuccess, let one = publicKey, let other = privateKey else { return nil }
    return (one, other)
}

func agreement(_ key: SecKey, _ other: SecKey) throws -> Data {
    let parameters: [SecKeyKeyExchangeParameter: Any] = [.requestedSize: 32, .sharedInfo: Data()]
    let texts = [SecKeyKeyExchangeParameter.requestedSize.rawValue as String: 32]
    var error: Unmanaged<CFError>?
    let secret = SecKeyCopyKeyExchangeResult(key, .ecdhKeyExchangeStandard, other, texts as CFDictionary, &error)
    guard let secret else { throw error!.takeRetainedValue() as Error }
    return parameters.isEmpty ? Data() : secret as Data
}

func legacyIdentity(_ certificate: SecCertificate) -> SecIdentity? {
    var identity: SecIdentity?
    guard SecIdentityCreateWithCertificate(nil, certificate, &identity) == errSecSuccess else { return nil }
    return identity
}

func identityNames(_ pkcs12: Data, _ certificate: SecCertificate) throws -> (SecKey, SecCertificate)? {
    let options = [kSecImportExportPassphrase as String: "passphrase"]
    var items: CFArray?
    guard SecPKCS12Import(pkcs12 as CFData, options as CFDictionary, &items) == errSecSuccess,
        let first = (items as? [[String: Any]])?.first,
        let value = first[kSecImportItemIdentity as String] as CFTypeRef?, CFGetTypeID(value) == SecIdentityGetTypeID()
    else { return nil }
    let identity = value as! SecIdentity
    var key: SecKey?
    var leaf: SecCertificate?
    guard SecIdentityCopyPrivateKey(identity, &key) == errSecSuccess,
        SecIdentityCopyCertificate(identity, &leaf) == errSecSuccess
    else { return nil }
    return (key!, leaf!)
}
