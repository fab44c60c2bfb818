internal import Foundation
internal import PaviseCrypto
internal import PavisePrimitives
internal import SecurityFramework

extension FuzzTarget {
    static let keyFiles = [keyFile]

    // Files of keys and certificates, in DER and PEM. What is read is written again, and read again as the same.
    private static let keyFile = FuzzTarget(
        "key-file",
        seeds: {
            let key = try IssuingKey(generating: .ec256)
            let template = CertificateTemplate(
                subject: "Leaf", serial: [1], notBefore: 1_700_000_000, notAfter: 1_900_000_000, hash: .sha256,
                extensions: [])
            let certificate = try CertificateIssuing.issue(template, for: key, issuer: nil, issuerKey: key)
            let text = PEM.text("CERTIFICATE", certificate)
            return [
                certificate, key.spki, CertificateBag.file([certificate]), Array(try key.privateKeyPEM().utf8),
                Array((text + text).utf8), inBER(CertificateBag.file([certificate])),
                try key.pkcs12(certificate: certificate, passphrase: "x", rounds: 1),
            ]
        },
        run: { bytes in
            guard let items = read(bytes), !items.isEmpty else { return }
            var file: CFData?
            // A key and its certificate from PKCS#12 are two blocks of a sequence.
            guard SecItemExport(items as NSArray, .formatPEMSequence, [], nil, &file) == errSecSuccess, let file else {
                return require(items.count > 100, "what was read cannot be written")
            }
            guard let again = read(file.copiedBytes) else { return require(false, "what was written cannot be read") }
            require(again.count >= items.count, "an item is lost")
        })

    // The outermost length is not told.
    private static func inBER(_ der: [UInt8]) -> [UInt8] {
        guard der.count > 2, der[1] >= 0x80 else { return der }
        return [der[0], 0x80] + der.dropFirst(2 + Int(der[1] & 0x7F)) + [0, 0]
    }

    private static func read(_ bytes: [UInt8]) -> [AnyObject]? {
        var items: CFArray?
        var parameters = SecItemImportExportKeyParameters()
        let passphrase = NSString(string: "x")
        return withExtendedLifetime(passphrase) {
            unsafe parameters.passphrase = Unmanaged.passUnretained(passphrase)
            let status = SecItemImport(Data(bytes) as CFData, nil, nil, nil, [], &parameters, nil, &items)
            require((status == errSecSuccess) == (items != nil), "a refusal gives items")
            return items.map { Array($0) as [AnyObject] }
        }
    }
}
