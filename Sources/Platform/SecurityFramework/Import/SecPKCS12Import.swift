// Apple's names.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation
internal import PaviseCrypto
internal import PavisePrimitives

/// Reads a PKCS#12 file (`.p12`, `.pfx`): identities under a passphrase. They are stored in the keychain only where the
/// options say so.
///
/// Old ciphers (RC2, triple DES) are read, because most files of the world have them. A file without an authentication
/// code is refused. At most 4 MiB, and 4,000,000 rounds of key derivation.
///
/// - Parameters:
///   - pkcs12_data: The file.
///   - options: The passphrase, a text, under `kSecImportExportPassphrase`. Without one it is empty, as on Apple's
///     systems; an empty one opens files under an empty text and files under no bytes at all. With
///     `kSecUseDataProtectionKeychain` set, keys and certificates are stored too, under the access group and the
///     accessibility that the options name, keys with their `kSecAttrAccessControl`; all of them or none, and what is
///     there already stays.
///     With `kSecImportToMemoryOnly` set, nothing is stored: what the options say about the keychain does not count.
///   - items: Gets one dictionary for each private key that has a certificate in the file: `kSecImportItemIdentity`,
///     `kSecImportItemCertChain` (leaf first), `kSecImportItemTrust` (not evaluated yet), `kSecImportItemKeyID`,
///     `kSecImportItemLabel`.
/// - Returns: 0, or what ``SecItemAdd(_:_:)`` says when something cannot be stored; -50 for a passphrase that is no
///   text; -25293 when it is wrong or the file was changed; -26275 for bytes that are no such file or ask for too much
///   work; -25256 for a cipher that is not offered; -25264 without an authentication code.
@discardableResult
@safe
public func SecPKCS12Import(
    _ pkcs12_data: CFData, _ options: CFDictionary, _ items: UnsafeMutablePointer<CFArray?>
) -> OSStatus {
    guard let passphrase = (options[kSecImportExportPassphrase] ?? "") as? String else { return errSecParam }
    let secret = SecretBytes(utf8: passphrase)
    do throws(PKCS12Failure) {
        let content = try PKCS12.read(pkcs12_data.copiedBytes, passphrase: secret)
        let entries = ImportedIdentities(content).dictionaries
        unsafe items.pointee = entries as NSArray
        return isStored(options) ? ImportedIdentities.store(entries, options) : errSecSuccess
    } catch {
        return error.status
    }
}

// Nothing is stored where memory alone is asked for: the stricter of two wishes.
private func isStored(_ options: CFDictionary) -> Bool {
    func isSet(_ key: CFString) -> Bool { options[key].flatMap { Boolean.exactly($0) } ?? false }
    return isSet(kSecUseDataProtectionKeychain) && !isSet(kSecImportToMemoryOnly)
}

extension PKCS12Failure {
    var status: OSStatus {
        switch self {
        case .malformed, .excessive: errSecDecode
        case .passphrase: errSecAuthFailed
        case .unauthenticated: errSecPkcs12VerifyFailure
        case .unsupported: errSecUnsupportedFormat
        }
    }
}
