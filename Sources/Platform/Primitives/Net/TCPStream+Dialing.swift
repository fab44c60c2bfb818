#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

extension TCPStream {
    /// Looks `host` up and connects to the first of its addresses that answers, in at most `milliseconds` for all of
    /// them.
    ///
    /// Blocks its thread; the look-up itself ends when the system's resolver gives up.
    ///
    /// - Throws: ``SystemFailure`` with the operation `resolve` when the name is not known, otherwise `connect` with
    ///   the last address's code; `ETIMEDOUT` when none answered.
    package static func dial(
        host: String, port: UInt16, within milliseconds: Int32
    ) throws(SystemFailure) -> TCPStream {
        var hints = unsafe addrinfo()
        unsafe hints.ai_family = AF_UNSPEC
        unsafe hints.ai_socktype = plainType
        var first: UnsafeMutablePointer<addrinfo>?
        guard unsafe getaddrinfo(host, String(port), &hints, &first) == 0, let list = unsafe first else {
            throw SystemFailure(operation: "resolve", path: host, code: ENOENT)
        }
        defer { unsafe freeaddrinfo(list) }
        let end = ContinuousClock.now + .milliseconds(Int64(milliseconds))
        var code: Int32 = ETIMEDOUT
        var next: UnsafeMutablePointer<addrinfo>? = unsafe list
        while let entry = unsafe next {
            let left = (end - ContinuousClock.now) / .milliseconds(1)
            guard left > 0 else { break }
            let (number, problem) = unsafe dial(entry.pointee, within: Int32(max(1, left)))
            if problem == 0 { return TCPStream(owning: number) }
            code = problem
            unsafe next = entry.pointee.ai_next
        }
        throw SystemFailure(operation: "connect", path: "\(host):\(port)", code: code)
    }

    // The descriptor and 0, or -1 and the error.
    private static func dial(_ entry: addrinfo, within milliseconds: Int32) -> (Int32, Int32) {
        let number = unsafe socket(entry.ai_family, dialType, entry.ai_protocol)
        guard number >= 0 else { return (-1, errno) }
        #if !canImport(Glibc)
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
        #endif
        _ = fcntl(number, F_SETFL, O_NONBLOCK)
        var code: Int32 = unsafe connectNow(number, entry.ai_addr, entry.ai_addrlen) == 0 ? 0 : errno
        if code == EINPROGRESS { code = waitForConnection(number, within: milliseconds) }
        guard code == 0 else {
            _ = close(number)
            return (-1, code)
        }
        _ = fcntl(number, F_SETFL, 0)
        var on: Int32 = 1
        _ = unsafe setsockopt(number, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        return (number, 0)
    }

    private static func waitForConnection(_ number: Int32, within milliseconds: Int32) -> Int32 {
        var request = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
        var ready = unsafe poll(&request, 1, milliseconds)
        while ready < 0 && errno == EINTR { ready = unsafe poll(&request, 1, milliseconds) }
        guard ready != 0 else { return ETIMEDOUT }
        guard ready > 0 else { return errno }
        var code: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        return unsafe getsockopt(number, SOL_SOCKET, SO_ERROR, &code, &size) == 0 ? code : errno
    }

    #if canImport(Glibc)
    private static var plainType: Int32 { Int32(SOCK_STREAM.rawValue) }
    // In one step: a program that another thread starts in between would inherit the connection.
    private static var dialType: Int32 { plainType | Int32(SOCK_CLOEXEC.rawValue) }
    private static func connectNow(_ number: Int32, _ address: UnsafePointer<sockaddr>?, _ size: socklen_t) -> Int32 {
        guard let address = unsafe address else { return -1 }
        return unsafe Glibc.connect(number, address, size)
    }
    #else
    private static var plainType: Int32 { SOCK_STREAM }
    private static var dialType: Int32 { plainType }
    private static func connectNow(_ number: Int32, _ address: UnsafePointer<sockaddr>?, _ size: socklen_t) -> Int32 {
        guard let address = unsafe address else { return -1 }
        return unsafe Darwin.connect(number, address, size)
    }
    #endif
}
