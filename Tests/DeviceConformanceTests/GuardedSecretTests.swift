import PaviseDevice
import PavisePrimitives
import TestSupport
import Testing

@testable import SecurityFramework

/// What was shown to a call, where the call's own task is not.
@Suite struct GuardedSecretTests {
    private let keychain: KeychainFixture
    init() throws { keychain = try KeychainFixture() }

    // The threads that read a long list know nothing of the call that they read it for.
    @Test func `what a person showed opens a secret on a thread that does not know of it`() throws {
        try keychain.setPasscode()
        let device = try keychain.device.open()
        let identifier = [UInt8](repeating: 1, count: 16)
        let secret = [1, 2] + (try device.sealToPresence([7, 8, 9].span, for: identifier))
        #expect(try plain(secret, of: identifier, with: AccessCredentials()) == nil)
        let shown = AccessCredentials()
        shown.show(try device.confirm(SecretBytes(utf8: "1234")))
        #expect(AccessCredentials.current.presence == nil)
        #expect(try plain(secret, of: identifier, with: shown) == [7, 8, 9])
    }

    private func plain(
        _ secret: [UInt8], of identifier: [UInt8], with credentials: AccessCredentials
    ) throws -> [UInt8]? {
        switch try GuardedSecret.open(secret, of: identifier, with: credentials) {
        case .plain(let bytes): return bytes
        case .needs(let proof):
            #expect(proof == .presence)
            return nil
        }
    }
}
