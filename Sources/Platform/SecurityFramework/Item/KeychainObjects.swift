/// Makes objects from stored items.
enum KeychainObjects {
    /// The object of an item; `nil` for a class without objects.
    ///
    /// - Throws: -26275 when the item is whole and yet holds no such object.
    static func restore(_ item: Item) throws -> CFTypeRef? {
        guard let data = item.data else { return nil }
        if item.itemClass == .certificate {
            guard let certificate = SecCertificate(der: data) else { throw StatusFailure(errSecDecode) }
            return certificate
        }
        guard item.itemClass == .key else { return nil }
        var attributes: [String: Any] = [:]
        for (code, value) in item.attributes { attributes[code.text] = value.object }
        attributes["accc"] = item.accessControl.flatMap { SecAccessControl(storedForm: $0) }
        do {
            return try SecKey.restored(attributes: attributes, data: data)
        } catch {
            throw StatusFailure(errSecDecode)
        }
    }
}
