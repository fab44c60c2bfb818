internal import Foundation
internal import PaviseCrypto

/// Puts the keys of a file together with their certificates.
struct ImportedIdentities {
    private let keys: [PKCS12Content.Bag<PrivateKey>]
    private let certificates: [PKCS12Content.Bag<SecCertificate>]

    init(_ content: PKCS12Content) {
        keys = content.keys
        certificates = content.certificates.compactMap { bag in bag.map(SecCertificate.init(der:)) }
    }

    /// One dictionary for each key that has a certificate, in the order of the file.
    var dictionaries: [[String: Any]] { keys.compactMap(dictionary) }

    /// Each key with its certificate as an identity, keys without one, and the other certificates, each once.
    var objects: [AnyObject] {
        let made = keys.map { bag -> AnyObject in
            let key = SecKey(KeyMaterial(bag.value), KeyTraits(label: bag.name))
            return certificates.lazy.compactMap { SecIdentity(certificate: $0.value, key: key) }.first ?? key
        }
        let own = Set(made.compactMap { ($0 as? SecIdentity)?.certificate })
        var seen = own
        return made + certificates.map(\.value).filter { seen.insert($0).inserted }
    }

    private func dictionary(_ bag: PKCS12Content.Bag<PrivateKey>) -> [String: Any]? {
        let label = bag.name ?? certificates.first { $0.identifier != nil && $0.identifier == bag.identifier }?.name
        let key = SecKey(KeyMaterial(bag.value), KeyTraits(label: label))
        // The public key decides, not the identifier, which anybody may write; that breaks a tie.
        let own = certificates.filter { SecIdentity(certificate: $0.value, key: key) != nil }
        guard let leaf = own.first(where: { $0.identifier == bag.identifier }) ?? own.first,
            let identity = SecIdentity(certificate: leaf.value, key: key)
        else { return nil }
        let chain = chain(from: leaf.value)
        var entry: [CFString: Any] = [
            kSecImportItemIdentity: identity, kSecImportItemCertChain: chain as NSArray,
            kSecImportItemKeyID: Data(bag.identifier ?? key.applicationLabel),
        ]
        entry[kSecImportItemLabel] = label ?? leaf.name ?? SecCertificateCopySubjectSummary(leaf.value) as String?
        entry[kSecImportItemTrust] = trust(chain)
        return Dictionary(entry.map { ($0.key as String, $0.value) }, uniquingKeysWith: { $1 })
    }

    // Who signed whom, as far as the file goes and for ten certificates; each once.
    private func chain(from leaf: SecCertificate) -> [SecCertificate] {
        var chain = [leaf]
        while let last = chain.last, !last.certificate.isSelfIssued, chain.count < 10 {
            let issuer = certificates.map(\.value).first { candidate in
                !chain.contains(candidate) && candidate.certificate.subject.matches(last.certificate.issuer)
                    && last.certificate.isSigned(by: candidate.certificate)
            }
            guard let issuer else { break }
            chain.append(issuer)
        }
        return chain
    }

    private func trust(_ chain: [SecCertificate]) -> SecTrust? {
        var trust: SecTrust?
        let status = SecTrustCreateWithCertificates(chain as NSArray, SecPolicyCreateBasicX509(), &trust)
        return status == errSecSuccess ? trust : nil
    }
}

extension KeyMaterial {
    /// A key from a file.
    init(_ key: PrivateKey) {
        switch key {
        case .rsa(let key): self = .rsaPrivate(key)
        case .ec(let key): self = .ecPrivate(key)
        case .curve25519(let key): self = .curve25519Private(key)
        }
    }
}
