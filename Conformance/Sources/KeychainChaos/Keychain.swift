internal import Foundation
internal import SecurityFramework

/// The four calls, as an app writes them.
///
/// Each item carries its value twice: in the data and in the comment. A read that finds them different has seen half an
/// update.
enum Keychain {
    static func perform(_ operation: Operation, service: String) -> Answer {
        let service = operation.isShared ? Plan.shared : service
        let start = ContinuousClock.now
        let answer = act(operation, service)
        // Somebody stopped the process that held the lock, which is not the keychain's doing.
        let isRefused = answer == .wrong("status \(errSecNotAvailable)") && operation.kind != .read
        return isRefused && ContinuousClock.now - start >= .seconds(10) ? .busy : answer
    }

    private static func act(_ operation: Operation, _ service: String) -> Answer {
        switch operation.kind {
        case .add: return add(service, operation.account, operation.value)
        case .update: return update(service, operation.account, operation.value)
        case .delete: return forget(service, operation.account)
        case .read: return read(service, operation.account)
        }
    }

    static func add(_ service: String, _ account: String, _ value: Value) -> Answer {
        let item = query(service, account).merging(contents(value)) { $1 }
        return answer(SecItemAdd(item as CFDictionary, nil))
    }

    static func forget(_ service: String, _ account: String) -> Answer {
        answer(SecItemDelete(query(service, account) as CFDictionary))
    }

    static func read(_ service: String, _ account: String) -> Answer {
        var query = query(service, account)
        query[kSecReturnData] = true
        query[kSecReturnAttributes] = true
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        guard status == errSecSuccess else { return answer(status) }
        guard let item = result as? [String: Any], let data = item[kSecValueData as String] as? Data,
            let value = Value(item[kSecAttrComment as String] as? String ?? "")
        else { return .wrong("an item without data or comment") }
        guard Array(data) == value.bytes else { return .wrong("data that does not agree with comment \(value)") }
        return .done(value)
    }

    /// The accounts of a service, with repetitions if there should be any; `nil` with the status for a failure.
    static func accounts(of service: String) -> (status: OSStatus, accounts: [String]) {
        var query: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecAttrService: service]
        query[kSecMatchLimit] = kSecMatchLimitAll
        query[kSecReturnAttributes] = true
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        // Not as dictionaries of Swift: a run over all bits makes this list a million times.
        let items = result as? NSArray ?? []
        return (status, items.map { ($0 as? NSDictionary)?[kSecAttrAccount] as? String ?? "?" })
    }

    private static func update(_ service: String, _ account: String, _ value: Value) -> Answer {
        answer(SecItemUpdate(query(service, account) as CFDictionary, contents(value) as CFDictionary))
    }

    private static func query(_ service: String, _ account: String) -> [CFString: Any] {
        [kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: account]
    }

    private static func contents(_ value: Value) -> [CFString: Any] {
        [kSecValueData: Data(value.bytes), kSecAttrComment: value.description]
    }

    private static func answer(_ status: OSStatus) -> Answer {
        switch status {
        case errSecSuccess: .done(nil)
        case errSecDuplicateItem: .duplicate
        case errSecItemNotFound: .absent
        default: .wrong("status \(status)")
        }
    }
}
