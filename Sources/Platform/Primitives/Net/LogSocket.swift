internal import CPavisePlatform

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// A socket that sends datagrams to local services (unix(7)) and never waits.
package final class LogSocket: Sendable {
    private let number: Int32
    private let path: String

    /// A socket for the service at `path`. Nothing is sent, and the service need not be there.
    package init(_ path: String) throws(SystemFailure) {
        number = pavise_datagram_socket()
        self.path = path
        guard number >= 0 else { throw SystemFailure(operation: "socket", path: path, code: -number) }
    }

    /// Sends one datagram. One that is too large for a datagram goes as a sealed file in memory, where the service
    /// takes that (journald does).
    ///
    /// - Returns: 0, or the error's number: `EAGAIN` when the service does not keep up, `ENOENT` and `ECONNREFUSED`
    ///   when it is not there.
    package func send(_ bytes: [UInt8], orAsFile takesFiles: Bool) -> Int32 {
        let code = bytes.withSpan { span in
            unsafe span.withUnsafeBytes { unsafe pavise_datagram_send(number, path, $0.baseAddress, $0.count) }
        }
        guard code == EMSGSIZE, takesFiles else { return code }
        return bytes.withSpan { span in
            unsafe span.withUnsafeBytes { unsafe pavise_datagram_send_file(number, path, $0.baseAddress, $0.count) }
        }
    }

    /// What became of one datagram.
    package enum Delivery: Hashable, Sendable {
        /// The service has it.
        case taken
        /// The service is there and does not keep up: it is lost.
        case lost
        /// No service is there that takes it: nobody is behind the socket, or this process may not write to it.
        case absent
    }

    /// Sends one datagram as ``send(_:orAsFile:)`` does, and says what became of it.
    package func deliver(_ bytes: [UInt8], orAsFile takesFiles: Bool) -> Delivery {
        switch send(bytes, orAsFile: takesFiles) {
        case 0: .taken
        case EAGAIN, ENOBUFS, ENOMEM: .lost
        default: .absent
        }
    }

    /// Whether something answers at `path`: it exists and is a socket.
    package static func isThere(_ path: String) -> Bool {
        var facts = stat()
        return unsafe stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFSOCK
    }

    deinit { _ = close(number) }
}

/// The process's own streams, without waiting.
package enum LogStream {
    /// Writes `bytes` to standard error, or another descriptor, if it takes them at once. At most `PIPE_BUF` (4096)
    /// bytes are written as one piece.
    ///
    /// - Returns: 0, or the error's number: `EAGAIN` when the reader does not keep up, `EPIPE` when it is gone.
    package static func write(_ bytes: [UInt8], to descriptor: Int32 = 2) -> Int32 {
        bytes.withSpan { span in
            unsafe span.withUnsafeBytes { unsafe pavise_write_without_waiting(descriptor, $0.baseAddress, $0.count) }
        }
    }
}
