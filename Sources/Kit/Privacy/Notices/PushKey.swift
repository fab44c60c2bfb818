internal import PavisePrimitives
public import PaviseVault

/// The key under which a server seals what a push notice says for this installation: 32 random bytes.
///
/// It goes to the server with the push token, over the session's own connection, and nowhere else. Who delivers the
/// push has the packet and not the key.
///
/// On Apple's systems the app and its service extension are two programs: give both the same first group of
/// `keychain-access-groups`, or the extension does not see the key and shows the neutral text.
///
/// All accounts of an installation share one key: where several want notices, give each server
/// `try PushKey.find() ?? PushKey.make()`. A fresh one for one of them leaves the others' notices neutral.
public final class PushKey: Sendable {
    let bytes: SharedSecretBytes
    private static let name = ItemName(checkedService: "org.pavise.push", "key")

    private init(_ bytes: consuming SecretBytes) { self.bytes = SharedSecretBytes(bytes) }

    /// The key that ``make(in:)`` made; `nil` where there is none.
    ///
    /// - Throws: `VaultFailure` where the store cannot say, before the first unlock for example.
    public static func find(in store: any SecretStore = KeychainStore()) throws(VaultFailure) -> PushKey? {
        guard case .found(let key) = try store.read(name) else { return nil }
        guard key.count == 32 else { throw .corrupt(.content) }
        return PushKey(key)
    }

    /// A fresh key in the place of the one that was: at each sign-in.
    public static func make(in store: any SecretStore = KeychainStore()) throws(VaultFailure) -> PushKey {
        let fresh: SecretBytes
        do throws(EntropyFailure) { fresh = try .random(count: 32) } catch { throw .system(status: Int32(error.code)) }
        let key = PushKey(fresh)
        try key.bytes.bytes.withBytes { bytes throws(VaultFailure) in try store.replace(bytes, as: name) }
        return key
    }

    /// Forgets it: at a sign-out, with ``PushTokenMachine/Action/removeNotices``. What comes later stays neutral.
    public static func forget(in store: any SecretStore = KeychainStore()) throws(VaultFailure) {
        try store.delete(name)
    }

    /// Lends the bytes, for the request that gives them to the server.
    public func withBytes<Result: ~Copyable, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result { try bytes.bytes.withBytes(body) }
}
