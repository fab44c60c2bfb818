internal import Foundation

/// Forms of the result (facts: keychain §6.2).
struct ItemResult {
    private let query: ItemQuery

    init(_ query: ItemQuery) { self.query = query }

    /// The result for the items found, at least one: one value, or a list when the query may have several.
    func value(of items: [FoundItem]) throws -> CFTypeRef? {
        guard !query.returns.isEmpty else { return nil }
        guard query.wantsMany else { return try items.first.flatMap { try value(of: $0) } }
        return NSArray(array: try items.compactMap { try value(of: $0) })
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
        let result = NSMutableDictionary()
        if query.returns.contains(.attributes) || query.returns.contains(.reference) {
            addAttributes(of: item, to: result)
        }
        if query.returns.contains(.reference) {
            result.setObject(item.itemClass.rawValue as NSString, forKey: kSecClass)
            if let object = try found.object() { result.setObject(object, forKey: kSecValueRef) }
        }
        if query.returns.contains(.data), let data = item.data {
            result.setObject(Data(data) as NSData, forKey: kSecValueData)
        }
        if query.returns.contains(.persistentReference) {
            result.setObject(reference(to: item), forKey: kSecValuePersistentRef)
        }
        return result
    }

    // The further secrets of internet passwords come with the data only.
    private func isShown(_ code: AttributeCode) -> Bool {
        query.returns.contains(.data) || code == .tokenObject || !Item.secretCodes.contains(code)
    }

    private func addAttributes(of item: Item, to result: NSMutableDictionary) {
        for (code, value) in item.attributes where isShown(code) {
            result.setObject(value.object, forKey: code.text as NSString)
        }
        result.setObject(item.group as NSString, forKey: kSecAttrAccessGroup)
        result.setObject(NSNumber(value: item.isSynchronizable ? 1 : 0), forKey: kSecAttrSynchronizable)
        if let control = item.accessControl.flatMap({ SecAccessControl(storedForm: $0) }) {
            result.setObject(control, forKey: kSecAttrAccessControl)
        }
    }
}
