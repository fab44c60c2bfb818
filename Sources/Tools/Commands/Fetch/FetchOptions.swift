package import PaviseArguments
internal import PavisePrimitives
internal import PaviseTransport

/// What `pavise fetch` can be told, and the request that comes of it.
package enum FetchOptions {
    package static let name = OptionalArgument("NAME", help: "The connection; may be left out when there is only one.")
    package static let path = Argument(
        "PATH", help: "A path such as /api/me, or an address of the connection's server.")
    static let method = Option(
        "method", letter: "X", value: "METHOD", help: "GET, or POST with data, unless another is given.", parse: method)
    static let data = Option(
        "data", letter: "d", value: "DATA",
        help: "The body; @FILE sends a file of any size, and @- standard input of up to 64 MiB.",
        allowsEmpty: true)
    static let header = RepeatedOption(
        "header", letter: "H", value: "'NAME: VALUE'", help: "A header field.", parse: field)
    static let file = Option(
        "output", letter: "o", value: "FILE",
        help: "Write the body to a file, which appears when it is whole; - is standard output.")
    static let showsHead = Flag("include", letter: "i", help: "Print status and header fields before the body.")

    /// The request for `url`.
    ///
    /// - Parameter progress: Shows how much of a file has gone.
    static func request(
        _ invocation: Invocation, to url: WebURL, progress: Progress
    ) throws -> HTTPRequest {
        var fields = HTTPFields()
        for field in invocation[header] { fields.append(field.name, field.value) }
        let body = try invocation[data].map { try FetchBody($0, progress: progress) }
        if body != nil && fields["Content-Type"] == nil {
            fields.append("Content-Type", "application/x-www-form-urlencoded")
        }
        let limits = HTTPRequest.Limits(idle: .seconds(30), total: .seconds(86_400))
        var request = HTTPRequest(
            invocation[method] ?? (body == nil ? "GET" : "POST"), url, fields: fields, limits: limits)
        switch body {
        case .bytes(let bytes): request.body = bytes
        case .file(let file): request.upload = file
        case nil: break
        }
        return request
    }

    private static func method(_ text: String) throws(Parameter.Invalid) -> String {
        guard (1...32).contains(text.count), text.utf8.allSatisfy({ (0x41...0x5A).contains($0) }) else {
            throw Parameter.Invalid("takes a method in capitals, such as PUT")
        }
        return text
    }

    private static func field(_ text: String) throws(Parameter.Invalid) -> HTTPFields.Field {
        guard let colon = text.firstIndex(of: ":") else {
            throw Parameter.Invalid("takes a field like 'Accept: text/plain'")
        }
        let value = text[text.index(after: colon)...].drop { $0 == " " }
        var fields = HTTPFields()
        guard fields.append(String(text[..<colon]), String(value)), let field = fields.fields.first else {
            throw Parameter.Invalid("takes a name without blanks and a value on one line")
        }
        let own = [
            "authorization", "proxy-authorization", "cookie", "host", "content-length", "transfer-encoding",
            "connection",
        ]
        guard !own.contains(field.name.lowercased()) else {
            throw Parameter.Invalid("cannot set \(field.name.lowercased()): Pavise does that itself")
        }
        return field
    }
}
