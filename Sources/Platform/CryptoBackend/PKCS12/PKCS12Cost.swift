internal import CPaviseOpenSSL

/// Counts the work that a PKCS#12 file asks for, before it is done.
struct PKCS12Cost {
    private var rounds: Int
    private var bags: Int

    init(_ limits: PKCS12Limits) {
        rounds = limits.rounds
        bags = limits.bags
    }

    /// One more bag.
    mutating func bag() throws(PKCS12Failure) {
        bags -= 1
        guard bags >= 0 else { throw .excessive }
    }

    /// A key derivation of so many rounds.
    mutating func derivation(_ count: Int) throws(PKCS12Failure) {
        guard count >= 0, count <= rounds else { throw .excessive }
        rounds -= count
    }

    /// The key derivation of a code whose algorithm has one of its own: PBMAC1 (RFC 9579), which OpenSSL computes from
    /// version 3.4 on.
    mutating func code(_ algorithm: UnsafePointer<X509_ALGOR>?) throws(PKCS12Failure) {
        guard let known = unsafe algorithm else { return }
        var object: OpaquePointer?
        unsafe X509_ALGOR_get0(&object, nil, nil, known)
        if unsafe OBJ_obj2nid(object) == NID_pbmac1 { unsafe try encryption(algorithm) }
    }

    /// The key derivation of an encryption, as its algorithm says.
    mutating func encryption(_ algorithm: UnsafePointer<X509_ALGOR>?) throws(PKCS12Failure) {
        guard let algorithm = unsafe algorithm else { throw .malformed }
        var object: OpaquePointer?
        var type: Int32 = 0
        var value: UnsafeRawPointer?
        unsafe X509_ALGOR_get0(&object, &type, &value, algorithm)
        guard type == V_ASN1_SEQUENCE, let value = unsafe value else { throw .malformed }
        let text = unsafe value.assumingMemoryBound(to: ASN1_STRING.self)
        let bytes = unsafe [UInt8](
            UnsafeBufferPointer(start: ASN1_STRING_get0_data(text), count: Int(ASN1_STRING_length(text))))
        do {
            let kind = unsafe OBJ_obj2nid(object)
            try derivation(Self.rounds(bytes, isNested: kind == NID_pbes2 || kind == NID_pbmac1))
        } catch let failure as PKCS12Failure {
            throw failure
        } catch {
            throw .malformed
        }
    }

    // In bytes: no cipher and no code has a longer one.
    private static let longestKey = 64

    // RFC 8018 appendix A: PBEParameter, or PBES2-params and PBMAC1-params with PBKDF2-params or (RFC 7914 §7)
    // scrypt-params.
    private static func rounds(_ parameters: [UInt8], isNested: Bool) throws(DERFailure) -> Int {
        var reader = DERReader(parameters[...])
        var list = try reader.inside()
        guard isNested else {
            _ = try list.next(DERTag.octetString)
            return try list.next(DERTag.integer).smallInteger()
        }
        var derivation = try list.inside()
        let name = try derivation.next().objectIdentifier()
        var values = try derivation.inside()
        _ = try values.next(DERTag.octetString)
        let first = try values.next(DERTag.integer).smallInteger()
        guard name == "1.3.6.1.4.1.11591.4.11" else {
            // OpenSSL 3.4 to 3.6 of before January 2026 writes the longer key of a code over the end of its buffer.
            if let length = try values.optional(DERTag.integer)?.smallInteger() {
                guard (1...longestKey).contains(length) else { throw DERFailure() }
            }
            return first
        }
        let blocks = try values.next(DERTag.integer).smallInteger()
        let lanes = try values.next(DERTag.integer).smallInteger()
        let (memory, isTooMuch) = first.multipliedReportingOverflow(by: blocks)
        let (work, isFarTooMuch) = memory.multipliedReportingOverflow(by: lanes)
        guard !isTooMuch, !isFarTooMuch else { return .max }
        return work
    }
}
