internal import PaviseLog

extension FuzzTarget {
    static let log = [masker, logScan, journalEncoder]

    /// Masks are in order, inside the text and apart; masking twice is masking once.
    private static let masker = FuzzTarget(
        text: "masker",
        seeds: [
            "Authorization: Bearer mF_9.B5f-4.1JqM", "mail jane%40example.org", #"{"password":"a\u0040b"}"#,
            "https://a:b@c.example/?code=x&state=y", "DE89 3704 0044 0532 0130 00 4111 1111 1111 1111 +49 170 1234567",
            "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJqYW5lIn0.c2ln", "-----BEGIN A-----x-----END A-----",
            "amFuZUBleGFtcGxlLm9yZw==",
            "2001:db8::1 192.168.1.1 f81d4fae-7dec-11d0-a765-00a0c91e6bf6",
        ]
    ) { text in
        let masker = Masker(.strict)
        let bytes = Array(text.utf8)
        var end = 0
        for range in masker.find(in: bytes) {
            require(range.start >= end && range.end > range.start && range.end <= bytes.count, "masks overlap")
            end = range.end
        }
        let once = masker.masked(bytes)
        require(masker.masked(once) == once, "masking twice is not masking once")
        let encoded = LineEncoding.encoded(masker.masked(LineEncoding.beginning(of: bytes)))
        require(!encoded.contains(10) && !encoded.contains(0x1B), "one entry is two lines")
    }

    /// The same findings however the log is cut into pieces.
    private static let logScan = FuzzTarget(
        "log-scan", seeds: { [Array("\u{3}a\njane@example.org\n-----BEGIN A-----\nx\n-----END A-----".utf8)] }
    ) { bytes in
        func findings(_ piece: Int) -> [LogScan.Finding] {
            var found: [LogScan.Finding] = []
            var scan = LogScan(.standard)
            var rest = bytes.dropFirst()
            while !rest.isEmpty {
                scan.take(Array(rest.prefix(piece))) { found.append($0) }
                rest = rest.dropFirst(piece)
            }
            scan.finish { found.append($0) }
            return found
        }
        let piece = Int(bytes.first ?? 1) + 1
        require(findings(piece) == findings(1 << 20), "pieces change the findings")
    }

    /// What the encoder writes is read back by the rules of the protocol.
    private static let journalEncoder = FuzzTarget(
        "journal-encoder", seeds: { [Array("a".utf8), Array("a\nPRIORITY=0\n".utf8), []] }
    ) { bytes in
        var encoded: [UInt8] = []
        JournalEncoder.append("MESSAGE", bytes, to: &encoded)
        guard bytes.contains(10) else {
            return require(encoded == Array("MESSAGE=".utf8) + bytes + [10], "a field is not what it was")
        }
        let head = Array("MESSAGE\n".utf8)
        let length = encoded.dropFirst(head.count).prefix(8).reversed().reduce(0) { $0 << 8 | Int($1) }
        require(encoded.starts(with: head) && length == bytes.count, "a field has another length")
        require(Array(encoded.dropFirst(head.count + 8)) == bytes + [10], "a field is not what it was")
    }
}
