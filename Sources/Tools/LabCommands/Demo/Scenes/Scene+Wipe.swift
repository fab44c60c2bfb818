internal import Pavise
internal import PaviseLab
internal import PaviseSession
internal import SecurityFramework

extension Scene {
    static let wipe = Scene(
        number: 13, title: "Wipe",
        attack: "the device changes hands after the person disconnected",
        control: "local wipe first, key destroyed; then revocation at the server (RFC 7009)"
    ) { stage in
        let oauth = try stage.oauth()
        let account = try await stage.signedIn(at: oauth)
        try await requireAnswer(of: account, "before disconnecting")
        let identifier = account.connection.descriptor.id.text
        let canaries = stage.canaries(of: oauth)
        try stage.requireSearchFinds(canaries[0])

        let report = try await stage.app().remove("lab")
        try require(report.localFailures.isEmpty, "not everything was wiped: \(report.localFailures)")
        try require(report.revocation == .done, "expected a revocation, saw \(report.revocation)")
        let search = try stage.requireNoCanary(canaries + [identifier], "after disconnecting")
        try requireEmptyKeychain()
        for token in oauth.issuedTokens where token.kind == .refresh {
            try require(oauth.isRevoked(token.value), "the authority still accepts the refresh token")
        }
        try await worksOffline(stage)
        return [
            "searched \(search.files) files for \(canaries.count) tokens and the connection's name: none found",
            "the keychain holds no item and no key", "the authority says: revoked",
            "with the authority gone: wiped all the same, and the revocation waits, sealed",
        ]
    }

    // Sealed bytes hold no canary even when they are left behind: the items and the key themselves must be gone.
    private static func requireEmptyKeychain() throws {
        for itemClass in [kSecClassGenericPassword, kSecClassKey] {
            let query: [CFString: Any] = [
                kSecClass: itemClass, kSecMatchLimit: kSecMatchLimitAll,
                kSecReturnAttributes: kCFBooleanTrue as Any,
            ]
            let status = SecItem.copyMatching(query as CFDictionary).status
            try require(status == errSecItemNotFound, "the keychain still holds items of class \(itemClass)")
        }
    }

    private static func worksOffline(_ stage: Stage) async throws {
        let oauth = try stage.oauth()
        _ = try await stage.signedIn(at: oauth, as: "offline")
        let canaries = stage.canaries(of: oauth)
        oauth.stop()
        let report = try await stage.app().remove("offline")
        try require(report.localFailures.isEmpty, "offline: not everything was wiped")
        try require(report.revocation == .queued, "offline: expected a revocation that waits, saw \(report.revocation)")
        try stage.requireNoCanary(canaries, "offline, after disconnecting")
    }
}
