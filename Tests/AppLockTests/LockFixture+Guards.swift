import Foundation
import PavisePrimitives
import SecurityFramework
import TestSupport

#if PAVISE_APPLE_ADAPTER
/// On Apple's systems a guard is a key of the Secure Enclave with an application password, called by 16 random bytes.
extension LockFixture {
    private static var guards: [String: Any] {
        [kSecClass as String: kSecClassKey, kSecAttrKeyClass as String: kSecAttrKeyClassPrivate]
    }

    private func tags() -> [Data] {
        KeychainBridge.attributes(Self.guards).items.compactMap { $0[kSecAttrApplicationTag as String] as? Data }
            .filter { $0.count == 16 }
    }

    /// How many guards of PINs the element has.
    func guardCount() throws -> Int { tags().count }

    /// Takes them all away, behind the lock's back.
    func loseGuards() throws {
        for tag in tags() {
            _ = KeychainBridge.delete(Self.guards.merging([kSecAttrApplicationTag as String: tag]) { $1 })
        }
    }
}
#else
/// On Linux a guard is a file of the device.
extension LockFixture {
    private var guards: String { home.device + "/guards" }

    /// How many guards of PINs the element has.
    func guardCount() throws -> Int { try Folder.entries(of: guards).count }

    /// Takes them all away, behind the lock's back.
    func loseGuards() throws {
        for entry in try Folder.entries(of: guards) { try DurableFile.remove("\(guards)/\(entry.name)") }
    }
}
#endif
