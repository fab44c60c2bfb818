/// One task of a URLSession: what it was told, and what its caller has not taken yet. Pure.
///
/// Each task has its own, so the refusal of one server can never be told as the reason of another task's end.
struct TaskMachine: Sendable {
    /// URLSession is told to stop reading from the server at this many bytes.
    static let highWater = 1 << 20

    /// What the caller gets.
    enum Event: Sendable {
        case head(DrivenHead)
        case piece([UInt8])
        case end(TransportFailure?)
    }

    /// What the task is told to do.
    enum Order: Hashable, Sendable {
        case resume, suspend, cancel
    }

    private let origin: Origin
    private let proxy: ProxyEndpoint?
    private let isInspection: Bool
    /// What was said about the server in this task's own handshake; `nil` on a connection that was there already.
    private(set) var verdict: ServerVerdict?
    private(set) var measurement: DrivenMeasurement?
    private var refusal: TransportFailure?
    private var head: DrivenHead?
    private var hasHead = false
    private var held: [UInt8] = []
    private var isSuspended = false
    private var end: TransportFailure??

    /// A task for the server at `origin`.
    ///
    /// - Parameters:
    ///   - proxy: What it goes through.
    ///   - isInspection: The handshake is all that is wanted: every server is refused once it was judged.
    init(to origin: Origin, through proxy: ProxyEndpoint? = nil, isInspection: Bool = false) {
        self.origin = origin
        self.proxy = proxy
        self.isInspection = isInspection
    }

    /// Whether nothing more is wanted from the task.
    var isOver: Bool { end != nil }

    /// The server of this task was judged in its handshake.
    mutating func judged(_ verdict: ServerVerdict) -> DrivenResponse {
        self.verdict = verdict
        refusal = verdict.failure(at: origin)
        return refusal == nil && !isInspection && !isOver ? .trust : .refuse
    }

    /// The head came.
    ///
    /// - Parameter wasJudged: Whether the server was judged, in this handshake or in an earlier one.
    /// - Returns: Whether the body is wanted.
    mutating func answered(_ head: DrivenHead, wasJudged: Bool) -> Bool {
        guard !isOver else { return false }
        guard wasJudged, !isInspection else {
            end = .some(.tls("URLSession asked nobody whether the server is trusted. Its answer was thrown away."))
            return false
        }
        self.head = head
        hasHead = true
        return true
    }

    /// A part of the body came.
    mutating func received(_ bytes: [UInt8]) -> Order? {
        guard !isOver, hasHead else { return nil }
        held += bytes
        guard held.count >= Self.highWater, !isSuspended else { return nil }
        isSuspended = true
        return .suspend
    }

    mutating func measured(_ found: DrivenMeasurement) { measurement = found }

    /// The task is over.
    mutating func completed(_ error: DrivenError?) {
        guard !isOver else { return }
        if let refusal {
            end = .some(refusal)
        } else if let error {
            end = .some(TransportFailure(error, at: origin, through: proxy))
        } else {
            end = .some(hasHead ? nil : .malformed("The answer is no HTTP."))
        }
    }

    /// The caller wants no more, or the time is over. What lies here is thrown away.
    mutating func stop(_ failure: TransportFailure) -> Order? {
        guard !isOver else { return nil }
        end = .some(refusal ?? failure)
        held = []
        head = nil
        return .cancel
    }

    /// What the caller gets next; `nil` when it has to wait.
    mutating func next() -> (event: Event?, order: Order?) {
        if let found = head {
            head = nil
            return (.head(found), nil)
        }
        if !held.isEmpty {
            defer {
                held = []
                isSuspended = false
            }
            return (.piece(held), isSuspended ? .resume : nil)
        }
        return (end.map { .end($0) }, nil)
    }
}
