internal import PaviseLab
internal import PavisePrimitives
internal import PaviseSession
internal import PaviseTransport

/// Plays the person and the browser: signs in at the lab's authority and follows its redirect to the loopback listener.
enum LabPerson {
    /// A browser that signs in; `alter` may change the callback's address, as an attacker would.
    static func browser(
        _ oauth: LabAuthority, alter: @escaping @Sendable (String) -> [String] = { [$0] }
    ) -> AddressReader {
        AddressReader { (address) throws(BrowserFailure) in
            do {
                for callback in alter(try oauth.approve(address.description)) { try visit(callback) }
            } catch {
                throw BrowserFailure("the lab's browser failed: \(error)")
            }
        }
    }

    /// Sends a GET to a loopback address, as a browser does.
    ///
    /// - Returns: The status of the answer; 0 when there was none.
    @discardableResult
    static func visit(_ address: String) throws -> Int {
        let url = try WebURL(address)
        let socket = try TCPStream.connect(port: url.origin.port)
        let target = url.path + (url.query.map { "?\($0)" } ?? "")
        let request = Array(
            "GET \(target) HTTP/1.1\r\nHost: \(url.origin.host):\(url.origin.port)\r\nConnection: close\r\n\r\n".utf8)
        try socket.write(request.span)
        let answer = String(decoding: try socket.read(upTo: 4096, within: 5000), as: UTF8.self)
        return Int(answer.split(separator: " ").dropFirst().first ?? "0") ?? 0
    }
}
