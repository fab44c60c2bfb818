internal import SecurityFramework
internal import Synchronization

/// Where a remote puts the content that it reads, in order. One reader at a time.
///
/// ```swift
/// try sink.begin(version)
/// for piece in pieces { try sink.append(piece) }
/// ```
/// A read that broke off earlier may have left bytes: ``count`` of them are there, of ``version``. A remote that can go
/// on from there does not call ``begin(_:)``.
public final class ContentSink: Sendable {
    private struct State: ~Copyable {
        var version: RemoteVersion?
        var count = 0
        var digest = MessageDigest.Stream()
        var finished: ContentDigest?
    }

    private let state: Mutex<State>
    private let writer: (any ContentWriter)?

    /// Whether what comes is wanted for more than its digest.
    var keeps: Bool { writer != nil }

    /// Keeps what comes in memory.
    public convenience init() { self.init(MemoryWriter()) }

    /// Keeps what comes with a writer; nothing but its digest where there is none.
    init(_ writer: (any ContentWriter)?) {
        self.writer = writer
        state = Mutex(State())
    }

    /// One that goes on where an earlier one ended: `count` bytes of `version` are there, which `fill` gives.
    init(
        _ writer: any ContentWriter, from version: RemoteVersion,
        _ fill: (_ add: ([UInt8]) -> Void) throws(SyncFailure) -> Void
    ) throws(SyncFailure) {
        self.writer = writer
        state = Mutex(State(version: version))
        try fill(add)
    }

    /// How many bytes are there.
    public var count: Int { state.withLock { $0.count } }

    /// The version that the bytes are of; `nil` when none has begun.
    public var version: RemoteVersion? { state.withLock { $0.version } }

    /// Forgets what is there: what follows is of `version`. One whose tag is not strong is never gone on with.
    public func begin(_ version: RemoteVersion) throws(SyncFailure) {
        state.withLock { $0 = State(version: version) }
        try writer?.begin(version)
    }

    /// Takes the next bytes.
    public func append(_ bytes: [UInt8]) throws(SyncFailure) {
        guard !bytes.isEmpty else { return }
        try writer?.append(bytes)
        add(bytes)
    }

    private func add(_ bytes: [UInt8]) {
        state.withLock { state in
            state.digest.add(bytes)
            state.count += bytes.count
        }
    }

    /// The digest of all that came. Nothing may come afterwards.
    var digest: ContentDigest {
        state.withLock { state in
            if let known = state.finished { return known }
            var digest = MessageDigest.Stream()
            swap(&digest, &state.digest)
            // Always 32 bytes.
            let made = ContentDigest(bytes: digest.finish()) ?? ContentDigest(of: [])
            state.finished = made
            return made
        }
    }

    /// All that came. Nothing may come afterwards.
    func content() throws(SyncFailure) -> SyncContent {
        guard let writer else { throw .journal("Nothing was kept.") }
        return try writer.finish(digest, count)
    }

    /// Keeps what is there for a later read, as far as it can be gone on with.
    func suspend() { writer?.suspend() }
}

/// Keeps the bytes of a ``ContentSink``.
protocol ContentWriter: Sendable {
    func begin(_ version: RemoteVersion) throws(SyncFailure)
    func append(_ bytes: [UInt8]) throws(SyncFailure)
    func finish(_ digest: ContentDigest, _ count: Int) throws(SyncFailure) -> SyncContent
    func suspend()
}

private final class MemoryWriter: ContentWriter {
    private let bytes = Mutex<[UInt8]>([])

    func begin(_ version: RemoteVersion) { bytes.withLock { $0 = [] } }
    func append(_ more: [UInt8]) { bytes.withLock { $0 += more } }
    func finish(_ digest: ContentDigest, _ count: Int) -> SyncContent { SyncContent(bytes.withLock { $0 }) }
    func suspend() {}
}
