internal import PavisePrimitives

/// A container has two places, of which one is in use; a renewal of its keys fills the other one and changes over.
struct ContainerSlot: Hashable, Sendable {
    let folder: String
    let name: String

    /// The first place of a container.
    init(_ folder: String, name: String) {
        self.folder = folder
        self.name = name
    }

    /// The other of the two: no name of a container ends with a tilde.
    var other: ContainerSlot {
        folder.hasSuffix("~")
            ? ContainerSlot(String(folder.dropLast()), name: String(name.dropLast()))
            : ContainerSlot(folder + "~", name: name + "~")
    }

    var keychain: ContainerKeychain { ContainerKeychain(account: name, surroundings: .current) }

    /// Whether nothing of a container is here.
    func isUnused() throws(StorageFailure) -> Bool {
        guard try !StorageContainer.isKnown(keychain) else { return false }
        return !DurableFile.exists(folder) && !DurableFile.exists(folder + ".removed")
    }
}

extension StorageContainer {
    /// The place that is in use. A change that a crash cut off after its decision is finished first.
    static func placeInUse(_ first: ContainerSlot) throws(StorageFailure) -> ContainerSlot {
        let second = first.other
        guard try isKnown(second.keychain) else { return first }
        for place in [first, second] where try read(place.keychain)?.state == .replacing {
            try finishRenewal(at: place)
            return place
        }
        return try read(second.keychain)?.state == .inUse ? second : first
    }

    static func isKnown(_ keychain: ContainerKeychain) throws(StorageFailure) -> Bool {
        try keychain.read(.record) != nil
    }

    private static func finishRenewal(at place: ContainerSlot) throws(StorageFailure) {
        // Another process may have finished it since, and begun the next one, which fills the other place.
        try removePlace(place.other) { () throws(StorageFailure) in try read(place.keychain)?.state == .replacing }
        guard try read(place.keychain)?.state == .replacing else { return }
        try setState(.inUse, at: place)
    }

    private static func setState(_ state: ContainerRecord.State, at place: ContainerSlot) throws(StorageFailure) {
        guard var record = try read(place.keychain) else { throw .damaged(.keyLost) }
        record.state = state
        try place.keychain.update(record.encoded(), as: .record)
        try RenewalStep.state(state).reached()
    }

    /// Gives a container new keys: all of its files, and what `copyDatabases` copies, are sealed anew into another
    /// place under keys and an identifier of their own; then the old keys are destroyed.
    ///
    /// Up to the decision, one write to the secret store, nothing of the old container is changed: a kill, a full disk
    /// or damage leaves it as it was. What was copied by then is removed at once, but after a kill: then it is at the
    /// next renewal. After the decision a kill is finished at the next opening. Whoever has the old container open is
    /// told ``StorageFailure/absent``. Needs the device unlocked.
    ///
    /// - Parameters:
    ///   - onCopied: Hears of each piece of a file that was sealed anew: how many bytes it has. When it throws, the
    ///     container stays as it was.
    ///   - copyDatabases: Copies the databases from the first to the second container, and calls the function that it
    ///     gets while it holds the write lock of each of them: it decides, and ends the old container. Who waits for a
    ///     write lock meanwhile finds the container gone.
    package static func renewKeys<Failure: Error>(
        of folder: String, name: String, onCopied: (Int) throws(StorageFailure) -> Void,
        copyDatabases: (
            StorageContainer, StorageContainer, _ decide: () throws(StorageFailure) -> Void
        ) throws(Failure) -> Void
    ) throws(StorageFailure) -> Result<Void, Failure> {
        // The lock of the folder is taken inside by each step: this one is of the renewal.
        let guardian = folder + ".renewal"
        return try aloneAtLast(guardian) { () throws(StorageFailure) -> Result<Void, Failure> in
            try renewAlone(ContainerSlot(folder, name: name), onCopied, copyDatabases)
        }
    }

    private static func renewAlone<Failure: Error>(
        _ first: ContainerSlot, _ onCopied: (Int) throws(StorageFailure) -> Void,
        _ copyDatabases: (
            StorageContainer, StorageContainer, _ decide: () throws(StorageFailure) -> Void
        ) throws(Failure) -> Void
    ) throws(StorageFailure) -> Result<Void, Failure> {
        let place = try placeInUse(first)
        let old = try openPlace(place, mayCreate: false)
        // What an earlier attempt left.
        try removePlace(place.other)
        let new = try makePlace(place.other)
        let before: [StoredFileID: FileIdentity]
        do throws(StorageFailure) {
            before = try old.filePlaces()
            for file in before.keys { try copy(file, from: old, to: new, onCopied) }
        } catch {
            // Where that fails too, the next renewal removes it, and why this one ended is what counts.
            try? abandon(place.other)
            throw error
        }
        do throws(Failure) {
            try copyDatabases(old, new) { () throws(StorageFailure) in
                try RenewalStep.databasesCopied.reached()
                // What somebody wrote meanwhile would be lost.
                guard try old.filePlaces() == before else { throw .busy }
                try decide(place, before, old)
                try finishRenewal(at: place.other)
            }
        } catch {
            try abandon(place.other)
            return .failure(error)
        }
        return .success(())
    }

    // What was copied takes room, on a disk that may be full. Unless it was decided already: then it is finished at the
    // next opening.
    private static func abandon(_ place: ContainerSlot) throws(StorageFailure) {
        if try read(place.keychain)?.state == .making { try removePlace(place) }
    }

    // First the old container closes for everybody who has it open, so that whoever gets a write lock after a kill
    // does not write into what is about to go.
    private static func decide(
        _ place: ContainerSlot, _ before: [StoredFileID: FileIdentity], _ old: StorageContainer
    ) throws(StorageFailure) {
        try alone(place.folder) { () throws(StorageFailure) in
            try attempt { () throws(SystemFailure) in try DurableFile.remove(seat(place.folder)) }
            try RenewalStep.closed.reached()
            guard try old.filePlaces() == before else { throw .busy }
            try setState(.replacing, at: place.other)
        }
    }

    // Which file each name is, and in which state: the one that replaces a replacement may have the first one's number.
    private func filePlaces() throws(StorageFailure) -> [StoredFileID: FileIdentity] {
        let names = try Self.attempt { () throws(SystemFailure) in try Folder.names(in: filesFolder) }
        var places: [StoredFileID: FileIdentity] = [:]
        for file in names.compactMap(StoredFileID.init) {
            // One that the system says nothing of would not be copied, and would go with the old container.
            let facts = try Self.attempt { () throws(SystemFailure) in
                try DurableFile.presence(of: path(of: file)).get()
            }
            guard let facts else { continue }
            guard facts.isRegular else { throw .damaged(.kind) }
            guard let place = FileIdentity(path(of: file)) else { throw .busy }
            places[file] = place
        }
        return places
    }

    private static func copy(
        _ file: StoredFileID, from old: StorageContainer, to new: StorageContainer,
        _ onCopied: (Int) throws(StorageFailure) -> Void
    ) throws(StorageFailure) {
        let reader = try old.readFile(file)
        var writer = try SealedFileWriter(
            new.path(of: file), file: file.bytes, reader.attributes, reader.protection,
            chunkExponent: reader.head.chunkExponent, erasable: reader.isErasable, in: new)
        for number in 0..<reader.chunks {
            var chunk = try reader.chunk(number)
            defer { Wipe.bytes(&chunk) }
            try writer.append(chunk)
            try onCopied(chunk.count)
        }
        try writer.finish()
        try RenewalStep.fileCopied.reached()
    }

    /// A step of a renewal that must survive a crash after it. A test stops the work there.
    package enum RenewalStep: Hashable, Sendable {
        /// One more file lies in the new place.
        case fileCopied
        /// The databases are copied, and nobody else writes to them.
        case databasesCopied
        /// The old container has closed for everybody who has it open; nothing is decided yet.
        case closed
        /// The record of the new place was written: 4 is the decision, 1 the end.
        case state(UInt8)

        static func state(_ state: ContainerRecord.State) -> RenewalStep { .state(state.rawValue) }

        /// Whether a test lets the work go on after a step; `false` stops it as a crash does.
        @TaskLocal package static var observer: (@Sendable (RenewalStep) -> Bool)?

        func reached() throws(StorageFailure) {
            guard Self.observer?(self) ?? true else { throw .busy }
        }
    }
}
