// A file of an app that stands outside of Pavise's package, for what only Apple's systems have. It is compiled with
// everything else (check.py), so a change that an app would not build with is seen.
import AuthenticationServices
import Foundation
import Pavise
import PaviseAppLock
import PaviseJWT
import PaviseValidation
import SecurityFramework

/// Signs in over the window that the person looks at.
@MainActor
func signIn(_ connection: Connection, in window: ASPresentationAnchor) async throws {
    let receiver = RedirectReceiver(try RedirectAddress("https://app.example.org/signed-in"))
    let sheet = SignInSheet(over: receiver, keepsCookies: false) { window }
    try await connection.signIn(browser: sheet, receiver: receiver)
}

/// The same with the person's browser.
func signInWithBrowser(_ connection: Connection, receiver: RedirectReceiver) async throws {
    try await connection.signIn(browser: SystemBrowser(), receiver: receiver)
}

/// What a preview shows, without a keychain.
func preview() -> Connections { Connections(makeVault: { _ in .volatile() }) }

/// Apple's Security API comes with the Kit's own module.
func hasItem(_ service: String) -> OSStatus {
    let query: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: service,
        kSecUseDataProtectionKeychain as String: true,
    ]
    return SecItemCopyMatching(query as CFDictionary, nil)
}
