internal import Foundation

extension ImportedIdentities {
    /// Stores the key and the certificates of each entry of ``dictionaries`` in one step: all of them or none. What is
    /// there already stays as it is.
    ///
    /// - Parameter options: The caller's; access group and accessibility are taken from there, and for keys the access
    ///   control and how a person may be met.
    /// - Returns: 0, or the status of the first that is refused.
    static func store(_ entries: [[String: Any]], _ options: CFDictionary) -> OSStatus {
        var queries: [CFDictionary] = []
        for entry in entries {
            guard let identity = entry[kSecImportItemIdentity as String] as? SecIdentity else { continue }
            let chain = entry[kSecImportItemCertChain as String] as? [SecCertificate] ?? []
            let label = entry[kSecImportItemLabel as String]
            let objects: [(CFString, AnyObject, Any?)] =
                [(kSecClassKey, identity.key, label)] + chain.map { (kSecClassCertificate, $0, nil) }
            queries += objects.map { query($0, $1, $2, options) }
        }
        return SecItem.addAbsent(queries)
    }

    private static func query(
        _ itemClass: CFString, _ object: AnyObject, _ label: Any?, _ options: CFDictionary
    ) -> CFDictionary {
        var query: [CFString: Any] = [kSecClass: itemClass, kSecValueRef: object]
        query[kSecAttrLabel] = label
        var taken = [kSecAttrAccessGroup, kSecAttrAccessible]
        // A certificate is nobody's secret; what the caller wants guarded is the key.
        if itemClass == kSecClassKey {
            taken += [
                kSecAttrAccessControl, kSecUseAuthenticationContext, kSecUseAuthenticationUI, kSecUseOperationPrompt,
                kSecUseNoAuthenticationUI,
            ]
        }
        for key in taken { query[key] = options[key] }
        return query as NSDictionary
    }
}
