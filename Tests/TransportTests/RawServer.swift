import PavisePrimitives
import Synchronization

/// A TCP server without TLS that answers each connection with the same bytes, whatever comes.
final class RawServer: Sendable {
    let port: UInt16
    private let stopped = Atomic(false)

    init(answer: [UInt8]) throws {
        let listener = try TCPListener.listen()
        port = listener.port
        let box = ListenerBox(listener)
        try WorkerThread.start { [weak self] in
            while self?.stopped.load(ordering: .relaxed) == false {
                guard let stream = try? box.listener.accept(within: 50) else { continue }
                _ = try? stream.read(upTo: 4096, within: 1000)
                try? stream.write(answer.span)
                _ = try? stream.read(upTo: 4096, within: 200)
            }
        }
    }

    deinit { stopped.store(true, ordering: .relaxed) }
}

private final class ListenerBox: Sendable {
    let listener: TCPListener
    init(_ listener: consuming TCPListener) { self.listener = listener }
}
