internal import Foundation
internal import PaviseCrypto
internal import PavisePrimitives

/// What a file holds, and in which form.
struct ImportedFile {
    private(set) var objects: [AnyObject] = []
    private(set) var format = SecExternalFormat.formatUnknown
    private(set) var type = SecExternalItemType.itemTypeUnknown

    private static let largest = 4 << 20
    private static let mostItems = 200

    /// - Throws: -25257 for bytes of no known form; otherwise as ``SecItemImport(_:_:_:_:_:_:_:_:)`` says.
    init(_ bytes: [UInt8], _ parameters: borrowing KeyFileParameters) throws(StatusFailure) {
        guard bytes.count <= Self.largest else { throw StatusFailure(errSecDecode) }
        guard PEMSection.isThere(in: bytes) else {
            guard let (form, der) = Self.form(of: bytes) else { throw StatusFailure(errSecUnknownFormat) }
            try read(form, der, parameters)
            return
        }
        var sections = try StatusFailure.reading { () throws(KeyFileFailure) in
            try PEMSection.all(in: bytes, limit: Self.mostItems)
        }
        defer { for index in sections.indices { sections[index].wipe() } }
        // OpenSSL writes a curve's name before a key that names it again.
        sections.removeAll { $0.label == "EC PARAMETERS" }
        guard !sections.isEmpty else { throw StatusFailure(errSecUnknownFormat) }
        for index in sections.indices { try read(sections[index], parameters) }
        if sections.count > 1 { (format, type) = (.formatPEMSequence, .itemTypeAggregate) }
    }

    var privateKeyCount: Int {
        objects.count { $0 is SecIdentity || ($0 as? SecKey)?.material.isPrivate == true }
    }

    // What a label may stand before (RFC 7468; PKCS#12 as macOS writes it).
    private static let labels: [String: Set<OuterForm>] = [
        "CERTIFICATE": [.certificate], "X509 CERTIFICATE": [.certificate], "PUBLIC KEY": [.publicKey],
        "RSA PUBLIC KEY": [.rsaPublicKey], "PRIVATE KEY": [.pkcs8], "ENCRYPTED PRIVATE KEY": [.encryptedPKCS8],
        "RSA PRIVATE KEY": [.rsaPrivateKey], "EC PRIVATE KEY": [.ecPrivateKey], "PKCS7": [.pkcs7], "CMS": [.pkcs7],
        "PKCS12": [.pkcs12],
    ]

    private mutating func read(
        _ section: PEMSection, _ parameters: borrowing KeyFileParameters
    ) throws(StatusFailure) {
        if section.isEncrypted {
            let passphrase = try parameters.passphrase()
            let key = try StatusFailure.reading { () throws(KeyFileFailure) in
                try PrivateKey(encryptedPEM: section, passphrase)
            }
            return note([SecKey(KeyMaterial(key), KeyTraits())], .formatWrappedOpenSSL, .itemTypePrivateKey)
        }
        guard let allowed = Self.labels[section.label] else { throw StatusFailure(errSecUnknownFormat) }
        guard let (form, der) = Self.form(of: section.der), allowed.contains(form) else {
            throw StatusFailure(errSecDecode)
        }
        try read(form, der, parameters)
    }

    // Files of PKCS#7 (RFC 2315 §7) and PKCS#12 (RFC 7292 §4) may be BER, and some programs write them so.
    private static func form(of bytes: [UInt8]) -> (OuterForm, der: [UInt8])? {
        if let form = OuterForm(bytes) { return (form, form == .pkcs7 ? BEREncoding.definite(bytes) ?? bytes : bytes) }
        guard let der = BEREncoding.definite(bytes), let form = OuterForm(der), form == .pkcs7 || form == .pkcs12
        else { return nil }
        return (form, der)
    }

    private mutating func read(
        _ form: OuterForm, _ der: [UInt8], _ parameters: borrowing KeyFileParameters
    ) throws(StatusFailure) {
        switch form {
        case .certificate: note([try Self.certificate(der)], .formatX509Cert, .itemTypeCertificate)
        case .publicKey: note([try Self.publicKey(der)], .formatOpenSSL, .itemTypePublicKey)
        case .rsaPublicKey:
            guard let key = try? RSAPublicKey(pkcs1: der) else { throw StatusFailure(errSecDecode) }
            note([SecKey(.rsaPublic(key), KeyTraits())], .formatBSAFE, .itemTypePublicKey)
        case .rsaPrivateKey, .ecPrivateKey, .pkcs8:
            let key = try StatusFailure.reading { () throws(KeyFileFailure) in try PrivateKey(der: der) }
            note(
                [SecKey(KeyMaterial(key), KeyTraits())], form == .pkcs8 ? .formatBSAFE : .formatOpenSSL,
                .itemTypePrivateKey)
        case .encryptedPKCS8:
            let passphrase = try parameters.passphrase()
            let key = try StatusFailure.reading { () throws(KeyFileFailure) in
                try PrivateKey(encryptedPKCS8: der, passphrase)
            }
            note([SecKey(KeyMaterial(key), KeyTraits())], .formatWrappedPKCS8, .itemTypePrivateKey)
        case .pkcs7:
            let found = try StatusFailure.reading { () throws(KeyFileFailure) in
                try CertificateBag.certificates(in: der, limit: Self.mostItems)
            }
            var certificates: [SecCertificate] = []
            for der in found { certificates.append(try Self.certificate(der)) }
            note(certificates, .formatPKCS7, .itemTypeAggregate)
        case .pkcs12: note(try Self.pkcs12(der, parameters), .formatPKCS12, .itemTypeAggregate)
        }
    }

    private mutating func note(
        _ found: [AnyObject], _ format: SecExternalFormat, _ type: SecExternalItemType
    ) {
        objects += found
        (self.format, self.type) = (format, type)
    }

    private static func certificate(_ der: [UInt8]) throws(StatusFailure) -> SecCertificate {
        guard let certificate = SecCertificate(der: der) else { throw StatusFailure(errSecDecode) }
        return certificate
    }

    private static func publicKey(_ der: [UInt8]) throws(StatusFailure) -> SecKey {
        guard let key = try? X509Key(spki: der) else { throw StatusFailure(errSecDecode) }
        guard let kind = key.keyKind else { throw StatusFailure(errSecUnsupportedFormat) }
        guard let material = try? KeyMaterial(external: key.encoded, kind: kind, isPrivate: false),
            kind != .ec || material.bits == key.bits
        else { throw StatusFailure(errSecDecode) }
        return SecKey(material, KeyTraits())
    }

    private static func pkcs12(
        _ der: [UInt8], _ parameters: borrowing KeyFileParameters
    ) throws(StatusFailure) -> [AnyObject] {
        guard parameters.hasPassphrase else { throw StatusFailure(errSecPassphraseRequired) }
        do throws(PKCS12Failure) {
            return ImportedIdentities(try PKCS12.read(der, passphrase: parameters.secret)).objects
        } catch {
            throw StatusFailure(error.importStatus)
        }
    }
}

extension PKCS12Failure {
    // macOS tells a wrong passphrase of such a file by the code that does not fit.
    fileprivate var importStatus: OSStatus {
        switch self {
        case .malformed, .excessive: errSecDecode
        case .passphrase, .unauthenticated: errSecPkcs12VerifyFailure
        case .unsupported: errSecUnsupportedFormat
        }
    }
}
