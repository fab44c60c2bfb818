internal import Synchronization

/// What the engine's thread has received for one streaming caller and the caller has not taken yet.
final class StreamInbox: Sendable {
    /// The engine stops reading from the server at this many bytes.
    static let highWater = 1 << 20
    /// The reader is told at once when so many bytes lie here, without waiting for the end of a turn.
    static let enough = 256 << 10

    /// What happens next to the caller.
    enum Event: Sendable {
        case head(CurlHead)
        case piece([UInt8], wasPaused: Bool)
        case end(CurlFailure?, CurlMetrics?)
    }

    @safe
    private struct State {
        var head: CurlHead?
        var bytes: [UInt8] = []
        var isPaused = false
        var end: CurlFailure??
        var metrics: CurlMetrics?
        var waiter: UnsafeContinuation<Event, Never>?
        // The size of the last piece: room for the next one is made at once.
        var usual = 0

        mutating func nextEvent() -> Event? {
            if let found = head {
                head = nil
                return .head(found)
            }
            if !bytes.isEmpty {
                usual = bytes.count
                defer {
                    bytes = []
                    isPaused = false
                }
                return .piece(bytes, wasPaused: isPaused)
            }
            return end.map { .end($0, metrics) }
        }
    }
    private let state = Mutex(State())

    /// Waits for the next event. One caller only.
    func next() async -> Event {
        unsafe await withUnsafeContinuation { continuation in
            let ready = state.withLock { state in
                let event = state.nextEvent()
                if event == nil { unsafe state.waiter = continuation }
                return event
            }
            if let ready { unsafe continuation.resume(returning: ready) }
        }
    }

    func put(head: CurlHead) {
        change { $0.head = head }
    }

    /// Takes bytes; the reader learns of few ones only from ``tell()``.
    ///
    /// - Returns: `false` when there is no room; the bytes were not taken, and the engine has to pause.
    func put(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let (hasRoom, isEnough) = state.withLock { state in
            state.isPaused = state.bytes.count >= Self.highWater
            guard !state.isPaused else { return (false, false) }
            if state.bytes.isEmpty { state.bytes.reserveCapacity(max(bytes.count, min(state.usual, Self.enough))) }
            unsafe state.bytes.append(contentsOf: bytes)
            return (true, state.bytes.count >= Self.enough)
        }
        if isEnough { tell() }
        return hasRoom
    }

    /// Wakes a reader that waits for what lies here.
    func tell() { change { _ in } }

    func end(_ failure: CurlFailure?, _ metrics: CurlMetrics? = nil) {
        change {
            $0.end = .some(failure)
            $0.metrics = metrics
        }
    }

    private func change(_ body: (inout State) -> Void) {
        let (waiter, event) = unsafe state.withLock { state -> (UnsafeContinuation<Event, Never>?, Event?) in
            body(&state)
            guard let waiter = unsafe state.waiter, let event = state.nextEvent() else { return (nil, nil) }
            unsafe state.waiter = nil
            return unsafe (waiter, event)
        }
        if let event { unsafe waiter?.resume(returning: event) }
    }
}
