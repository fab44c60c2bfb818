/// A body that is read while a stream of the system's takes it, for example from a file.
package protocol PumpedBody: Sendable {
    /// The size in bytes.
    var count: Int { get }
    /// Whether somebody still wants it.
    var isWanted: Bool { get }

    /// At most `limit` bytes from `offset` on. Called on a thread of the pump's own.
    ///
    /// - Returns: `nil` when they cannot be read; whoever owns the body has ended its exchange then.
    func read(at offset: Int, upTo limit: Int) -> [UInt8]?
}

/// What is done next with a body that goes into a stream, which takes as many bytes as it has room for.
package struct BodyPump {
    /// The most bytes that are read at once: 64 KiB.
    package static let piece = 64 << 10

    /// What is done next.
    package enum Step: Equatable {
        /// The stream has no room. Ask again soon.
        case wait
        /// These bytes are offered to the stream.
        case write(ArraySlice<UInt8>)
        /// The stream is closed: it has all, or nobody wants more.
        case close
    }

    private let body: any PumpedBody
    private var next = 0
    private var held: ArraySlice<UInt8> = []
    private var isClosed = false

    /// Begins at the first byte of `body`.
    package init(_ body: any PumpedBody) { self.body = body }

    /// Decides, and reads the next piece where the stream has room for it.
    package mutating func step(hasRoom: Bool) -> Step {
        guard !isClosed, body.isWanted, !held.isEmpty || next < body.count else { return .close }
        guard hasRoom else { return .wait }
        if held.isEmpty {
            guard let bytes = body.read(at: next, upTo: Self.piece), !bytes.isEmpty else {
                isClosed = true
                return .close
            }
            next += bytes.count
            held = bytes[...]
        }
        return .write(held)
    }

    /// The stream took so many of the bytes that were offered; none or fewer when it takes no more at all.
    package mutating func wrote(_ count: Int) {
        guard count > 0 else {
            isClosed = true
            return
        }
        held = held.dropFirst(count)
    }
}
