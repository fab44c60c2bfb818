internal import CPavisePlatform

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// A child process that talks over one socket, which is both its standard input and its standard output.
///
/// The child inherits the environment and nothing that is open, but for standard error where it is seen. It is ended
/// and waited for when the value goes, also one that does not end by itself.
package struct PipedProcess: ~Copyable {
    private let number: pid_t
    private let stream: TCPStream
    private var received: [UInt8] = []
    private var isOver = false

    /// Starts `program` (a path, or a name to look up in PATH) with arguments.
    ///
    /// - Parameter showsErrors: Whether what it writes to standard error is seen.
    package static func start(
        _ program: String, _ arguments: [String], showsErrors: Bool
    ) throws(SystemFailure) -> PipedProcess {
        var pair: [Int32] = [-1, -1]
        guard unsafe socketpair(AF_UNIX, streamType, 0, &pair) == 0 else {
            throw SystemFailure(operation: "socketpair", path: program, code: errno)
        }
        #if !canImport(Glibc)
        for descriptor in pair { _ = pavise_fcntl_int(descriptor, F_SETFD, FD_CLOEXEC) }
        #endif
        let stream = TCPStream(owning: pair[0])
        defer { _ = close(pair[1]) }
        let child = try ProgramStart.spawn(
            program, arguments,
            streams: [.descriptor(pair[1]), .descriptor(pair[1]), showsErrors ? .inherited : .discarded])
        return PipedProcess(number: child, stream: stream)
    }

    private init(number: pid_t, stream: consuming TCPStream) {
        self.number = number
        self.stream = stream
    }

    #if canImport(Glibc)
    // From the first moment: another thread may start a program between two calls.
    private static var streamType: Int32 { Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) }
    #else
    private static var streamType: Int32 { SOCK_STREAM }
    #endif

    /// Sends a line; its end is added.
    package borrowing func send(_ line: String) throws(SystemFailure) {
        let bytes = Array((line + "\n").utf8)
        try stream.write(bytes)
    }

    /// The next line without its end; `nil` when the child has closed its side.
    ///
    /// The bytes may be a secret: the caller wipes them.
    /// - Throws: `EMSGSIZE` for a line of more than `limit` bytes; `ETIMEDOUT` when nothing came in time.
    package mutating func line(limit: Int, within milliseconds: Int32) throws(SystemFailure) -> [UInt8]? {
        while true {
            if let end = received.firstIndex(of: 10) {
                let line = Array(received[..<end])
                let rest = Array(received[(end + 1)...])
                Wipe.bytes(&received)
                received = rest
                return line
            }
            guard received.count <= limit else {
                throw SystemFailure(operation: "read", path: "child process", code: EMSGSIZE)
            }
            var more = try stream.read(upTo: 4096, within: milliseconds)
            guard !more.isEmpty else {
                guard !received.isEmpty else { return nil }
                let last = received
                Wipe.bytes(&received)
                received = []
                return last
            }
            let joined = received + more
            Wipe.bytes(&received)
            Wipe.bytes(&more)
            received = joined
        }
    }

    /// Closes the conversation and waits for the end of the child.
    ///
    /// - Parameter patience: How long it may take to end by itself. Then it is told to (SIGTERM), and as long again
    ///   later it is killed.
    /// - Returns: Its exit status; -1 when it was killed.
    package mutating func finish(within patience: Duration = PipedProcess.patience) -> Int32 {
        isOver = true
        Wipe.bytes(&received)
        return Self.end(number, stream.number, patience)
    }

    /// How long a child whose conversation is over may take to end.
    package static let patience = Duration.seconds(10)

    private static func end(_ number: pid_t, _ descriptor: Int32, _ patience: Duration) -> Int32 {
        _ = shutdown(descriptor, Int32(SHUT_RDWR))
        var signals = [SIGTERM, SIGKILL][...]
        var end = ContinuousClock.now + patience
        var status: Int32 = 0
        while true {
            let found = unsafe waitpid(number, &status, signals.isEmpty ? 0 : WNOHANG)
            if found == number { break }
            guard found == 0 || errno == EINTR else { return -1 }
            if ContinuousClock.now < end {
                usleep(1_000)
            } else if let signal = signals.popFirst() {
                _ = kill(number, signal)
                end = ContinuousClock.now + patience
            }
        }
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : -1
    }

    deinit {
        guard !isOver else { return }
        _ = Self.end(number, stream.number, Self.patience)
    }
}
