// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation
internal import PaviseCrypto

/// The older form of ``SecCertificateCopyKey(_:)`` on iOS.
public func SecCertificateCopyPublicKey(_ certificate: SecCertificate) -> SecKey? { SecCertificateCopyKey(certificate) }

/// The older form of ``SecCertificateCopyKey(_:)`` on macOS.
///
/// - Returns: 0; -4 for a kind without an implementation, and then `key` is untouched.
@discardableResult
@safe
public func SecCertificateCopyPublicKey(
    _ certificate: SecCertificate, _ key: UnsafeMutablePointer<SecKey?>
) -> OSStatus {
    guard let publicKey = SecCertificateCopyKey(certificate) else { return errSecUnimplemented }
    unsafe key.pointee = publicKey
    return errSecSuccess
}

/// The serial number's bytes, as they stand in the certificate.
@discardableResult
@safe
public func SecCertificateCopySerialNumberData(_ certificate: SecCertificate, _ error: ErrorTarget?) -> CFData? {
    NSData(data: Data(certificate.certificate.serial))
}

/// The older form of ``SecCertificateCopySerialNumberData(_:_:)`` on macOS.
@discardableResult
@safe
public func SecCertificateCopySerialNumber(_ certificate: SecCertificate, _ error: ErrorTarget?) -> CFData? {
    SecCertificateCopySerialNumberData(certificate, nil)
}

/// The older form of ``SecCertificateCopySerialNumberData(_:_:)`` on iOS.
public func SecCertificateCopySerialNumber(_ certificate: SecCertificate) -> CFData? {
    SecCertificateCopySerialNumberData(certificate, nil)
}

/// The first moment of validity.
public func SecCertificateCopyNotValidBeforeDate(_ certificate: SecCertificate) -> CFDate? {
    NSDate(timeIntervalSince1970: TimeInterval(certificate.certificate.notBefore))
}

/// The last moment of validity.
public func SecCertificateCopyNotValidAfterDate(_ certificate: SecCertificate) -> CFDate? {
    NSDate(timeIntervalSince1970: TimeInterval(certificate.certificate.notAfter))
}
