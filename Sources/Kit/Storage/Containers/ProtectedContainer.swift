package import PavisePrimitives
public import PaviseProtectedStorage

/// What belongs together and ends together: protected files and databases under keys of their own.
///
/// ```swift
/// let diary = try ProtectedContainer.open("sleep-diary")
/// let report = try diary.files.put(
///     Array("Slept 7 h 20 min".utf8), named: "report.txt", type: "text/plain", protection: .complete)
/// print(try diary.files.get(report, limit: 1_000).count)
/// ```
///
/// The keys lie in the secret store, the data in a folder of the home. Removing a container destroys the keys first, so
/// that nothing of it can be read from then on, also not from a copy of the folder. An app has one for its own data;
/// each connection has one too. Files and databases that are open follow the lock of the device and the removal: they
/// answer with `locked` and `absent`.
///
/// All calls block for as long as the disk takes; none waits for a person. Keys and formats:
/// Documentation/DataAtRest.md.
public struct ProtectedContainer: Sendable {
    /// The database that an ``ImageCache`` keeps in a container.
    static let images = "pavise.images"
    let container: StorageContainer
    /// The container as the platform has it.
    package var platform: StorageContainer { container }
    private let account: String

    init(_ container: StorageContainer, account: String) {
        self.container = container
        self.account = account
    }

    /// Opens the container called `name`, and makes it the first time.
    ///
    /// - Parameters:
    ///   - name: 1 to 64 of the characters a to z, 0 to 9 and the hyphen. It stands in the name of a folder, so that it
    ///     must not tell anything of a person.
    ///   - mayCreate: Make it where there is none; else that is `StorageFailure.absent`.
    /// - Throws: `StorageFailure`, for example `damaged(.keyLost)` when data is there and its keys are not: nothing new
    ///   is made over it; `unusable(.name)` for another name.
    public static func open(_ name: String, mayCreate: Bool = true) throws(StorageFailure) -> ProtectedContainer {
        try open(name, in: .current, mayCreate: mayCreate)
    }

    /// The container of the home itself, which belongs to no connection; made the first time.
    public static func ofHome() throws(StorageFailure) -> ProtectedContainer { try ofHome(.current) }

    /// The files of this container.
    public var files: ProtectedFiles { ProtectedFiles(container: container) }

    /// Opens a database of this container, makes it where there is none, and brings its schema up to date.
    ///
    /// - Parameters:
    ///   - name: What it is called: 1 to 1,024 bytes. It is sealed; the folder does not tell it.
    ///   - protection: When it can be read. There is no default: health data wants `ProtectionClass.complete`.
    ///   - migrations: All steps of its schema, from number 1 on.
    ///   - mayCreate: Make it where there is none; else that is `ProtectedDatabaseError.absent`.
    /// - Throws: `ProtectedDatabaseError`: locked, absent, denied, damaged, newer and foreign are six answers.
    public func database(
        _ name: String, protection: ProtectionClass, migrations: [DatabaseMigration], mayCreate: Bool = true
    ) throws(ProtectedDatabaseError) -> ProtectedDatabase {
        try .open(name, in: container, protection: protection, migrations: migrations, mayCreate: mayCreate)
    }

    /// Removes a database of this container and the copies that were kept of it. Close it first; one that is not there
    /// is fine.
    public func removeDatabase(_ name: String, protection: ProtectionClass) throws(ProtectedDatabaseError) {
        try ProtectedDatabase.remove(name, in: container, protection: protection)
    }

    /// Forgets what this process keeps of the keys, as a lock does. The next use asks the secret store again.
    public func forgetKeys() { container.forgetKeys() }

    /// Removes the container: its keys, then its files and databases. When this returns, nothing of it is left; a
    /// second time is fine. What a crash cuts off is finished when it is opened or removed again.
    ///
    /// - Throws: `StorageFailure`; where its description does not say otherwise, the keys are destroyed already.
    public func remove() throws(StorageFailure) {
        let folder = container.folder.hasSuffix("~") ? String(container.folder.dropLast()) : container.folder
        try StorageContainer.remove(folder, name: account)
        container.forgetKeys()
    }

    /// ``remove()`` for a container that need not open, for example a damaged one.
    public static func remove(_ name: String) throws(StorageFailure) { try remove(name, in: .current) }

    /// The names of the app's containers, sorted; that of the home and those of connections are not among them.
    public static func names() throws(StorageFailure) -> [String] { try names(in: .current) }
}

// MARK: A home that a program was given

extension ProtectedContainer {
    /// ``open(_:mayCreate:)`` in a home of the caller's choice.
    package static func open(
        _ name: String, in home: PaviseHome, mayCreate: Bool = true
    ) throws(StorageFailure) -> ProtectedContainer {
        guard isName(name) else { throw .unusable(.name) }
        let parent = folder(of: home)
        if mayCreate { try make(parent, in: home) }
        guard DurableFile.exists(parent) else { throw .absent }
        let account = account(of: name)
        return ProtectedContainer(
            try .open("\(parent)/\(name)", name: account, mayCreate: mayCreate), account: account)
    }

    /// ``ofHome()`` for a home of the caller's choice.
    package static func ofHome(
        _ home: PaviseHome, mayCreate: Bool = true
    ) throws(StorageFailure) -> ProtectedContainer {
        if mayCreate { try make(home.path, in: home) }
        guard DurableFile.exists(home.path) else { throw .absent }
        return ProtectedContainer(
            try .open(home.protected, name: "home", mayCreate: mayCreate), account: "home")
    }

    /// ``remove(_:)`` in a home of the caller's choice.
    package static func remove(_ name: String, in home: PaviseHome) throws(StorageFailure) {
        guard isName(name) else { throw .unusable(.name) }
        try StorageContainer.remove("\(folder(of: home))/\(name)", name: account(of: name))
    }

    /// ``names()`` in a home of the caller's choice.
    package static func names(in home: PaviseHome) throws(StorageFailure) -> [String] {
        let parent = folder(of: home)
        guard DurableFile.exists(parent) else { return [] }
        do throws(SystemFailure) {
            // One whose keys were renewed may lie in its second place.
            let names = try Folder.names(in: parent).map { $0.hasSuffix("~") ? String($0.dropLast()) : $0 }
            return Set(names.filter(isName)).sorted()
        } catch {
            throw .system(error)
        }
    }

    static func folder(of home: PaviseHome) -> String { home.containers }

    // A connection's account is its identifier, and that of the home is "home": neither begins so.
    static func account(of name: String) -> String { "app." + name }

    /// No dot: the lock of a container and what is being removed have one.
    static func isName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || $0 == UInt8(ascii: "-")
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
            }
    }

    private static func make(_ folder: String, in home: PaviseHome) throws(StorageFailure) {
        do throws(SystemFailure) {
            try home.make()
            try DurableFile.makeDirectory(folder)
        } catch {
            throw .system(error)
        }
    }
}

// MARK: Files of the home

extension ProtectedFiles {
    /// The files of the home itself, which belong to no connection; made the first time.
    ///
    /// - Throws: `StorageFailure`, for example `damaged(.keyLost)` when the files are there and their keys are not:
    ///   nothing new is made over them.
    public static func ofHome() throws(StorageFailure) -> ProtectedFiles { try of(.current) }

    /// The files of the home that a program was given.
    package static func of(_ home: PaviseHome) throws(StorageFailure) -> ProtectedFiles {
        try ProtectedContainer.ofHome(home).files
    }
}
