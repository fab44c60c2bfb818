import PaviseLog
import TestSupport
import Testing

@Suite struct LogScanTests {
    private func scan(_ text: String, piece: Int, _ policy: MaskPolicy = .standard) -> [LogScan.Finding] {
        var found: [LogScan.Finding] = []
        var scan = LogScan(policy)
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            scan.take(Array(rest.prefix(piece))) { found.append($0) }
            rest = rest.dropFirst(piece)
        }
        scan.finish { found.append($0) }
        return found
    }

    @Test(arguments: [1, 3, 7, 1 << 18])
    func `each finding has its kind and line, however the log comes in`(_ piece: Int) {
        let found = scan("a\nmail jane@example.org and joe@example.org\n\npassword=hunter2", piece: piece)
        #expect(found.map(\.kind) == [.email, .email, .password] && found.map(\.line) == [2, 2, 4])
    }

    @Test func `a key of many lines is one finding`() {
        let key =
            "x\n-----BEGIN PRIVATE KEY-----\n" + String(repeating: "4111111111111111\n", count: 20)
            + "-----END PRIVATE KEY-----\njane@example.org\n"
        let found = scan(key, piece: 64)
        #expect(found.map(\.kind) == [.pem, .email] && found.map(\.line) == [2, 24])
    }

    @Test func `a key that never ends hides nothing of the rest`() {
        let begun = "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\nMIIEpAIBAAKCAQEA\n"
        let found = scan(begun + "INFO: user jane@example.org\npassword=hunter2\n", piece: 64)
        #expect(found.map(\.kind) == [.pem, .email, .password] && found.map(\.line) == [1, 5, 6])
        let endless = String(repeating: "4111111111111111\n", count: 1000)
        #expect(scan(begun + endless, piece: 64).count { $0.kind == .card } > 500)
    }

    @Test(arguments: [65_500, 65_530, 65_536, 131_060, 300_000])
    func `a value in a line without end is found once, wherever the line is parted`(_ place: Int) {
        let line = String(repeating: ".", count: place) + " jane@example.org " + String(repeating: ".", count: 70_000)
        #expect(scan(line, piece: 4096).map(\.kind) == [.email])
    }

    @Test(.long) func `a log without a line end needs the memory of a part`() {
        var scan = LogScan(.standard)
        let piece = [UInt8](repeating: 0x61, count: 1 << 18)
        for _ in 0..<64 { scan.take(piece) { _ in Issue.record("nothing is in it") } }
        #expect(scan.heldBytes < 1 << 19)
    }
}
