internal import PavisePrimitives

/// Which orders were obeyed, and the identifier of the installation that they are for: one sealed item, so that whoever
/// removes the one removes the other, and an order that was forgotten is for an installation that is no more.
///
/// Nothing is forgotten by a clock. The last 64 orders are known by their names; of what is older, the date of issue is
/// the floor: an order at or below it is never obeyed.
package struct OrderLedger: Hashable, Sendable {
    /// An order that was begun.
    package struct Entry: Hashable, Sendable {
        package let name: String
        package let issued: Int64
        package let action: OrderedAction
        package var result: OrderReceipt.Result
        /// When the result came about, in seconds since 1970.
        package var seconds: Int64

        package init(name: String, issued: Int64, action: OrderedAction, result: OrderReceipt.Result, seconds: Int64) {
            self.name = name
            self.issued = issued
            self.action = action
            self.result = result
            self.seconds = seconds
        }
    }

    /// How many orders are known by name.
    package static let most = 64

    /// The installation, 16 random bytes.
    package let identity: [UInt8]
    /// When the installation was made, in seconds since 1970 on this device's clock; `nil` where an earlier version
    /// made it.
    package private(set) var created: Int64?
    /// Orders at or before this second that are not known by name are not obeyed.
    package private(set) var floor = Int64.min
    /// In the order in which they were begun.
    package private(set) var entries: [Entry] = []

    package init(identity: [UInt8], created: Int64? = nil) {
        self.identity = identity
        self.created = created
    }

    /// The audience of this installation's orders.
    package var installation: String { Base64URL.encode(identity) }

    /// Those that were begun and have not ended.
    package var unfinished: [Entry] { entries.filter { $0.result == .begun } }

    /// Notes an order before it is begun.
    ///
    /// - Throws: ``OrderFailure/replayed(_:)`` or ``OrderFailure/outdated``; ``OrderFailure/busy`` where as many wait
    ///   as are known.
    mutating func begin(_ order: RemoteOrder, at seconds: Int64) throws(OrderFailure) {
        if let known = entries.first(where: { $0.name == order.name }) { throw .replayed(receipt(of: known)) }
        guard order.issued > floor else { throw .outdated }
        try forgetOldest()
        entries.append(
            Entry(name: order.name, issued: order.issued, action: order.action, result: .begun, seconds: seconds))
    }

    /// Notes what became of an order.
    mutating func end(_ name: String, _ result: OrderReceipt.Result, at seconds: Int64) {
        guard let index = entries.firstIndex(where: { $0.name == name }) else { return }
        entries[index].result = result
        entries[index].seconds = seconds
    }

    /// The receipt of an order.
    func receipt(of entry: Entry) -> OrderReceipt {
        OrderReceipt(
            order: entry.name, action: entry.action, result: entry.result, seconds: entry.seconds,
            installation: installation, created: created)
    }

    // Room for one more: the one that was issued first goes, and the floor rises to it.
    private mutating func forgetOldest() throws(OrderFailure) {
        guard entries.count >= Self.most else { return }
        let ended = entries.indices.filter { entries[$0].result != .begun }
        guard let index = ended.min(by: { entries[$0].issued < entries[$1].issued }) else { throw .busy }
        floor = max(floor, entries.remove(at: index).issued)
    }
}

extension OrderLedger {
    // The first form names no date.
    private static let undated: UInt8 = 1
    private static let dated: UInt8 = 2

    /// The bytes to seal.
    package var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.raw([created == nil ? Self.undated : Self.dated])
        writer.block(identity)
        if let created { writer.integer(created) }
        writer.integer(floor)
        writer.integer(UInt32(entries.count))
        for entry in entries {
            writer.block(Array(entry.name.utf8))
            writer.integer(entry.issued)
            writer.block(Array(entry.action.rawValue.utf8))
            writer.block(Array(entry.result.rawValue.utf8))
            writer.integer(entry.seconds)
        }
        return writer.bytes
    }

    /// Whether these bytes, of a record that was opened, are of a later version.
    static func isNewer(_ bytes: [UInt8]) -> Bool { (bytes.first ?? 0) > dated }

    /// Reads what ``encoded`` gave; `nil` for anything else.
    package init?(_ bytes: [UInt8]) {
        var reader = ByteReader(bytes)
        do throws(ByteReader.Truncated) {
            let version = try reader.integer(UInt8.self)
            guard version == Self.undated || version == Self.dated else { return nil }
            identity = try reader.block(limit: 16)
            created = version == Self.dated ? try reader.integer() : nil
            floor = try reader.integer()
            let count = try reader.integer(UInt32.self)
            guard identity.count == 16, count <= UInt32(Self.most) else { return nil }
            for _ in 0..<count {
                guard let entry = try Entry(&reader) else { return nil }
                entries.append(entry)
            }
            guard reader.isAtEnd, Set(entries.map(\.name)).count == entries.count else { return nil }
        } catch {
            return nil
        }
    }
}

extension OrderLedger.Entry {
    fileprivate init?(_ reader: inout ByteReader) throws(ByteReader.Truncated) {
        func text(_ bytes: [UInt8]) -> String { String(validating: bytes, as: UTF8.self) ?? "" }
        let name = text(try reader.block(limit: 128))
        let issued: Int64 = try reader.integer()
        let action = OrderedAction(rawValue: text(try reader.block(limit: 16)))
        let result = OrderReceipt.Result(rawValue: text(try reader.block(limit: 16)))
        let seconds: Int64 = try reader.integer()
        guard RemoteOrder.isName(name), let action, let result else { return nil }
        self.init(name: name, issued: issued, action: action, result: result, seconds: seconds)
    }
}
