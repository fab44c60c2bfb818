/// Reads Apple's binary property lists (magic `bplist0`, version 0).
///
/// A list may refer to an object many times and to itself: depth, references and text are counted, so a small file
/// cannot become a large value.
struct BinaryPropertyList {
    private let bytes: [UInt8]
    private let limits: PropertyListLimits
    private let offsetSize: Int
    private let referenceSize: Int
    private let count: Int
    private let table: Int
    private var visited = 0
    private var text = 0

    static func parse(_ bytes: [UInt8], limits: PropertyListLimits) throws(PropertyListFailure) -> PropertyListValue {
        var list = try BinaryPropertyList(bytes, limits)
        return try list.object(list.top(), depth: 0)
    }

    // The trailer: 6 bytes, offset size, reference size, then count, top object and table offset in 8 bytes each.
    private init(_ bytes: [UInt8], _ limits: PropertyListLimits) throws(PropertyListFailure) {
        guard bytes.count >= 40 else { throw .damaged(offset: bytes.count) }
        let trailer = bytes.count - 32
        self.bytes = bytes
        self.limits = limits
        offsetSize = Int(bytes[trailer + 6])
        referenceSize = Int(bytes[trailer + 7])
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize) else { throw .damaged(offset: trailer + 6) }
        count = try Self.number(bytes, at: trailer + 8, size: 8, below: bytes.count)
        table = try Self.number(bytes, at: trailer + 24, size: 8, below: bytes.count)
        guard count > 0, table >= 8, count <= (trailer - table) / offsetSize else {
            throw .damaged(offset: trailer + 8)
        }
    }

    private func top() throws(PropertyListFailure) -> Int {
        try Self.number(bytes, at: bytes.count - 16, size: 8, below: count)
    }

    private static func number(
        _ bytes: [UInt8], at offset: Int, size: Int, below limit: Int
    ) throws(PropertyListFailure) -> Int {
        guard offset >= 0, size >= 0, size <= bytes.count - offset else { throw .damaged(offset: offset) }
        var value: UInt64 = 0
        for byte in bytes[offset..<offset + size] {
            guard value >> 56 == 0 else { throw .damaged(offset: offset) }
            value = value << 8 | UInt64(byte)
        }
        guard value < UInt64(limit) else { throw .damaged(offset: offset) }
        return Int(value)
    }

    private mutating func object(_ reference: Int, depth: Int) throws(PropertyListFailure) -> PropertyListValue {
        guard depth < limits.depth else { throw .tooDeep(limit: limits.depth) }
        visited += 1
        guard visited <= limits.values else { throw .tooMany(limit: limits.values) }
        let start = try Self.number(bytes, at: table + reference * offsetSize, size: offsetSize, below: table)
        guard start >= 8 else { throw .damaged(offset: start) }
        let low = Int(bytes[start] & 15)
        switch bytes[start] >> 4 {
        case 0: return PropertyListValue(low == 8 ? .bool(false) : low == 9 ? .bool(true) : .other)
        case 1: return PropertyListValue(try integer(start, power: low))
        case 2: return PropertyListValue(.real(try real(start, power: low)))
        case 3: return PropertyListValue(.date("\(try real(start, power: low))"))
        case 4: return PropertyListValue(.data(try slice(start, unit: 1)))
        case 5: return PropertyListValue(.string(String(decoding: try slice(start, unit: 1), as: UTF8.self)))
        case 6: return PropertyListValue(.string(try wideText(start)))
        case 8: return PropertyListValue(try uid(start, size: low + 1))
        case 10: return PropertyListValue(.array(try elements(start, depth: depth)))
        case 13: return PropertyListValue(.dictionary(try members(start, depth: depth)))
        default: return PropertyListValue(.other)
        }
    }

    private func integer(_ start: Int, power: Int) throws(PropertyListFailure) -> PropertyListValue.Kind {
        guard power <= 4, 1 << power <= table - start - 1 else { throw .damaged(offset: start) }
        let slice = bytes[start + 1..<start + 1 + (1 << power)]
        let value = slice.suffix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        // Up to 4 bytes are without a sign; 16 bytes hold what does not fit 8 with one.
        guard power == 4 else { return .integer(Int64(bitPattern: value)) }
        let high = slice.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return high == 0 && value >> 63 == 0 ? .integer(Int64(value)) : .real(Double(value))
    }

    // 1 to 4 bytes; a longer one names no object that there is.
    private func uid(_ start: Int, size: Int) throws(PropertyListFailure) -> PropertyListValue.Kind {
        guard size <= table - start - 1 else { throw .damaged(offset: start) }
        guard size <= 4 else { return .other }
        return .reference(bytes[start + 1..<start + 1 + size].reduce(0) { $0 << 8 | Int($1) })
    }

    private func real(_ start: Int, power: Int) throws(PropertyListFailure) -> Double {
        guard power == 2 || power == 3, 1 << power <= table - start - 1 else { throw .damaged(offset: start) }
        let bits = bytes[start + 1..<start + 1 + (1 << power)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return power == 2 ? Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits))) : Double(bitPattern: bits)
    }

    // A length of 15 says that the length follows as an integer object.
    private func length(_ start: Int) throws(PropertyListFailure) -> (count: Int, body: Int) {
        let low = Int(bytes[start] & 15)
        guard low == 15 else { return (low, start + 1) }
        guard start + 1 < table, bytes[start + 1] >> 4 == 1, bytes[start + 1] & 15 <= 3 else {
            throw .damaged(offset: start + 1)
        }
        let size = 1 << Int(bytes[start + 1] & 15)
        return (try Self.number(bytes, at: start + 2, size: size, below: bytes.count), start + 2 + size)
    }

    private mutating func slice(_ start: Int, unit: Int) throws(PropertyListFailure) -> [UInt8] {
        let (count, body) = try length(start)
        guard body <= table, count <= (table - body) / unit else { throw .damaged(offset: start) }
        text += count * unit
        guard text <= limits.text else { throw .tooMany(limit: limits.values) }
        return Array(bytes[body..<body + count * unit])
    }

    private mutating func wideText(_ start: Int) throws(PropertyListFailure) -> String {
        let slice = try slice(start, unit: 2)
        let units = stride(from: 0, to: slice.count, by: 2).map { UInt16(slice[$0]) << 8 | UInt16(slice[$0 + 1]) }
        return String(decoding: units, as: UTF16.self)
    }

    private func references(_ start: Int, times: Int) throws(PropertyListFailure) -> [Int] {
        let (count, body) = try length(start)
        guard body <= table, count <= (table - body) / (referenceSize * times) else { throw .damaged(offset: start) }
        // Before any is read: an array that begins with itself would have as many of them on each level.
        guard count <= (limits.values - visited) / times else { throw .tooMany(limit: limits.values) }
        var references: [Int] = []
        for index in 0..<count * times {
            let offset = body + index * referenceSize
            references.append(try Self.number(bytes, at: offset, size: referenceSize, below: self.count))
        }
        return references
    }

    private mutating func elements(_ start: Int, depth: Int) throws(PropertyListFailure) -> [PropertyListValue] {
        var elements: [PropertyListValue] = []
        for reference in try references(start, times: 1) { elements.append(try object(reference, depth: depth + 1)) }
        return elements
    }

    private mutating func members(
        _ start: Int, depth: Int
    ) throws(PropertyListFailure) -> [PropertyListValue.Member] {
        let all = try references(start, times: 2)
        var members: [PropertyListValue.Member] = []
        for (key, value) in zip(all.prefix(all.count / 2), all.suffix(all.count / 2)) {
            guard case .string(let name) = try object(key, depth: depth + 1).kind else { throw .damaged(offset: start) }
            members.append(PropertyListValue.Member(name, try object(value, depth: depth + 1)))
        }
        return members
    }
}
