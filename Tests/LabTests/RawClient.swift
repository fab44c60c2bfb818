import PaviseCrypto
import PaviseLab
import PavisePrimitives

/// A client that judges nothing and shows what came back.
struct RawClient {
    var tls: TLSParameters? = TLSParameters()
    var serverName = "localhost"

    /// What one connection gave.
    struct Answer {
        var text = ""
        var version = ""
        var suite = ""
        var chain: [[UInt8]] = []
        var status: Int { Int(text.split(separator: " ").dropFirst().first ?? "") ?? 0 }
        var body: String { text.firstRange(of: "\r\n\r\n").map { String(text[$0.upperBound...]) } ?? "" }

        /// The value of the first header field `name`, written exactly so.
        func field(_ name: String) -> String? {
            text.split(separator: "\r\n").first { $0.hasPrefix("\(name): ") }.map {
                String($0.dropFirst(name.count + 2))
            }
        }
    }

    /// Sends `text` as it stands and reads until the server closes.
    func send(_ text: String, to server: LabServer) throws -> Answer {
        let socket = try TCPStream.connect(port: server.port)
        guard let tls else { return try plain(text, over: socket) }
        let stream = try UnverifiedTLSClient(unverified: tls).connect(
            over: socket, serverName: serverName, within: 10_000)
        var answer = Answer()
        answer.version = stream.version
        answer.suite = stream.suite
        answer.chain = stream.peerChain
        var bytes: [UInt8] = []
        if !text.isEmpty {
            try stream.write(Array(text.utf8), to: socket)
            while let more = try? stream.read(upTo: 65_536, from: socket, within: 10_000) { bytes += more }
        }
        answer.text = String(decoding: bytes, as: UTF8.self)
        return answer
    }

    /// A GET on a connection of its own.
    func get(_ path: String, from server: LabServer, fields: [String] = []) throws -> Answer {
        try send(head("GET", path, fields), to: server)
    }

    /// A POST of a form on a connection of its own.
    func post(_ path: String, _ form: String, to server: LabServer, fields: [String] = []) throws -> Answer {
        let framing = ["Content-Type: application/x-www-form-urlencoded", "Content-Length: \(form.utf8.count)"]
        return try send(head("POST", path, fields + framing) + form, to: server)
    }

    private func head(_ method: String, _ path: String, _ fields: [String]) -> String {
        (["\(method) \(path) HTTP/1.1", "Host: localhost", "Connection: close"] + fields).joined(separator: "\r\n")
            + "\r\n\r\n"
    }

    private func plain(_ text: String, over socket: borrowing TCPStream) throws -> Answer {
        let request = Array(text.utf8)
        try socket.write(request.span)
        var bytes: [UInt8] = []
        while let more = try? socket.read(upTo: 65_536, within: 10_000), !more.isEmpty { bytes += more }
        return Answer(text: String(decoding: bytes, as: UTF8.self))
    }
}
