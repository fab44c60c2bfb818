import Foundation
import Security

/// The file of version 1 of the app, which was for phones alone: where it kept the address of the clinic's server. It
/// is code with Apple's calls alone, and Linux compiles it as it is.
public enum ServerAddress {
    private static let service = "org.example.SleepDiary.server"

    /// Keeps an address.
    public static func save(_ address: String) -> Bool {
        guard delete() else { return false }
        let item =
            [
                kSecClass: kSecClassGenericPassword,
                kSecAttrService: service,
                kSecAttrAccount: "address",
                kSecAttrAccessible: kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
                kSecValueData: Data(address.utf8),
            ] as [CFString: Any]
        return SecItemAdd(item as CFDictionary, nil) == errSecSuccess
    }

    /// The address that was kept.
    public static func load() -> String? {
        let query =
            [
                kSecClass: kSecClassGenericPassword,
                kSecAttrService: service,
                kSecAttrAccount: "address",
                kSecReturnData: true,
                kSecMatchLimit: kSecMatchLimitOne,
            ] as [CFString: Any]
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        guard status == errSecSuccess, let data = result as? Data else { return nil }
        return String(data: data, encoding: .utf8)
    }

    /// Forgets it.
    ///
    /// - Returns: Whether it is gone.
    public static func delete() -> Bool {
        let query = [kSecClass: kSecClassGenericPassword, kSecAttrService: service] as [CFString: Any]
        return [errSecSuccess, errSecItemNotFound].contains(SecItemDelete(query as CFDictionary))
    }
}
