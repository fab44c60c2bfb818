internal import Synchronization

/// Gives each notice to everybody who listens.
final class NoticeBoard: Sendable {
    private struct State {
        var next = 0
        var readers: [Int: AsyncStream<SecurityNotice>.Continuation] = [:]
    }
    private let state = Mutex(State())

    func tell(_ notice: SecurityNotice) {
        let readers = state.withLock { Array($0.readers.values) }
        for reader in readers { reader.yield(notice) }
    }

    func listen() -> AsyncStream<SecurityNotice> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: SecurityNotice.self, bufferingPolicy: .bufferingNewest(64))
        let id = state.withLock { state -> Int in
            state.next += 1
            state.readers[state.next] = continuation
            return state.next
        }
        continuation.onTermination = { [weak self] _ in self?.state.withLock { $0.readers[id] = nil } }
        return stream
    }
}
