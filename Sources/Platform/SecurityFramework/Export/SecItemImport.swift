// Apple's names.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation
internal import PavisePrimitives

/// Reads certificates, keys and identities from the bytes of a file, as macOS's function does. Nothing is stored:
/// ``SecItemAdd(_:_:)`` stores an item of the result.
///
/// ```swift
/// var (format, type) = (SecExternalFormat.formatUnknown, SecExternalItemType.itemTypeUnknown)
/// var items: CFArray?
/// let status = SecItemImport(file as CFData, "server.pem" as CFString, &format, &type, [], nil, nil, &items)
/// ```
///
/// Read are, in DER or PEM: certificates, public keys, private keys (PKCS#1, SEC 1, PKCS#8, encrypted PKCS#8), and
/// PKCS#7 and PKCS#12 files;
/// in PEM, several of them in one text, and keys that OpenSSL encrypted until its version 1.0. At most 4 MiB, 200
/// items and, for each
/// passphrase, 4,000,000 rounds of key derivation.
///
/// - Parameters:
///   - importedData: The whole file; nothing may follow it.
///   - fileNameOrExtension: Without effect: what the bytes are says more than a name.
///   - inputFormat: The format if it is known, else `formatUnknown`. Gets the format that was found; untouched unless
///     the call succeeds.
///   - itemType: The same for what the file holds.
///   - flags: Without effect: PEM is recognised.
///   - keyParams: The passphrase, and whether more than one private key is wanted.
///   - importKeychain: `nil`: there is one keychain, and nothing is stored.
///   - outItems: Gets the items in the order of the file: `SecCertificate`, `SecKey`, and from PKCS#12 files
///     `SecIdentity` for each
///     private key with its certificate, then the other certificates. Untouched unless the call succeeds.
/// - Returns: 0; -25257 for bytes that are nothing of this, or not what the caller said, and for an encrypted block of
///   PEM whose head does not say how; -26275 for a damaged file or
///   one that asks for too
///   much work; -25256 for a cipher, curve or kind of key that is not offered; -25259 for a second private key where
///   one was wanted;
///   -25260 without a passphrase that is needed; -25264 for a PKCS#12 file and -25293 for a key where it is wrong.
@discardableResult
@safe
public func SecItemImport(
    _ importedData: CFData, _ fileNameOrExtension: CFString?, _ inputFormat: UnsafeMutablePointer<SecExternalFormat>?,
    _ itemType: UnsafeMutablePointer<SecExternalItemType>?, _ flags: SecItemImportExportFlags,
    _ keyParams: UnsafePointer<SecItemImportExportKeyParameters>?, _ importKeychain: SecKeychain?,
    _ outItems: UnsafeMutablePointer<CFArray?>?
) -> OSStatus {
    do throws(StatusFailure) {
        let parameters = try KeyFileParameters(keyParams)
        var bytes = importedData.copiedBytes
        defer { Wipe.bytes(&bytes) }
        let found = try ImportedFile(bytes, parameters)
        let wanted = unsafe (inputFormat?.pointee ?? .formatUnknown, itemType?.pointee ?? .itemTypeUnknown)
        guard wanted.0 == .formatUnknown || wanted.0 == found.format else { throw StatusFailure(errSecUnknownFormat) }
        guard wanted.1 == .itemTypeUnknown || wanted.1 == found.type else { throw StatusFailure(errSecUnknownFormat) }
        if parameters.flags.contains(.importOnlyOne), found.privateKeyCount > 1 {
            throw StatusFailure(errSecMultiplePrivKeys)
        }
        unsafe inputFormat?.pointee = found.format
        unsafe itemType?.pointee = found.type
        unsafe outItems?.pointee = found.objects as NSArray
        return errSecSuccess
    } catch {
        return error.status
    }
}
