internal import PavisePrimitives

/// Reads the encoding of TPM 2.0 part 2: big-endian numbers, and bytes behind a length of 16 bits.
struct TPMReader {
    private var reader: ByteReader

    init(_ bytes: [UInt8]) { reader = ByteReader(bytes) }

    mutating func number<Value: FixedWidthInteger>(_: Value.Type = Value.self) throws(TPMAttestationFailure) -> Value {
        do throws(ByteReader.Truncated) { return try reader.integer() } catch { throw .malformed }
    }

    mutating func bytes(_ count: Int) throws(TPMAttestationFailure) -> [UInt8] {
        do throws(ByteReader.Truncated) { return try reader.read(count) } catch { throw .malformed }
    }

    /// A TPM2B of at most `limit` bytes.
    mutating func sized(limit: Int) throws(TPMAttestationFailure) -> [UInt8] {
        let count = Int(try number(UInt16.self))
        guard count <= limit else { throw .malformed }
        return try bytes(count)
    }

    /// Nothing may follow.
    func finish() throws(TPMAttestationFailure) {
        guard reader.isAtEnd else { throw .malformed }
    }
}

/// Numbers of algorithms that are read here (TCG Algorithm Registry; TPM 2.0 part 2, §6.3 and §6.4).
enum TPMAlgorithm {
    static let rsa: UInt16 = 0x0001
    static let aes: UInt16 = 0x0006
    static let sha256: UInt16 = 0x000B
    static let null: UInt16 = 0x0010
    static let ecdsa: UInt16 = 0x0018
    static let ecc: UInt16 = 0x0023
    static let cfb: UInt16 = 0x0043
    static let p256: UInt16 = 0x0003
}
