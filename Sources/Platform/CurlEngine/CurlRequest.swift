package import PavisePrimitives

/// One exchange, in the words of libcurl. Every text in it was checked by the caller; the engine checks again what could
/// smuggle a second line into the request.
package struct CurlRequest: Sendable {
    /// A token such as `GET`.
    package var method: String
    /// The whole address without a fragment.
    package var url: String
    /// The host of `url`, as the judge shall see it.
    package var host: String
    /// The port of `url`.
    package var port: UInt16
    /// `Name: value` without line ends.
    package var lines: [String]
    /// The line with the credential, kept apart because it is wiped.
    package var credential: CredentialLine?
    /// What is sent; `nil` sends none.
    package var body: [UInt8]?
    /// Milliseconds without a byte until the exchange ends.
    package var idleMilliseconds: Int64
    /// Milliseconds for the whole exchange.
    package var totalMilliseconds: Int64
    /// The greatest body that is collected, in bytes.
    package var bodyLimit: Int
    /// Stops after the handshake, before any byte of a request, on a connection of its own.
    package var handshakeOnly = false

    /// A request without credential and body.
    package init(
        method: String, url: String, host: String, port: UInt16, lines: [String] = [], idleMilliseconds: Int64,
        totalMilliseconds: Int64, bodyLimit: Int
    ) {
        self.method = method
        self.url = url
        self.host = host
        self.port = port
        self.lines = lines
        self.idleMilliseconds = idleMilliseconds
        self.totalMilliseconds = totalMilliseconds
        self.bodyLimit = bodyLimit
    }

    /// Whether every part is free of characters that could end a line early.
    var isOneLinePerField: Bool {
        let texts = [method, url, host] + lines
        return texts.allSatisfy { $0.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 } }
            && method.utf8.allSatisfy { $0 >= 0x41 && $0 <= 0x5A || $0 == 0x2D || $0 == 0x5F }
            && !method.isEmpty
    }
}

/// The `Authorization` line of one request. It has one owner, and is wiped when the request is over.
package final class CredentialLine: Sendable {
    private let line: SecretBytes

    /// Joins `Authorization: `, the scheme, a blank and the credential.
    ///
    /// - Returns: `nil` when the credential holds anything but visible ASCII, because a line break would make two lines of it.
    package init?(scheme: String, credential: borrowing SecretBytes) {
        let start = Array("Authorization: \(scheme) ".utf8)
        let isVisible = credential.withBytes { bytes in
            bytes.indices.allSatisfy { bytes[$0] > 0x20 && bytes[$0] < 0x7F }
        }
        guard isVisible, credential.count > 0, scheme.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
        line = credential.withBytes { bytes in
            SecretBytes(count: start.count + bytes.count) { target in
                for index in start.indices { target[index] = start[index] }
                for index in bytes.indices { target[start.count + index] = bytes[index] }
            }
        }
    }

    func withBytes<Result>(_ body: (Span<UInt8>) -> Result) -> Result { line.withBytes(body) }

    /// The size in bytes.
    var count: Int { line.count }
}
