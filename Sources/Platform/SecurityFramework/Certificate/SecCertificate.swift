// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation
internal import PaviseCrypto

/// An X.509 certificate. Having one says nothing about trust: ask ``SecTrust``.
public final class SecCertificate: Hashable, Sendable, TypeIdentified {
    let certificate: X509Certificate

    package static let typeNumber = TypeNumber.certificate

    init(_ certificate: X509Certificate) { self.certificate = certificate }

    /// Reads DER; `nil` for bytes that are no certificate.
    package convenience init?(der: [UInt8]) {
        guard let certificate = try? X509Certificate(der: der) else { return nil }
        self.init(certificate)
    }

    /// The certificate as it was sent, DER.
    package var der: [UInt8] { certificate.der }

    /// What the certificate says, for people and records.
    package var facts: CertificateFacts { CertificateFacts(certificate) }

    /// Whether both are the same bytes.
    public static func == (one: SecCertificate, other: SecCertificate) -> Bool {
        one.certificate == other.certificate
    }

    /// Mixes the bytes.
    public func hash(into hasher: inout Hasher) { hasher.combine(certificate) }
}

/// The number of certificates' kind; see ``CFGetTypeID(_:)``.
public func SecCertificateGetTypeID() -> CFTypeID { TypeNumber.certificate }

/// Reads a certificate.
///
/// - Parameters:
///   - data: One certificate, DER (not PEM), and nothing behind it.
///   - allocator: Ignored; `nil`.
/// - Returns: `nil` for anything else.
@discardableResult
public func SecCertificateCreateWithData(_ allocator: CFAllocator?, _ data: CFData) -> SecCertificate? {
    SecCertificate(der: data.copiedBytes)
}

/// The certificate, DER.
public func SecCertificateCopyData(_ certificate: SecCertificate) -> CFData { NSData(data: Data(certificate.der)) }

/// One line for a person: the common name, or the best other name there is.
public func SecCertificateCopySubjectSummary(_ certificate: SecCertificate) -> CFString? {
    let subject = certificate.certificate.subject
    let text =
        subject.commonName ?? subject.values(of: "2.5.4.11").last ?? subject.values(of: "2.5.4.10").last
        ?? certificate.certificate.presentedNames.first
    return text.map { $0 as NSString }
}

/// The subject's common name.
///
/// - Returns: 0 also when there is none, and then `commonName` is `nil`.
@discardableResult
@safe
public func SecCertificateCopyCommonName(
    _ certificate: SecCertificate, _ commonName: UnsafeMutablePointer<CFString?>
) -> OSStatus {
    unsafe commonName.pointee = certificate.certificate.subject.commonName.map { $0 as NSString }
    return errSecSuccess
}

/// The mail addresses of the subject and its alternative names.
@discardableResult
@safe
public func SecCertificateCopyEmailAddresses(
    _ certificate: SecCertificate, _ emailAddresses: UnsafeMutablePointer<CFArray?>
) -> OSStatus {
    let alternatives = (certificate.certificate.extensions.alternativeNames ?? []).compactMap { name -> String? in
        guard case .mail(let address) = name else { return nil }
        return address
    }
    let all = alternatives + certificate.certificate.subject.values(of: "1.2.840.113549.1.9.1")
    unsafe emailAddresses.pointee = all as NSArray
    return errSecSuccess
}

/// The serial number's bytes, as they stand in the certificate.
@discardableResult
@safe
public func SecCertificateCopySerialNumberData(_ certificate: SecCertificate, _ error: ErrorTarget?) -> CFData? {
    NSData(data: Data(certificate.certificate.serial))
}

/// The issuer's name, DER.
public func SecCertificateCopyNormalizedIssuerSequence(_ certificate: SecCertificate) -> CFData? {
    NSData(data: Data(certificate.certificate.issuer.der))
}

/// The subject's name, DER.
public func SecCertificateCopyNormalizedSubjectSequence(_ certificate: SecCertificate) -> CFData? {
    NSData(data: Data(certificate.certificate.subject.der))
}

/// The first moment of validity.
public func SecCertificateCopyNotValidBeforeDate(_ certificate: SecCertificate) -> CFDate? {
    NSDate(timeIntervalSince1970: TimeInterval(certificate.certificate.notBefore))
}

/// The last moment of validity.
public func SecCertificateCopyNotValidAfterDate(_ certificate: SecCertificate) -> CFDate? {
    NSDate(timeIntervalSince1970: TimeInterval(certificate.certificate.notAfter))
}

/// The public key; `nil` for a kind without an implementation.
public func SecCertificateCopyKey(_ certificate: SecCertificate) -> SecKey? {
    let key = certificate.certificate.key
    guard let kind = key.keyKind,
        let material = try? KeyMaterial(external: key.encoded, kind: kind, isPrivate: false),
        kind != .ec || material.bits == key.bits
    else { return nil }
    return SecKey(material, KeyTraits())
}
