internal import PavisePrimitives

/// What else on the machine may send to the listener that waits for a sign-in's callback (RFC 8252 §8.3).
///
/// ```swift
/// for attack in LoopbackAttack.allCases {
///     let attempt = try attack.play(against: callback)     // `callback` is the true address with code and state
///     // … the listener must still accept the true callback …
///     attempt.end()
/// }
/// ```
public enum LoopbackAttack: String, CaseIterable, Hashable, Sendable {
    /// A browser asks for its icon.
    case icon
    /// Another path.
    case otherPath
    /// The right path through another name for the machine (DNS rebinding).
    case otherHost
    /// The right address with POST.
    case post
    /// A forged code with a guessed state.
    case forgedState
    /// A forged code without a state.
    case noState
    /// A head of 64 KiB.
    case hugeHead
    /// Bytes that are no HTTP.
    case garbage
    /// A connection that says nothing.
    case silent
    /// A connection that sends half a request and waits.
    case halfRequest

    /// A played attack: what came back, and the connection where one is still open.
    public final class Attempt: Sendable {
        /// The answer; `nil` while the connection is kept open.
        public let page: LabBrowser.Page?
        private let connection: LabSocket?

        init(page: LabBrowser.Page?, connection: LabSocket?) {
            self.page = page
            self.connection = connection
        }

        /// Closes what is still open.
        public func end() { connection?.stream.shutDown() }
    }

    /// Plays it against the listener behind `callback`, the true callback address.
    ///
    /// - Throws: ``LabFailure/system(_:)`` when nobody listens.
    public func play(against callback: String) throws(LabFailure) -> Attempt {
        let target = try LoopbackAddress(callback)
        guard let start = opening else {
            return Attempt(page: try target.send(request(to: target)), connection: nil)
        }
        let connection = try target.connect()
        _ = try? connection.stream.write(Array(start.utf8).span)
        return Attempt(page: nil, connection: connection)
    }

    // What a connection that stays open begins with.
    private var opening: String? {
        switch self {
        case .silent: ""
        case .halfRequest: "GET /callback HTTP/1.1\r\nHost: 127"
        default: nil
        }
    }

    private func request(to target: LoopbackAddress) -> String {
        let path = String(target.path.prefix { $0 != "?" })
        let forged = "\(path)?code=forged-code"
        return switch self {
        case .icon: Self.get("/favicon.ico", target.host)
        case .otherPath: Self.get("/other" + target.path, target.host)
        case .otherHost: Self.get(target.path, "attacker.example:\(target.port)")
        case .post: "POST \(target.path) HTTP/1.1\r\nHost: \(target.host)\r\nContent-Length: 0\r\n\r\n"
        case .forgedState: Self.get(forged + "&state=guessed", target.host)
        case .noState: Self.get(forged, target.host)
        case .hugeHead: Self.get(target.path, target.host, "X-Filler: \(String(repeating: "x", count: 65_536))\r\n")
        case .garbage: "\u{0}\u{1}\u{2} no http\r\n\r\n"
        case .silent, .halfRequest: ""
        }
    }

    private static func get(_ path: String, _ host: String, _ more: String = "") -> String {
        "GET \(path) HTTP/1.1\r\nHost: \(host)\r\n\(more)\r\n"
    }
}
