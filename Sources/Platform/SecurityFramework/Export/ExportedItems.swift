internal import Foundation
internal import PaviseCrypto
internal import PavisePrimitives

/// Certificates, keys and identities on their way into a file.
struct ExportedItems {
    private enum Item {
        case certificate(SecCertificate)
        case key(SecKey)
        case identity(SecIdentity)

        var certificate: SecCertificate? {
            switch self {
            case .certificate(let certificate): certificate
            case .identity(let identity): identity.certificate
            case .key: nil
            }
        }

        var key: SecKey? {
            switch self {
            case .key(let key): key
            case .identity(let identity): identity.key
            case .certificate: nil
            }
        }
    }

    /// One block of PEM.
    private struct Block {
        let label: String
        /// May be a key in clear, and is overwritten once the file is made.
        var der: [UInt8]
    }

    private let items: [Item]

    /// - Throws: -50 for an object of another kind, no object, or more than 100.
    init(_ object: CFTypeRef) throws(StatusFailure) {
        let objects = (object as? CFArray).map { Array($0) } ?? [object]
        guard (1...100).contains(objects.count) else { throw StatusFailure(errSecParam) }
        var items: [Item] = []
        for object in objects {
            switch object {
            case let certificate as SecCertificate: items.append(.certificate(certificate))
            case let key as SecKey: items.append(.key(key))
            case let identity as SecIdentity: items.append(.identity(identity))
            default: throw StatusFailure(errSecParam)
            }
        }
        self.items = items
    }

    /// The file.
    func file(
        _ format: SecExternalFormat, _ flags: SecItemImportExportFlags, _ parameters: borrowing KeyFileParameters
    ) throws(StatusFailure) -> Data {
        let format = format == .formatUnknown ? usual : format
        var blocks: [Block] = []
        defer { for index in blocks.indices { Wipe.bytes(&blocks[index].der) } }
        if format == .formatPEMSequence {
            try sequence(parameters, into: &blocks)
            return Self.pem(blocks)
        }
        blocks.append(try block(format, parameters))
        return flags.contains(.pemArmour) ? Self.pem(blocks) : Data(blocks[0].der)
    }

    // The format for items that come without one.
    private var usual: SecExternalFormat {
        guard items.count == 1 else { return .formatPEMSequence }
        return switch items[0] {
        case .certificate: .formatX509Cert
        case .key: .formatOpenSSL
        case .identity: .formatPEMSequence
        }
    }

    private func block(
        _ format: SecExternalFormat, _ parameters: borrowing KeyFileParameters
    ) throws(StatusFailure) -> Block {
        switch format {
        case .formatX509Cert: return Block(label: "CERTIFICATE", der: try only(\.certificate).der)
        case .formatPKCS7: return Block(label: "PKCS7", der: CertificateBag.file(try certificates().map(\.der)))
        case .formatPKCS12: return Block(label: "PKCS12", der: try pkcs12(parameters))
        case .formatOpenSSL: return try Self.openSSL(try only(\.key))
        case .formatBSAFE: return try Self.bsafe(try only(\.key))
        case .formatWrappedPKCS8: return try Self.wrapped(try only(\.key), parameters)
        default: throw StatusFailure(errSecUnsupportedFormat)
        }
    }

    private func only<Part>(_ part: (Item) -> Part?) throws(StatusFailure) -> Part {
        guard items.count == 1, let found = part(items[0]) else { throw StatusFailure(errSecUnsupportedFormat) }
        return found
    }

    private func certificates() throws(StatusFailure) -> [SecCertificate] {
        let certificates = items.compactMap(\.certificate)
        guard certificates.count == items.count else { throw StatusFailure(errSecUnsupportedFormat) }
        return certificates
    }

    private func sequence(
        _ parameters: borrowing KeyFileParameters, into blocks: inout [Block]
    ) throws(StatusFailure) {
        for item in items {
            if let certificate = item.certificate {
                blocks.append(Block(label: "CERTIFICATE", der: certificate.der))
            }
            guard let key = item.key else { continue }
            let isWrapped = parameters.hasPassphrase && key.material.isPrivate
            blocks.append(isWrapped ? try Self.wrapped(key, parameters) : try Self.openSSL(key))
        }
    }

    private func pkcs12(_ parameters: borrowing KeyFileParameters) throws(StatusFailure) -> [UInt8] {
        let passphrase = try parameters.passphrase()
        var entries: [PKCS12.Entry] = []
        for item in items {
            let key = try item.key.map(Self.privateKey)
            entries.append(
                PKCS12.Entry(certificate: item.certificate?.der, key: key, name: item.key?.traits.label))
        }
        return try StatusFailure.reading { () throws(KeyFileFailure) in try PKCS12.file(entries, passphrase) }
    }

    private static func openSSL(_ key: SecKey) throws(StatusFailure) -> Block {
        guard key.material.isPrivate else { return try publicKey(key) }
        let inner = try privateKey(key)
        switch inner {
        case .rsa:
            return Block(
                label: "RSA PRIVATE KEY", der: try clear { () throws(KeyFileFailure) in try inner.traditional() })
        case .ec:
            return Block(
                label: "EC PRIVATE KEY", der: try clear { () throws(KeyFileFailure) in try inner.traditional() })
        case .curve25519:
            return Block(label: "PRIVATE KEY", der: try clear { () throws(KeyFileFailure) in try inner.pkcs8() })
        }
    }

    private static func bsafe(_ key: SecKey) throws(StatusFailure) -> Block {
        if case .rsaPublic(let key) = key.material { return Block(label: "RSA PUBLIC KEY", der: key.pkcs1) }
        guard key.material.isPrivate else { return try publicKey(key) }
        let inner = try privateKey(key)
        return Block(label: "PRIVATE KEY", der: try clear { () throws(KeyFileFailure) in try inner.pkcs8() })
    }

    private static func wrapped(
        _ key: SecKey, _ parameters: borrowing KeyFileParameters
    ) throws(StatusFailure) -> Block {
        guard key.material.isPrivate else { throw StatusFailure(errSecUnsupportedFormat) }
        let passphrase = try parameters.passphrase()
        let inner = try privateKey(key)
        let der = try StatusFailure.reading { () throws(KeyFileFailure) in try inner.encryptedPKCS8(passphrase) }
        return Block(label: "ENCRYPTED PRIVATE KEY", der: der)
    }

    private static func publicKey(_ key: SecKey) throws(StatusFailure) -> Block {
        do throws(CryptoFailure) {
            let der: [UInt8]? =
                switch key.material {
                case .ecPublic(let key): try key.spki()
                case .rsaPublic(let key): try key.spki()
                case .curve25519Public(let key): try key.spki()
                case .ecPrivate, .rsaPrivate, .curve25519Private, .element: nil
                }
            guard let der else { throw CryptoFailure.invalidKey }
            return Block(label: "PUBLIC KEY", der: der)
        } catch {
            throw StatusFailure(errSecInternalComponent)
        }
    }

    private static func privateKey(_ key: SecKey) throws(StatusFailure) -> PrivateKey {
        switch key.material {
        case .rsaPrivate(let key): return .rsa(key)
        case .ecPrivate(let key): return .ec(key)
        case .curve25519Private(let key): return .curve25519(key)
        case .element: throw StatusFailure(errSecKeyIsSensitive)
        case .ecPublic, .rsaPublic, .curve25519Public: throw StatusFailure(errSecUnsupportedFormat)
        }
    }

    // The caller gets the bytes: of the copies in clear, one cannot be overwritten here.
    private static func clear(
        _ write: () throws(KeyFileFailure) -> SecretBytes
    ) throws(StatusFailure) -> [UInt8] {
        do throws(KeyFileFailure) {
            return try write().withBytes { bytes in Array(bytes) }
        } catch {
            throw StatusFailure(error.status)
        }
    }

    private static func pem(_ blocks: [Block]) -> Data {
        var texts = blocks.map { PEM.bytes($0.label, $0.der) }
        defer { for index in texts.indices { Wipe.bytes(&texts[index]) } }
        // Of its whole size from the start: one that grows leaves pieces.
        var file = Data(capacity: texts.reduce(0) { $0 + $1.count })
        for text in texts { file.append(contentsOf: text) }
        return file
    }
}
