import PavisePrimitives
import Synchronization

/// A proxy on loopback that answers any CONNECT and carries the bytes of one connection at a time to a port of ours.
final class ConnectProxy: Sendable {
    let port: UInt16
    private let said = Mutex("")
    private let stopped = Atomic(false)

    /// What the clients said before the tunnel was there.
    var firstBytes: String { said.withLock { $0 } }

    init(to target: UInt16) throws {
        let listener = try TCPListener.listen()
        port = listener.port
        let box = ProxyListener(listener)
        try WorkerThread.start { [weak self] in
            while self?.stopped.load(ordering: .relaxed) == false {
                guard let client = try? box.listener.accept(within: 50),
                    let head = try? client.read(upTo: 4096, within: 1000)
                else { continue }
                self?.said.withLock { $0 += String(decoding: head, as: UTF8.self) }
                guard let server = try? TCPStream.connect(port: target) else { continue }
                let answer = Array("HTTP/1.1 200 OK\r\n\r\n".utf8)
                try? client.write(answer.span)
                Self.carry(client, server) { self?.stopped.load(ordering: .relaxed) != false }
            }
        }
    }

    private static func carry(
        _ one: borrowing TCPStream, _ other: borrowing TCPStream, until isOver: () -> Bool
    ) {
        while !isOver() {
            for forth in [true, false] {
                let bytes = forth ? try? one.read(upTo: 65_536, within: 5) : try? other.read(upTo: 65_536, within: 5)
                guard let bytes else { continue }
                guard !bytes.isEmpty else { return }
                if forth { try? other.write(bytes.span) } else { try? one.write(bytes.span) }
            }
        }
    }

    deinit { stopped.store(true, ordering: .relaxed) }
}

private final class ProxyListener: Sendable {
    let listener: TCPListener
    init(_ listener: consuming TCPListener) { self.listener = listener }
}
