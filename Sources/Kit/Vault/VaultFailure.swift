/// Why a secret was not read or written. Four answers that must never be mixed up have a case each (connections C45):
/// *absent* is no failure at all, see ``StoreResult``; *locked*, *denied* and *corrupt* are here.
///
/// No case holds a secret.
public enum VaultFailure: Error, Hashable, Sendable {
    /// The device is locked, or was not unlocked since it started. Wait, and try again; delete nothing.
    case locked(status: Int32)
    /// The system or the person refused. Ask again only after a new action by them.
    case denied(status: Int32)
    /// The stored bytes fail authentication or are no packet of ours. Do not retry.
    case corrupt(Damage)
    /// A later version wrote it: the bytes are authentic, and their form is not known here. Update; replace nothing.
    case newer
    /// The packet is there, the key that opens it is gone (restore, migration, reset). Sign in again.
    case keyLost
    /// An item of this name exists already.
    case duplicate
    /// Another process holds the record for longer than anybody should wait.
    case busy
    /// The system answered with a status that has no other meaning here. The number is Apple's `OSStatus`.
    case system(status: Int32)

    /// What is wrong with stored bytes.
    public enum Damage: String, Hashable, Sendable {
        /// The keychain could not decrypt or decode its row.
        case item
        /// The packet does not open with the key that belongs to it.
        case packet
        /// The packet opened and belongs to another name.
        case foreignName
        /// The packet opened and holds no content of a known version.
        case content
        /// The half that lies in the app's own folder has another length than it was made with.
        case installation
    }

    /// Whether waiting can help: nothing is wrong with the secret itself.
    public var isPassing: Bool {
        switch self {
        case .locked, .system, .busy: true
        case .denied, .corrupt, .newer, .keyLost, .duplicate: false
        }
    }
}

extension VaultFailure: CustomStringConvertible {
    /// One sentence that says what to do next.
    public var description: String {
        switch self {
        case .locked: "The keychain is locked. Unlock the device and try again; nothing was changed."
        case .denied(let status): "The keychain refused access (status \(status)). Nothing was changed."
        case .corrupt(let damage):
            "The stored secret is damaged (\(damage.rawValue)). It was left as it is; sign in again to replace it."
        case .newer: "A later version of the program wrote the stored secret. Update; nothing was changed."
        case .keyLost: "The key that protects the stored secret is gone. Sign in again; other data was kept."
        case .duplicate: "A secret of this name exists already."
        case .busy: "Another process holds the session. Try again; nothing was changed."
        case .system(let status): "The keychain failed with status \(status). Nothing was changed."
        }
    }
}
