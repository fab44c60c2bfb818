internal import CPaviseSQLite

/// Two places for one small sealed record. A write goes to the place of the older one, so that a torn write leaves the
/// other; each place lies in a sector of its own.
@safe
struct SlotPair {
    /// The distance between the two places: the smallest sector of a disk.
    static let stride = 512
    private static let epochCount = 4
    private static let count = epochCount + PageEncryption.sealCount + LogPosition.encodedCount

    let kind: BlockKind
    /// Where the first place lies in the file.
    let offset: Int64

    /// The newest authentic record among `bytes`, which were read from ``offset`` on.
    func newest(in bytes: UnsafeRawBufferPointer, _ cipher: PageEncryption) -> LogPosition? {
        let both = (0...1).compactMap { index in
            unsafe record(
                UnsafeRawBufferPointer(rebasing: bytes[(index * Self.stride)...].prefix(Self.count)), index, cipher)
        }
        return both.max { $0.sequence < $1.sequence }
    }

    /// Writes `record` to the place that its sequence number names.
    ///
    /// - Parameter head: What the file's first bytes are known to be. It is kept true where it covers the place.
    /// - Returns: SQLite's result code.
    func write(_ record: LogPosition, to raw: RawFile, _ cipher: PageEncryption, head: inout [UInt8]) -> Int32 {
        var slot = [UInt8](repeating: 0, count: Self.count)
        let code = seal(record, into: &slot, to: raw, cipher)
        let start = Int(offset) + Int(record.sequence & 1) * Self.stride
        if code == SQLITE_OK, head.count >= start + slot.count {
            head.replaceSubrange(start..<start + slot.count, with: slot)
        }
        return code
    }

    /// Writes `record` to the place that its sequence number names.
    ///
    /// - Returns: SQLite's result code.
    func write(_ record: LogPosition, to raw: RawFile, _ cipher: PageEncryption) -> Int32 {
        var slot = [UInt8](repeating: 0, count: Self.count)
        return seal(record, into: &slot, to: raw, cipher)
    }

    private func seal(_ record: LogPosition, into slot: inout [UInt8], to raw: RawFile, _ cipher: PageEncryption)
        -> Int32
    {
        let index = Int(record.sequence & 1)
        return unsafe slot.withUnsafeMutableBytes { slot in
            let payload = unsafe UnsafeMutableRawBufferPointer(
                rebasing: slot[(Self.count - LogPosition.encodedCount)...])
            let seal = unsafe UnsafeMutableRawBufferPointer(
                rebasing: slot[Self.epochCount...].prefix(PageEncryption.sealCount))
            unsafe slot.storeBytes(of: record.epoch.bigEndian, as: UInt32.self)
            unsafe payload.copyBytes(from: record.encoded)
            let sealed = unsafe cipher.seal(
                UnsafeRawBufferPointer(payload), into: payload, seal: seal, .records(epoch: record.epoch), kind,
                UInt64(index))
            guard sealed else { return ResultCode.write }
            return unsafe raw.write(UnsafeRawBufferPointer(slot), at: offset + Int64(index * Self.stride))
        }
    }

    private func record(_ slot: UnsafeRawBufferPointer, _ index: Int, _ cipher: PageEncryption) -> LogPosition? {
        guard slot.count == Self.count else { return nil }
        let epoch = unsafe UInt32(bigEndian: slot.loadUnaligned(as: UInt32.self))
        let seal = unsafe UnsafeRawBufferPointer(rebasing: slot[Self.epochCount...].prefix(PageEncryption.sealCount))
        let sealed = unsafe UnsafeRawBufferPointer(rebasing: slot[(Self.count - LogPosition.encodedCount)...])
        var plain = [UInt8](repeating: 0, count: LogPosition.encodedCount)
        let authentic = unsafe plain.withUnsafeMutableBytes { plain in
            unsafe cipher.open(sealed, seal: seal, into: plain, .records(epoch: epoch), kind, UInt64(index))
        }
        return authentic ? LogPosition(plain) : nil
    }
}
