/// The head of a request to the loopback listener, as far as it matters.
enum LoopbackRequest: Hashable {
    /// The head has not ended yet.
    case incomplete
    /// Too long, no GET, no HTTP/1.1, no or several Host lines, or a body announced.
    case unusable
    /// A GET of a target, for a host.
    case get(target: String, host: String)

    /// Reads what has come so far.
    init(_ bytes: [UInt8], limit: Int) {
        let end = bytes.firstRange(of: Array("\r\n\r\n".utf8))
        guard bytes.count <= limit, let text = String(validating: bytes[..<(end?.lowerBound ?? 0)], as: UTF8.self)
        else {
            self = .unusable
            return
        }
        guard end != nil else {
            self = .incomplete
            return
        }
        self = Self.read(text.split(separator: "\r\n", omittingEmptySubsequences: false)) ?? .unusable
    }

    private static func read(_ lines: [Substring]) -> LoopbackRequest? {
        let start = lines[0].split(separator: " ", omittingEmptySubsequences: false)
        guard start.count == 3, start[0] == "GET", start[2] == "HTTP/1.1", start[1].hasPrefix("/") else { return nil }
        let fields = lines.dropFirst().map { line in
            line.split(separator: ":", maxSplits: 1).map { $0.trimmingBlanks }
        }
        guard fields.allSatisfy({ $0.count == 2 }) else { return nil }
        let hosts = fields.filter { $0[0].lowercased() == "host" }
        let hasBody = fields.contains {
            ["content-length", "transfer-encoding"].contains($0[0].lowercased()) && $0[1] != "0"
        }
        guard hosts.count == 1, !hasBody else { return nil }
        return .get(target: String(start[1]), host: hosts[0][1])
    }
}

extension Substring {
    fileprivate var trimmingBlanks: String {
        String(drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
    }
}

/// The two pages that a browser can see. They repeat nothing of the request (oauth L3).
enum LoopbackPage {
    static let done = page("200 OK", "The app has received the answer. You can close this window.")
    static let notFound = page("404 Not Found", "There is nothing here.")

    private static func page(_ status: String, _ sentence: String) -> [UInt8] {
        let body = "<!doctype html><meta charset=utf-8><title>Pavise</title><p>\(sentence)</p>"
        let fields = [
            "HTTP/1.1 \(status)", "Content-Type: text/html; charset=utf-8", "Content-Length: \(body.utf8.count)",
            "Connection: close", "Cache-Control: no-store", "Referrer-Policy: no-referrer",
            "Content-Security-Policy: default-src 'none'", "X-Content-Type-Options: nosniff",
        ]
        return Array((fields.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8)
    }
}
