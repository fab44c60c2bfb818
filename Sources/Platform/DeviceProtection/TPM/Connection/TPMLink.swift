internal import PavisePrimitives

/// A connection in use: the storage key and an encrypting session, made once, and the element key used last.
///
/// Whatever it loaded is flushed with it.
// Safe to share: every use is under the lock of the channel that owns the link.
final class TPMLink: @unchecked Sendable {
    let context: TPMContext
    /// The storage key, parent of everything.
    let primary: TPMHandle
    /// The session that authorises and encrypts.
    let session: TPMHandle
    /// The storage key's name: which TPM this is.
    let name: [UInt8]
    /// When the link was made.
    let start = ContinuousClock().now
    /// When it was used last.
    var lastUse = ContinuousClock().now
    private var kept: (identity: [UInt8], handle: TPMHandle)?
    // Held as long as the connection where the TPM has no resource manager.
    private let turn: Turn?

    // A class, because a failed init of a class may not own what cannot be copied.
    private final class Turn {
        let turn: TPMTurn
        init(_ turn: consuming TPMTurn) { self.turn = turn }
    }

    /// Connects, starts an emulator that nobody started, and clears what an earlier connection left behind where nobody
    /// else can be at work.
    init(_ address: TPMAddress) throws(TPMFailure) {
        turn = address.isExclusive ? Turn(try TPMTurn(at: address)) : nil
        context = try TPMContext(address)
        if address.isExclusive { try Self.clear(context) }
        primary = try context.primary()
        do throws(TPMFailure) {
            name = try context.name(primary)
            session = try context.session(.authorization, saltedBy: primary)
        } catch {
            context.flush(primary)
            throw error
        }
    }

    private static func clear(_ context: TPMContext) throws(TPMFailure) {
        do throws(TPMFailure) {
            _ = try context.manufacturer()
            try flushAll(context)
        } catch  where error.kind == .notStarted {
            try context.startUp()
        }
    }

    private static func flushAll(_ context: TPMContext) throws(TPMFailure) {
        for range in TPMContext.HandleRange.loaded {
            for handle in try context.handles(range) { try context.flush(foreign: handle) }
        }
    }

    /// Runs `body` with an object that is flushed afterwards.
    func with<Result: ~Copyable>(
        _ object: TPMObject, _ body: (TPMHandle) throws -> Result
    ) throws -> Result {
        dropKept()
        let handle = try context.load(object, under: primary, session: session)
        defer { context.flush(handle) }
        return try body(handle)
    }

    /// Runs `body` with a policy session that is flushed afterwards.
    func withPolicy<Result: ~Copyable>(
        _ kind: TPMSessionKind, _ body: (TPMHandle) throws -> Result
    ) throws -> Result {
        let policy = try context.session(kind, saltedBy: primary)
        defer { context.flush(policy) }
        return try body(policy)
    }

    /// Runs `body` with an index; `nil` when it is not defined.
    func withIndex<Result: ~Copyable>(
        _ index: UInt32, _ body: (TPMHandle) throws -> Result
    ) throws -> Result? {
        guard let handle = try context.find(index) else { return nil }
        defer { context.forget(handle) }
        return try body(handle)
    }

    /// An element key, loaded once and kept until another is asked for: loading costs as much as signing.
    func key(_ identity: [UInt8], _ object: TPMObject, value: Span<UInt8>) throws(TPMFailure) -> TPMHandle {
        if let kept, kept.identity == identity { return kept.handle }
        dropKept()
        let handle = try context.load(object, under: primary, session: session)
        do throws(TPMFailure) {
            try context.authorise(handle, value)
        } catch {
            context.flush(handle)
            throw error
        }
        kept = (identity, handle)
        return handle
    }

    /// Flushes the key that was kept. A TPM without a resource manager has room for three objects.
    func dropKept() {
        if let kept { context.flush(kept.handle) }
        kept = nil
    }

    deinit {
        dropKept()
        context.flush(session)
        context.flush(primary)
    }
}
