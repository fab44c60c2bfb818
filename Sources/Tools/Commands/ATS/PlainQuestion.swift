internal import PavisePrimitives
internal import PaviseTransport

/// One question over plain http: does anything answer, and does it send people to https? Nothing personal is in it.
struct PlainQuestion: Sendable {
    /// Where to connect.
    let host: String
    let port: UInt16
    /// The host to ask for.
    let name: String
    /// The time for the whole, in milliseconds.
    let patience: Int32
    /// The most bytes of an answer that are read.
    private static let limit = 8_192

    /// The answer; `nil` when there was none, or none that is HTTP.
    func ask() -> ATSDiagnosis.PlainHTTP? {
        guard let socket = try? TCPStream.dial(host: host, port: port, within: patience) else { return nil }
        let shown = name.contains(":") ? "[\(name)]" : name
        let request = Array(
            "GET / HTTP/1.1\r\nHost: \(shown)\r\nUser-Agent: pavise\r\nAccept: */*\r\nConnection: close\r\n\r\n".utf8)
        guard (try? socket.write(request.span)) != nil else { return nil }
        let end = ContinuousClock.now + .milliseconds(Int64(patience))
        var head: [UInt8] = []
        while head.count < Self.limit, ContinuousClock.now < end, !Self.isComplete(head) {
            guard let more = try? socket.read(upTo: 4_096, within: patience), !more.isEmpty else { break }
            head += more
        }
        return Self.answer(String(decoding: head, as: UTF8.self))
    }

    private static func isComplete(_ head: [UInt8]) -> Bool {
        let mark: [UInt8] = [13, 10, 13, 10]
        return head.count >= 4 && head.indices.dropLast(3).contains { Array(head[$0..<$0 + 4]) == mark }
    }

    /// Reads a status line and the redirect's target.
    static func answer(_ head: String) -> ATSDiagnosis.PlainHTTP? {
        let lines = head.split(whereSeparator: \.isNewline)
        guard let first = lines.first, first.hasPrefix("HTTP/1."), let status = Int(first.dropFirst(9).prefix(3)) else {
            return nil
        }
        let location = lines.dropFirst().first { $0.lowercased().hasPrefix("location:") }
        return ATSDiagnosis.PlainHTTP(
            status: status, location: location.map { $0.dropFirst(9).drop { $0 == " " } }.map { String($0) })
    }
}
