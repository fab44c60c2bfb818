internal import PavisePrimitives

/// Why a protected database did not do what was asked. Nothing was changed. No case holds a value that was bound or
/// stored.
public enum ProtectedDatabaseError: Error, Hashable, Sendable {
    /// The device is locked. Wait for an unlock; the same object works again then. Delete nothing.
    case locked
    /// It is certain that there is none of this name.
    case absent
    /// The system or the person refused. Ask again only after a new action by them.
    case denied(status: Int32)
    /// It is there and is not what was written. Do not retry, and do not write over it: restore a backup.
    case damaged(StorageDamage)
    /// A later version of the app or of Pavise wrote it. No byte was changed. Update the app.
    case newer(version: Int)
    /// It belongs to another connection or home, and was put here.
    case foreign
    /// Another connection held the lock for the whole wait. Try again.
    case busy
    /// The disk, the quota or a size limit is full. Free space and try again.
    case full
    /// The file or the disk can only be read.
    case readOnly
    /// A rule of the schema refuses the values.
    case constraint
    /// SQLite does not understand the statement, in its words. A mistake of the program.
    case statement(message: String)
    /// An `UPDATE` or `DELETE` without a condition: it would touch every row. Add one, or use the call for all rows.
    case unconditional
    /// Text behind the end of the first statement. Run them one by one.
    case severalStatements
    /// A row does not have the column, or its value is not of the type that was asked for.
    case column(String)
    /// The steps of the schema do not fit the file.
    case migration(MigrationProblem)
    /// The passphrase does not open the backup, or the backup was altered: the two cannot be told apart.
    case backup
    /// The backup was sealed with Argon2id, which this system does not bring. Restore it on Linux.
    case backupNeedsArgon2id
    /// The backup's pages have no room for the seal of this system: a database has it that another program made.
    /// Nothing was changed.
    case backupOfOtherPages
    /// A database of this name is there already. A backup is never put over one.
    case alreadyThere
    /// Something in this process used SQLite before the first protected database was opened, so that its memory cannot
    /// be wiped at a lock. Open the database first, or link nothing else that uses the system's SQLite.
    case memoryNotWiped
    /// Everything else: the secret store, the file system, the cryptographic library.
    case storage(StorageFailure)

    /// How the steps of the schema do not fit the file.
    public enum MigrationProblem: Hashable, Sendable {
        /// The step with this number was changed after it ran. Add a new step instead.
        case changed(number: Int)
        /// The file lacks this step although a later one ran.
        case missing(number: Int)
        /// The program's steps are not numbered 1, 2, 3 and so on.
        case numbering
    }

    package init(_ failure: StorageFailure) {
        self =
            switch failure {
            case .locked: .locked
            case .absent: .absent
            case .denied(let status): .denied(status: status)
            case .damaged(let damage): .damaged(damage)
            case .newer(let version): .newer(version: version)
            case .foreign: .foreign
            case .busy: .busy
            case .system(let system) where system.isDiskFull: .full
            case .unusable, .unavailable, .system, .crypto: .storage(failure)
            }
    }
}

extension ProtectedDatabaseError: CustomStringConvertible {
    /// One sentence that says what to do next.
    public var description: String {
        switch self {
        case .locked: StorageFailure.locked.description
        case .absent: "There is no database of this name."
        case .denied(let status): StorageFailure.denied(status: status).description
        case .damaged(let damage): damage.description
        case .newer(let version):
            "A later version wrote this database (step \(version)). Update the program; nothing was changed."
        case .foreign: StorageFailure.foreign.description
        case .busy: "Another connection holds the database. Try again; nothing was changed."
        case .full: "The disk is full. Free space and try again; nothing was changed."
        case .readOnly: "The database can only be read."
        case .constraint: "A rule of the schema refuses the values. Nothing was changed."
        case .statement(let message): "The statement is wrong: \(message)"
        case .unconditional: "The statement has no condition and would touch every row. Nothing was changed."
        case .severalStatements: "One statement at a time. Nothing was changed."
        case .column(let name): "The row has no column “\(name)” of the type that was asked for."
        case .migration(.changed(let number)): "Step \(number) of the schema was changed after it ran."
        case .migration(.missing(let number)): "The database lacks step \(number) of the schema, and a later one ran."
        case .migration(.numbering): "The steps of the schema have to be numbered 1, 2, 3 and so on."
        case .backup: "The passphrase does not open this backup, or the backup was altered. Nothing was changed."
        case .backupNeedsArgon2id:
            "The backup was sealed with Argon2id, which this system does not bring. Restore it on Linux."
        case .backupOfOtherPages:
            "The pages of this backup have no room for the seal of this system. Nothing was changed."
        case .alreadyThere: "A database of this name is there already. It was left as it is."
        case .memoryNotWiped: "Something used SQLite before, so that its memory could not be wiped at a lock."
        case .storage(let failure): failure.description
        }
    }
}
