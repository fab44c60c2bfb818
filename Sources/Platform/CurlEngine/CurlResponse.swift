package import PavisePrimitives

/// The head of an answer as it came.
package struct CurlHead: Sendable {
    /// The three-digit status.
    package let status: Int
    /// 1 or 2: the major version of HTTP.
    package let httpMajor: Int
    /// The status line and the field lines, with their line ends, without the empty line. Not checked for anything.
    package let lines: [UInt8]
    /// The connection that carried the answer; `nil` without TLS.
    package let connection: JudgedConnection?
}

/// A whole answer.
package struct CurlResponse: Sendable {
    /// Status and field lines.
    package let head: CurlHead
    /// The whole body; empty when it was streamed, or is a secret.
    package let body: [UInt8]
    /// The whole body where ``CurlRequest/isAnswerSecret`` says that it is one.
    package var secretBody: SharedSecretBytes?
    /// The times of the exchange; `nil` unless the request asked for them.
    package var metrics: CurlMetrics?
}

/// Why an exchange ended without an answer.
package struct CurlFailure: Error, Sendable {
    /// What kind of end it was.
    package enum Reason: Hashable, Sendable {
        case unusableRequest
        case cancelled
        case timeout
        case bodyTooLarge
        case headTooLarge
        /// The source of the request's body failed.
        case bodyUnreadable
        /// The judge refused; ``CurlFailure/connection`` has the verdict.
        case refused
        /// OpenSSL's reason code, or 0.
        case tls(reason: Int)
        case nameNotFound
        case notConnected
        case connectionLost
        case truncated
        case notHTTP
        /// The handshake is done, and that was all that was asked for.
        case handshakeDone
        /// libcurl's own code for anything else.
        case other(code: Int)
    }

    /// What happened.
    package let reason: Reason
    /// libcurl's words; they hold host names, never fields or bodies.
    package let detail: String
    /// Whether a byte of the request may have left.
    package let sent: Bool
    /// The connection as far as it was judged.
    package let connection: JudgedConnection?
}
