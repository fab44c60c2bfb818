internal import CPavisePlatform

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// A stream socket that blocks its thread, each step at most until a deadline. For loopback listeners and the lab.
package struct TCPStream: ~Copyable, Sendable {
    /// The number the kernel knows it by; the stream still owns it.
    package let number: Int32

    /// Takes over a connected socket.
    package init(owning number: Int32) {
        self.number = number
        #if canImport(Darwin)
        var on: Int32 = 1
        _ = unsafe setsockopt(number, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
        #endif
    }

    /// Connects to `port` of an IPv4 loopback address.
    package static func connect(host: String = "127.0.0.1", port: UInt16) throws(SystemFailure) -> TCPStream {
        let number = socket(AF_INET, streamType, 0)
        guard number >= 0 else { throw SystemFailure(operation: "socket", path: host, code: errno) }
        let stream = TCPStream(owning: number)
        var address = socketAddress(host: host, port: port)
        let status = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe Self.connect(number, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else { throw SystemFailure(operation: "connect", path: "\(host):\(port)", code: errno) }
        return stream
    }

    /// Waits at most `milliseconds` for the next bytes, at most `limit` of them.
    ///
    /// - Returns: No bytes at the end of the stream.
    /// - Throws: `ETIMEDOUT` when nothing came.
    package borrowing func read(upTo limit: Int, within milliseconds: Int32) throws(SystemFailure) -> [UInt8] {
        try waitUntilReadable(within: milliseconds)
        var code: Int32 = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            let got = unsafe recv(number, buffer.baseAddress, limit, 0)
            code = got < 0 ? errno : 0
            count = max(0, got)
        }
        guard code == 0 else { throw SystemFailure(operation: "read", path: "socket", code: code) }
        return bytes
    }

    /// Waits at most `milliseconds` until there is something to read.
    package borrowing func waitUntilReadable(within milliseconds: Int32) throws(SystemFailure) {
        var request = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
        var ready = unsafe poll(&request, 1, milliseconds)
        while ready < 0 && errno == EINTR { ready = unsafe poll(&request, 1, milliseconds) }
        guard ready != 0 else { throw SystemFailure(operation: "read", path: "socket", code: ETIMEDOUT) }
        guard ready > 0 else { throw SystemFailure(operation: "poll", path: "socket", code: errno) }
    }

    /// Sends all of `bytes`. A peer that went away is `EPIPE`, never a signal.
    package borrowing func write(_ bytes: Span<UInt8>) throws(SystemFailure) {
        let code = unsafe bytes.withUnsafeBytes { buffer -> Int32 in
            guard let base = buffer.baseAddress else { return 0 }
            var done = 0
            while done < buffer.count {
                let sent = unsafe send(number, base + done, buffer.count - done, noSignal)
                if sent < 0 {
                    if errno == EINTR { continue }
                    return errno
                }
                done += sent
            }
            return 0
        }
        guard code == 0 else { throw SystemFailure(operation: "write", path: "socket", code: code) }
    }

    /// Ends both directions; a thread that waits in ``read(upTo:within:)`` wakes up.
    package borrowing func shutDown() { _ = shutdown(number, Int32(SHUT_RDWR)) }

    /// Makes the end of this stream a reset: the peer loses what it has not read yet, and learns that from an error.
    package borrowing func endWithReset() {
        var now = linger(l_onoff: 1, l_linger: 0)
        _ = unsafe setsockopt(number, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
    }

    deinit { _ = close(number) }

    #if canImport(Glibc)
    private var noSignal: Int32 { Int32(MSG_NOSIGNAL) }
    fileprivate static var streamType: Int32 { Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) }
    private static func connect(_ number: Int32, _ address: UnsafePointer<sockaddr>, _ size: socklen_t) -> Int32 {
        unsafe Glibc.connect(number, address, size)
    }
    #else
    private var noSignal: Int32 { 0 }
    fileprivate static var streamType: Int32 { SOCK_STREAM }
    private static func connect(_ number: Int32, _ address: UnsafePointer<sockaddr>, _ size: socklen_t) -> Int32 {
        unsafe Darwin.connect(number, address, size)
    }
    #endif

    fileprivate static func socketAddress(host: String, port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = unsafe inet_addr(host)
        return address
    }
}

/// Accepts connections on one IPv4 loopback address. Nobody on another machine can reach it.
package struct TCPListener: ~Copyable, Sendable {
    private let number: Int32
    /// The port that the kernel chose, or the one asked for.
    package let port: UInt16

    /// Binds `host` (a literal address such as 127.0.0.1) and listens.
    ///
    /// - Parameter port: 0 lets the kernel choose a free one.
    package static func listen(host: String = "127.0.0.1", port: UInt16 = 0) throws(SystemFailure) -> TCPListener {
        let number = socket(AF_INET, TCPStream.streamType, 0)
        guard number >= 0 else { throw SystemFailure(operation: "socket", path: host, code: errno) }
        var on: Int32 = 1
        _ = unsafe setsockopt(number, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        var address = TCPStream.socketAddress(host: host, port: port)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic -> Int32 in
                guard unsafe bind(number, generic, size) == 0 else { return errno }
                guard Self.start(number) == 0 else { return errno }
                return unsafe getsockname(number, generic, &size) == 0 ? 0 : errno
            }
        }
        guard status == 0 else {
            _ = close(number)
            throw SystemFailure(operation: "listen", path: "\(host):\(port)", code: status)
        }
        return TCPListener(number: number, port: UInt16(bigEndian: address.sin_port))
    }

    private init(number: Int32, port: UInt16) {
        self.number = number
        self.port = port
    }

    /// Waits at most `milliseconds` for the next connection.
    ///
    /// - Returns: `nil` when none came in time.
    package borrowing func accept(within milliseconds: Int32) throws(SystemFailure) -> TCPStream? {
        var request = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
        let ready = unsafe poll(&request, 1, milliseconds)
        guard ready > 0 else {
            guard ready < 0, errno != EINTR else { return nil }
            throw SystemFailure(operation: "poll", path: "listener", code: errno)
        }
        let peer = Self.accept(number)
        guard peer >= 0 else {
            switch errno {
            case EINTR, ECONNABORTED, EAGAIN: return nil
            case let code: throw SystemFailure(operation: "accept", path: "listener", code: code)
            }
        }
        _ = setNoDelay(peer)
        return TCPStream(owning: peer)
    }

    /// Stops listening; a thread that waits in ``accept(within:)`` wakes up.
    package borrowing func shutDown() { _ = shutdown(number, Int32(SHUT_RDWR)) }

    deinit { _ = close(number) }

    private borrowing func setNoDelay(_ peer: Int32) -> Int32 {
        var on: Int32 = 1
        return unsafe setsockopt(peer, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    }

    #if canImport(Glibc)
    private static func accept(_ number: Int32) -> Int32 {
        pavise_accept(number)
    }
    private static func start(_ number: Int32) -> Int32 { Glibc.listen(number, 1024) }
    #else
    private static func accept(_ number: Int32) -> Int32 { unsafe Darwin.accept(number, nil, nil) }
    private static func start(_ number: Int32) -> Int32 { Darwin.listen(number, 1024) }
    #endif
}
