// What becomes of an app that used the keychain, KeychainAccess, AppAuth or Alamofire (Documentation/Apps).
import Foundation
import Pavise
import PaviseVault
import SecurityFramework

struct Me: Decodable, Sendable { let user: String }

func showSignIn() {}
func show(_ me: Me) { print(me.user) }
func use(_ secret: borrowing SecretBytes) { print(secret.count) }

/// Raw keychain code, as it was.
func before() {
    let query: [CFString: Any] = [
        kSecClass: kSecClassGenericPassword, kSecAttrService: "token", kSecAttrAccount: "ada", kSecReturnData: true,
    ]
    var found: CFTypeRef?
    guard SecItemCopyMatching(query as CFDictionary, &found) == errSecSuccess else { return showSignIn() }
    print(found as? Data ?? Data())
}

/// The same with a vault: four answers, of which one is a sign-in.
func after(_ vault: TokenVault, _ name: ItemName) throws {
    switch try vault.read(name) {
    case .absent: showSignIn()
    case .found(let secret): use(secret)
    }
}

/// A secret of the app's own, from a subscript to a vault.
func keep(_ secret: borrowing SecretBytes, as name: ItemName) throws {
    let vault = TokenVault(store: KeychainStore(), key: EnclaveKey(tag: "org.example.app"))
    try vault.prepare()
    try secret.withBytes { bytes throws(VaultFailure) in try vault.store(bytes, as: name) }
}

/// Nobody signs in again.
func adopt(_ security: AppSecurity, at server: ReviewedServer) async throws {
    let report = try await security.adopt(
        .appAuth(service: "org.example.diary", account: "authState"), at: server, as: "work", clientID: "diary")
    print(report.outcome)
    let other = try await security.adopt(
        .token(service: "org.example.diary", key: "refresh"), at: server, as: "work", clientID: "diary")
    print(other.outcome)
}

/// Requests that refresh themselves.
func fetch(_ security: AppSecurity) async throws {
    let account = try security.account("work")
    do throws(PaviseError) { show(try await account.get("/api/me", as: Me.self)) } catch {
        if error.recovery == .signIn { showSignIn() }
    }
}

/// Requests to servers with pinned keys.
func pinned(_ current: Pin, _ next: Pin) async throws -> Me {
    var configuration = SecurityConfiguration()
    configuration.pins = SecurityConfiguration.Pins([
        try PinSet(hosts: ["cloud.example.org"], leaf: [current, next])
    ])
    let security = try AppSecurity(identifier: "org.example.diary", configuration: configuration)
    return try await security.account("work").get("/api/me", as: Me.self)
}
