internal import PavisePrimitives

extension StorageContainer {
    /// The folders of a container.
    static let parts = ["files", "database"]

    /// An empty marker file. A removal deletes it before the keys; open containers watch it, and close when it goes.
    static func seat(_ folder: String) -> String { folder + "/container" }

    /// Opens the container in `folder`, and makes it the first time.
    ///
    /// A new container needs an empty place: data without its record in the secret store is a loss
    /// (``StorageDamage/keyLost``), and never a reason to make new keys over it. A removal that a crash cut off is
    /// finished first.
    /// - Parameters:
    ///   - folder: Where it lies, for example `connections/<id>/protected`. Its parent exists.
    ///   - name: What it is called in the secret store: a connection's identifier, or `home`.
    ///   - mayCreate: Whether to make it where it does not exist; else that is ``StorageFailure/absent``.
    package static func open(
        _ folder: String, name: String, mayCreate: Bool = true
    ) throws(StorageFailure) -> StorageContainer {
        try openPlace(placeInUse(ContainerSlot(folder, name: name)), mayCreate: mayCreate)
    }

    static func openPlace(_ place: ContainerSlot, mayCreate: Bool) throws(StorageFailure) -> StorageContainer {
        let (folder, keychain) = (place.folder, place.keychain)
        var record = try read(keychain)
        if record?.state == .removing {
            record = try alone(folder) { () throws(StorageFailure) -> ContainerRecord? in
                // Another process may have finished it since, and made a container anew.
                let now = try read(keychain)
                guard now?.state == .removing else { return now }
                try finishRemoval(folder, keychain)
                return nil
            }
        }
        guard record?.state != .making else { throw .busy }
        guard let record else {
            if !mayCreate { throw try isVacant(folder) ? .absent : .damaged(.keyLost) }
            return try make(folder, keychain)
        }
        try restoreSeat(of: place)
        return try existing(record, folder, keychain)
    }

    // A renewal deletes the marker before its decision. If the process is killed between, the marker is missing, and
    // is written again here.
    private static func restoreSeat(of place: ContainerSlot) throws(StorageFailure) {
        let folder = place.folder
        guard DurableFile.exists(folder), !DurableFile.exists(seat(folder)) else { return }
        try alone(folder) { () throws(StorageFailure) in
            guard try read(place.other.keychain)?.state != .replacing else { throw .busy }
            try makeParts(folder)
        }
    }

    private static func existing(
        _ record: ContainerRecord, _ folder: String, _ keychain: ContainerKeychain
    ) throws(StorageFailure) -> StorageContainer {
        let facts = try attempt { () throws(SystemFailure) in try DurableFile.presence(of: folder).get() }
        guard let facts else { throw .damaged(.folderLost) }
        if let problem = facts.problemAsOwnFolder { throw .system(.refused(folder, problem)) }
        try makeParts(folder, withSeat: false)
        // The marker is gone since the record was read: another process removes the container or renews its keys.
        guard let watch = FileWatch(seat(folder)) else { throw .busy }
        for part in parts { Unfinished.sweep("\(folder)/\(part)") }
        return StorageContainer(record, folder, keychain, watch)
    }

    /// Makes the container that a renewal fills. Nothing of another one may be there.
    static func makePlace(_ place: ContainerSlot) throws(StorageFailure) -> StorageContainer {
        try make(place.folder, place.keychain, .making)
    }

    // The folder first, then the record: a kill between leaves an empty folder, which is no container.
    private static func make(
        _ folder: String, _ keychain: ContainerKeychain, _ state: ContainerRecord.State = .inUse
    ) throws(StorageFailure) -> StorageContainer {
        try alone(folder) { () throws(StorageFailure) in
            if let record = try read(keychain) { return try existing(record, folder, keychain) }
            guard try isVacant(folder) else { throw .damaged(.keyLost) }
            try makeParts(folder)
            let identifier: [UInt8]
            do { identifier = try Entropy.kernel.bytes(16) } catch { throw .crypto }
            let record = ContainerRecord(identifier: identifier, state: state)
            guard try keychain.add(record.encoded(), as: .record) else { throw .busy }
            return try existing(record, folder, keychain)
        }
    }

    private static func makeParts(_ folder: String, withSeat: Bool = true) throws(StorageFailure) {
        try attempt { () throws(SystemFailure) in
            for part in parts { try DurableFile.makeDirectory("\(folder)/\(part)") }
            if withSeat, try DurableFile.presence(of: seat(folder)).get() == nil {
                try DurableFile.writeUnlessPresent([], to: seat(folder))
            }
        }
        for path in [folder] + parts.map({ "\(folder)/\($0)" }) { try FileProtection.protectFolder(path) }
    }

    static func read(_ keychain: ContainerKeychain) throws(StorageFailure) -> ContainerRecord? {
        guard let stored = try keychain.read(.record) else { return nil }
        return try ContainerRecord(decoding: stored)
    }

    // Whether the folder is missing, or has only the empty parts that a killed making left, perhaps with an unfinished
    // marker.
    private static func isVacant(_ folder: String) throws(StorageFailure) -> Bool {
        Unfinished.sweep(for: seat(folder))
        return try attempt { () throws(SystemFailure) in
            guard let facts = try DurableFile.presence(of: folder).get() else { return true }
            guard facts.kind == .folder else { return false }
            for name in try Folder.names(in: folder) where "\(folder)/\(name)" != seat(folder) {
                let path = "\(folder)/\(name)"
                guard parts.contains(name), try DurableFile.presence(of: path).get()?.kind == .folder,
                    try Folder.names(in: path).isEmpty
                else { return false }
            }
            return true
        }
    }

    /// Runs `body` while no other process or thread makes, changes or removes the container.
    static func alone<Value: ~Copyable>(
        _ folder: String, _ body: () throws(StorageFailure) -> Value
    ) throws(StorageFailure) -> Value {
        try lock(folder).holding(body)
    }

    /// The same for a name that nobody is to have any more. The lock's file goes while the lock is held: once that is
    /// free, the file may be another holder's.
    static func aloneAtLast<Value>(
        _ folder: String, _ body: () throws(StorageFailure) -> Value
    ) throws(StorageFailure) -> Value {
        try alone(folder) { () throws(StorageFailure) -> Value in
            let value = try body()
            try attempt { () throws(SystemFailure) in try DurableFile.remove(folder + ".lock") }
            return value
        }
    }

    /// The lock `<name>.lock`. It is waited for longer than the 30 s for which its holder may itself wait for the lock
    /// of the device: whoever makes the first container of a home makes its device meanwhile.
    static func lock(_ name: String) throws(StorageFailure) -> FileLock {
        do throws(FileLock.Failure) {
            return try FileLock.acquireBlocking(name + ".lock", wait: .seconds(45))
        } catch {
            throw error.mapped(held: .busy, system: StorageFailure.system)
        }
    }

    static func attempt<Value: ~Copyable>(
        _ body: () throws(SystemFailure) -> Value
    ) throws(StorageFailure) -> Value {
        do throws(SystemFailure) { return try body() } catch { throw .system(error) }
    }
}
