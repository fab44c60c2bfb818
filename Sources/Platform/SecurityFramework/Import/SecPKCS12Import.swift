// Apple's names.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation
internal import PaviseCrypto
internal import PavisePrimitives

/// Reads a PKCS#12 file (`.p12`, `.pfx`): identities under a passphrase. Nothing is stored in the keychain.
///
/// Old ciphers (RC2, triple DES) are read, because most files of the world have them. A file without an authentication
/// code is refused. At most 4 MiB, and 4,000,000 rounds of key derivation.
///
/// - Parameters:
///   - pkcs12_data: The file.
///   - options: The passphrase, a text, under `kSecImportExportPassphrase`; an empty text for a file without one.
///   - items: Gets one dictionary for each private key that has a certificate in the file: `kSecImportItemIdentity`,
///     `kSecImportItemCertChain` (leaf first), `kSecImportItemTrust` (not evaluated yet), `kSecImportItemKeyID`,
///     `kSecImportItemLabel`.
/// - Returns: 0; -25260 without a passphrase; -25293 when it is wrong or the file was changed; -26275 for bytes that are
///   no such file or ask for too much work; -25256 for a cipher that is not offered; -25264 without an authentication
///   code.
@discardableResult
@safe
public func SecPKCS12Import(
    _ pkcs12_data: CFData, _ options: CFDictionary, _ items: UnsafeMutablePointer<CFArray?>
) -> OSStatus {
    guard let passphrase = options[kSecImportExportPassphrase] else { return errSecPassphraseRequired }
    guard let passphrase = passphrase as? String else { return errSecParam }
    let secret = SecretBytes(utf8: passphrase)
    do throws(PKCS12Failure) {
        let content = try PKCS12.read(pkcs12_data.copiedBytes, passphrase: secret)
        unsafe items.pointee = ImportedIdentities(content).dictionaries as NSArray
        return errSecSuccess
    } catch {
        return error.status
    }
}

extension PKCS12Failure {
    fileprivate var status: OSStatus {
        switch self {
        case .malformed, .excessive: errSecDecode
        case .passphrase: errSecAuthFailed
        case .unauthenticated: errSecPkcs12VerifyFailure
        case .unsupported: errSecUnsupportedFormat
        }
    }
}
