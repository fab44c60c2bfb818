internal import Foundation
public import Pavise
internal import PavisePrimitives
public import PaviseProtectedStorage
internal import PaviseStorage
internal import PaviseTransport

extension Account {
    /// The records of one type that this account keeps at its server; made the first time. See ``Records``.
    ///
    /// ```swift
    /// let nights = try account.records(of: Night.self, at: "/api/records/nights", protection: .complete)
    /// ```
    /// Everything lies in the account's protected database: the app lock closes it, and
    /// `Account.signOut()` removes it together with what was not sent; ``SyncState/unsent`` says how much.
    ///
    /// - Parameters:
    ///   - type: What the records are.
    ///   - path: The collection's path at the account's server, percent-encoded: see ``HTTPRecordRemote``.
    ///   - protection: When they can be read. There is no default: health data wants `ProtectionClass.complete`, with
    ///     which nothing is synchronised while the device is locked.
    /// - Throws: `appLocked`, `deviceLocked`, `damaged`, `invalidInput` for a path that is none.
    public func records<Record: Codable & Identifiable & Sendable>(
        of type: Record.Type = Record.self, at path: String, protection: ProtectionClass
    ) throws(PaviseError) -> Records<Record> where Record.ID == String {
        let address: WebURL
        do throws(WebURL.Problem) { address = try connection.url(path) } catch {
            throw PaviseError.invalidAddress(error)
        }
        return try records(HTTPRecordRemote(address, client: connection.access), named: path, protection: protection)
    }

    /// The records of one type at a server that speaks another language.
    ///
    /// - Parameters:
    ///   - remote: The server's side.
    ///   - name: Of the collection on this device; sealed.
    ///   - protection: When they can be read.
    public func records<Record: Codable & Identifiable & Sendable>(
        _ remote: any RecordRemote, named name: String, protection: ProtectionClass
    ) throws(PaviseError) -> Records<Record> where Record.ID == String {
        let container = try container()
        let database = try database("records-\(name)", protection: protection, migrations: ProtectedRecordStore.steps)
        let folder = DurableFile.directory(of: container.platform.folder)
        let digest = ContentDigest(of: Array(name.utf8)).description.prefix(32)
        return Records(
            ProtectedRecordStore(database), remote, lock: "\(folder)/records-\(digest).lock", isOpen: isUnlocked)
    }

    /// A folder of this device that is kept equal with a folder of the account's WebDAV server. See ``FolderSync``.
    ///
    /// ```swift
    /// let notes = try account.sync(folder: "/home/ada/Notes", with: "/dav/notes", device: "Ada's laptop")
    /// ```
    /// Journal and kept contents lie in the account's protected container: the app lock closes them, and
    /// `Account.signOut()` removes them. The files of the folder stay where they are.
    ///
    /// - Parameters:
    ///   - folder: A folder that exists.
    ///   - path: The server's folder, percent-encoded.
    ///   - device: What copies of conflicts call this device.
    /// - Throws: `appLocked`, `deviceLocked`, `damaged`, `invalidInput`; `busy` while another program synchronises it.
    public func sync(folder: String, with path: String, device: String) throws(PaviseError) -> FolderSync {
        try sync(folder, isSealed: false, try webDAV(path), device)
    }

    /// A folder of this device that is kept equal with a server that speaks another language than WebDAV: an app's own
    /// ``SyncRemote``.
    ///
    /// ```swift
    /// let cards = try account.sync(folder: path, remote: remote, named: "cards", device: "Ada's laptop")
    /// ```
    /// Engine, journal, kept contents, questions and ``FolderSync/states`` are those of
    /// ``sync(folder:with:device:)``. How the remote sends, and with which credential, is its own affair; it may use
    /// the account's client. Its bytes count in ``SyncState/progress`` when a content is whole.
    ///
    /// - Parameters:
    ///   - folder: A folder that exists.
    ///   - remote: The server's side. It is used by one run at a time, for several contents at once.
    ///   - name: Of the server's folder on this device, sealed: another name has another journal. The same name means
    ///     the same folder there.
    ///   - device: What copies of conflicts call this device.
    /// - Throws: `appLocked`, `deviceLocked`, `damaged`; `busy` while another program synchronises it.
    public func sync(
        folder: String, remote: any SyncRemote, named name: String, device: String
    ) throws(PaviseError) -> FolderSync {
        try sync(folder, isSealed: false, .own(remote, named: name), device)
    }

    /// A folder that lies sealed in the account's store, and is kept equal with a folder of its WebDAV server. See
    /// ``SealedFolder``.
    ///
    /// ```swift
    /// let notes = try account.sync(sealed: "notes", with: "/dav/notes", device: "Ada's phone")
    /// ```
    /// `Account.signOut()` removes its files with the rest of the account.
    ///
    /// - Parameters:
    ///   - name: Of the folder on this device; sealed.
    ///   - path: The server's folder, percent-encoded.
    ///   - device: What copies of conflicts call this device.
    /// - Throws: What ``sync(folder:with:device:)`` does.
    public func sync(sealed name: String, with path: String, device: String) throws(PaviseError) -> FolderSync {
        try sync(name, isSealed: true, try webDAV(path), device)
    }

    /// A folder that lies sealed in the account's store, and is kept equal with a server of an app's own language. See
    /// ``sync(folder:remote:named:device:)``.
    ///
    /// - Parameters:
    ///   - folder: The name of the folder on this device; sealed.
    ///   - remote: The server's side.
    ///   - name: Of the server's folder on this device; sealed.
    ///   - device: What copies of conflicts call this device.
    /// - Throws: What ``sync(folder:remote:named:device:)`` does.
    public func sync(
        sealed folder: String, remote: any SyncRemote, named name: String, device: String
    ) throws(PaviseError) -> FolderSync {
        try sync(folder, isSealed: true, .own(remote, named: name), device)
    }

    private func webDAV(_ path: String) throws(PaviseError) -> FolderSync.Server {
        do throws(WebURL.Problem) { return .webDAV(try connection.url(path), connection.access) } catch {
            throw PaviseError.invalidAddress(error)
        }
    }

    private func sync(
        _ folder: String, isSealed: Bool, _ server: FolderSync.Server, _ device: String
    ) throws(PaviseError) -> FolderSync {
        let container = try container()
        do throws(SyncFailure) {
            let sync = try FolderSync(
                folder, isSealed: isSealed, with: server, container: container, device: device, isOpen: isUnlocked)
            try? follow(sync.journal.database)
            return sync
        } catch {
            throw isUnlocked() ? PaviseError(error) : PaviseError.appLocked
        }
    }
}
