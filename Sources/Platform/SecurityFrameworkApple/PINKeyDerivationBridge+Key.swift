internal import CommonCrypto
internal import CryptoKit
internal import CryptoTokenKit
internal import Foundation
internal import LocalAuthentication
package import PavisePrimitives
internal import Security

// The stretched code is the application password of a key of the Secure Enclave (kSecAccessControlApplicationPassword):
// the enclave judges each guess, and without it no guess can be judged at all. What the key opens is mixed with the
// stretched code.
extension PINKeyDerivationBridge {
    /// The price that takes this many milliseconds here.
    package static func price(milliseconds: Double) -> KDFCost {
        let rounds = unsafe CCCalibratePBKDF(
            CCPBKDFAlgorithm(kCCPBKDF2), 6, 16, CCPseudoRandomAlgorithm(kCCPRFHmacAlgSHA256), 32,
            UInt32(milliseconds))
        return KDFCost(rounds: max(100_000, rounds))
    }

    /// Makes the record of a new code, and the key of 32 bytes that it gives.
    package static func make(
        _ code: Span<UInt8>, price: KDFCost, label: [UInt8]
    ) throws(Failure) -> (record: [UInt8], key: SharedSecretBytes) {
        try make(code, price: price, label: label) { key, plain in
            unsafe SecKeyCreateEncryptedData(key, algorithm, plain as CFData, nil) as Data?
        }
    }

    /// As ``make(_:price:label:)``, with the encryption of the caller's.
    static func make(
        _ code: Span<UInt8>, price: KDFCost, label: [UInt8], encrypt: (SecKey, Data) -> Data?
    ) throws(Failure) -> (record: [UInt8], key: SharedSecretBytes) {
        guard let salt = try? Entropy.kernel.bytes(16), let tag = try? Entropy.kernel.bytes(16),
            let mixed = try? SecretBytes.random(count: 32)
        else { throw .unavailable("The kernel gave no random bytes.") }
        let stretched = try stretch(code, salt: salt, price: price)
        var draft = Record(rounds: price.rounds, salt: salt, tag: tag, packet: [])
        let publicKey = try makeKey(tag, context(stretched))
        let plain = mixed.withBytes { bytes in Data(Array(bytes)) }
        guard let sealed = encrypt(publicKey, plain) else {
            forgetKey(tag)
            throw .unavailable("The Secure Enclave refused to encrypt.")
        }
        draft.packet = Array(sealed)
        return (draft.encoded, SharedSecretBytes(combine(stretched, mixed, label)))
    }

    /// The key that a code gives; the enclave refuses a wrong one.
    package static func key(_ code: Span<UInt8>, record: [UInt8], label: [UInt8]) throws(Failure) -> SecretBytes {
        guard let known = Record(record) else { throw .damaged }
        let stretched = try stretch(code, salt: known.salt, price: KDFCost(rounds: known.rounds))
        let key = try find(known.tag, context(stretched))
        var error: Unmanaged<CFError>?
        guard let plain = unsafe SecKeyCreateDecryptedData(key, algorithm, Data(known.packet) as CFData, &error) else {
            guard let error = unsafe error?.takeRetainedValue() else {
                throw .unavailable("The Secure Enclave refused.")
            }
            throw refusal(domain: CFErrorGetDomain(error) as String, code: CFErrorGetCode(error))
        }
        var bytes = Array(plain as Data)
        defer { Wipe.bytes(&bytes) }
        return combine(stretched, SecretBytes(copying: bytes), label)
    }

    /// Deletes the enclave's key of a code. Twice is fine.
    package static func destroy(_ record: [UInt8]) throws(Failure) {
        guard let known = Record(record) else { return }
        let status = KeychainBridge.delete(query(known.tag), readable: .afterFirstUnlock)
        guard status == errSecSuccess || status == errSecItemNotFound else {
            throw .unavailable("The keychain refused (\(status)).")
        }
    }

    /// What the error of a key of the enclave says about the code, by the domain and the number that Apple documents:
    /// one number is another error in each domain.
    ///
    /// Nobody may be asked here, and the key wants nothing but the code: an error that wants more authentication says
    /// that the code does not fit. It counts as a try; "unavailable" takes the try back.
    package static func refusal(domain: String, code: Int) -> Failure {
        let isWrong =
            switch domain {
            case NSOSStatusErrorDomain: code == Int(errSecAuthFailed)
            case LAErrorDomain:
                code == LAError.Code.authenticationFailed.rawValue || code == LAError.Code.notInteractive.rawValue
            case TKErrorDomain:
                code == TKError.Code.authenticationFailed.rawValue
                    || code == TKError.Code.authenticationNeeded.rawValue
            default: false
            }
        return isWrong ? .wrong : .unavailable("The Secure Enclave refused (\(domain) \(code)).")
    }

    private static var algorithm: SecKeyAlgorithm { .eciesEncryptionCofactorVariableIVX963SHA256AESGCM }

    private static func stretch(_ code: Span<UInt8>, salt: [UInt8], price: KDFCost) throws(Failure) -> SecretBytes {
        var status = Int32(kCCParamError)
        let stretched = SecretBytes(count: 32) { target in
            status = unsafe code.withUnsafeBytes { code in
                unsafe target.withUnsafeMutableBytes { target in
                    unsafe CCKeyDerivationPBKDF(
                        CCPBKDFAlgorithm(kCCPBKDF2), code.baseAddress?.assumingMemoryBound(to: CChar.self), code.count,
                        salt, salt.count, CCPseudoRandomAlgorithm(kCCPRFHmacAlgSHA256), price.rounds,
                        target.baseAddress?.assumingMemoryBound(to: UInt8.self), target.count)
                }
            }
        }
        guard status == kCCSuccess else { throw .unavailable("PBKDF2 refused (\(status)).") }
        return stretched
    }

    private static func context(_ stretched: borrowing SecretBytes) throws(Failure) -> LAContext {
        let context = LAContext()
        context.interactionNotAllowed = true
        guard let password = BoxBridge.derive(stretched, use: "pavise application password") else {
            throw .unavailable("There is no password for the Secure Enclave.")
        }
        // Without it every code would look wrong.
        let isSet = context.setCredential(
            password.withBytes { bytes in Data(Array(bytes)) }, type: .applicationPassword)
        guard isSet else { throw .unavailable("The system took no password for the Secure Enclave.") }
        return context
    }

    private static func makeKey(_ tag: [UInt8], _ context: LAContext) throws(Failure) -> SecKey {
        let control = unsafe SecAccessControlCreateWithFlags(
            nil, kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly, [.privateKeyUsage, .applicationPassword], nil)
        guard let control else { throw .unavailable("There is no such access control.") }
        // Apple documents no place for the context. Its published SecCTKKey.m merges the attributes of the private key
        // with those outside of them before a key is made on a token, so both places are one.
        let privatePart: [String: Any] = [
            kSecAttrIsPermanent as String: true, kSecAttrApplicationTag as String: Data(tag),
            kSecAttrAccessControl as String: control, kSecUseAuthenticationContext as String: context,
        ]
        let parameters: [String: Any] = [
            kSecAttrKeyType as String: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits as String: 256,
            kSecAttrTokenID as String: kSecAttrTokenIDSecureEnclave, kSecPrivateKeyAttrs as String: privatePart,
        ]
        guard let key = unsafe SecKeyCreateRandomKey(parameters as CFDictionary, nil) else {
            throw .unavailable("The Secure Enclave made no key.")
        }
        guard let open = SecKeyCopyPublicKey(key) else {
            forgetKey(tag)
            throw .unavailable("The Secure Enclave made no key.")
        }
        return open
    }

    /// Deletes a key of a record that was not made: its tag stands nowhere, so nobody could later. The failure that
    /// stopped the record is the one to tell.
    private static func forgetKey(_ tag: [UInt8]) {
        _ = KeychainBridge.delete(query(tag), readable: .afterFirstUnlock)
    }

    private static func find(_ tag: [UInt8], _ context: LAContext) throws(Failure) -> SecKey {
        let wanted: [String: Any] = [
            kSecReturnRef as String: true, kSecUseAuthenticationContext as String: context,
        ]
        let answer = KeychainBridge.copyMatching(query(tag).merging(wanted) { $1 }, .afterFirstUnlock)
        if answer.status == errSecAuthFailed { throw .wrong }
        guard answer.status != errSecItemNotFound else { throw .lost }
        guard answer.status == errSecSuccess, let result = answer.result, CFGetTypeID(result) == SecKeyGetTypeID()
        else {
            throw .unavailable("The keychain refused (\(answer.status)).")
        }
        // Right by the type number, as in EnclaveBridge.
        return unsafe unsafeDowncast(result, to: SecKey.self)
    }

    private static func query(_ tag: [UInt8]) -> [String: Any] {
        [
            kSecClass as String: kSecClassKey, kSecAttrApplicationTag as String: Data(tag),
            kSecAttrKeyClass as String: kSecAttrKeyClassPrivate, kSecUseDataProtectionKeychain as String: true,
        ]
    }

    private static func combine(
        _ stretched: borrowing SecretBytes, _ mixed: borrowing SecretBytes, _ label: [UInt8]
    ) -> SecretBytes {
        var both = stretched.withBytes { bytes in Array(bytes) }
        both += mixed.withBytes { bytes in Array(bytes) }
        defer { Wipe.bytes(&both) }
        let key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: both), salt: label, info: Array("pavise app lock".utf8),
            outputByteCount: 32)
        var bytes = key.withUnsafeBytes { unsafe Array($0) }
        defer { Wipe.bytes(&bytes) }
        return SecretBytes(copying: bytes)
    }
}
