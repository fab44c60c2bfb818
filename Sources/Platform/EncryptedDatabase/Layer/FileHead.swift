internal import CPaviseSQLite
internal import PavisePrimitives

/// The first 4,096 bytes of the database file: who it is, and which log belongs to it.
enum FileHead {
    /// The size of the head; pages begin behind it.
    static let count: Int64 = 4096
    /// Which generation of the log acknowledged commits belong to. Written by whoever holds the write lock.
    static let anchorPlace = SlotPair(kind: .anchor, offset: 512)
    /// How much of the log a checkpoint has begun to move. Written by whoever holds the checkpoint lock.
    static let markPlace = SlotPair(kind: .mark, offset: 1536)

    /// Which list of tags is valid, and what it covers. Written by whoever holds the checkpoint lock.
    static let tagsPlace = SlotPair(kind: .tags, offset: 2560)

    private static let magic = Array("Pavise encrypted database 1\n".utf8) + [0, 0, 0, 0]
    private static let fileCount = 16
    /// Where the file's identifier lies.
    static let identifierRange = magic.count..<magic.count + fileCount

    /// The file's identifier, or `nil` for a file that is not one of ours.
    static func identifier(_ raw: RawFile) -> (code: Int32, bytes: [UInt8]?) {
        var bytes = [UInt8](repeating: 0, count: magic.count + fileCount)
        let code = unsafe bytes.withUnsafeMutableBytes { unsafe raw.read($0, at: 0) }
        guard code == SQLITE_OK, Array(bytes.prefix(magic.count)) == magic else {
            return (code == SQLITE_OK || code == ResultCode.shortRead ? SQLITE_NOTADB : code, nil)
        }
        return (SQLITE_OK, Array(bytes.suffix(fileCount)))
    }

    /// Writes the head of a new file.
    static func write(_ raw: RawFile, identifier: [UInt8], _ cipher: PageEncryption) -> Int32 {
        let bytes = magic + identifier + [UInt8](repeating: 0, count: Int(count) - magic.count - identifier.count)
        var code = unsafe bytes.withUnsafeBytes { unsafe raw.write($0, at: 0) }
        if code == SQLITE_OK { code = anchorPlace.write(LogPosition(), to: raw, cipher) }
        if code == SQLITE_OK { code = markPlace.write(LogPosition(), to: raw, cipher) }
        return code
    }

    /// The newest anchor and mark, or `nil` when one of them does not open.
    static func read(
        _ raw: RawFile, _ cipher: PageEncryption
    ) -> (code: Int32, records: (anchor: LogPosition, mark: LogPosition)?) {
        var bytes = [UInt8](repeating: 0, count: 2048)
        return unsafe bytes.withUnsafeMutableBytes { bytes in
            let code = unsafe raw.read(bytes, at: anchorPlace.offset)
            guard code == SQLITE_OK else { return (code == ResultCode.shortRead ? ResultCode.damaged : code, nil) }
            let marks = unsafe UnsafeRawBufferPointer(rebasing: bytes[1024...])
            guard let anchor = unsafe anchorPlace.newest(in: UnsafeRawBufferPointer(bytes), cipher),
                let mark = unsafe markPlace.newest(in: marks, cipher)
            else { return (SQLITE_OK, nil) }
            return (SQLITE_OK, (anchor, mark))
        }
    }

    /// The record of the valid list of tags, or `nil` where none was ever kept or its record does not open. Where the
    /// disk does not answer, the code says so, and nothing is known.
    static func tags(_ raw: RawFile, _ cipher: PageEncryption) -> (code: Int32, record: LogPosition?) {
        var bytes = [UInt8](repeating: 0, count: 2 * SlotPair.stride)
        return unsafe bytes.withUnsafeMutableBytes { bytes in
            let code = unsafe raw.read(bytes, at: tagsPlace.offset)
            guard code == SQLITE_OK else { return (code == ResultCode.shortRead ? SQLITE_OK : code, nil) }
            guard unsafe bytes.contains(where: { $0 != 0 }) else { return (SQLITE_OK, nil) }
            return unsafe (SQLITE_OK, tagsPlace.newest(in: UnsafeRawBufferPointer(bytes), cipher))
        }
    }

    /// A fresh identifier.
    static func newIdentifier() throws(EntropyFailure) -> [UInt8] { try Entropy.kernel.bytes(fileCount) }
}
