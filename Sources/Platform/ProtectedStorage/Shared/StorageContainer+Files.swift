internal import PavisePrimitives

extension StorageContainer {
    var filesFolder: String { folder + "/files" }

    func path(of file: StoredFileID) -> String { "\(filesFolder)/\(file)" }

    /// Writes a file, whole or not at all: `fill` gives the content piece by piece. When this returns, it is on the
    /// disk.
    ///
    /// - Parameters:
    ///   - replacing: The file whose content this becomes; readers that have the old one open read it to its end.
    ///   - fill: Gives pieces of the content to the function that it gets. What it throws is thrown on, and nothing is
    ///     written; nor is it where a piece was refused and `fill` went on.
    package func writeFile<Failure: Error>(
        name: String, type: String, modified: Int64, protection: ProtectionClass, replacing: StoredFileID? = nil,
        chunkExponent: UInt8 = 16, erasable: Bool = false,
        fill: (_ write: ([UInt8]) throws(StorageFailure) -> Void) throws(Failure) -> Void
    ) throws(StorageFailure) -> Result<StoredFileID, Failure> {
        try StoredFileAttributes.check(name: name, type: type)
        try check(protection == .completeUnlessOpen ? .none : protection)
        let old: SealedFileHead? =
            if let replacing { try headOnDisk(replacing) } else { nil }
        if let old, old.isErasable { try check(old.protection) }
        let file = if let replacing { replacing } else { try StoredFileID.random() }
        let generation = try replacing.map { old throws(StorageFailure) in try nextGeneration(old, protection) } ?? 1
        let attributes = StoredFileAttributes(
            name: name, type: type, length: 0, modified: modified, generation: generation)
        var writer = try SealedFileWriter(
            path(of: file), file: file.bytes, attributes, protection, chunkExponent: chunkExponent,
            erasable: erasable, in: self)
        var refusal: StorageFailure?
        do throws(Failure) {
            try fill { bytes throws(StorageFailure) in
                if let refusal { throw refusal }
                do throws(StorageFailure) { try writer.append(bytes) } catch {
                    refusal = error
                    throw error
                }
            }
        } catch {
            return .failure(error)
        }
        // A file without this piece would be authentic all the same.
        if let refusal { throw refusal }
        try writer.finish()
        if let old, old.isErasable, !erasable {
            try lockHalves().holding { () throws(StorageFailure) in
                try eraseHalves(of: file.bytes, lastClass: old.protection)
            }
        }
        return .success(file)
    }

    // What is locked now cannot be counted on: a class B file that is replaced while locked begins again at 1.
    private func nextGeneration(_ file: StoredFileID, _ protection: ProtectionClass) throws(StorageFailure) -> UInt64 {
        do throws(StorageFailure) {
            return try readFile(file).attributes.generation &+ 1
        } catch {
            guard error == .locked, protection == .completeUnlessOpen else { throw error }
            return 1
        }
    }

    /// Opens a file: its head is checked, nothing of its content is read.
    package func readFile(_ file: StoredFileID) throws(StorageFailure) -> SealedFileReader {
        do throws(StorageFailure) {
            return try SealedFileReader(path(of: file), file: file.bytes, in: self)
        } catch {
            guard error == .absent, let head = try headOnDisk(file), head.isErasable else { throw error }
            // It was replaced between the look at its head and that at its half, or a kill left it erased.
            try finishErasing(file)
            return try SealedFileReader(path(of: file), file: file.bytes, in: self)
        }
    }

    /// Removes a file, durably; one that is not there is fine. What is on the disk of it stays readable to whoever has
    /// the container's keys and finds the freed blocks.
    ///
    /// Of an erasable one half of the key is destroyed first: then nobody reads any copy of it. Where the head cannot
    /// be authenticated, because it is damaged or its class is locked, and a database of halves is locked, that needs
    /// the device unlocked.
    package func removeFile(_ file: StoredFileID) throws(StorageFailure) {
        try check(.none)
        var head: SealedFileHead?
        var isDamaged = false
        do throws(StorageFailure) { head = try headOnDisk(file) } catch {
            // Damage keeps nobody from removing a file. One that nobody can look at now may have a half.
            if case .system = error { throw error }
            isDamaged = true
        }
        // One that has erasable files has their lock.
        guard head?.isErasable == true || DurableFile.exists(Self.halvesLock(folder) + ".lock") else {
            return try delete(file)
        }
        // What nobody authenticates may have another class or flag than the writing: it does not say of which class the
        // half is, and no later reader would meet it.
        let known = authenticHead(of: file)
        let isKnown = known != nil || (head == nil && !isDamaged)
        try lockHalves().holding { () throws(StorageFailure) in
            try eraseHalves(
                of: file.bytes, lastClass: known?.isErasable == true ? known?.protection : nil, leavesLocked: isKnown)
            try ErasableHalves.Step.halfDestroyed.reached()
            try delete(file)
        }
    }

    // Not under the lock of the halves: a reader that finds an older one takes it.
    private func authenticHead(of file: StoredFileID) -> SealedFileHead? {
        (try? SealedFileReader(path(of: file), file: file.bytes, in: self))?.head
    }

    private func delete(_ file: StoredFileID) throws(StorageFailure) {
        do throws(SystemFailure) { try DurableFile.remove(path(of: file)) } catch { throw .system(error) }
    }

    /// The files, sorted, and how many other things lie in the folder.
    package func fileIDs() throws(StorageFailure) -> (files: [StoredFileID], strangers: Int) {
        try check(.none)
        let names: [String]
        do throws(SystemFailure) { names = try Folder.names(in: filesFolder) } catch { throw .system(error) }
        let files = names.compactMap(StoredFileID.init)
        return (files, names.count { !$0.hasSuffix(".new") } - files.count)
    }
}
