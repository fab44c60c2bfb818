/// A ZIP archive (APPNOTE 6.3), as far as office documents use it: files that are stored or deflated, in one part,
/// without encryption. What contradicts itself, overlaps, leads out of the archive or unpacks to too much is refused.
package struct ZIPArchive {
    struct Entry: Hashable, Sendable {
        let name: String
        let method: Int
        let packed: Int
        let size: Int
        let checksum: UInt32
        let offset: Int
    }
    private let bytes: [UInt8]
    private let limits: DocumentLimits
    private(set) var entries: [String: Entry] = [:]
    private var unpacked = 0
    /// The names of the files that were unpacked.
    private(set) var taken: Set<String> = []

    /// Reads the directory; nothing is unpacked.
    package init(_ bytes: [UInt8], _ limits: DocumentLimits = .standard) throws(DocumentFailure) {
        self.bytes = bytes
        self.limits = limits
        let (count, start, length) = try directory()
        guard count <= limits.entries else { throw .bomb }
        var at = start
        var ends: [(Int, Int)] = []
        for _ in 0..<count {
            let (entry, next) = try entry(at, start + length)
            at = next
            guard entries.updateValue(entry, forKey: entry.name) == nil else { throw .bomb }
            ends.append((entry.offset, entry.offset + 30 + entry.packed))
        }
        ends.sort { $0.0 < $1.0 }
        // Files that share bytes are how a small archive becomes a large one.
        for (one, next) in zip(ends, ends.dropFirst()) where one.1 > next.0 { throw .bomb }
        if let last = ends.last, last.1 > start { throw .bomb }
    }

    /// The names in it.
    package var names: [String] { entries.keys.sorted() }

    /// Unpacks a file; `nil` where there is none of this name.
    package mutating func file(_ name: String) throws(DocumentFailure) -> [UInt8]? {
        guard let entry = entries[name] else { return nil }
        guard entry.size <= limits.entry, unpacked + entry.size <= limits.unpacked else { throw .bomb }
        if entry.size > 1 << 20, entry.size / max(entry.packed, 1) > limits.ratio { throw .bomb }
        guard number(entry.offset, 4) == 0x0403_4B50, let nameLength = number(entry.offset + 26, 2),
            let extra = number(entry.offset + 28, 2)
        else { throw .damaged(.archive) }
        let start = entry.offset + 30 + nameLength + extra
        guard start + entry.packed <= bytes.count else { throw .damaged(.archive) }
        let packed = bytes[start..<start + entry.packed]
        let content: [UInt8]
        switch entry.method {
        case 0: content = Array(packed)
        case 8:
            guard let found = Inflate.unpack(packed, limit: entry.size) else { throw .bomb }
            content = found
        default: throw .damaged(.archive)
        }
        guard content.count == entry.size, Checksum.of(content) == entry.checksum else { throw .damaged(.archive) }
        unpacked += content.count
        taken.insert(name)
        return content
    }

    // The end record stands in the last 65,557 bytes, behind it a comment.
    private func directory() throws(DocumentFailure) -> (count: Int, start: Int, length: Int) {
        guard bytes.count >= 22 else { throw .damaged(.archive) }
        var at = bytes.count - 22
        while at >= max(0, bytes.count - 65_557) {
            if bytes[at] == 0x50, number(at, 4) == 0x0605_4B50, let comment = number(at + 20, 2),
                at + 22 + comment == bytes.count, let count = number(at + 10, 2), let here = number(at + 8, 2),
                let length = number(at + 12, 4), let start = number(at + 16, 4)
            {
                guard count == here, count != 0xFFFF, start + length <= at else { throw .damaged(.archive) }
                return (count, start, length)
            }
            at -= 1
        }
        throw .damaged(.archive)
    }

    private func entry(_ at: Int, _ end: Int) throws(DocumentFailure) -> (Entry, Int) {
        guard at + 46 <= end, number(at, 4) == 0x0201_4B50, let flags = number(at + 8, 2),
            let method = number(at + 10, 2),
            let checksum = number(at + 16, 4), let packed = number(at + 20, 4), let size = number(at + 24, 4),
            let nameLength = number(at + 28, 2), let extra = number(at + 30, 2), let comment = number(at + 32, 2),
            let offset = number(at + 42, 4), at + 46 + nameLength <= end
        else { throw .damaged(.archive) }
        guard flags & 1 == 0 else { throw .encrypted }
        guard nameLength <= 1024, packed != 0xFFFF_FFFF, size != 0xFFFF_FFFF, offset + 30 <= bytes.count,
            let name = String(validating: bytes[at + 46..<at + 46 + nameLength], as: UTF8.self)
        else { throw .damaged(.archive) }
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        guard !name.hasPrefix("/"), !name.contains("\\"), !name.contains("\0"), !parts.contains("..") else {
            throw .bomb
        }
        let entry = Entry(
            name: name, method: method, packed: packed, size: size, checksum: UInt32(checksum), offset: offset)
        return (entry, at + 46 + nameLength + extra + comment)
    }

    private func number(_ at: Int, _ count: Int) -> Int? {
        guard at >= 0, at + count <= bytes.count else { return nil }
        return bytes[at..<at + count].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}

/// CRC-32 as ZIP has it (APPNOTE 4.4.7). It finds damage, not attacks.
enum Checksum {
    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
    }

    static func of(_ bytes: [UInt8]) -> UInt32 {
        var value: UInt32 = 0xFFFF_FFFF
        for byte in bytes { value = table[Int((value ^ UInt32(byte)) & 0xFF)] ^ value >> 8 }
        return ~value
    }
}
