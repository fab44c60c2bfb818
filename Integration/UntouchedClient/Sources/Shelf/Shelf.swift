import Foundation

/// Keeps texts and data in the keychain, one generic password for each name.
///
/// There is no `import Security` in this file: with Apple's SDK, Foundation is enough.
open class Shelf {
    private let service: String
    private let lock = NSLock()
    open var accessGroup: String?
    open var synchronizable: Bool = false
    open private(set) var lastStatus: OSStatus = noErr

    public init(service: String) { self.service = service }

    private var base: [String: Any] {
        var query: [String: Any] = [
            Keys.klass: kSecClassGenericPassword,
            Keys.service: service,
            kSecUseDataProtectionKeychain as String: kCFBooleanTrue as Any,
        ]
        if let accessGroup = accessGroup { query[Keys.accessGroup] = accessGroup }
        if synchronizable { query[Keys.synchronizable] = true }
        return query
    }

    @discardableResult
    open func set(_ value: String, for name: String, protection: ShelfProtection? = nil) -> Bool {
        guard let data = value.data(using: .utf8) else { return false }
        return set(data, for: name, protection: protection)
    }

    @discardableResult
    open func set(_ value: Data, for name: String, protection: ShelfProtection? = nil) -> Bool {
        lock.lock()
        defer { lock.unlock() }
        var query = base
        query[Keys.account] = name
        SecItemDelete(query as CFDictionary)
        query[Keys.valueData] = value
        query[Keys.accessible] = protection?.code ?? kSecAttrAccessibleWhenUnlocked
        lastStatus = SecItemAdd(query as CFDictionary, nil)
        return lastStatus == noErr
    }

    open func data(for name: String, asReference: Bool = false) -> Data? {
        lock.lock()
        defer { lock.unlock() }
        var query = base
        query[Keys.account] = name
        query[Keys.matchLimit] = kSecMatchLimitOne
        query[asReference ? Keys.reference : Keys.returnData] = kCFBooleanTrue
        var result: AnyObject?
        lastStatus = withUnsafeMutablePointer(to: &result) {
            SecItemCopyMatching(query as CFDictionary, UnsafeMutablePointer($0))
        }
        return lastStatus == noErr ? result as? Data : nil
    }

    open func string(for name: String) -> String? { data(for: name).flatMap { String(data: $0, encoding: .utf8) } }

    open subscript(name: String) -> String? {
        get { string(for: name) }
        set {
            guard let newValue = newValue else { _ = remove(name); return }
            set(newValue, for: name)
        }
    }

    open var names: [String] {
        var query = base
        query[kSecReturnData as String] = kCFBooleanTrue
        query[kSecReturnAttributes as String] = kCFBooleanTrue
        query[kSecReturnPersistentRef as String] = kCFBooleanTrue
        query[kSecMatchLimit as String] = kSecMatchLimitAll
        var result: CFTypeRef?
        guard SecItemCopyMatching(query as CFDictionary, &result) == noErr else { return [] }
        let items = result as? [[String: Any]] ?? []
        return items.compactMap { $0[kSecAttrAccount as String] as? String }
    }

    open func attributes(of name: String) throws -> [CFString: Any] {
        var query = base
        query[Keys.account] = name
        query[kSecReturnAttributes as String] = true
        var result: CFTypeRef?
        try check(SecItemCopyMatching(query as CFDictionary, &result))
        guard let attributes = result as? [CFString: Any] else { throw ShelfError(errSecInternalError) }
        return attributes
    }

    open func update(_ value: Data, for name: String) throws {
        var query = base
        query[Keys.account] = name
        try check(SecItemUpdate(query as CFDictionary, [Keys.valueData: value] as CFDictionary))
    }

    @discardableResult
    open func remove(_ name: String) -> Bool {
        var query = base
        query[Keys.account] = name
        lastStatus = SecItemDelete(query as CFDictionary)
        return lastStatus == noErr
    }

    /// Empties the shelf with a query that says which items it means where the system wants to hear it.
    @discardableResult
    open func clearAll() -> Bool {
        var query = base
        #if !os(iOS)
        query[Keys.matchLimit] = kSecMatchLimitAll
        #endif
        lastStatus = SecItemDelete(query as CFDictionary)
        return lastStatus == noErr || lastStatus == errSecItemNotFound
    }

    @discardableResult
    open func clear() -> Bool {
        lastStatus = SecItemDelete(base as CFDictionary)
        return lastStatus == noErr || lastStatus == errSecItemNotFound
    }
}
