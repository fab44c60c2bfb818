internal import PavisePrimitives

/// Reads requests and writes answers of HTTP/1.1 (RFC 9112) on one wire.
struct LabExchange: ~Copyable {
    /// The greatest request head, in bytes.
    static let headLimit = 65_536
    /// The greatest request body, in bytes: 1 GiB, which lies in memory. A greater one is answered with 413.
    static let bodyLimit = 1 << 30

    private var wire: LabWire
    private let connection: Int

    init(_ wire: consuming LabWire, connection: Int) {
        self.wire = wire
        self.connection = connection
    }

    /// The next request, or the end of the connection.
    ///
    /// - Parameter cut: After how many bytes of its body the connection ends; `nil` lets it come whole.
    mutating func nextRequest(_ cut: LabRequest.BodyCut? = nil) throws(LabWire.Ended) -> LabRequest {
        // A TLS handshake (RFC 8446 §5.1) to a server without TLS gets the answer that http servers give.
        guard try wire.peek() != 0x16 else {
            try wire.write(Array("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n".utf8))
            throw .ended
        }
        let head = try wire.read(through: Array("\r\n\r\n".utf8), limit: Self.headLimit)
        var lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n").map(String.init)
        guard !lines.isEmpty else { throw .ended }
        let start = lines.removeFirst().split(separator: " ").map(String.init)
        guard start.count == 3, start[2].hasPrefix("HTTP/1.") else { throw .ended }
        let fields = lines.compactMap(Self.field)
        var request = LabRequest(method: start[0], target: start[1], fields: fields, body: [], connection: connection)
        if let length = request.field("Content-Length").flatMap({ Int($0) }), let end = cut?(request), end < length {
            if request.field("Expect")?.lowercased() == "100-continue" {
                try wire.write(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
            }
            let body = try wire.read(max(0, end))
            request = LabRequest(method: start[0], target: start[1], fields: fields, body: body, connection: connection)
            request.isTorn = true
            return request
        }
        let body = try readBody(fields)
        return LabRequest(method: start[0], target: start[1], fields: fields, body: body, connection: connection)
    }

    /// Sends `response`.
    ///
    /// - Returns: Whether the connection may carry another request.
    mutating func send(_ response: LabResponse, to request: LabRequest) throws(LabWire.Ended) -> Bool {
        if response.renegotiates { try wire.askForHandshake() }
        var budget = response.cutAfter ?? .max
        switch response.body {
        case .silence:
            while true { try wire.waitForPeer() }
        case .raw(let bytes):
            try write(bytes, &budget)
        case .fixed(let body):
            try write(
                head(of: response, "Content-Length: \(body.count)") + (hasBody(request, response) ? body : []), &budget)
        case .announced(let length, let next):
            try write(head(of: response, "Content-Length: \(length)"), &budget)
            try stream(next, of: request, &budget) { $0 }
        case .chunked(let next):
            try write(head(of: response, "Transfer-Encoding: chunked"), &budget)
            try stream(next, of: request, &budget) { piece in
                Array("\(String(piece.count, radix: 16))\r\n".utf8) + piece + [13, 10]
            }
            try write(Array("0\r\n\r\n".utf8), &budget)
        }
        return !response.closes && request.field("Connection")?.lowercased() != "close"
    }

    /// Asks who the client is; see ``LabWire/askForCertificate(_:)``.
    mutating func askWho(_ wasAsked: () -> Void) throws(LabWire.Ended) -> [UInt8] {
        try wire.askForCertificate(wasAsked)
    }

    /// Says goodbye.
    borrowing func close() { wire.close() }

    /// Ends without a goodbye.
    borrowing func cut() { wire.cut() }

    private func hasBody(_ request: LabRequest, _ response: LabResponse) -> Bool {
        request.method != "HEAD" && response.status != 204 && response.status != 304
    }

    private mutating func stream(
        _ next: (Int) -> [UInt8]?, of request: LabRequest, _ budget: inout Int, _ frame: ([UInt8]) -> [UInt8]
    ) throws(LabWire.Ended) {
        guard request.method != "HEAD" else { return }
        var index = 0
        while let piece = next(index) {
            if !piece.isEmpty { try write(frame(piece), &budget) }
            index += 1
        }
    }

    private mutating func write(_ bytes: [UInt8], _ budget: inout Int) throws(LabWire.Ended) {
        try wire.write(Array(bytes.prefix(budget)))
        budget -= min(budget, bytes.count)
        guard budget > 0 else { throw .ended }
    }

    private func head(of response: LabResponse, _ framing: String) -> [UInt8] {
        var lines = ["HTTP/1.1 \(response.status) Lab"]
        lines += response.fields.map { "\($0.name): \($0.value)" }
        if response.status != 204 && response.status != 304 { lines.append(framing) }
        if response.closes { lines.append("Connection: close") }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }

    private static func field(_ line: String) -> LabRequest.Field? {
        guard let colon = line.firstIndex(of: ":") else { return nil }
        let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
        return LabRequest.Field(String(line[..<colon]), String(value))
    }

    private mutating func readBody(_ fields: [LabRequest.Field]) throws(LabWire.Ended) -> [UInt8] {
        func value(_ name: String) -> String? { fields.first { $0.name.lowercased() == name }?.value.lowercased() }
        if value("expect") == "100-continue" { try wire.write(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)) }
        if value("transfer-encoding") == "chunked" { return try readChunks() }
        guard let text = value("content-length") else { return [] }
        guard let length = Int(text), length >= 0 else { throw .ended }
        guard length <= Self.bodyLimit else {
            try wire.write(Array("HTTP/1.1 413 Lab\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8))
            throw .ended
        }
        return try wire.read(length)
    }

    private mutating func readChunks() throws(LabWire.Ended) -> [UInt8] {
        var body: [UInt8] = []
        while true {
            let line = String(decoding: try wire.read(through: [13, 10], limit: 1024).dropLast(2), as: UTF8.self)
            guard let size = Int(line.prefix { $0 != ";" }, radix: 16), size >= 0, size <= Self.bodyLimit - body.count
            else {
                throw .ended
            }
            guard size > 0 else { break }
            body += try wire.read(size)
            guard try wire.read(2) == [13, 10] else { throw .ended }
        }
        while try wire.read(through: [13, 10], limit: 1024) != [13, 10] {}
        return body
    }
}
