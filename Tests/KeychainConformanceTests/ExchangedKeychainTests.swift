import Foundation
import KeychainTestSupport
import PavisePrimitives
import Synchronization
import TestSupport
import Testing

@testable import SecurityFramework

/// Another keychain takes the place of one that is just being opened, as a repair puts it there.
@Suite struct ExchangedKeychainTests {
    let keychain: ItemFixture
    init() throws { keychain = try ItemFixture() }

    private var home: PaviseHome { keychain.environment.home }

    @Test func `a keychain that is exchanged while it is opened takes nothing that would lie aside`() throws {
        try keychain.run {
            #expect(add(password("first")) == errSecSuccess)
            KeychainDiagnostics.close(home)
            let (place, other, aside) = (home.keychain, home.path + "/other", home.path + "/aside")
            try FileManager.default.copyItem(atPath: place, toPath: other)
            let isFirst = Mutex(true)
            let exchange: @Sendable () -> Void = {
                guard
                    isFirst.withLock({ isNow in
                        defer { isNow = false }
                        return isNow
                    })
                else { return }
                do {
                    try DurableFile.move(place, to: aside)
                    try DurableFile.move(other, to: place)
                } catch {
                    Issue.record(error)
                }
            }
            let status = KeychainItemStore.$opened.withValue(exchange) { add(password("second")) }
            #expect(status == errSecSuccess)
            KeychainDiagnostics.close(home)
            #expect(value(password("first")) == "secret")
            #expect(value(password("second")) == "secret")
        }
    }
}
