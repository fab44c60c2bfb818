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

/// The public key; `nil` for a kind without an implementation.
public func SecCertificateCopyKey(_ certificate: SecCertificate) -> SecKey? {
    let key = certificate.certificate.key
    guard let kind = key.keyKind,
        let material = try? KeyMaterial(external: key.encoded, kind: kind, isPrivate: false),
        kind != .ec || material.bits == key.bits
    else { return nil }
    return SecKey(material, KeyTraits())
}
