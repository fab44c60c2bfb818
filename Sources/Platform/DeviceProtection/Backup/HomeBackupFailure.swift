internal import PaviseCrypto
package import PavisePrimitives

/// Why a backup was not written, not opened, or not put back.
package enum HomeBackupFailure: Error, Hashable, Sendable {
    /// The file system refused.
    case system(SystemFailure)
    /// There is no device in the home, so that nothing in it would open anywhere.
    case nothingThere(home: String)
    /// An erase of the home has begun. It is ended, not copied.
    case erasing
    /// Something in the home is no file and no folder, or a name in it is no text.
    case foreign(path: String)
    /// Other programs changed the home each time while it was copied.
    case busy
    /// The backup would lie inside the home that it is a copy of.
    case insideHome(path: String)
    /// Something has the name of the backup already. Nothing was written over.
    case exists(path: String)
    /// The file is no backup of a home.
    case notABackup(path: String)
    /// A newer program wrote it.
    case newer(path: String)
    /// The first part does not open: another passphrase, or a damaged file.
    case passphrase(path: String)
    /// A later part does not open, or is missing: the file was altered or cut.
    case damaged(path: String)
    /// What was sealed names files that no backup names. Nothing was put anywhere.
    case content(path: String)
    /// There is a home already. Nothing in it was changed.
    case homeExists(path: String)
    /// The cryptographic library refused.
    case crypto

    /// One or two sentences for a person, with the next step.
    package var explanation: String {
        switch self {
        case .system(let failure): failure.description
        case .nothingThere(let home): "There is no device in \(home), so there is nothing to back up."
        case .erasing:
            "An erase of this home has begun and did not end. End it first: pavise device erase --yes"
        case .foreign(let path):
            "\(path) is neither a file nor a folder of Pavise's. Nothing was written. Move it out of the home first."
        case .busy:
            "Other programs changed the home each time while it was read. Nothing was written; end them, and try again."
        case .insideHome(let path):
            "\(path) lies in the home itself, and would be lost with it. Name a file elsewhere, best on another disk."
        case .exists(let path): "There is something at \(path) already. Nothing was changed; choose another name."
        case .notABackup(let path): "\(path) is no backup that “pavise backup” wrote."
        case .newer(let path): "\(path) was written by a newer program. Use that one."
        case .passphrase(let path):
            "The passphrase is not the one of \(path), or the file is damaged at its beginning. Nothing was changed."
        case .damaged(let path):
            "\(path) is damaged: it was altered or cut. Nothing was changed; take another copy of the backup."
        case .content(let path):
            "\(path) holds names that no backup has: another program made it. Nothing was changed; do not use it."
        case .homeExists(let path):
            "There is something at \(path) already, and it was not changed. Move it away first: "
                + "mv \(FileProblem.quoted(path)) \(FileProblem.quoted(path + ".old"))"
        case .crypto: "The cryptographic library refused. Nothing was changed."
        }
    }

    static func reporting<Result: ~Copyable>(_ body: () throws -> Result) throws(HomeBackupFailure) -> Result {
        do {
            return try body()
        } catch let failure as HomeBackupFailure {
            throw failure
        } catch let failure as SystemFailure {
            throw .system(failure)
        } catch {
            throw .crypto
        }
    }
}
