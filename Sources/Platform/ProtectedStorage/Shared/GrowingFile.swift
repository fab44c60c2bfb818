internal import PavisePrimitives

/// A sealed file that is written piece by piece by code that waits between the pieces, for example for a network. One
/// owner at a time;
/// it appears with ``finish()``, and one that goes away before leaves nothing.
package final class GrowingFile {
    /// What it will be called.
    package let id: StoredFileID
    /// How many bytes it has so far.
    package private(set) var count = 0
    private let container: StorageContainer
    private let protection: ProtectionClass
    private var writer: SealedFileWriter

    init(
        _ id: StoredFileID, _ protection: ProtectionClass, _ writer: consuming SealedFileWriter,
        _ container: StorageContainer
    ) {
        self.id = id
        self.container = container
        self.protection = protection
        self.writer = writer
    }

    /// Appends content.
    ///
    /// - Throws: ``StorageFailure/locked`` once the container's lock is closed: what was written so far is dropped with
    ///   the value.
    package func append(_ bytes: [UInt8]) throws(StorageFailure) {
        try container.check(protection == .completeUnlessOpen ? .none : protection)
        try writer.append(bytes)
        count += bytes.count
    }

    /// Makes the file appear; when this returns, it is on the disk.
    package func finish() throws(StorageFailure) -> StoredFileID {
        try container.check(protection == .completeUnlessOpen ? .none : protection)
        try writer.finish()
        return id
    }
}

extension StorageContainer {
    /// Begins a new file.
    package func growFile(
        name: String, type: String, modified: Int64, protection: ProtectionClass
    ) throws(StorageFailure) -> GrowingFile {
        try StoredFileAttributes.check(name: name, type: type)
        try check(protection == .completeUnlessOpen ? .none : protection)
        let id = try StoredFileID.random()
        let attributes = StoredFileAttributes(name: name, type: type, length: 0, modified: modified, generation: 1)
        let writer = try SealedFileWriter(path(of: id), file: id.bytes, attributes, protection, in: self)
        return GrowingFile(id, protection, writer, self)
    }
}
