internal import Foundation
internal import PavisePrimitives
internal import PaviseSession
internal import PaviseVault
internal import SecurityFramework

extension ForeignSession {
    /// What lies in the keychain.
    enum Found {
        case nothing
        case several([String])
        case item(ForeignItem)
    }

    /// Looks; nothing is written or deleted.
    ///
    /// - Throws: Where the keychain does not say: locked, denied, damaged. That is never "nothing".
    func find() throws(VaultFailure) -> Found {
        var query = query
        if account == nil {
            let (status, items) = KeychainBridge.attributes(query)
            if let failure = VaultFailure(status: status) { throw failure }
            let accounts = items.compactMap { $0[kSecAttrAccount as String] as? String }
            guard let only = accounts.first else { return .nothing }
            guard accounts.count == 1 else { return .several(accounts.sorted()) }
            query[kSecAttrAccount as String] = only
        }
        guard let bytes = try Self.content(query) else { return .nothing }
        return .item(ForeignItem(query: query, digest: MessageDigest.sha256(bytes), token: token(in: bytes)))
    }

    private var query: [String: Any] {
        var query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: service,
            kSecUseDataProtectionKeychain as String: true,
        ]
        if let account { query[kSecAttrAccount as String] = account }
        if let accessGroup { query[kSecAttrAccessGroup as String] = accessGroup }
        return query
    }

    fileprivate static func content(_ query: [String: Any]) throws(VaultFailure) -> [UInt8]? {
        var query = query
        query[kSecReturnData as String] = true
        let (status, data) = KeychainBridge.data(query)
        guard status != errSecItemNotFound else { return nil }
        if let failure = VaultFailure(status: status) { throw failure }
        return [UInt8](data ?? Data())
    }

    private func token(in bytes: [UInt8]) -> SharedSecretBytes? {
        Self.refreshToken(in: bytes, shape).map { SharedSecretBytes($0) }
    }

    /// The refresh token in an item's bytes; `nil` for anything else than the shape says.
    static func refreshToken(in bytes: [UInt8], _ shape: Shape) -> String? {
        guard bytes.count <= 1 << 20, let text = text(in: bytes, shape), isToken(text) else { return nil }
        return text
    }

    /// The same for every shape, for a fuzzer.
    package static func refreshTokens(in bytes: [UInt8]) -> [String] {
        Shape.allCases.compactMap { refreshToken(in: bytes, $0) }
    }

    private static func text(in bytes: [UInt8], _ shape: Shape) -> String? {
        switch shape {
        case .text: return String(validating: bytes, as: UTF8.self)
        case .archivedCredentials: return (try? KeyedArchive(bytes))?.text("refreshToken")
        case .archivedState:
            // AppAuth's state itself, or GTMAppAuth's session around it.
            let archive = try? KeyedArchive(bytes)
            return archive?.text("refreshToken") ?? archive?.text("authState", "refreshToken")
        case .tokenJSON:
            let token = json(bytes)
            if let text = token?["refreshToken"]?.string { return text }
            return token?["rawValue"]?.string.flatMap { json(Array($0.utf8)) }?["refresh_token"]?.string
        case .cacheJSON: return json(bytes)?["secret"]?.string
        case .sessionJSON:
            let session = json(bytes)
            let pools = session?["userPoolOnly"] ?? session?["userPoolAndIdentityPool"]
            return pools?["signedInData"]?["cognitoUserPoolTokens"]?["refreshToken"]?.string
        }
    }

    private static func json(_ bytes: [UInt8]) -> JSONValue? { try? JSONValue.parse(bytes, limit: 1 << 20) }

    // RFC 6749 appendix A.17, with the longest that a session's record holds.
    private static func isToken(_ text: String) -> Bool {
        (1...65_536).contains(text.utf8.count) && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    }
}

/// An item of another library, as it was when it was read.
struct ForeignItem {
    fileprivate let query: [String: Any]
    fileprivate let digest: [UInt8]
    /// What names this token of this client among those that a server has refused.
    func mark(_ clientID: String) -> [UInt8] { MessageDigest.sha256(digest + Array(clientID.utf8)) }
    /// Its refresh token; `nil` where it holds none that is known.
    let token: SharedSecretBytes?

    fileprivate init(query: [String: Any], digest: [UInt8], token: SharedSecretBytes?) {
        self.query = query
        self.digest = digest
        self.token = token
    }

    /// Removes it, unless somebody has written it since.
    ///
    /// - Returns: Whether it is gone.
    func remove() throws(VaultFailure) -> Bool {
        guard let now = try ForeignSession.content(query) else { return true }
        guard MessageDigest.sha256(now) == digest else { return false }
        let status = KeychainBridge.delete(query)
        guard status != errSecItemNotFound else { return true }
        if let failure = VaultFailure(status: status) { throw failure }
        return true
    }
}
