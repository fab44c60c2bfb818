public import PavisePrimitives

/// Why protected data was not read or written. Six answers that must never be mixed up have a case each: *locked*,
/// *absent*, *denied*, *damaged*, *newer* and *foreign*. No case holds content.
public enum StorageFailure: Error, Hashable, Sendable {
    /// The device is locked, or was not unlocked since it started. Wait, and try again; delete nothing.
    case locked
    /// It is certain that there is none of this name.
    case absent
    /// The system or the person refused. Ask again only after a new action by them.
    case denied(status: Int32)
    /// It is there and is not what was written. Do not retry, and do not write over it: restore it from a backup.
    case damaged(StorageDamage)
    /// A later version of Pavise wrote it. It was left as it is.
    case newer(version: Int)
    /// It belongs to another connection or another home, and was put here.
    case foreign
    /// A name, type or size that cannot be stored. Nothing was written.
    case unusable(StorageLimit)
    /// Another process holds the container for longer than anybody should wait.
    case busy
    /// The secret store answered with a status that has no other meaning here. The number is Apple's `OSStatus`.
    case unavailable(status: Int32)
    /// The file system.
    case system(SystemFailure)
    /// The cryptographic library or the random generator refused.
    case crypto

    /// Whether waiting can help: nothing is wrong with the data itself.
    public var isPassing: Bool {
        switch self {
        case .locked, .busy, .unavailable: true
        case .system(let failure): failure.isDiskFull || failure.isTimeout
        case .absent, .denied, .damaged, .newer, .foreign, .unusable, .crypto: false
        }
    }
}

/// What is wrong with protected data.
public enum StorageDamage: String, Hashable, Sendable {
    /// The data is there and its key is not: another or an older secret store was put in place, or the container was
    /// destroyed.
    case keyLost
    /// The key's record in the secret store is not what was written.
    case keyRecord
    /// The container's folder is gone, and nobody removed the container.
    case folderLost
    /// The file has no bytes: every sealed file has some.
    case empty
    /// No sealed file, or its head was changed.
    case head
    /// The file is shorter or longer than its head says.
    case length
    /// A chunk was changed, or lies at another place.
    case content
    /// What lies there is no regular file, or is open to others: a link, a pipe, a folder.
    case kind
    /// The protection that was asked for does not read back from the file.
    case protection
}

/// What cannot be stored.
public enum StorageLimit: String, Hashable, Sendable {
    /// A name has 1 to 1,024 bytes and no control character.
    case name
    /// A type has at most 127 printable ASCII characters.
    case type
    /// More than the caller allows, or 2^40 bytes.
    case size
    /// A chunk has 2^12 to 2^20 bytes.
    case chunk
    /// A renewal of keys needs the names of all databases of the container.
    case databases
    /// An erasable file needs a database whose memory is wiped: something used SQLite in this process before.
    case erasable
}

extension StorageFailure: CustomStringConvertible {
    /// One sentence that says what to do next.
    public var description: String {
        switch self {
        case .locked: "The data is locked. Unlock the device and try again; nothing was changed."
        case .absent: "There is none of this name."
        case .denied(let status): "The secret store refused access (status \(status)). Nothing was changed."
        case .damaged(let damage): damage.description
        case .newer(let version):
            "A later version of Pavise wrote this (format \(version)). Update this program; nothing was changed."
        case .foreign: "This belongs to another connection or home and was put here. It was left as it is."
        case .unusable(let limit): limit.description
        case .busy: "Another process holds the container. Try again; nothing was changed."
        case .unavailable(let status): "The secret store failed with status \(status). Nothing was changed."
        case .system(let failure): failure.description
        case .crypto: "The cryptographic library refused. Nothing was changed."
        }
    }
}

extension StorageDamage: CustomStringConvertible {
    /// One sentence that says what to do next.
    public var description: String {
        let what =
            switch self {
            case .keyLost: "The key of this data is gone from the secret store, and the data is still there."
            case .keyRecord: "The key's record in the secret store is damaged."
            case .folderLost: "The folder of the container is gone, and nobody removed the container."
            case .empty: "The file is empty, which no protected file is."
            case .head: "This is no protected file, or its head was changed."
            case .length: "The file was cut or made longer."
            case .content: "The content was changed."
            case .kind: "What lies there is no regular file of this user's alone."
            case .protection: "The file's protection is not the one that was asked for."
            }
        return what + " It was left as it is; restore it from a backup."
    }
}

extension StorageLimit: CustomStringConvertible {
    /// One sentence.
    public var description: String {
        switch self {
        case .name: "A name has 1 to 1,024 bytes and no control character."
        case .type: "A type has at most 127 printable ASCII characters."
        case .size: "This is more than the given limit."
        case .databases: "The container has a database that was not named. Nothing was changed."
        case .erasable:
            "An erasable file needs a database, and something used SQLite before it. Nothing was written."
        case .chunk: "A chunk has 4,096 to 1,048,576 bytes, a power of two."
        }
    }
}
