internal import Foundation
internal import PavisePrimitives

/// Forms of the result.
struct ItemResult {
    private let query: ItemQuery

    init(_ query: ItemQuery) { self.query = query }

    /// The result for the items found, at least one: one value, or a list when the query may have several.
    func value(of items: [FoundItem]) throws -> CFTypeRef? {
        guard !query.returns.isEmpty else { return nil }
        guard query.wantsMany else { return try items.first.flatMap { try value(of: $0) } }
        let list = try query.returns.contains(.reference) ? objects(of: items) : values(of: items)
        return unsafe NSArray(objects: list, count: list.count)
    }

    // A long list spends much of its time in Foundation, which hashes the names of attributes: each processor does a
    // part of that.
    private func values(of items: [FoundItem]) throws -> [CFTypeRef] {
        try ConcurrentMap.map(items) { try value(of: $0) }.compactMap(\.self)
    }

    // Objects of keys may ask a person, who is to be asked on the caller's thread. An item that holds no object does
    // not stand in the way of the others; where none holds one, the call says so.
    private func objects(of items: [FoundItem]) throws -> [CFTypeRef] {
        var objects: [CFTypeRef] = []
        var undecodable: StatusFailure?
        for item in items {
            do {
                if let object = try value(of: item) { objects.append(object) }
            } catch let failure as StatusFailure where Self.isOfTheItem(failure) {
                undecodable = failure
            }
        }
        if objects.isEmpty, let undecodable { throw undecodable }
        return objects
    }

    private static func isOfTheItem(_ failure: StatusFailure) -> Bool {
        failure.status == errSecDecode || failure.status == errSecInvalidItemRef
    }

    private func value(of found: FoundItem) throws -> CFTypeRef? {
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
        guard code != .passwordVerifier else { return false }
        return query.returns.contains(.data) || code == .tokenObject || !Item.secretCodes.contains(code)
    }

    // The names of the attributes as objects, made once: an item has ten of them.
    // Safe to share: neither the table nor a text in it ever changes.
    @safe private nonisolated(unsafe) static let names: AttributeMap<NSString> = {
        let classes: [ItemClass] = [.genericPassword, .internetPassword, .certificate, .key]
        var names = AttributeMap<NSString>()
        for itemClass in classes {
            for (code, _) in Schema.of(itemClass).kinds { names[code] = code.text as NSString }
        }
        return names
    }()

    private static func name(of code: AttributeCode) -> NSString { names[code] ?? code.text as NSString }

    private func addAttributes(of item: Item, to result: inout ResultEntries) {
        for (code, value) in item.attributes where isShown(code) { result.add(Self.name(of: code), value.object) }
        for standard in StandardAttributes.of(item.itemClass) where item.attributes[standard.code] == nil {
            result.add(standard.name, standard.value)
        }
        result.add(kSecAttrAccessGroup, item.group as NSString)
        result.add(kSecAttrSynchronizable, NSNumber(value: item.isSynchronizable ? 1 : 0))
        if let control = Self.accessControl(of: item) { result.add(kSecAttrAccessControl, control) }
    }

    // An item that was stored with a class alone has the access control that asks for nothing but the class.
    private static func accessControl(of item: Item) -> SecAccessControl? {
        if let stored = item.accessControl { return SecAccessControl(storedForm: stored) }
        guard case .text(let code)? = item.attributes[.accessible] else { return nil }
        return SecAccessControl.ofClass(code)
    }
}

/// The entries of a dictionary to come. Foundation takes them together much faster than one by one
/// (Documentation/Benchmarks.md).
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
