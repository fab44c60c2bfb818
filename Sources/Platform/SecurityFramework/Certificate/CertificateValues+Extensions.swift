internal import Foundation
internal import PaviseCrypto

// The extensions of a certificate as sections, in the words of macOS.
extension CertificateValues {
    /// What the certificate's extensions say, by their identifiers. One that cannot be read is left out.
    var extensions: [String: [String: Any]] {
        let facts = certificate.extensions
        var all: [String: [[String: Any]]] = [:]
        if let names = facts.alternativeNames { all[kSecOIDSubjectAltName as String] = names.compactMap(entry) }
        if let constraints = facts.basicConstraints {
            all[kSecOIDBasicConstraints as String] = entries(constraints)
        }
        if let identifier = facts.subjectKeyIdentifier {
            all[kSecOIDSubjectKeyIdentifier as String] = [keyIdentifier(identifier)]
        }
        if let identifier = facts.authorityKeyIdentifier {
            all[kSecOIDAuthorityKeyIdentifier as String] = [keyIdentifier(identifier)]
        }
        if let policies = facts.policies.identifiers {
            all[kSecOIDCertificatePolicies as String] = policies.enumerated().map { index, policy in
                property(kSecPropertyTypeString, "Policy Identifier #\(index + 1)", policy)
            }
        }
        if !facts.authorityAccess.isEmpty {
            all[kSecOIDAuthorityInfoAccess as String] = facts.authorityAccess.flatMap { access in
                [property(kSecPropertyTypeString, "Access Method", access.method), entry(access.location)].compactMap {
                    $0
                }
            }
        }
        return Dictionary(
            uniqueKeysWithValues: all.map { identifier, entries in
                let critical = yesOrNo("Critical", facts.critical.contains(identifier))
                return (identifier, property(kSecPropertyTypeSection, identifier, [critical] + entries))
            })
    }

    private func entry(_ name: GeneralName) -> [String: Any]? {
        switch name {
        case .dns(let host): property(kSecPropertyTypeString, "DNS Name", host)
        case .mail(let address): property(kSecPropertyTypeString, "Email Address", address)
        case .uri(let place): property(kSecPropertyTypeURL, "URI", place)
        case .address(let bytes): property(kSecPropertyTypeString, "IP Address", Self.text(address: bytes))
        case .directory(let name): property(kSecPropertyTypeSection, "Directory Name", section(name))
        case .other: nil
        }
    }

    private func entries(_ constraints: X509Extensions.BasicConstraints) -> [[String: Any]] {
        let authority = yesOrNo("Certificate Authority", constraints.isAuthority)
        guard let length = constraints.pathLength else { return [authority] }
        return [authority, property(kSecPropertyTypeString, "Path Length Constraint", String(length))]
    }

    private func keyIdentifier(_ bytes: [UInt8]) -> [String: Any] {
        property(kSecPropertyTypeData, "Key Identifier", Data(bytes))
    }

    private func yesOrNo(_ label: String, _ isSo: Bool) -> [String: Any] {
        property(kSecPropertyTypeString, label, isSo ? "Yes" : "No")
    }

    // Four bytes with points, sixteen in groups with colons; anything else in hexadecimal.
    private static func text(address bytes: [UInt8]) -> String {
        guard bytes.count != 4 else { return bytes.map { String($0) }.joined(separator: ".") }
        let digits = bytes.map { String(UInt16($0) + 0x100, radix: 16).dropFirst() }
        guard bytes.count == 16 else { return digits.joined() }
        return stride(from: 0, to: 16, by: 2).map { digits[$0] + digits[$0 + 1] }.joined(separator: ":")
    }
}
