// Apple's names.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

/// Writes certificates, keys and identities into the bytes of a file, as macOS's function does.
///
/// ```swift
/// var parameters = SecItemImportExportKeyParameters()
/// parameters.passphrase = Unmanaged.passUnretained(passphrase as CFString)
/// var file: CFData?
/// let status = SecItemExport(identity, .formatPKCS12, [], &parameters, &file)
/// ```
///
/// PKCS#12 and encrypted PKCS#8 are written with AES-256, PBKDF2 and SHA-256 in 600,000 rounds (RFC 7292, RFC 8018).
/// Systems of before
/// 2018 may not read them. A private key leaves in clear where the format is one without a passphrase.
///
/// - Parameters:
///   - secItemOrArray: A `SecCertificate`, `SecKey` or `SecIdentity`, or an array of up to 100 of them. An identity
///     is its certificate
///     in formats that hold certificates, its key in formats that hold a key, and both in the others.
///   - outputFormat: `formatUnknown` is `formatX509Cert` for a certificate, `formatOpenSSL` for a key and
///     `formatPEMSequence` for
///     an identity or several items. In a `formatPEMSequence` private keys are encrypted (PKCS#8) where a passphrase
///     is given.
///   - flags: `pemArmour` writes PEM; a `formatPEMSequence` always is.
///   - keyParams: The passphrase; needed for `formatPKCS12` and `formatWrappedPKCS8`.
///   - exportedData: Gets the file; untouched unless the call succeeds.
/// - Returns: 0; -50 for another object, none or too many; -25256 for a format that is not offered or does not hold
///   such items; -25258 for
///   a private key of the secure element, which never leaves it; -25260 without a passphrase that is needed; -25261
///   for one that is
///   neither text nor data, has a zero byte or more than 1023 bytes.
@discardableResult
@safe
public func SecItemExport(
    _ secItemOrArray: CFTypeRef, _ outputFormat: SecExternalFormat, _ flags: SecItemImportExportFlags,
    _ keyParams: UnsafePointer<SecItemImportExportKeyParameters>?, _ exportedData: UnsafeMutablePointer<CFData?>
) -> OSStatus {
    do throws(StatusFailure) {
        let parameters = try KeyFileParameters(keyParams)
        let items = try ExportedItems(secItemOrArray)
        unsafe exportedData.pointee = try items.file(outputFormat, flags, parameters) as CFData
        return errSecSuccess
    } catch {
        return error.status
    }
}
