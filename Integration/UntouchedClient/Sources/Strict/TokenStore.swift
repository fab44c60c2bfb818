import Foundation

/// Tokens behind an actor, in Swift 6 mode: constants and keys cross isolation without a warning.
public actor TokenStore {
    private let service: String

    public init(service: String) { self.service = service }

    private nonisolated func query(_ name: String) -> [String: any Sendable] {
        [
            kSecClass as String: kSecClassGenericPassword as String, kSecAttrService as String: service,
            kSecAttrAccount as String: name,
        ]
    }

    /// Adds or replaces a token.
    public func store(_ token: Data, as name: String) throws {
        let query = query(name)
        let changes: [CFString: Any] = [kSecValueData: token]
        switch SecItemUpdate(query as CFDictionary, changes as CFDictionary) {
        case errSecSuccess: return
        case errSecItemNotFound:
            let status = SecItemAdd(query.merging([kSecValueData as String: token]) { $1 } as CFDictionary, nil)
            guard status == errSecSuccess else { throw NSError(domain: NSOSStatusErrorDomain, code: Int(status)) }
        case let status: throw NSError(domain: NSOSStatusErrorDomain, code: Int(status))
        }
    }

    public func token(_ name: String) throws -> Data? {
        var result: CFTypeRef?
        let search = query(name).merging([kSecReturnData as String: true]) { $1 }
        let status = SecItemCopyMatching(search as CFDictionary, &result)
        guard status != errSecItemNotFound else { return nil }
        guard status == errSecSuccess else { throw NSError(domain: NSOSStatusErrorDomain, code: Int(status)) }
        return result as? Data
    }

    public func remove(_ name: String) { SecItemDelete(query(name) as CFDictionary) }
}

/// A key that moves between tasks.
public struct SigningKey: Sendable {
    public let key: SecKey

    public init() throws {
        var error: Unmanaged<CFError>?
        let parameters: [CFString: Any] = [kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256]
        guard let key = SecKeyCreateRandomKey(parameters as CFDictionary, &error) else {
            throw error!.takeRetainedValue()
        }
        self.key = key
    }

    public func sign(_ message: Data) async throws -> Data {
        try await Task.detached { [key] in
            var error: Unmanaged<CFError>?
            let signature = SecKeyCreateSignature(key, .ecdsaSignatureMessageX962SHA256, message as CFData, &error)
            guard let signature else { throw error!.takeRetainedValue() }
            return signature as Data
        }.value
    }
}
