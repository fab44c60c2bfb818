/// Certificates in a PKCS#7 file without a signer (RFC 2315 §9, "degenerate" SignedData).
package enum CertificateBag {
    static let signedData = "1.2.840.113549.1.7.2"

    /// The certificates, DER, in the order of the file. Lists of revocation and signers are passed over.
    ///
    /// - Parameter limit: The most certificates.
    package static func certificates(in der: [UInt8], limit: Int) throws(KeyFileFailure) -> [[UInt8]] {
        do {
            let found = try read(der)
            guard found.count <= limit else { throw KeyFileFailure.excessive }
            return found
        } catch let failure as KeyFileFailure {
            throw failure
        } catch {
            throw .malformed
        }
    }

    private static func read(_ der: [UInt8]) throws(DERFailure) -> [[UInt8]] {
        var outer = DERReader(der[...])
        var info = try outer.inside()
        try outer.finish()
        guard try info.next(DERTag.objectIdentifier).objectIdentifier() == signedData else { throw DERFailure() }
        var explicit = try info.inside(DERTag.context(0, constructed: true))
        try info.finish()
        var data = try explicit.inside()
        try explicit.finish()
        _ = try data.next(DERTag.integer).smallInteger()
        _ = try data.next(DERTag.set)
        _ = try data.next(DERTag.sequence)
        guard let set = try data.optional(DERTag.context(0, constructed: true)) else { return [] }
        var certificates = DERReader(set.content)
        var found: [[UInt8]] = []
        while !certificates.isAtEnd { found.append(Array(try certificates.next(DERTag.sequence).whole)) }
        return found
    }

    /// A file that holds these certificates, DER.
    package static func file(_ certificates: [[UInt8]]) -> [UInt8] {
        let arc: [UInt8] = [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07]
        let set = DEREncoding.element(DERTag.context(0, constructed: true), certificates.flatMap { $0 })
        let none = DEREncoding.element(DERTag.set, [])
        let data = DEREncoding.element(
            DERTag.sequence, [0x02, 1, 1] + none + DEREncoding.element(DERTag.sequence, arc + [0x01]) + set + none)
        return DEREncoding.element(
            DERTag.sequence, arc + [0x02] + DEREncoding.element(DERTag.context(0, constructed: true), data))
    }
}
