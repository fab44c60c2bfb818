// A bound pair of streams: what is written at one end is read at the other one, through a buffer of a fixed size.
// Pages: https://developer.apple.com/documentation/foundation/stream and the name in lower case.
internal import Synchronization

private final class Pipe: Sendable {
    struct State {
        var bytes: [UInt8] = []
        var isEnded = false
        var isAbandoned = false
    }
    let size: Int
    let state = Mutex(State())
    init(size: Int) { self.size = size }
}

/// Neither end is marked as safe to share, as on Apple's systems.
public class Stream {
    public static func getBoundStreams(
        withBufferSize size: Int, inputStream: UnsafeMutablePointer<InputStream?>?,
        outputStream: UnsafeMutablePointer<OutputStream?>?
    ) {
        let pipe = Pipe(size: size)
        unsafe inputStream?.pointee = InputStream(pipe)
        unsafe outputStream?.pointee = OutputStream(pipe)
    }
}

public final class InputStream: Stream {
    private let pipe: Pipe
    fileprivate init(_ pipe: Pipe) { self.pipe = pipe }
    deinit { close() }

    public func open() {}
    public func close() { pipe.state.withLock { $0.isAbandoned = true } }

    /// What lies there, at most `limit` bytes; `nil` at the end. Blocks while nothing does.
    public func next(_ limit: Int) -> [UInt8]? {
        while true {
            let found = pipe.state.withLock { state -> [UInt8]?? in
                guard state.bytes.isEmpty else {
                    let part = Array(state.bytes.prefix(limit))
                    state.bytes.removeFirst(part.count)
                    return .some(part)
                }
                return state.isEnded ? .some(nil) : nil
            }
            if let found { return found }
            Thread.sleep(forTimeInterval: 0.001)
        }
    }
}

public final class OutputStream: Stream {
    private let pipe: Pipe
    fileprivate init(_ pipe: Pipe) { self.pipe = pipe }
    deinit { close() }

    public func open() {}
    public func close() { pipe.state.withLock { $0.isEnded = true } }

    public var hasSpaceAvailable: Bool {
        pipe.state.withLock { $0.isAbandoned || ($0.bytes.count < pipe.size && !$0.isEnded) }
    }

    /// How many bytes it took: as many as it has room for, and -1 when nobody reads any more.
    public func write(_ bytes: UnsafePointer<UInt8>, maxLength count: Int) -> Int {
        pipe.state.withLock { state in
            guard !state.isAbandoned, !state.isEnded else { return -1 }
            let room = min(count, pipe.size - state.bytes.count)
            unsafe state.bytes.append(contentsOf: UnsafeBufferPointer(start: bytes, count: room))
            return room
        }
    }
}
