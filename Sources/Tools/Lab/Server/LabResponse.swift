/// What the lab's server answers, well-behaved or not.
///
/// ```swift
/// [
///     .text("hello"),
///     .json(#"{"a":1}"#, status: 400),
///     .redirect(302, to: "http://other.example/"),
///     .text("late").held(by: gate),
///     .text("cut short").cut(after: 40),
///     .silence,
/// ]
/// ```
public struct LabResponse: Sendable {
    /// How the body travels.
    public enum Body: Sendable {
        /// At once, with its length.
        case fixed([UInt8])
        /// Piece by piece in chunks; `nil` ends it. The closure gets the number of the piece, from 0.
        case chunked(@Sendable (Int) -> [UInt8]?)
        /// Piece by piece with a length that was announced, true or not; `nil` ends it early.
        case announced(length: Int, @Sendable (Int) -> [UInt8]?)
        /// These bytes instead of an HTTP answer.
        case raw([UInt8])
        /// Nothing at all: the connection stays open until the client or the server goes.
        case silence
    }

    /// The status.
    public var status: Int
    /// Header fields beside the framing, which the server writes itself.
    public var fields: [LabRequest.Field]
    /// The body.
    public var body: Body
    /// The answer waits here before its first byte.
    public var gate: LabGate?
    /// The connection is closed, without a goodbye, once so many bytes of the whole answer have left.
    public var cutAfter: Int?
    /// Whether the connection ends after the answer.
    public var closes: Bool
    /// Whether the server asks for another handshake before the answer, which is possible up to TLS 1.2.
    public var renegotiates = false
    /// Whether the server asks for the client's certificate before the answer, which is possible in TLS 1.3. The answer
    /// waits for what the client says to that.
    public var asksWho = false

    /// An answer from its parts.
    public init(
        status: Int = 200, fields: [LabRequest.Field] = [], body: Body = .fixed([]), gate: LabGate? = nil,
        cutAfter: Int? = nil, closes: Bool = false
    ) {
        self.status = status
        self.fields = fields
        self.body = body
        self.gate = gate
        self.cutAfter = cutAfter
        self.closes = closes
    }

    /// Plain text.
    public static func text(_ text: String, status: Int = 200) -> LabResponse {
        LabResponse(
            status: status, fields: [.init("Content-Type", "text/plain; charset=utf-8")], body: .fixed(Array(text.utf8))
        )
    }

    /// JSON text as it stands, broken or not.
    public static func json(_ text: String, status: Int = 200) -> LabResponse {
        LabResponse(status: status, fields: [.init("Content-Type", "application/json")], body: .fixed(Array(text.utf8)))
    }

    /// A page, as a captive portal or a proxy would answer.
    public static func html(_ text: String, status: Int = 200) -> LabResponse {
        LabResponse(
            status: status, fields: [.init("Content-Type", "text/html; charset=utf-8")], body: .fixed(Array(text.utf8)))
    }

    /// A redirect to `location`, as it stands.
    public static func redirect(_ status: Int, to location: String) -> LabResponse {
        LabResponse(status: status, fields: [.init("Location", location)])
    }

    /// `count` bytes in chunks of 64 KiB, made as they are sent: byte `i` is `i` modulo 251. Those before `first` are
    /// left out.
    public static func generated(_ count: Int, from first: Int = 0) -> LabResponse {
        let count = max(0, count)
        let piece = 65_536
        return LabResponse(
            body: .announced(length: count - first) { index in
                let start = first + index * piece
                guard start < count else { return nil }
                return (start..<min(start + piece, count)).map { UInt8($0 % 251) }
            })
    }

    /// No answer.
    public static var silence: LabResponse { LabResponse(body: .silence) }

    /// The connection ends without an answer.
    public static var hangUp: LabResponse { LabResponse(body: .raw([]), closes: true) }

    /// The same answer, sent when `gate` opens.
    public func held(by gate: LabGate) -> LabResponse {
        var copy = self
        copy.gate = gate
        return copy
    }

    /// The same answer, cut off after `count` bytes, head included.
    public func cut(after count: Int) -> LabResponse {
        var copy = self
        copy.cutAfter = count
        return copy
    }

    /// The same answer, after a wish for another handshake.
    public var afterRenegotiation: LabResponse {
        var copy = self
        copy.renegotiates = true
        return copy
    }

    /// The same answer, after the question who the client is.
    public var afterAskingWho: LabResponse {
        var copy = self
        copy.asksWho = true
        return copy
    }

    /// The same answer with one more header field.
    public func with(_ name: String, _ value: String) -> LabResponse {
        var copy = self
        copy.fields.append(.init(name, value))
        return copy
    }
}
