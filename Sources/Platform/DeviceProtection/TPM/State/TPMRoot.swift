internal import PaviseCrypto
internal import PavisePrimitives

/// The unsealed secrets of one state, in memory while the process lives.
final class TPMRoot: Sendable {
    /// The length of what the TPM seals: the root and the epoch's key.
    static let sealedCount = 64
    /// The state that they belong to.
    let state: TPMState
    /// Wraps and derives; the same in every epoch.
    let root: SecretBytes
    /// Encrypts the table; fresh in every epoch.
    let epochKey: SecretBytes
    /// The secrets of keys and guards.
    let table: TPMTable

    /// Takes over what belongs together.
    init(state: TPMState, root: consuming SecretBytes, epochKey: consuming SecretBytes, table: consuming TPMTable) {
        self.state = state
        self.root = root
        self.epochKey = epochKey
        self.table = table
    }

    /// Splits what was sealed and opens the table with it.
    convenience init(_ state: TPMState, unsealed: borrowing SecretBytes) throws {
        let root = unsealed.withBytes { SecretBytes(copying: $0.extracting(0..<32)) }
        let epochKey = unsealed.withBytes { SecretBytes(copying: $0.extracting(32..<64)) }
        let cipher = try epochKey.withBytes { try AESGCM(key: $0) }
        let table = try cipher.open(state.table.span, nonce: state.nonce, associatedData: state.header)
        self.init(state: state, root: root, epochKey: epochKey, table: TPMTable(table))
    }

    /// The same secrets with another state or table, which is encrypted anew.
    func with(_ state: TPMState, table: borrowing TPMTable) throws -> TPMRoot {
        try TPMRoot(encrypting: table, state, root: root.duplicate(), epochKey: epochKey.duplicate())
    }

    /// Encrypts `table` into `state`.
    convenience init(
        encrypting table: borrowing TPMTable, _ state: TPMState, root: consuming SecretBytes,
        epochKey: consuming SecretBytes
    ) throws {
        var state = state
        state.nonce = try Entropy.kernel.bytes(12)
        let cipher = try epochKey.withBytes { try AESGCM(key: $0) }
        state.table = try table.bytes.withBytes {
            try cipher.seal($0, nonce: state.nonce, associatedData: state.header)
        }
        guard state.encoded.count <= TPMState.longest else { throw TPMFailure(.storageFull) }
        self.init(state: state, root: root, epochKey: epochKey, table: table.copy())
    }

    /// HKDF-SHA256 (RFC 5869) of the root.
    func derive(_ purpose: String) throws(DeviceFailure) -> SecretBytes {
        let info = Array("pavise tpm element: \(purpose)".utf8)
        return try DeviceFailure.reporting {
            try root.withBytes { try KDF.hkdf($0, salt: [], info: info, count: 32) }
        }
    }
}
