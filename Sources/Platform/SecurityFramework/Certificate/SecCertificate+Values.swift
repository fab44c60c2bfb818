// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation
internal import PaviseCrypto

/// What a certificate says, property by property, as macOS's function tells it.
///
/// ```swift
/// let keys = [kSecOIDX509V1ValidityNotAfter] as CFArray
/// let values = SecCertificateCopyValues(certificate, keys, nil) as? [String: [String: Any]]
/// let end = values?[kSecOIDX509V1ValidityNotAfter as String]?[kSecPropertyKeyValue as String] as? Double
/// ```
///
/// - Parameters:
///   - certificate: Having it says nothing about trust.
///   - keys: The keys to tell; `nil` tells all: `kSecOIDCommonName`, `kSecOIDEmailAddress`, `kSecOIDKeyUsage` (without
///     the bit that marks the extension critical; 0 without it), `kSecOIDExtendedKeyUsage`, `kSecOIDX509V1Version`,
///     `kSecOIDX509V1SerialNumber`, `kSecOIDX509V1IssuerName`, `kSecOIDX509V1SubjectName`,
///     `kSecOIDX509V1ValidityNotBefore`, `kSecOIDX509V1ValidityNotAfter`, `kSecOIDX509V1SubjectPublicKey`,
///     `kSecOIDX509V1Signature`, `kSecOIDX509V1SignatureAlgorithm`, `DNSNAMES`, and the extensions
///     `kSecOIDSubjectAltName`, `kSecOIDBasicConstraints`, `kSecOIDSubjectKeyIdentifier`,
///     `kSecOIDAuthorityKeyIdentifier`, `kSecOIDAuthorityInfoAccess` and `kSecOIDCertificatePolicies`, each where the
///     certificate has it: a section whose first property says whether it is critical. Other keys, those of further
///     extensions among them, are left out.
///   - error: Untouched: what is a certificate could be read.
/// - Returns: For each key a property: `kSecPropertyKeyType`, `kSecPropertyKeyLabel`, `kSecPropertyKeyLocalizedLabel`,
///   `kSecPropertyKeyValue`. `nil` for keys that are not all texts.
@safe
public func SecCertificateCopyValues(
    _ certificate: SecCertificate, _ keys: CFArray?, _ error: ErrorTarget?
) -> CFDictionary? {
    let values = CertificateValues(certificate: certificate.certificate).all
    guard let keys else { return values as NSDictionary }
    let wanted = keys.compactMap { $0 as? String }
    guard wanted.count == keys.count else { return nil }
    return values.filter { wanted.contains($0.key) } as NSDictionary
}

/// The properties of one certificate.
struct CertificateValues {
    let certificate: X509Certificate

    fileprivate var all: [String: [String: Any]] {
        var all = lists.merging(extensions) { $1 }
        let algorithm = [property(kSecPropertyTypeString, "Algorithm", certificate.signature.oid)]
        all[kSecOIDX509V1SignatureAlgorithm as String] = property(
            kSecPropertyTypeSection, "Signature Algorithm", algorithm)
        all[kSecOIDKeyUsage as String] = property(kSecPropertyTypeNumber, "Key Usage", usage)
        let (start, end) = (moment(certificate.notBefore), moment(certificate.notAfter))
        all[kSecOIDX509V1ValidityNotBefore as String] = property(kSecPropertyTypeNumber, "Not Valid Before", start)
        all[kSecOIDX509V1ValidityNotAfter as String] = property(kSecPropertyTypeNumber, "Not Valid After", end)
        let version = String(certificate.version)
        all[kSecOIDX509V1Version as String] = property(kSecPropertyTypeString, "Version", version)
        all[kSecOIDX509V1SerialNumber as String] = property(kSecPropertyTypeString, "Serial Number", serial)
        let (subject, issuer) = (section(certificate.subject), section(certificate.issuer))
        all[kSecOIDX509V1SubjectName as String] = property(kSecPropertyTypeSection, "Subject Name", subject)
        all[kSecOIDX509V1IssuerName as String] = property(kSecPropertyTypeSection, "Issuer Name", issuer)
        let (key, signature) = (Data(certificate.key.encoded), Data(certificate.signatureValue))
        all[kSecOIDX509V1SubjectPublicKey as String] = property(kSecPropertyTypeData, "Public Key Data", key)
        all[kSecOIDX509V1Signature as String] = property(kSecPropertyTypeData, "Signature", signature)
        return all
    }

    // These are there only where they have an element.
    private var lists: [String: [String: Any]] {
        let alternatives = certificate.extensions.alternativeNames ?? []
        let hosts = alternatives.compactMap { name -> String? in
            guard case .dns(let host) = name else { return nil }
            return host
        }
        let addresses = alternatives.compactMap { name -> String? in
            guard case .mail(let address) = name else { return nil }
            return address
        }
        let mail = addresses + certificate.subject.values(of: kSecOIDEmailAddress as String)
        let names = certificate.subject.values(of: kSecOIDCommonName as String)
        let purposes = (certificate.extensions.purposes ?? []).compactMap(Self.encoded)
        let entries: [(key: String, label: String, list: [Any])] = [
            (kSecOIDCommonName as String, "CN", names), (kSecOIDEmailAddress as String, "Email", mail),
            ("DNSNAMES", "DNS", hosts), (kSecOIDExtendedKeyUsage as String, "Extended Key Usage", purposes),
        ]
        let there = entries.filter { !$0.list.isEmpty }
        return Dictionary(
            uniqueKeysWithValues: there.map {
                ($0.key, property(kSecPropertyTypeArray, $0.label, $0.list))
            })
    }

    func property(_ type: CFString, _ label: String, _ value: Any) -> [String: Any] {
        [
            kSecPropertyKeyType as String: type, kSecPropertyKeyLabel as String: label,
            kSecPropertyKeyLocalizedLabel as String: label, kSecPropertyKeyValue as String: value,
        ]
    }

    private func moment(_ seconds: Int64) -> Double {
        Date(timeIntervalSince1970: TimeInterval(seconds)).timeIntervalSinceReferenceDate
    }

    // Several attributes of one part of a name stand in a section of their own.
    func section(_ name: DistinguishedName) -> [[String: Any]] {
        name.relativeNames.map { attributes in
            let properties = attributes.map { property(kSecPropertyTypeString, $0.type, $0.value) }
            return properties.count == 1 ? properties[0] : property(kSecPropertyTypeSection, "", properties)
        }
    }

    private var usage: Int32 {
        (certificate.extensions.keyUsage ?? []).prefix(9).enumerated().reduce(0) { sum, bit in
            bit.element ? sum | 1 << Int32(bit.offset) : sum
        }
    }

    private var serial: String {
        let bytes = certificate.serial
        guard bytes.count > 8 else { return String(bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }) }
        return bytes.map { byte in
            let digits = String(byte, radix: 16, uppercase: true)
            return digits.count == 1 ? "0\(digits)" : digits
        }.joined(separator: " ")
    }

    /// The content of an object identifier (X.690 §8.19).
    private static func encoded(_ identifier: String) -> Data? {
        let arcs = identifier.split(separator: ".").compactMap { UInt128($0) }
        guard arcs.count > 1, arcs[0] < 3, arcs[1] <= UInt128.max - 80 else { return nil }
        return Data(([arcs[0] * 40 + arcs[1]] + arcs.dropFirst(2)).flatMap(base128))
    }

    private static func base128(_ arc: UInt128) -> [UInt8] {
        var (rest, bytes) = (arc >> 7, [UInt8(arc & 127)])
        while rest > 0 {
            bytes.insert(UInt8(rest & 127) | 128, at: 0)
            rest >>= 7
        }
        return bytes
    }
}
