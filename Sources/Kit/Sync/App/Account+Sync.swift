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
        try sync(folder, isSealed: false, path, device)
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
        try sync(name, isSealed: true, path, device)
    }

    private func sync(
        _ folder: String, isSealed: Bool, _ path: String, _ device: String
    ) throws(PaviseError) -> FolderSync {
        let address: WebURL
        do throws(WebURL.Problem) { address = try connection.url(path) } catch {
            throw PaviseError.invalidAddress(error)
        }
        let container = try container()
        do throws(SyncFailure) {
            let sync = try FolderSync(
                folder, isSealed: isSealed, with: address, container: container, client: connection.access,
                device: device,
                isOpen: isUnlocked)
            try? follow(sync.journal.database)
            return sync
        } catch {
            throw isUnlocked() ? PaviseError(error) : PaviseError.appLocked
        }
    }
}
