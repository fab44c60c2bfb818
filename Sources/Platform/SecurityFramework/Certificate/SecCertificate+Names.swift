// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation
internal import PaviseCrypto

/// One line for a person: the common name, with a description in parentheses where there is one; else the first mail
/// address or DNS name; else organizational unit or organization. Several values of one type stand in the reverse order
/// of the certificate.
public func SecCertificateCopySubjectSummary(_ certificate: SecCertificate) -> CFString? {
    let subject = certificate.certificate.subject
    func joined(_ type: String) -> String? {
        let values = subject.values(of: type)
        return values.isEmpty ? nil : values.reversed().joined(separator: ", ")
    }
    if let name = joined("2.5.4.3") {
        return joined("2.5.4.13").map { "\(name) (\($0))" as NSString } ?? name as NSString
    }
    let text = certificate.mailAddresses.first ?? certificate.dnsName ?? joined("2.5.4.11") ?? joined("2.5.4.10")
    return text.map { $0 as NSString }
}

/// The subject's common name, the last one where there are several.
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

/// The mail addresses of the alternative names and of the subject, in this order.
///
/// - Returns: 0; without an address the list is empty.
@discardableResult
@safe
public func SecCertificateCopyEmailAddresses(
    _ certificate: SecCertificate, _ emailAddresses: UnsafeMutablePointer<CFArray?>
) -> OSStatus {
    unsafe emailAddresses.pointee = certificate.mailAddresses as NSArray
    return errSecSuccess
}

/// The issuer's name, DER: texts of type PrintableString in upper case and with single spaces, as Apple compares names.
public func SecCertificateCopyNormalizedIssuerSequence(_ certificate: SecCertificate) -> CFData? {
    NSData(data: Data(certificate.certificate.issuer.normalized))
}

/// The subject's name in the form of ``SecCertificateCopyNormalizedIssuerSequence(_:)``.
public func SecCertificateCopyNormalizedSubjectSequence(_ certificate: SecCertificate) -> CFData? {
    NSData(data: Data(certificate.certificate.subject.normalized))
}

extension SecCertificate {
    fileprivate var mailAddresses: [String] {
        let alternatives = (certificate.extensions.alternativeNames ?? []).compactMap { name -> String? in
            guard case .mail(let address) = name else { return nil }
            return address
        }
        return alternatives + certificate.subject.values(of: "1.2.840.113549.1.9.1")
    }

    fileprivate var dnsName: String? {
        (certificate.extensions.alternativeNames ?? []).lazy.compactMap { name -> String? in
            guard case .dns(let host) = name else { return nil }
            return host
        }.first
    }
}
