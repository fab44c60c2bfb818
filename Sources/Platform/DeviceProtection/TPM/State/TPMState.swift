internal import PavisePrimitives

/// What the element keeps in its file: two secrets sealed by the TPM, and a table encrypted under one of them.
///
/// The bytes: `PVTE`, version 1, the maker's four letters, the counter's index and authorisation value (16), the epoch
/// (8), then behind a length each: the storage key's name, the sealed object's two halves, the indices of guards, the
/// indices to be removed, a nonce, the table (AES-256-GCM, everything before it as associated data). Numbers are
/// big-endian. Nothing in it can be used without this TPM at this value of its counter.
struct TPMState: Hashable {
    /// The letters of the TPM's maker, as a number.
    var vendor: UInt32
    /// The index of the counter that makes old copies useless.
    var counter: UInt32
    /// The counter's authorisation value. It is in clear: who has it can destroy, as who may talk to the TPM can
    /// anyway.
    var counterValue: [UInt8]
    /// The counter's value under which ``sealed`` opens.
    var epoch: UInt64
    /// The name of the TPM's storage key.
    var primary: [UInt8]
    /// The root and the epoch's key, sealed.
    var sealed: TPMObject
    /// The PIN indices of guards.
    var guards: [UInt32] = []
    /// Indices that are being made, or no longer needed: the next change removes them from the TPM.
    var leftOver: [UInt32] = []
    /// The table's nonce.
    var nonce: [UInt8] = []
    /// The encrypted table.
    var table: [UInt8] = []

    private static let magic = Array("PVTE".utf8) + [1]
    /// The longest file that is read, in bytes.
    static let longest = 1 << 20
}

extension TPMState {
    /// What the table's seal authenticates beside the table.
    var header: [UInt8] {
        var writer = ByteWriter()
        writer.raw(Self.magic)
        writer.integer(vendor)
        writer.integer(counter)
        writer.raw(counterValue)
        writer.integer(epoch)
        writer.block(primary)
        writer.block(sealed.area)
        writer.block(sealed.hidden)
        writer.block(Self.bytes(guards))
        writer.block(Self.bytes(leftOver))
        return writer.bytes
    }

    /// The bytes to store.
    var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.raw(header)
        writer.block(nonce)
        writer.block(table)
        return writer.bytes
    }

    /// Reads what ``encoded`` gave; `nil` for anything else.
    init?(_ bytes: [UInt8]) {
        guard bytes.count <= Self.longest else { return nil }
        do throws(ByteReader.Truncated) {
            self = try Self.parse(bytes)
        } catch {
            return nil
        }
    }

    private static func parse(_ bytes: [UInt8]) throws(ByteReader.Truncated) -> TPMState {
        var reader = ByteReader(bytes)
        guard try reader.read(magic.count) == magic else { throw ByteReader.Truncated() }
        var state = TPMState(
            vendor: try reader.integer(), counter: try reader.integer(), counterValue: try reader.read(16),
            epoch: try reader.integer(), primary: try reader.block(limit: 128),
            sealed: TPMObject(area: try reader.block(limit: 1024), hidden: try reader.block(limit: 1024)))
        state.guards = try numbers(reader.block(limit: 4096))
        state.leftOver = try numbers(reader.block(limit: 4096))
        state.nonce = try reader.block(limit: 12)
        state.table = try reader.block(limit: longest)
        guard reader.isAtEnd, state.nonce.count == 12 else { throw ByteReader.Truncated() }
        return state
    }

    private static func bytes(_ numbers: [UInt32]) -> [UInt8] {
        var writer = ByteWriter()
        for number in numbers { writer.integer(number) }
        return writer.bytes
    }

    private static func numbers(_ bytes: [UInt8]) throws(ByteReader.Truncated) -> [UInt32] {
        guard bytes.count % 4 == 0 else { throw ByteReader.Truncated() }
        var reader = ByteReader(bytes)
        var numbers: [UInt32] = []
        while !reader.isAtEnd { numbers.append(try reader.integer()) }
        return numbers
    }
}
