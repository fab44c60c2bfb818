// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import Foundation
internal import PaviseCrypto

/// A certificate and its private key.
public final class SecIdentity: Hashable, Sendable, TypeIdentified {
    /// The certificate.
    package let certificate: SecCertificate
    /// The private key that belongs to it.
    package let key: SecKey

    package static let typeNumber = TypeNumber.identity

    /// Pairs both; `nil` when the key is not the certificate's.
    package init?(certificate: SecCertificate, key: SecKey) {
        guard key.material.isPrivate, certificate.certificate.key.encoded == key.material.publicBytes else {
            return nil
        }
        self.certificate = certificate
        self.key = key
    }

    /// Whether both halves are the same.
    public static func == (one: SecIdentity, other: SecIdentity) -> Bool {
        one.certificate == other.certificate && one.key == other.key
    }

    /// Mixes the certificate.
    public func hash(into hasher: inout Hasher) { hasher.combine(certificate) }
}

/// The number of identities' kind; see ``CFGetTypeID(_:)``.
public func SecIdentityGetTypeID() -> CFTypeID { TypeNumber.identity }

/// Pairs a certificate and a private key.
///
/// - Parameters:
///   - allocator: Ignored; `nil`.
///   - certificate: The certificate.
///   - privateKey: The private key of the certificate's public key.
/// - Returns: `nil` when the key is not the certificate's.
public func SecIdentityCreate(
    _ allocator: CFAllocator?, _ certificate: SecCertificate, _ privateKey: SecKey
) -> SecIdentity? {
    SecIdentity(certificate: certificate, key: privateKey)
}

/// Looks for the private key of a certificate in the keychain and pairs both. The certificate need not be stored.
///
/// - Parameters:
///   - keychainOrArray: Ignored: there is one keychain.
///   - certificateRef: The certificate.
///   - identityRef: Gets the identity; untouched unless the call succeeds.
/// - Returns: 0; -25300 when the key is not there; otherwise what ``SecItemCopyMatching(_:_:)`` says of it.
@discardableResult
@safe
public func SecIdentityCreateWithCertificate(
    _ keychainOrArray: CFTypeRef?, _ certificateRef: SecCertificate, _ identityRef: UnsafeMutablePointer<SecIdentity?>
) -> OSStatus {
    let hash = Data(Hash.digest(.sha1, certificateRef.certificate.key.encoded))
    let query: [CFString: Any] = [
        kSecClass: kSecClassKey, kSecAttrApplicationLabel: hash, kSecAttrIsPrivate: true,
        kSecAttrSynchronizable: kSecAttrSynchronizableAny, kSecReturnRef: true,
    ]
    let answer = SecItem.copyMatching(query as NSDictionary)
    guard answer.status == errSecSuccess else { return answer.status }
    guard let key = answer.result as? SecKey, let identity = SecIdentity(certificate: certificateRef, key: key) else {
        return errSecItemNotFound
    }
    unsafe identityRef.pointee = identity
    return errSecSuccess
}

/// The certificate of an identity.
@discardableResult
@safe
public func SecIdentityCopyCertificate(
    _ identity: SecIdentity, _ certificate: UnsafeMutablePointer<SecCertificate?>
) -> OSStatus {
    unsafe certificate.pointee = identity.certificate
    return errSecSuccess
}

/// The private key of an identity.
@discardableResult
@safe
public func SecIdentityCopyPrivateKey(
    _ identity: SecIdentity, _ privateKey: UnsafeMutablePointer<SecKey?>
) -> OSStatus {
    unsafe privateKey.pointee = identity.key
    return errSecSuccess
}
