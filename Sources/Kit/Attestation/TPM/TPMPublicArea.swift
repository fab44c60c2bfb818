internal import SecurityFramework

/// The public half of an endorsement or attestation key: TPMT_PUBLIC (TPM 2.0 part 2, §12.2.4), as far as such keys
/// need it. RSA or P-256, named with SHA-256.
struct TPMPublicArea: Hashable, Sendable {
    /// The key itself.
    enum Key: Hashable, Sendable {
        case rsa(modulus: [UInt8], exponent: [UInt8])
        /// X and Y, 32 bytes each.
        case p256(x: [UInt8], y: [UInt8])
    }

    /// What the TPM promises about a key (TPMA_OBJECT, §8.3).
    struct Attributes: OptionSet, Hashable, Sendable {
        let rawValue: UInt32
        static let fixedTPM = Attributes(rawValue: 1 << 1)
        static let fixedParent = Attributes(rawValue: 1 << 4)
        static let sensitiveDataOrigin = Attributes(rawValue: 1 << 5)
        static let restricted = Attributes(rawValue: 1 << 16)
        static let decrypt = Attributes(rawValue: 1 << 17)
        static let sign = Attributes(rawValue: 1 << 18)
        /// Made in this TPM, and never anywhere else.
        static let bound: Attributes = [.fixedTPM, .fixedParent, .sensitiveDataOrigin]
    }

    let key: Key
    let attributes: Attributes
    /// Bits of the AES key that protects what is sealed to this key; `nil` for a key that signs.
    let symmetricBits: Int?
    /// Whether it signs with ECDSA and SHA-256, and with nothing else.
    let signsWithECDSA: Bool
    /// The name: the algorithm and the digest of the area. Attributes cannot differ under one name.
    let name: [UInt8]

    /// The largest area that is read, in bytes.
    static let limit = 1_024

    /// Reads an area and nothing behind it.
    init(_ bytes: [UInt8]) throws(TPMAttestationFailure) {
        guard bytes.count <= Self.limit else { throw .malformed }
        var reader = TPMReader(bytes)
        let type = try reader.number(UInt16.self)
        guard try reader.number(UInt16.self) == TPMAlgorithm.sha256 else { throw .malformed }
        attributes = Attributes(rawValue: try reader.number())
        _ = try reader.sized(limit: 64)
        symmetricBits = try Self.symmetric(&reader)
        let scheme = try Self.scheme(&reader, isECC: type == TPMAlgorithm.ecc)
        signsWithECDSA = type == TPMAlgorithm.ecc && scheme == TPMAlgorithm.ecdsa
        switch type {
        case TPMAlgorithm.rsa: key = try Self.rsa(&reader)
        case TPMAlgorithm.ecc: key = try Self.curve(&reader)
        default: throw .malformed
        }
        try reader.finish()
        name = [0x00, 0x0B] + MessageDigest.of(bytes, .sha256)
    }

    // TPMT_SYM_DEF_OBJECT: none, or AES in CFB mode, the only one for storage.
    private static func symmetric(_ reader: inout TPMReader) throws(TPMAttestationFailure) -> Int? {
        let algorithm = try reader.number(UInt16.self)
        guard algorithm != TPMAlgorithm.null else { return nil }
        let bits = try reader.number(UInt16.self)
        let mode = try reader.number(UInt16.self)
        guard algorithm == TPMAlgorithm.aes, bits == 128 || bits == 256, mode == TPMAlgorithm.cfb else {
            throw .malformed
        }
        return Int(bits)
    }

    // TPMT_RSA_SCHEME, TPMT_ECC_SCHEME: none, or one with a hash, which has to be SHA-256.
    private static func scheme(_ reader: inout TPMReader, isECC: Bool) throws(TPMAttestationFailure) -> UInt16 {
        let scheme = try reader.number(UInt16.self)
        guard scheme != TPMAlgorithm.null else { return scheme }
        guard isECC, scheme == TPMAlgorithm.ecdsa, try reader.number(UInt16.self) == TPMAlgorithm.sha256 else {
            throw .malformed
        }
        return scheme
    }

    private static func rsa(_ reader: inout TPMReader) throws(TPMAttestationFailure) -> Key {
        let bits = try reader.number(UInt16.self)
        // 0 stands for 65,537 (§12.2.3.5).
        let exponent = try reader.number(UInt32.self)
        let modulus = try reader.sized(limit: 512)
        guard [2_048, 3_072, 4_096].contains(bits), modulus.count * 8 == Int(bits), modulus[0] >= 0x80,
            exponent == 0 || exponent == 65_537
        else { throw .malformed }
        return .rsa(modulus: modulus, exponent: [1, 0, 1])
    }

    private static func curve(_ reader: inout TPMReader) throws(TPMAttestationFailure) -> Key {
        guard try reader.number(UInt16.self) == TPMAlgorithm.p256, try reader.number(UInt16.self) == TPMAlgorithm.null
        else { throw .malformed }
        return .p256(x: try coordinate(&reader), y: try coordinate(&reader))
    }

    // A TPM may leave zeros in front out.
    static func coordinate(_ reader: inout TPMReader) throws(TPMAttestationFailure) -> [UInt8] {
        let digits = try reader.sized(limit: 32)
        return [UInt8](repeating: 0, count: 32 - digits.count) + digits
    }

    /// Whether a quote by this key is about its own TPM: it signs nothing that the TPM did not make.
    var isForQuotes: Bool {
        attributes.isSuperset(of: Attributes.bound.union([.restricted, .sign])) && !attributes.contains(.decrypt)
            && signsWithECDSA && symmetricBits == nil
    }

    /// Whether a credential can be sealed to it.
    var isForCredentials: Bool {
        attributes.isSuperset(of: Attributes.bound.union([.restricted, .decrypt])) && !attributes.contains(.sign)
            && symmetricBits != nil
    }
}
