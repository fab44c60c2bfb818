public import PavisePrimitives
public import PaviseVault
internal import Synchronization

/// A security audit trail: sealed, chained, bounded entries, readable by ``read()`` and by `pavise log audit`.
///
/// ```swift
/// let trail = try AuditTrail(folder: folder)
/// trail.record(AuditEvent(.serverApproved, ["server": "https://cloud.example.org"]))
/// for entry in try trail.read().entries { print(entry.json) }
/// ```
///
/// Entries are encrypted with a key of the secret store, and each authenticates the one before. The number and tag
/// of the last entry lie in the secret store too: entries that are changed, left out, put in another order, or cut
/// off at the end, and a file of yesterday that is put back, are told by ``Report/problems``. Limit: whoever puts
/// the secret store **and** the files of the same moment back is not noticed, and neither is one who has the key.
///
/// ``record(_:)`` waits for the disk (an entry is there when it returns) and never throws. Entries that could not be
/// written, because the disk is full or the secret store locked, are counted, beside the trail where the disk takes
/// that, and the count is the next entry: of this process or of a later one. Two files of half of `limit` take turns.
public final class AuditTrail: AuditRecorder {
    let folder: String
    let limit: Int
    let store: any SecretStore
    let key: SharedSecretBytes
    private let anchor: ItemName
    private let time: TimeSource
    private let kept: LostEvents
    // What could not be counted on the disk either.
    private let lost = Mutex(0)

    /// The trail in `folder`, which is made where it is not there.
    ///
    /// - Parameters:
    ///   - folder: A folder for this alone.
    ///   - name: Names the trail in the secret store: one for each folder. 1 to 128 visible ASCII characters without
    ///     a slash.
    ///   - limit: The most bytes on the disk: 16 KiB at least.
    ///   - store: Keeps the key, and what the last entry is.
    ///   - time: The clock of the entries.
    /// - Throws: `VaultFailure` where the key cannot be had, `corrupt` among them for another `name`; `SystemFailure`
    ///   where the folder cannot be made.
    public init(
        folder: String, name: String = "app", limit: Int = 512 << 10, store: any SecretStore = KeychainStore(),
        time: TimeSource = .system
    ) throws {
        guard let anchor = ItemName(service: "org.pavise.audit", account: name) else {
            throw VaultFailure.corrupt(.content)
        }
        self.anchor = anchor
        try DurableFile.makeDirectory(folder)
        self.folder = folder
        kept = LostEvents(in: folder)
        self.limit = max(16 << 10, limit)
        self.store = store
        self.time = time
        key = SharedSecretBytes(try InstallationKey.find("org.pavise.audit.key", in: store))
    }

    var current: String { folder + "/trail" }
    var earlier: String { folder + "/trail.old" }
    var damaged: String { folder + "/trail.damaged" }

    /// How many entries could not be written since the last one that could.
    public var losses: Int { lost.withLock { $0 } + kept.count }

    /// Writes one entry; it is on the disk when this returns, or counted as lost.
    public func record(_ event: AuditEvent) {
        lost.withLock { lost in
            do {
                try alone {
                    // A count that cannot be read is no reason to lose the event as well.
                    let earlier = (try? kept.take()) ?? 0
                    if lost + earlier > 0 { try append(AuditEvent(.trailLost, ["count": "\(lost + earlier)"])) }
                    lost = 0
                    try? kept.forget()
                    let pending = PendingFindings(in: folder)
                    if let findings = pending.take() {
                        for finding in findings { try append(finding) }
                        pending.forget()
                    }
                    try append(event)
                }
            } catch {
                lost = kept.add(lost + 1) ? 0 : lost + 1
            }
        }
    }

    private func alone<Value>(_ body: () throws -> Value) throws -> Value {
        let path = folder + "/trail.lock"
        return try FileLock.holding(path, wait: .seconds(2), or: { $0.asSystemFailure(path) as any Error }, body)
    }

    private func append(_ event: AuditEvent) throws {
        let anchor = try AuditAnchor.read(self.anchor, in: store)
        let bytes = try SealedRecords.bytes(of: current, limit: limit) ?? []
        let content = SealedRecords.read(bytes, key.bytes)
        let now = time.wallMilliseconds
        let plain = AuditEntry.plain(event, at: now)
        guard let anchor else {
            // Nothing was ever written here, or the secret store has forgotten it. The anchor first: where the store
            // takes none, no file is left that the next process would take for a strange one.
            try AuditAnchor.none.write(self.anchor, in: store)
            if !bytes.isEmpty { try putAside() }
            return try begin(after: .none, bytes.isEmpty ? .trailStarted : .trailDamaged, plain, now)
        }
        // A kill, or a full disk, before the file had its first entry: what is before it, in the older file or nowhere,
        // ends where the secret store says.
        if content.chain == nil, content.rest != .damaged, let end = try endOfEarlier(anchor) {
            try AppendOnlyFile(current).cut(to: 0)
            return try begin(after: end, anchor == .none ? .trailStarted : nil, plain, now)
        }
        guard AuditTrail.fits(content, anchor), content.rest != .damaged, let chain = content.chain else {
            if !bytes.isEmpty { try putAside() }
            return try begin(after: anchor, .trailDamaged, plain, now)
        }
        if content.rest == .unfinished { try AppendOnlyFile(current).cut(to: content.goodBytes) }
        if content.goodBytes + plain.count + 64 > limit / 2 {
            try DurableFile.move(current, to: earlier)
            return try begin(after: AuditAnchor(next: chain.nextNumber, tag: chain.lastTag), nil, plain, now)
        }
        try write([plain], on: chain, head: nil)
    }

    // `nil` where the older file is not what the secret store knows.
    private func endOfEarlier(_ anchor: AuditAnchor) throws -> AuditAnchor? {
        guard anchor != .none else { return anchor }
        let content = SealedRecords.read(try SealedRecords.bytes(of: earlier, limit: limit) ?? [], key.bytes)
        guard AuditTrail.fits(content, anchor), content.rest == .nothing, let chain = content.chain else { return nil }
        return AuditAnchor(next: chain.nextNumber, tag: chain.lastTag)
    }

    /// Whether the file has the entry that the secret store knows as the last one.
    static func fits(_ content: SealedRecords.Content, _ anchor: AuditAnchor) -> Bool {
        guard let chain = content.chain, chain.nextNumber >= anchor.next else { return false }
        if anchor.next == chain.firstNumber { return chain.tagBefore == anchor.tag }
        return content.records.contains { $0.number + 1 == anchor.next && $0.tag == anchor.tag }
    }

    private func putAside() throws {
        // The first damage is the one to look at.
        if DurableFile.exists(damaged) {
            try DurableFile.remove(current)
        } else {
            try DurableFile.move(current, to: damaged)
        }
    }

    private func begin(after anchor: AuditAnchor, _ first: AuditEvent.Name?, _ plain: [UInt8], _ now: Int64) throws {
        let chain = try SealedRecords(startingAt: anchor.next, after: anchor.tag)
        let start = first.map { [AuditEntry.plain(AuditEvent($0), at: now)] } ?? []
        try write(start + [plain], on: chain, head: chain.head)
    }

    /// The most entries between two anchors: the beginning of a file and its first event.
    static let largestWrite: UInt64 = 2

    // The entry first, then the anchor: a kill between leaves one write more than the anchor knows, which is fine.
    private func write(_ plains: [[UInt8]], on chain: SealedRecords, head: [UInt8]?) throws {
        var chain = chain
        var bytes = head ?? []
        for plain in plains {
            guard let record = chain.seal(plain, key.bytes) else { throw AuditFailure.notSealed }
            bytes += record
        }
        let file = try AppendOnlyFile(current)
        try file.append(bytes)
        try file.synchronise()
        if head != nil { try DurableFile.synchroniseDirectory(of: current) }
        // The entry is there, so it is not lost where the store takes no anchor now: the next entry's anchor covers it,
        // and until then the report says how much is not covered.
        try? AuditAnchor(next: chain.nextNumber, tag: chain.lastTag).write(anchor, in: store)
    }

    /// Reads the whole trail, oldest entry first, and says what is wrong with it.
    ///
    /// - Throws: `VaultFailure` where the secret store does not say, `SystemFailure` where a file cannot be read, or
    /// its lock not be had within two seconds.
    public func read() throws -> Report {
        try alone {
            let anchor = try AuditAnchor.read(self.anchor, in: store)
            let old = SealedRecords.read(try SealedRecords.bytes(of: earlier, limit: limit) ?? [], key.bytes)
            let new = SealedRecords.read(try SealedRecords.bytes(of: current, limit: limit) ?? [], key.bytes)
            return Report(old, new, anchor, hasDamaged: DurableFile.exists(damaged), lost: losses)
        }
    }
}

/// What the secret store knows of the last entry: the number of the next one (8 bytes) and its tag (16).
struct AuditAnchor: Hashable {
    let next: UInt64
    let tag: [UInt8]

    init(next: UInt64, tag: [UInt8]) {
        self.next = next
        self.tag = tag
    }

    /// That of a trail without an entry.
    static let none = AuditAnchor(next: 0, tag: Array(repeating: 0, count: 16))

    static func read(_ name: ItemName, in store: any SecretStore) throws(VaultFailure) -> AuditAnchor? {
        guard case .found(let secret) = try store.read(name) else { return nil }
        return try secret.withCopy { bytes throws(VaultFailure) in
            guard bytes.count == 24 else { throw .corrupt(.content) }
            return AuditAnchor(next: bytes[..<8].reduce(0) { $0 << 8 | UInt64($1) }, tag: Array(bytes[8...]))
        }
    }

    func write(_ name: ItemName, in store: any SecretStore) throws(VaultFailure) {
        var writer = ByteWriter()
        writer.integer(next)
        writer.raw(tag)
        let bytes = writer.bytes
        try bytes.withSpan { span throws(VaultFailure) in try store.replace(span, as: name) }
    }
}

/// Why an entry could not be made.
enum AuditFailure: Error, Hashable, Sendable {
    /// No random bytes, or an entry of more than 16 KiB.
    case notSealed
}
