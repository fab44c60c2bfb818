internal import PavisePrimitives
public import PaviseProtectedStorage

/// The protected files of one connection, or of the home: sealed with a key of their own under the class that each one
/// names.
///
/// A file is written once and whole. Whoever has the disk sees how many files there are, how large they are and when
/// they were written, and neither content nor names; whoever changes, cuts, extends or swaps them is noticed.
///
/// ```swift
/// let files = try ProtectedFiles.ofHome()
/// let report = try files.put(pdf, named: "report.pdf", type: "application/pdf", protection: .complete)
/// let bytes = try files.get(report, limit: 10_000_000)
/// ```
///
/// All calls block for as long as the disk takes; none waits for a person. Format and limits:
/// Documentation/DataAtRest.md.
public struct ProtectedFiles: Sendable {
    /// A file, as the list shows it.
    public struct Entry: Hashable, Sendable {
        /// Names it for the machine.
        public let id: StoredFileID
        /// Its class and what is sealed with it, or why it cannot be opened now.
        public let content: Result<Facts, StorageFailure>
    }

    /// What is known of a file that opens.
    public struct Facts: Hashable, Sendable {
        /// The class it was written with.
        public let protection: ProtectionClass
        /// Name, type, length, time, generation.
        public let attributes: StoredFileAttributes
        /// Whether removing it destroys half of its key.
        public let isErasable: Bool
    }

    let container: StorageContainer

    /// The files of a container that is open.
    package init(container: StorageContainer) { self.container = container }

    /// Writes a file; when this returns, it is on the disk.
    ///
    /// - Parameters:
    ///   - bytes: The content.
    ///   - name: For people: 1 to 1,024 bytes without control characters. Two files may have the same.
    ///   - type: For example a media type; at most 127 ASCII characters.
    ///   - protection: When it may be read. There is no default: health data wants `ProtectionClass.complete`.
    ///   - erasable: Keep half of its key in a database of the container, so that ``remove(_:)`` and each replacement
    ///     make every copy of what was there unreadable. Costs a durable commit each time; needs the device unlocked,
    ///     also in class B.
    ///   - replacing: The file that this one takes the place of. Readers that have it open read it to its end.
    /// - Returns: The identifier; that of `replacing` where it was given.
    /// - Throws: `StorageFailure.locked` for a class that cannot be written now: nothing is written in clear meanwhile.
    @discardableResult
    public func put(
        _ bytes: [UInt8], named name: String, type: String = "", protection: ProtectionClass, erasable: Bool = false,
        replacing: StoredFileID? = nil
    ) throws(StorageFailure) -> StoredFileID {
        try put(named: name, type: type, protection: protection, erasable: erasable, replacing: replacing) {
            write throws(StorageFailure) in try write(bytes)
        }.get()
    }

    /// Writes a file piece by piece, for content that does not fit into memory. Memory: two chunks.
    ///
    /// - Parameters:
    ///   - name: For people: 1 to 1,024 bytes without control characters.
    ///   - type: For example a media type; at most 127 ASCII characters.
    ///   - protection: When it may be read.
    ///   - erasable: Whether removing it destroys half of its key.
    ///   - replacing: The file that this one takes the place of.
    ///   - content: Gives the pieces to the function that it gets, in order. When it throws, nothing is written; nor is
    ///     it where a piece was refused.
    /// - Returns: The identifier, or what `content` threw.
    public func put<Failure: Error>(
        named name: String, type: String = "", protection: ProtectionClass, erasable: Bool = false,
        replacing: StoredFileID? = nil,
        content: (_ write: ([UInt8]) throws(StorageFailure) -> Void) throws(Failure) -> Void
    ) throws(StorageFailure) -> Result<StoredFileID, Failure> {
        try container.writeFile(
            name: name, type: type, modified: TimeSource.system.wallMilliseconds, protection: protection,
            replacing: replacing, erasable: erasable, fill: content)
    }

    /// The whole content, or nothing: no byte is given out before the last one was authenticated.
    ///
    /// - Parameters:
    ///   - id: Which file.
    ///   - limit: The most bytes that the caller wants in memory.
    /// - Throws: `StorageFailure.absent`, `StorageFailure.locked`, `StorageFailure.damaged(_:)`,
    ///   `StorageFailure.newer(version:)`, `StorageFailure.foreign`: six answers with `denied`, which never mean one
    ///   another.
    public func get(_ id: StoredFileID, limit: Int) throws(StorageFailure) -> [UInt8] {
        try container.readFile(id).readAll(limit: limit)
    }

    /// Opens a file for reading in any order: each piece is authenticated before it is given out.
    public func open(_ id: StoredFileID) throws(StorageFailure) -> SealedFileReader { try container.readFile(id) }

    /// All files, sorted by name. One that does not open is in the list, with the reason.
    public func list() throws(StorageFailure) -> [Entry] {
        try container.fileIDs().files.map { id in
            Entry(
                id: id,
                content: Result { () throws(StorageFailure) in
                    let reader = try container.readFile(id)
                    return Facts(
                        protection: reader.protection, attributes: reader.attributes, isErasable: reader.isErasable)
                })
        }
        // An erasable file whose removal a kill cut off was taken away while it was looked at.
        .filter { $0.content != .failure(.absent) }.sorted { $0.sortKey < $1.sortKey }
    }

    /// Removes a file, durably; one that is not there is fine.
    ///
    /// What the disk keeps in freed blocks, and any copy of the file, can be read with the container's keys only, which
    /// removing the connection destroys. Of an erasable file half of the key is destroyed first: no copy of it opens
    /// from then on, unless the container's database of before was copied too.
    ///
    /// - Throws: `StorageFailure.locked` for an erasable file whose half cannot be destroyed now: it stays as it is.
    public func remove(_ id: StoredFileID) throws(StorageFailure) { try container.removeFile(id) }

    /// Checks every chunk of a file.
    ///
    /// - Parameters:
    ///   - id: Which file.
    ///   - onProgress: Hears of the bytes that were checked so far.
    public func verify(_ id: StoredFileID, onProgress: (Int) -> Void = { _ in }) throws(StorageFailure) {
        try container.readFile(id).verify(onProgress: onProgress)
    }
}

extension ProtectedFiles.Entry {
    fileprivate var sortKey: String {
        guard let name = try? content.get().attributes.name else { return "\u{10FFFF}\(id)" }
        return "\(name)\0\(id)"
    }
}

extension ProtectedFiles {
    /// Removes the files of a type that nobody speaks of any more. Only files that are not in `known` are opened.
    package func removeAll(ofType type: String, except known: Set<StoredFileID>) throws(StorageFailure) {
        for id in try container.fileIDs().files where !known.contains(id) {
            guard let reader = try? container.readFile(id), reader.attributes.type == type else { continue }
            try container.removeFile(id)
        }
    }
}
