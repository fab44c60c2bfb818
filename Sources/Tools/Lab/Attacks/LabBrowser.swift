internal import PavisePrimitives

/// The part of a browser that a sign-in needs: it opens the callback address on loopback.
///
/// ```swift
/// let callback = try authority.approve(address)
/// let page = try LabBrowser.open(callback)           // what the app shows when it has the code
/// ```
public enum LabBrowser {
    /// What the listener answered.
    public struct Page: Hashable, Sendable {
        /// The status; 0 when the listener closed without an answer.
        public let status: Int
        /// The whole answer as it came, head and body.
        public let text: String
    }

    /// Opens a plain http address on 127.0.0.1, as the browser does after the last redirect. Blocks up to 30 s.
    ///
    /// - Throws: ``LabFailure/request(_:)`` for any other address, ``LabFailure/system(_:)`` when nobody listens.
    public static func open(_ address: String) throws(LabFailure) -> Page {
        let target = try LoopbackAddress(address)
        return try target.send("GET \(target.path) HTTP/1.1\r\nHost: \(target.host)\r\nAccept: text/html\r\n\r\n")
    }
}

/// A plain http address on loopback, taken apart.
struct LoopbackAddress: Sendable {
    let port: UInt16
    let path: String
    var host: String { "127.0.0.1:\(port)" }

    init(_ address: String) throws(LabFailure) {
        let start = "http://127.0.0.1:"
        let rest = address.dropFirst(start.count)
        let digits = rest.prefix { $0.isNumber }
        guard address.hasPrefix(start), let port = UInt16(digits) else {
            throw .request("only addresses like http://127.0.0.1:PORT/ can be opened")
        }
        self.port = port
        let tail = rest.dropFirst(digits.count).prefix { $0 != "#" }
        path = tail.hasPrefix("/") ? String(tail) : "/" + tail
    }

    /// Sends `text` and reads until the other side closes or pauses for 30 s.
    func send(_ text: String) throws(LabFailure) -> LabBrowser.Page {
        let connection = try connect()
        do { try connection.stream.write(Array(text.utf8).span) } catch { return LabBrowser.Page(status: 0, text: "") }
        var bytes: [UInt8] = []
        while bytes.count < 1 << 20, let more = try? connection.stream.read(upTo: 65_536, within: 30_000), !more.isEmpty
        {
            bytes += more
        }
        let answer = String(decoding: bytes, as: UTF8.self)
        return LabBrowser.Page(status: Int(answer.split(separator: " ").dropFirst().first ?? "") ?? 0, text: answer)
    }

    func connect() throws(LabFailure) -> LabSocket {
        try LabFailure.system { () throws(SystemFailure) in LabSocket(try .connect(port: port)) }
    }
}
