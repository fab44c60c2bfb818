internal import PaviseCrypto

/// Parts of a certificate for verifiers of attestations: the point of its key, and the content of
/// extensions that Pavise does not know. Having them says nothing about trust.
package struct CertificateContent: Sendable {
    /// The point of a P-256 key, X9.63 (65 bytes); `nil` for another key.
    package let p256Point: [UInt8]?
    /// The numbers of an RSA key, big-endian without zeros in front; `nil` for another key.
    package let rsaKey: (modulus: [UInt8], exponent: [UInt8])?
    private let der: [UInt8]

    /// Reads a certificate; `nil` for bytes that are none.
    package init?(der: [UInt8]) {
        guard let certificate = try? X509Certificate(der: der) else { return nil }
        self.der = der
        let isP256 = certificate.key.kind == .ec && certificate.key.curve == .p256
        p256Point = isP256 && certificate.key.encoded.count == 65 ? certificate.key.encoded : nil
        let key = certificate.key.kind == .rsa ? try? RSAPublicKey(pkcs1: certificate.key.encoded) : nil
        rsaKey = key.flatMap { key in
            guard let modulus = try? key.modulus(), let exponent = try? key.exponent() else { return nil }
            return (modulus, exponent)
        }
    }

    /// The octets in an extension of the form `SEQUENCE { [number] EXPLICIT OCTET STRING }`, as App Attest has it;
    /// `nil` without the extension, with two of it, and for another form.
    package func taggedOctets(in identifier: String, tag number: UInt8) -> [UInt8]? {
        do {
            let found = try contents(of: identifier)
            guard found.count == 1, let content = found.first else { return nil }
            var outer = DERReader(content)
            var fields = try outer.inside()
            try outer.finish()
            var tagged = DERReader(try fields.next(DERTag.context(number, constructed: true)).content)
            let octets = try tagged.next(DERTag.octetString).content
            try tagged.finish()
            try fields.finish()
            return Array(octets)
        } catch {
            return nil
        }
    }

    // RFC 5280 §4.1: the extensions are the last part of what is signed.
    private func contents(of identifier: String) throws(DERFailure) -> [ArraySlice<UInt8>] {
        var certificate = DERReader(der[...])
        var signed = try certificate.inside()
        var body = try signed.inside()
        var found: [ArraySlice<UInt8>] = []
        while !body.isAtEnd {
            let part = try body.next()
            guard part.tag == DERTag.context(3, constructed: true) else { continue }
            var wrapper = DERReader(part.content)
            var list = try wrapper.inside()
            while !list.isAtEnd {
                var entry = try list.inside()
                let name = try entry.next(DERTag.objectIdentifier).objectIdentifier()
                _ = try entry.optional(DERTag.boolean)
                let content = try entry.next(DERTag.octetString).content
                if name == identifier { found.append(content) }
            }
        }
        return found
    }

    /// r ‖ s of 64 bytes from the DER form of a signature by a P-256 key; `nil` for bytes that are none.
    package static func rawP256Signature(der: [UInt8]) -> [UInt8]? { ECDSASignature.raw(der: der, curve: .p256) }
}
