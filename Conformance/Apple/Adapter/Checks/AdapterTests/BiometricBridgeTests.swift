import Foundation
import PavisePrimitives
import Security
import SecurityFramework
import TestSupport
import Testing

/// The item behind biometrics over our own keychain, which has none: every status reaches the rules as it came, nothing
/// is kept in a weaker way, and the mark beside the item is an item as any other.
@Suite(.serialized) struct BiometricBridgeTests {
    private let bridge = BiometricBridge(name: "test \(UInt64.random(in: .min ... .max))")

    private func key() -> SecretBytes { SecretBytes(utf8: "thirty-two bytes of a lock's key") }

    /// How many items there are of the service that the bridge uses.
    private func items() -> Int {
        var found: CFTypeRef?
        let query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "org.pavise.biometrics",
            kSecMatchLimit as String: kSecMatchLimitAll, kSecReturnAttributes as String: true,
            kSecUseDataProtectionKeychain as String: true,
        ]
        guard SecItemCopyMatching(query as CFDictionary, &found) == errSecSuccess else { return 0 }
        return (found as? [[String: Any]])?.filter { "\($0[kSecAttrAccount as String] ?? "")".hasPrefix("test") }.count
            ?? 0
    }

    @Test func `a system without biometrics refuses by the number of LAError`() {
        #expect(bridge.check() == .refused(-6))
    }

    @Test func `a key is refused where the system cannot bind it to who is enrolled, and is not kept otherwise`() {
        let before = items()
        #expect(bridge.add(key()) != errSecSuccess)
        #expect(items() == before)
        let read = bridge.read(reason: "Open")
        #expect(read.status != errSecSuccess && read.key == nil)
        #expect(bridge.remove() == errSecItemNotFound)
    }

    @Test func `the mark is written, replaced, read and removed`() {
        #expect(bridge.mark().status == errSecItemNotFound)
        for mark in [[1, 2, 3], [], [9]] as [[UInt8]] {
            #expect(bridge.setMark(mark) == errSecSuccess)
            let read = bridge.mark()
            #expect(read.status == errSecSuccess && (read.mark ?? []) == mark)
        }
        #expect(bridge.setMark(nil) == errSecSuccess)
        #expect(bridge.mark().status == errSecItemNotFound)
        #expect(bridge.setMark(nil) == errSecItemNotFound)
    }
}
