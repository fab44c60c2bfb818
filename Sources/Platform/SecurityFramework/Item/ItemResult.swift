internal import Dispatch
internal import Foundation

/// Forms of the result (facts: keychain §6.2).
struct ItemResult {
    private let query: ItemQuery

    init(_ query: ItemQuery) { self.query = query }

    /// The result for the items found, at least one: one value, or a list when the query may have several.
    func value(of items: [FoundItem]) throws -> CFTypeRef? {
        guard !query.returns.isEmpty else { return nil }
        guard query.wantsMany else { return try items.first.flatMap { try value(of: $0) } }
        let values = isShareable(items) ? try shared(items) : try items.compactMap { try value(of: $0) }
        return unsafe NSArray(objects: values, count: values.count)
    }

    // Objects of keys may ask a person, who is to be asked on the caller's thread.
    private func isShareable(_ items: [FoundItem]) -> Bool {
        items.count >= 2 * Self.pieceCount && !query.returns.contains(.reference)
    }

    /// How many items a processor takes at a time: to wake it for fewer takes longer than the work.
    private static let pieceCount = 256

    // Half of a long list's time is Foundation hashing the names of attributes, which every processor can do for a part.
    private func shared(_ items: [FoundItem]) throws -> [CFTypeRef] {
        let work = SharedResults(self, items, pieceCount: Self.pieceCount)
        DispatchQueue.concurrentPerform(iterations: work.pieces) { work.make($0) }
        return try work.values()
    }

    fileprivate func value(of found: FoundItem) throws -> CFTypeRef? {
        switch query.returns {
        case .data: found.view.data.map { Data($0) as NSData }
        case .persistentReference: reference(to: found.view)
        case .reference: try found.object()
        default: try dictionary(of: found)
        }
    }

    private func reference(to item: Item) -> NSData {
        Data(PersistentReference(item.itemClass, identifier: item.identifier).bytes) as NSData
    }

    private func dictionary(of found: FoundItem) throws -> NSDictionary {
        let item = found.view
        var result = ResultEntries()
        if query.returns.contains(.attributes) || query.returns.contains(.reference) {
            addAttributes(of: item, to: &result)
        }
        if query.returns.contains(.reference) {
            result.add(kSecClass, item.itemClass.rawValue as NSString)
            if let object = try found.object() { result.add(kSecValueRef, object) }
        }
        if query.returns.contains(.data), let data = item.data { result.add(kSecValueData, Data(data) as NSData) }
        if query.returns.contains(.persistentReference) { result.add(kSecValuePersistentRef, reference(to: item)) }
        return result.dictionary
    }

    // The further secrets of internet passwords come with the data only.
    private func isShown(_ code: AttributeCode) -> Bool {
        query.returns.contains(.data) || code == .tokenObject || !Item.secretCodes.contains(code)
    }

    // The names of the attributes as objects, made once: an item has ten of them.
    // Safe to share: neither the table nor a text in it ever changes.
    @safe private nonisolated(unsafe) static let names: ByCode<NSString> = {
        let classes: [ItemClass] = [.genericPassword, .internetPassword, .certificate, .key]
        var names = ByCode<NSString>()
        for itemClass in classes {
            for (code, _) in Schema.of(itemClass).kinds { names[code] = code.text as NSString }
        }
        return names
    }()

    private static func name(of code: AttributeCode) -> NSString { names[code] ?? code.text as NSString }

    private func addAttributes(of item: Item, to result: inout ResultEntries) {
        for (code, value) in item.attributes where isShown(code) { result.add(Self.name(of: code), value.object) }
        result.add(kSecAttrAccessGroup, item.group as NSString)
        result.add(kSecAttrSynchronizable, NSNumber(value: item.isSynchronizable ? 1 : 0))
        if let control = item.accessControl.flatMap({ SecAccessControl(storedForm: $0) }) {
            result.add(kSecAttrAccessControl, control)
        }
    }
}

/// The entries of a dictionary to come. Foundation takes them together for a third of what they cost one by one.
private struct ResultEntries {
    private var keys: [NSObject] = []
    private var values: [AnyObject] = []

    init() {
        keys.reserveCapacity(16)
        values.reserveCapacity(16)
    }

    mutating func add(_ key: NSString, _ value: AnyObject) {
        keys.append(key)
        values.append(value)
    }

    var dictionary: NSDictionary { unsafe NSDictionary(objects: values, forKeys: keys, count: keys.count) }
}

/// The results of a long list, which several threads make, each a piece at a time.
// Safe to share: query and items are only read, and what was made is under the lock.
@safe
private final class SharedResults: @unchecked Sendable {
    private let result: ItemResult
    private let items: [FoundItem]
    private let pieceCount: Int
    private let lock = NSLock()
    private var made: [Result<[CFTypeRef], any Error>?]

    init(_ result: ItemResult, _ items: [FoundItem], pieceCount: Int) {
        self.result = result
        self.items = items
        self.pieceCount = pieceCount
        made = Array(repeating: nil, count: (items.count + pieceCount - 1) / pieceCount)
    }

    var pieces: Int { made.count }

    func make(_ piece: Int) {
        let start = piece * pieceCount
        let part = items[start..<min(start + pieceCount, items.count)]
        let values = Result { try part.compactMap { try result.value(of: $0) } }
        lock.withLock { made[piece] = values }
    }

    /// What was made, in the order of the items; the first failure of an item is the list's.
    func values() throws -> [CFTypeRef] {
        var values: [CFTypeRef] = []
        values.reserveCapacity(items.count)
        for piece in made { values += try piece?.get() ?? [] }
        return values
    }
}
