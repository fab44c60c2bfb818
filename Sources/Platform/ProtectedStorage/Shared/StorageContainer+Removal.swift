package import PavisePrimitives
internal import SecurityFramework

extension StorageContainer {
    /// A step of a removal that must survive a crash after it. A test stops the work there.
    package enum RemovalStep: String, Hashable, Sendable, CaseIterable {
        /// The secret store says that the removal has begun.
        case marked
        /// One more key is destroyed.
        case keyDestroyed
        /// All keys are destroyed: nothing can be read any more.
        case keysDestroyed
        /// The folder has another name.
        case movedAside
        /// The folder is gone.
        case folderGone
        /// The secret store does not know the container any more.
        case forgotten

        /// Whether a test lets the work go on after a step; `false` stops it as a crash does.
        @TaskLocal package static var observer: (@Sendable (RemovalStep) -> Bool)?

        func reached() throws(StorageFailure) {
            guard Self.observer?(self) ?? true else { throw .busy }
        }
    }

    /// Removes a container: its keys first, then its files. When this returns, nothing of it is left; one that is not
    /// there is fine.
    ///
    /// Links inside are removed and not followed; a mount point inside stops it, with the keys destroyed already. What
    /// a kill interrupts is finished by the next call of this or of ``open(_:name:mayCreate:)``.
    package static func remove(_ folder: String, name: String) throws(StorageFailure) {
        let first = ContainerSlot(folder, name: name)
        try removePlace(first)
        if try !first.other.isUnused() { try removePlace(first.other) }
    }

    /// Removes one of the two places of a container.
    ///
    /// - Parameter isMeant: Asked when nobody else makes, changes or removes it.
    static func removePlace(
        _ place: ContainerSlot, while isMeant: () throws(StorageFailure) -> Bool = { true }
    ) throws(StorageFailure) {
        let (folder, keychain) = (place.folder, place.keychain)
        let parent = try attempt { () throws(SystemFailure) in
            try DurableFile.presence(of: DurableFile.directory(of: folder)).get()
        }
        guard parent != nil else { return try forget(place) }
        try aloneAtLast(folder) { () throws(StorageFailure) in
            guard try isMeant() else { return }
            try destroyKeys(keychain, in: folder)
            try finishRemoval(folder, keychain)
        }
    }

    /// Destroys the keys of a container: from here on nobody reads anything of it, also not from a copy of its folder.
    /// The folder stays, for somebody who removes it together with more.
    package static func destroyKeys(of folder: String, name: String) throws(StorageFailure) {
        let first = ContainerSlot(folder, name: name)
        try forget(first)
        if try !first.other.isUnused() { try forget(first.other) }
    }

    /// Whether the secret store of `home` knows a container by this name, also one whose folder is gone.
    ///
    /// - Throws: ``StorageFailure`` where it does not say: its keys may be there.
    package static func isKnown(
        _ folder: String, name: String, in home: PaviseHome
    ) throws(StorageFailure) -> Bool {
        guard StorageSurroundings.current.serves(home) else { return false }
        let first = ContainerSlot(folder, name: name)
        for place in [first, first.other] {
            do throws(StorageFailure) {
                if try isKnown(place.keychain) { return true }
            } catch {
                switch error {
                case .damaged: return true
                // A program that has no secret store never had a key in it.
                case .denied(let status) where status == errSecMissingEntitlement: continue
                default: throw error
                }
            }
        }
        return false
    }

    private static func forget(_ place: ContainerSlot) throws(StorageFailure) {
        try destroyKeys(place.keychain, in: place.folder)
        try place.keychain.delete(.record)
        try RemovalStep.forgotten.reached()
    }

    private static func destroyKeys(_ keychain: ContainerKeychain, in folder: String) throws(StorageFailure) {
        do throws(StorageFailure) {
            if var record = try read(keychain) {
                record.state = .removing
                try keychain.update(record.encoded(), as: .record)
            }
        } catch {
            // A record that cannot be read keeps nobody from destroying what belongs to it.
            guard !error.isPassing else { throw error }
        }
        try RemovalStep.marked.reached()
        try attempt { () throws(SystemFailure) in try DurableFile.remove(seat(folder)) }
        for item in ContainerKeychain.Item.all where item != .record {
            try keychain.delete(item)
            try RemovalStep.keyDestroyed.reached()
        }
        try RemovalStep.keysDestroyed.reached()
    }

    /// The steps from the keys on; each may have been done before.
    static func finishRemoval(_ folder: String, _ keychain: ContainerKeychain) throws(StorageFailure) {
        for item in ContainerKeychain.Item.all where item != .record { try keychain.delete(item) }
        let aside = folder + ".removed"
        try attempt { () throws(SystemFailure) in
            if try DurableFile.presence(of: folder).get() != nil {
                try Folder.remove(aside)
                try DurableFile.move(folder, to: aside)
            }
        }
        try RemovalStep.movedAside.reached()
        try attempt { () throws(SystemFailure) in try Folder.remove(aside) }
        try RemovalStep.folderGone.reached()
        try keychain.delete(.record)
        try RemovalStep.forgotten.reached()
    }
}
