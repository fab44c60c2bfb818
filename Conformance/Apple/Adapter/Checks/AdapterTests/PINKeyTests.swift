import Foundation
import PavisePrimitives
import TestSupport
import Testing

@testable import SecurityFramework

/// The enclave's key of a code, over our own keychain.
@Suite struct PINKeyTests {
    /// How many private keys the keychain has.
    private func keys() -> Int {
        let query: [String: Any] = [
            kSecClass as String: kSecClassKey, kSecAttrKeyClass as String: kSecAttrKeyClassPrivate,
            kSecUseDataProtectionKeychain as String: true,
        ]
        return KeychainBridge.attributes(query).items.count
    }

    @Test func `a code whose record cannot be made leaves no key, and a record's key goes with it`() throws {
        let folder = try TemporaryFolder()
        let environment = SecurityEnvironment(home: PaviseHome(path: folder.path + "/home"))
        try SecurityEnvironment.$override.withValue(environment) {
            let code = Array("123456".utf8)
            let price = PINKeyDerivationBridge.KDFCost(rounds: 1)
            var tried = 0
            #expect(throws: PINKeyDerivationBridge.Failure.unavailable("The Secure Enclave refused to encrypt.")) {
                _ = try PINKeyDerivationBridge.make(code.span, price: price, label: [1]) { _, _ in
                    tried = keys()
                    return nil
                }
            }
            #expect(tried == 1 && keys() == 0)
            let made = try PINKeyDerivationBridge.make(code.span, price: price, label: [1])
            #expect(keys() == 1)
            try PINKeyDerivationBridge.destroy(made.record)
            #expect(keys() == 0)
        }
    }
}
