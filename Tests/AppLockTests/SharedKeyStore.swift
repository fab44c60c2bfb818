import PaviseAppLock
import PavisePrimitives

/// Where an unlock waits for other processes: the kernel's keyring, or a folder that plays it where the kernel keeps no
/// keys.
struct SharedKeyStore: Codable, Sendable {
    /// The folder; `nil` for the keyring.
    let folder: String?

    var store: any UnlockedKeyStore {
        guard let folder else { return SharedMemory() }
        return FolderMemory(folder: folder)
    }

    /// Whether an unlock can wait in the kernel's keyring here; some containers do not let us use it.
    static let hasKeyring: Bool = ChildLock.run("/nowhere") {
        let probe = "pavise:applock:probe"
        let key = SecretBytes(utf8: String(repeating: "k", count: 32))
        let isShared = SharedMemory().keep(key, name: probe, seconds: 10)
        SharedMemory().forget(probe)
        return isShared == true
    }
}

/// A file for each key.
private struct FolderMemory: UnlockedKeyStore {
    let folder: String

    private func path(_ name: String) -> String { folder + "/" + Hex.encode(Array(name.utf8)) }

    func keep(_ key: borrowing SecretBytes, name: String, seconds: UInt32) -> Bool? {
        let isKept = key.withBytes { (try? DurableFile.write($0, to: path(name))) != nil }
        return isKept ? true : nil
    }

    func read(_ name: String) -> SharedSecretBytes? {
        guard let bytes = try? DurableFile.read(path(name), limit: 64) else { return nil }
        return SharedSecretBytes(SecretBytes(copying: bytes))
    }

    func forget(_ name: String) { try? DurableFile.remove(path(name)) }
}
