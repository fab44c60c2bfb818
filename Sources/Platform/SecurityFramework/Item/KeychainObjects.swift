internal import Foundation

/// Makes objects from stored items.
enum KeychainObjects {
    /// The object of an item; `nil` for a class without objects, and for a symmetric key, which has none.
    ///
    /// - Throws: -26275 when the item is whole and yet holds no such object; another status where the secure element
    ///   of a key, or its way to it, does not answer now.
    static func restore(_ item: Item) throws -> CFTypeRef? {
        guard let data = item.data else { return nil }
        if item.itemClass == .certificate {
            guard let certificate = SecCertificate(der: data) else { throw StatusFailure(errSecDecode) }
            return certificate
        }
        guard item.itemClass == .key, item.attributes[.keyClass] != .number(2) else { return nil }
        var attributes: [String: Any] = [:]
        for (code, value) in item.attributes { attributes[code.text] = value.object }
        attributes["accc"] = item.accessControl.flatMap { SecAccessControl(storedForm: $0) }
        do throws(KeyFailure) {
            return try SecKey.restore(attributes, data)
        } catch {
            throw StatusFailure(status(error))
        }
    }

    // Bytes that are no key, and a handle that the element does not know, stay what they are. An element that does not
    // answer may do so the next time: its key is not damaged.
    private static func status(_ failure: KeyFailure) -> OSStatus {
        guard case .status(let status, _) = failure, status != errSecItemNotFound else { return errSecDecode }
        return status
    }
}
