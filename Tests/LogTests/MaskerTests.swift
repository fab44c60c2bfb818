import Foundation
import PaviseLog
import PavisePrimitives
import Testing

/// What the second net catches, in each encoding, and what it leaves.
@Suite struct MaskerTests {
    /// Parts of each value that must not be seen, and the line that they stand in.
    struct Sample: CustomTestStringConvertible, Sendable {
        let kind: MaskKind
        let line: String
        let canary: String
        var testDescription: String { kind.rawValue + " " + canary }
    }

    static let samples: [Sample] = [
        Sample(
            kind: .jwt, line: "got eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJqYW5lIn0.c2lnbmF0dXJlMQ now",
            canary: "c2lnbmF0dXJlMQ"),
        Sample(kind: .bearer, line: "sent Bearer mF_9.B5f-4.1JqM to it", canary: "B5f-4.1JqM"),
        Sample(kind: .dpop, line: "sent DPoP Kz~8mXK1EalYznwH-LC to it", canary: "8mXK1EalYznwH"),
        Sample(kind: .basic, line: "sent Basic dXNlcjpwYXNzd29yZDE= to it", canary: "dXNlcjpwYXNzd29yZDE"),
        Sample(kind: .authorization, line: "Authorization: Custom zq81 ll92", canary: "zq81 ll92"),
        Sample(kind: .cookie, line: "Cookie: sid=31d4d96e407aad42; lang=en", canary: "31d4d96e407aad42"),
        Sample(kind: .query, line: "GET /cb?state=xyz99x&code=SplxlOBeZQQYbYS6 done", canary: "SplxlOBeZQQYbYS6"),
        Sample(kind: .token, line: "refresh_token=tGzv3JOkF0XG5Qx2TlKWIA done", canary: "tGzv3JOkF0XG5Qx2TlKWIA"),
        Sample(kind: .password, line: #"{"password": "hunter2!x", "a": 1}"#, canary: "hunter2!x"),
        Sample(kind: .secret, line: "client_secret=7Fjfp0ZBr1KtDRbnfVdmIw done", canary: "7Fjfp0ZBr1KtDRbnfVdmIw"),
        Sample(kind: .userinfo, line: "open https://jane:s3cret@cloud.example/x", canary: "s3cret"),
        Sample(
            kind: .pem, line: "key -----BEGIN PRIVATE KEY-----MC4CAQAwBQYDK2Vw-----END PRIVATE KEY----- end",
            canary: "MC4CAQAwBQYDK2Vw"),
        Sample(kind: .apikey, line: "use AKIAIOSFODNN7EXAMPLE now", canary: "IOSFODNN7EXAMPLE"),
        Sample(kind: .email, line: "mail of jane.doe+x@mail.example.org came", canary: "jane.doe"),
        Sample(kind: .phone, line: "call +49 170 1234567 now", canary: "170 1234567"),
        Sample(kind: .iban, line: "pay DE89 3704 0044 0532 0130 00 now", canary: "0532 0130"),
        Sample(kind: .card, line: "card 4111 1111 1111 1111 used", canary: "1111 1111"),
        Sample(kind: .ipv4, line: "from 192.168.17.23 now", canary: "17.23"),
        Sample(kind: .ipv6, line: "from 2001:db8::8a2e:370:7334 now", canary: "8a2e:370"),
        Sample(kind: .uuid, line: "id f81d4fae-7dec-11d0-a765-00a0c91e6bf6 now", canary: "00a0c91e6bf6"),
        Sample(kind: .hex, line: "digest 9f86d081884c7d659a2f now", canary: "884c7d659a2f"),
        Sample(kind: .base64, line: "blob 4f9Aa8bQ1xYzT7kLmN0pRsUvWxYz12Ab34Cd56Ef78Gh now", canary: "mN0pRsUvWxYz"),
    ]

    @Test func `there is a sample of each kind`() {
        #expect(Set(Self.samples.map(\.kind)) == Set(MaskKind.allCases))
    }

    @Test(arguments: samples)
    func `PR3: each kind is masked, named, and stays masked`(_ sample: Sample) {
        let masked = Masker(.strict).masked(sample.line)
        #expect(!masked.contains(sample.canary))
        #expect(masked.contains("«\(sample.kind.rawValue)»"))
        #expect(Masker(.strict).masked(masked) == masked)
    }

    // Test numbers that issuers and processors publish.
    @Test(arguments: [
        "4111111111111111", "4222222222222", "5555555555554444", "5105105105105100", "2221000000000009",
        "2720990000000007", "378282246310005", "341111111111111", "30569309025904", "36227206271667", "38520000023237",
        "3530111333300000", "3566002020360505", "6011111111111117", "6500000000000002", "6440000000000005",
        "6491111111111116", "6240008631401148", "6212345678900000003",
    ])
    func `PR3: a card of any issuer is masked, and its number with another last digit is none`(_ number: String) {
        #expect(Masker().masked("paid with \(number).") == "paid with «card».")
        let digit = number.last?.wholeNumberValue ?? 0
        let other = number.dropLast() + "\((digit + 1) % 10)"
        #expect(!Masker().masked("paid with \(other).").contains("«card»"))
    }

    enum Encoding: String, CaseIterable, Sendable {
        case plain, percent, percentTwice, json, html, base64

        func encode(_ text: String) -> String {
            switch self {
            case .plain: text
            case .percent: Self.percent(text)
            case .percentTwice: Self.percent(Self.percent(text))
            case .json:
                text.utf8.map { Self.isPlain($0) ? String(Unicode.Scalar($0)) : "\\u00" + Self.hex($0) }.joined()
            case .html: text.utf8.map { Self.isPlain($0) ? String(Unicode.Scalar($0)) : "&#\($0);" }.joined()
            case .base64: Self.base64(Array(text.utf8))
            }
        }

        /// What stands in each run of base64 of a line, read with Foundation's decoder.
        static func readings(of line: String) -> [String] {
            let runs = line.split { !$0.isASCII || !($0.isLetter || $0.isNumber || $0 == "+" || $0 == "/") }
            return runs.flatMap { [$0] + $0.split(separator: "/").suffix(1) }.compactMap { run in
                let padding = String(repeating: "=", count: (4 - run.count % 4) % 4)
                return Data(base64Encoded: run + padding).map { String(decoding: $0, as: UTF8.self) }
            }
        }

        private static func percent(_ text: String) -> String {
            text.utf8.map { isPlain($0) ? String(Unicode.Scalar($0)) : "%" + hex($0) }.joined()
        }

        private static func isPlain(_ byte: UInt8) -> Bool {
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        }

        private static func hex(_ byte: UInt8) -> String {
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }

        private static func base64(_ bytes: [UInt8]) -> String {
            let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
            var text = ""
            for start in stride(from: 0, to: bytes.count, by: 3) {
                let part = bytes[start..<min(start + 3, bytes.count)]
                let bits = part.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - part.count))
                for place in 0...part.count { text.append(letters[bits >> (18 - 6 * place) & 63]) }
                text += String(repeating: "=", count: 3 - part.count)
            }
            return text
        }
    }

    @Test(arguments: samples, Encoding.allCases)
    func `PR3: 22 kinds in six encodings, at each place of a line`(_ sample: Sample, _ encoding: Encoding) {
        let value = encoding.encode(sample.line)
        for line in [value, "before " + value, value + " behind", "{\"x\":\"\(value)\"}"] {
            let masked = Masker(.strict).masked(line)
            // In base64 the letters of a part depend on its place: what is left is looked at without it.
            #expect(!Encoding.readings(of: masked).contains { $0.contains(sample.canary) }, "\(masked)")
            #expect(!masked.contains(encoding.encode(sample.canary)), "\(masked)")
            #expect(masked != line)
        }
    }

    @Test(arguments: [
        "&#64;", "&#0000064;", "&#000000000000000000000000000000064;", "&#0000064", "&#x40;", "&#X0000040;",
        "&#x000000000000000000000000000000040;",
    ])
    func `PR3: zeros in front of a reference of HTML hide nothing`(_ reference: String) {
        #expect(Masker().masked("by jane\(reference)example.org") == "by «email»")
        let zeros = String(repeating: "0", count: 1 << 12)
        #expect(Masker().masked("by jane&#\(zeros)64;example.org") == "by «email»")
    }

    // RFC 6749 §4.1.3 and §5.1, RFC 8628 §3.2: what OAuth sends as JSON and as a form.
    @Test(
        arguments: [
            #"{"code":"SplxlOBeZQQYbYS6WxSbIA"}"#, #"{"code": "SplxlOBeZQQYbYSWxSbIA","x":1}"#,
            #"answer {\"code\":\"SplxlOBeZQQYbYS6WxSbIA\"}"#, #"{'code': 'SplxlOBeZQQYbYS6WxSbIA=='}"#,
            "code=SplxlOBeZQQYbYS6WxSbIA&grant_type=authorization_code",
            "posted code=SplxlOBeZQQYbYS6WxSbIA&redirect_uri=https%3A%2F%2Fa.example",
            #"{"state":"SplxlOBeZQQYbYS6WxSbIA"}"#, #"{"sig":"SplxlOBeZQQYbYS6WxSbIA"}"#,
            #"{"key":"SplxlOBeZQQYbYS6WxSbIA"}"#, #"{"auth":"SplxlOBeZQQYbYS6WxSbIA"}"#,
            "state=SplxlOBeZQQYbYS6WxSbIA&code=1", #"{"device_code":"SplxlOBeZQQYbYS6WxSbIA"}"#,
            "user_code=SplxlOBeZ&device_code=SplxlOBeZ", "GET /a?auth=SplxlOBeZ&b=1",
        ], Encoding.allCases)
    func `PR3: OAuth's parameters are masked as members of JSON and as the first field of a form`(
        _ text: String, _ encoding: Encoding
    ) {
        let value = encoding.encode(text)
        for line in [value, "before " + value, value + " behind"] {
            let masked = Masker().masked(line)
            #expect(!Encoding.readings(of: masked).contains { $0.contains("SplxlOBeZ") }, "\(masked)")
            #expect(!masked.contains("SplxlOBeZ") && masked.contains("«"), "\(masked)")
            #expect(Masker().masked(masked) == masked)
        }
    }

    @Test(arguments: [
        #"{"code":404,"state":"RUNNING"}"#, #"{"code":"404"}"#, #"{"code":"AccessDenied"}"#, #"{"code":"ORA-12345"}"#,
        #"{"code":"HTTP_404_NOT_FOUND"}"#, #"{"state":"phase2 of 3"}"#, #"{"state":"step2_done"}"#,
        #"{"key":"2026-11-28T14:01:24Z"}"#, #"{"key":"cache12"}"#, "code=404&reason=none", "state=running&page=2",
        "code=SplxlOBeZQQYbYS6", "key: SplxlOBeZQQYbYS6WxSb", #"{"auth":"basic"}"#, #"{"sid":"session one 12"}"#,
    ])
    func `a code, a state and a key of every day stay`(_ line: String) { #expect(Masker().masked(line) == line) }

    // The strict policy masks a long run of base64 whatever is in it; the standard one has to look inside.
    @Test(arguments: samples.filter { !$0.kind.isIdentifier })
    func `PR3: the standard policy finds each of its kinds inside of base64`(_ sample: Sample) {
        let value = Encoding.base64.encode(sample.line)
        for line in [value, "before \(value) behind", "{\"x\":\"\(value)\"}", "/files/\(value)", value + " " + value] {
            let masked = Masker().masked(line)
            #expect(masked.contains("«"), "\(masked)")
            #expect(!Encoding.readings(of: masked).contains { $0.contains(sample.canary) }, "\(masked)")
        }
    }

    @Test func `what is looked for in base64 is seen where nothing masks it`() {
        for sample in Self.samples {
            #expect(
                Encoding.readings(of: "a \(Encoding.base64.encode(sample.line)) b").contains {
                    $0.contains(sample.canary)
                })
        }
    }

    @Test(arguments: [
        "22:41:36,123 INFO dfs.DataNode$PacketResponder: PacketResponder 1 for block blk_38865049064139660 ends",
        "at org.apache.hadoop.ipc.Client@1a2b3c4d (Client.java:1480)", "token=android.os.Binder@f8a1c2d",
        "Failed password for root from console port 22 ssh2", "code=404 state=running key=value",
        "the password is checked", "basic authentication failed", "bearer token expired", "a @ b", "x@y",
        "PWD=/home/jane",
        "password: null", "1+12345678", "GMT+0200", "version 4111.1111.1111.1112", "::", "12:30:45", "std::vector<int>",
        "/usr/share/locale/de/LC_MESSAGES/libc.mo", "https://cloud.example/files/a@b", "secret=***", "+0123456789",
        "4111 1111 1111 1112", "DE89 3704 0044 0532 0130 01", "eyJ", "-----BEGIN", "a=b&c=d", "AKIA and AIza",
        "50% of 20%", "Started getty@tty1.service - Getty on tty1.", "user-runtime-dir@1000.service: Deactivated",
        "no image AppIcon60x60@2x.png in the bundle",
    ])
    func `ordinary lines stay as they are`(_ line: String) { #expect(Masker().masked(line) == line) }

    // Each value was a part of something longer before what stood beside it was masked.
    @Test(arguments: [
        ("call +491701234567" + String(repeating: "x", count: 64) + "@example.org", "call «phone»«email»"),
        ("jane@example.org+4917012345678+4917012345679", "«email»«phone»«phone»"),
        ("amFuZUBleGFtcGxlLm9yZw-----BEGIN A-----x", "«email»«pem»"),
    ])
    func `PR3: what a mask sets free is masked too`(_ line: String, _ masked: String) {
        #expect(Masker().masked(line) == masked)
        #expect(Masker().masked(masked) == masked)
    }

    @Test func `PR3: of 30,000 ordinary lines fewer than one in a thousand is masked`() {
        let masker = Masker()
        var kinds: [MaskKind: Int] = [:]
        var masked: [String] = []
        for line in OrdinaryLines(seed: 22).prefix(30_000) {
            let found = masker.find(in: Array(line.utf8))
            guard !found.isEmpty else { continue }
            masked.append(masker.masked(line))
            for one in found { kinds[one.kind, default: 0] += 1 }
        }
        print(
            "ordinary lines: \(masked.count) of 30,000 masked", kinds.map { "\($0.key.rawValue) \($0.value)" }.sorted())
        #expect(masked.count < 30, "\(kinds) \(masked.prefix(30))")
    }

    @Test(arguments: [
        String(repeating: "a", count: 1 << 16), String(repeating: "@", count: 1 << 16),
        String(repeating: "a@a.", count: 1 << 14), String(repeating: "://", count: 1 << 14),
        String(repeating: "cookie:", count: 1 << 13), String(repeating: "%", count: 1 << 16),
        String(repeating: "%25", count: 1 << 14), String(repeating: "-----BEGIN ", count: 1 << 12),
        String(repeating: "+1", count: 1 << 15), String(repeating: "1234 ", count: 1 << 14),
        String(repeating: "DE89 ", count: 1 << 13), String(repeating: "eyJ.", count: 1 << 14),
        String(repeating: "\"password\":\"", count: 1 << 12), String(repeating: "&#", count: 1 << 15),
        String(repeating: "&#0", count: 1 << 14), "&#" + String(repeating: "0", count: 1 << 16),
        String(repeating: "YWFh", count: 1 << 14), String(repeating: "basic ", count: 1 << 13),
        String(repeating: "code=", count: 1 << 13), String(repeating: "\"code\":\"a1", count: 1 << 12),
        "code=" + String(repeating: "a1", count: 1 << 15),
    ])
    func `PR4: the work is linear in the length of a hostile line`(_ line: String) {
        // The processor's time of this thread: other work on the machine does not count.
        func time(_ bytes: [UInt8]) -> Int64 {
            let start = ProcessorTime.ofThread
            _ = Masker(.strict).masked(bytes)
            return ProcessorTime.ofThread - start
        }
        let short = time(Array(line.utf8.prefix(1 << 12)))
        // 16 times the length; a quadratic parser takes 256 times as long.
        let limit = max(short, 2_000_000) * 100
        #expect(time(Array(line.utf8)) < limit)
    }

    @Test(arguments: [[0x00], [0xFF, 0xC2], [0xC2, 0xAB], [0xED, 0xA0, 0x80, 0x40], Array("\\ud83d@a.de".utf8), []])
    func `bytes that are no text are taken as they are`(_ bytes: [UInt8]) {
        _ = Masker(.strict).masked(bytes)
        #expect(Masker(.strict).find(in: bytes).allSatisfy { $0.start < $0.end && $0.end <= bytes.count })
    }

    @Test func `identifiers stay in the standard policy`() {
        let line = "from 192.168.17.23 id f81d4fae-7dec-11d0-a765-00a0c91e6bf6"
        #expect(Masker().masked(line) == line)
    }

    @Test func `a long name without a digit is no identifier, under the strict policy either`() {
        let name = "applicationDidFinishLaunchingWithOptionsAndItsHandler"
        #expect(Masker(.strict).masked("in \(name) now") == "in \(name) now")
        let masked = Masker(.strict).masked("in \(name)7 now")
        #expect(masked == "in «base64» now" || !masked.contains(name))
    }
}
