// Stores a password in the keychain, sealed with a key of the secure element, and reads it back.
import Pavise
import PaviseVault

let vault = TokenVault(store: KeychainStore(), key: EnclaveKey(tag: "org.example.app"))
guard let name = ItemName(service: "org.example.app", account: "ada") else { throw CancellationError() }

let password = try SecretBytes.random(count: 32)
try vault.prepare()
try password.withBytes { bytes throws(VaultFailure) in try vault.store(bytes, as: name) }

switch try vault.read(name) {
case .absent: print("There is none.")
case .found(let secret): print("\(secret.count) bytes, the same: \(secret.matches(password))")
}
try vault.erase(name)
