internal import Foundation
internal import PavisePrimitives
internal import PaviseTransport
internal import SecurityFramework

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// A `URLRequest` in the words of our client: the request, and beside it the lines that hold secrets.
struct OutgoingMessage: Sendable {
    var request: HTTPRequest
    var lines = SecretFields()

    /// The most bytes that are taken from a body stream, which has no length and cannot be sent twice: 64 MiB.
    static let streamLimit = 64 << 20

    // Set by the client; URLSession documents that it overrides or ignores them too.
    private static let own: Set<String> = [
        "connection", "content-length", "expect", "host", "http2-settings", "keep-alive", "proxy-authorization",
        "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
    ]

    /// Reads `message`. `Authorization` and `Cookie` fields become lines for the origin of its address, which must have
    /// TLS.
    init(_ message: URLRequest, facts: TaskFacts? = nil) throws(TransportFailure) {
        guard let address = message.url?.absoluteString else { throw .unusableRequest("The request has no address.") }
        let url: WebURL
        do throws(WebURL.Problem) { url = try WebURL(address) } catch { throw .unusableRequest(error.description) }
        request = HTTPRequest(message.httpMethod ?? "GET", url)
        let set = message.allHTTPHeaderFields ?? [:]
        for (name, value) in set { try take(name, value) }
        for (name, value) in facts?.fields ?? []
        where !set.keys.contains(where: { $0.lowercased() == name.lowercased() }) {
            try take(name, value)
        }
        try takeBody(message, facts)
        takeLimits(message, facts)
    }

    private mutating func take(_ name: String, _ value: String) throws(TransportFailure) {
        switch name.lowercased() {
        case let known where Self.own.contains(known): return
        case "authorization": lines.authorization = try line("Authorization", value)
        case "cookie": lines.cookie = try line("Cookie", value)
        default:
            guard request.fields.append(name, value) else {
                throw .unusableRequest("The field \(name) holds a forbidden character.")
            }
        }
    }

    private func line(_ name: String, _ value: String) throws(TransportFailure) -> SecretField {
        guard request.url.origin.scheme == .https else { throw .credentialRefused(request.url.origin) }
        guard let line = SecretField(field: name, value: SecretBytes(utf8: value)) else {
            throw .unusableRequest("The credential holds a byte that no field may hold.")
        }
        return line
    }

    private mutating func takeBody(_ message: URLRequest, _ facts: TaskFacts?) throws(TransportFailure) {
        switch facts?.body ?? .none {
        case .bytes(let bytes): request.body = bytes
        case .file(let path): request.upload = try UploadFile(path: path)
        case .unknown: throw .unusableRequest("The body of the upload task cannot be read from this Foundation.")
        case .none:
            if let data = message.httpBody {
                request.body = [UInt8](data)
            } else if let stream = message.httpBodyStream {
                guard let bytes = stream.readEverything(limit: Self.streamLimit) else {
                    throw .unusableRequest(
                        "The body stream fails, or is longer than \(Self.streamLimit) bytes. Upload from a file.")
                }
                request.body = bytes
            }
        }
    }

    private mutating func takeLimits(_ message: URLRequest, _ facts: TaskFacts?) {
        // The request's own time when it was set; 60 s is Foundation's default, so the session's shorter one wins.
        let idle = message.timeoutInterval == 60 ? facts?.requestTimeout ?? 60 : message.timeoutInterval
        request.limits.idle = Self.duration(idle, most: 3600)
        request.limits.total = Self.duration(facts?.resourceTimeout ?? 7 * 86_400, most: 7 * 86_400)
        request.limits.body = .max
    }

    private static func duration(_ seconds: Double, most: Double) -> Duration {
        .milliseconds(Int64((seconds > 0 ? min(seconds, most) : most) * 1000))
    }
}
