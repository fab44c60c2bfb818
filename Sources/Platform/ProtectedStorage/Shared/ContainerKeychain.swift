internal import Foundation
internal import PavisePrimitives
internal import SecurityFramework

/// The keys of one container in the secret store: generic passwords of Pavise's own, each readable as its class is.
///
/// Services `org.pavise.storage.…`, account: the container's name. On Linux they lie in an access group that no program
/// can name.
struct ContainerKeychain: Sendable {
    /// One item.
    enum Item: Hashable, Sendable {
        /// What the container is.
        case record
        /// The key of a class: 32 bytes; of class B: the private half ‖ the key of its databases.
        case key(ProtectionClass)
        /// The public half of class B's pair, which is needed while locked.
        case publicKey

        static let all: [Item] = ProtectionClass.allCases.map { .key($0) } + [.publicKey, .record]

        var service: String {
            switch self {
            case .record: "org.pavise.storage.container"
            case .key(let protection): "org.pavise.storage.key.\(protection.letter)"
            case .publicKey: "org.pavise.storage.public.b"
            }
        }

        var accessible: String {
            switch self {
            case .record, .publicKey: StorageSurroundings.always
            case .key(let protection): StorageSurroundings.accessible(protection)
            }
        }

        /// When it can be read: a key that cannot be while the screen is locked is not gone then.
        var readable: AbsenceProof.Readability {
            guard case .key(let protection) = self, protection.needsUnlocked else { return .afterFirstUnlock }
            return .whenUnlocked
        }
    }

    let account: String
    let surroundings: StorageSurroundings

    /// The item's bytes; `nil` when it is certain that there is none.
    func read(_ item: Item) throws(StorageFailure) -> SecretBytes? {
        let query = query(item).merging([kSecReturnData as String: true]) { $1 }
        // In one variable alone: of data that a second one holds a copy would be overwritten.
        var data: Data?
        let status = surroundings.run {
            let found = KeychainBridge.data(query, of: item.service, readable: item.readable)
            data = found.data
            return found.status
        }
        if status == errSecItemNotFound { return nil }
        try Self.check(status)
        guard let count = data?.count else { throw .damaged(.keyRecord) }
        defer { data?.resetBytes(in: 0..<count) }
        var bytes = data.map { [UInt8]($0) } ?? []
        defer { Wipe.bytes(&bytes) }
        return SecretBytes(copying: bytes)
    }

    /// Makes an item that must not exist.
    ///
    /// - Returns: `false` when it does; it stays as it is.
    func add(_ bytes: borrowing SecretBytes, as item: Item) throws(StorageFailure) -> Bool {
        let query = query(item)
        let status = withContent(bytes, item) { content in
            KeychainBridge.add(query.merging(content) { $1 }, of: item.service)
        }
        if status == errSecDuplicateItem { return false }
        try Self.check(status)
        return true
    }

    /// Changes an item that exists.
    func update(_ bytes: borrowing SecretBytes, as item: Item) throws(StorageFailure) {
        let query = query(item)
        try Self.check(
            withContent(bytes, item) { content in
                KeychainBridge.update(query, content, of: item.service, readable: item.readable)
            })
    }

    /// Removes an item, durably; one that is not there is fine.
    ///
    /// A key that was never made cannot be proved absent while the screen is locked, and a removal must not wait for
    /// the unlock: what is there is removed without being read.
    func delete(_ item: Item) throws(StorageFailure) {
        let status = surroundings.run { KeychainBridge.delete(query(item), of: item.service) }
        guard status != errSecItemNotFound else { return }
        try Self.check(status)
    }

    private func query(_ item: Item) -> [String: Any] {
        [
            kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: item.service,
            kSecAttrAccount as String: account, kSecUseDataProtectionKeychain as String: true,
        ]
    }

    // The store takes a key as data. Nobody else holds it once the call has ended, so that it is overwritten, and no
    // copy of it.
    private func withContent(
        _ bytes: borrowing SecretBytes, _ item: Item, _ body: ([String: Any]) -> OSStatus
    ) -> OSStatus {
        var value = bytes.withCopy { bytes in Data(bytes) }
        defer { value.resetBytes(in: 0..<value.count) }
        return surroundings.run {
            body([kSecValueData as String: value, kSecAttrAccessible as String: item.accessible])
        }
    }

    private static func check(_ status: OSStatus) throws(StorageFailure) {
        switch status {
        case errSecSuccess: return
        case errSecInteractionNotAllowed, errSecNotAvailable: throw .locked
        case errSecUserCanceled, errSecAuthFailed, errSecMissingEntitlement, errSecNoAccessForItem:
            throw .denied(status: status)
        case errSecDecode: throw .damaged(.keyRecord)
        default: throw .unavailable(status: status)
        }
    }
}
