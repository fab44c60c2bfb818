/// What a TPM signed: TPMS_ATTEST with TPMS_QUOTE_INFO (TPM 2.0 part 2, §10.12). Reading it says nothing about trust.
struct TPMQuote: Hashable, Sendable {
    let nonce: [UInt8]
    let clock: UInt64
    let resetCount: UInt32
    let restartCount: UInt32
    let isClockSafe: Bool
    let firmwareVersion: UInt64
    /// Numbers of the registers of the SHA-256 bank, rising.
    let registers: [Int]
    let digest: [UInt8]

    /// The largest quote that is read, in bytes.
    static let limit = 1_024
    private static let magic: UInt32 = 0xFF54_4347
    private static let quote: UInt16 = 0x8018

    /// Reads a quote and nothing behind it.
    init(_ bytes: [UInt8]) throws(TPMAttestationFailure) {
        guard bytes.count <= Self.limit else { throw .malformed }
        var reader = TPMReader(bytes)
        // TPM_GENERATED_VALUE: a restricted key signs nothing of others that begins so.
        guard try reader.number(UInt32.self) == Self.magic else { throw .kind }
        guard try reader.number(UInt16.self) == Self.quote else { throw .kind }
        _ = try reader.sized(limit: 68)
        nonce = try reader.sized(limit: 64)
        clock = try reader.number()
        resetCount = try reader.number()
        restartCount = try reader.number()
        let safe = try reader.number(UInt8.self)
        guard safe <= 1 else { throw .malformed }
        isClockSafe = safe == 1
        firmwareVersion = try reader.number()
        registers = try Self.selection(&reader)
        digest = try reader.sized(limit: 32)
        guard digest.count == 32 else { throw .malformed }
        try reader.finish()
    }

    // TPML_PCR_SELECTION: one bank, SHA-256, a bit for each of 24 registers.
    private static func selection(_ reader: inout TPMReader) throws(TPMAttestationFailure) -> [Int] {
        guard try reader.number(UInt32.self) == 1 else { throw .selection }
        guard try reader.number(UInt16.self) == TPMAlgorithm.sha256 else { throw .selection }
        guard try reader.number(UInt8.self) == 3 else { throw .malformed }
        let bits = try reader.bytes(3)
        return (0..<24).filter { bits[$0 / 8] & 1 << UInt8($0 % 8) != 0 }
    }

    /// r ‖ s from TPMT_SIGNATURE: ECDSA with SHA-256 (§11.3.4).
    static func signature(_ bytes: [UInt8]) throws(TPMAttestationFailure) -> [UInt8] {
        guard bytes.count <= limit else { throw .malformed }
        var reader = TPMReader(bytes)
        guard try reader.number(UInt16.self) == TPMAlgorithm.ecdsa,
            try reader.number(UInt16.self) == TPMAlgorithm.sha256
        else { throw .malformed }
        let raw = try TPMPublicArea.coordinate(&reader) + TPMPublicArea.coordinate(&reader)
        try reader.finish()
        return raw
    }
}
