public import PavisePrimitives
public import PaviseVault
internal import SecurityFramework

/// A key of this installation, under which values become eight digits that can be compared and not guessed.
///
/// A plain digest of an e-mail address or a telephone number is found by trying all of them. Under a random key of
/// 32 bytes it is not, and two installations give different digits for the same value.
public final class LogKey: Sendable {
    private let key: SharedSecretBytes

    private init(checked bytes: consuming SecretBytes) { key = SharedSecretBytes(bytes) }

    /// A key of the caller's: 32 random bytes.
    ///
    /// - Returns: `nil` for any other length: the digits of a short key, or of none, can be guessed. Without a key
    ///   values show as `«hashed»`.
    public convenience init?(_ bytes: consuming SecretBytes) {
        guard bytes.count == InstallationKey.count else { return nil }
        self.init(checked: bytes)
    }

    /// The installation's key from its secret store; the first call makes it.
    ///
    /// - Throws: `VaultFailure` where the store is locked or cannot be written. Go on without a key then: values
    ///   show as `«hashed»`.
    public static func ofInstallation(in store: any SecretStore = KeychainStore()) throws(VaultFailure) -> LogKey {
        LogKey(checked: try InstallationKey.find("org.pavise.log", in: store))
    }

    /// 8 hexadecimal digits: the beginning of HMAC-SHA-256 (RFC 2104) of `value`.
    func digits(of value: [UInt8]) -> String {
        let code = key.bytes.withBytes { MessageDigest.hmac(.sha256, key: $0, Array("pavise log 1 ".utf8) + value) }
        return Hex.encode(code.prefix(4))
    }
}

/// A random key of 32 bytes under one name of the secret store.
enum InstallationKey {
    static let count = 32

    static func find(_ service: String, in store: any SecretStore) throws(VaultFailure) -> SecretBytes {
        let name = ItemName(checkedService: service, "key")
        if case .found(let key) = try store.read(name) {
            guard key.count == count else { throw .corrupt(.content) }
            return key
        }
        let fresh: SecretBytes
        do throws(EntropyFailure) { fresh = try .random(count: count) } catch {
            throw .system(status: Int32(error.code))
        }
        let bytes = SharedSecretBytes(fresh)
        do throws(VaultFailure) {
            try bytes.bytes.withBytes { span throws(VaultFailure) in try store.add(span, as: name) }
        } catch {
            // Another process made it meanwhile.
            guard error == .duplicate, case .found(let key) = try store.read(name), key.count == count else {
                throw error
            }
            return key
        }
        return bytes.bytes.duplicate()
    }
}
