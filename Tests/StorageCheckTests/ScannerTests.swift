import PavisePrimitives
import Testing

@testable import PaviseStorage

@Suite struct `What the scanner of the storage check sees` {
    private static let token = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJlLXNpZ25hdHVyZQ"

    // A certificate as JSON has it.
    private static let inJSON =
        #"-----BEGIN CERTIFICATE-----\nMIIBaB3dE5gH7jK9mN1pQ3sT5vX7zA9c\n-----END CERTIFICATE-----\n"#

    private func rules(_ text: String, chunk: Int = .max) -> [StorageRule] {
        var scanner = ShapeScanner()
        let bytes = Array(text.utf8)
        var start = 0
        while start < bytes.count {
            let end = chunk < bytes.count - start ? start + chunk : bytes.count
            scanner.feed(bytes[start..<end])
            start = end
        }
        scanner.finish()
        return scanner.hits.map(\.rule)
    }

    @Test(arguments: [
        ("a \(token) b", StorageRule.webToken),
        ("-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIJ\n-----END PRIVATE KEY-----\n", .privateKey),
        ("-----BEGIN RSA PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIJ\n-----END RSA PRIVATE KEY-----\n", .privateKey),
        ("-----BEGIN ENCRYPTED PRIVATE KEY-----\nMC4C\n-----END ENCRYPTED PRIVATE KEY-----\n", .privateKey),
        (#"{"password": "hunter2"}"#, .namedSecret), (#"{"refresh_token":"abcdef"}"#, .namedSecret),
        ("PIN=482913", .namedSecret), ("session = abcd-efgh", .namedSecret),
        ("Authorization: Basic YWxpY2U6", .namedSecret),
        ("<key>authToken</key>\n\t<string>abcdef</string>", .namedSecret),
        (#"<string name="apiKey">abcdef</string>"#, .namedSecret),
        ("x aB3dE5gH7jK9mN1pQ3sT5vX7zA9c y", .randomText),
        ("x 9f86d081884c7d659a2feaa0c55ad015 y", .randomText),
        ("x 4kq9z2m7x1p8r5t3w6y0b8n2c y", .randomText), ("x JB5WY3DPEHPK3PXPGEZD6NBVGY3T y", .randomText),
        ("mail to ada.lovelace@example.org.", .emailAddress), ("<ada@example.org>", .emailAddress),
        ("\u{01}+bob@example.org", .emailAddress),
        ("k: -----BEGIN PRIVATE KEY-----MC4CAQAwBQYDK2VwBCIEIJ-----END PRIVATE KEY-----", .privateKey),
        (#"{"k": "-----BEGIN PRIVATE KEY-----\nMC4C\n-----END PRIVATE KEY-----\n", "a": 1}"#, .privateKey),
        (#"{"c": "\#(inJSON)", "password": "hunter2"}"#, .namedSecret),
        ("-----BEGIN CERTIFICATE-----MIIBaB3dE5gH7jK9mN1pQ3sT5v-----END CERTIFICATE-----\nPIN=482913", .namedSecret),
        ("-----BEGIN CERTIFICATE-----\nMIIB\n\(token)", .webToken),
        ("-----BEGIN CERTIFICATE-----\nMIIB\napi_key=abcdef", .namedSecret),
        ("-----BEGIN CERTIFICATE-----\nMIIB\npassword: hunter2", .namedSecret),
        ("-----BEGIN CERTIFICATE-----\nMIIB\nrefreshToken = abcdef", .namedSecret),
        (#"{"c": "-----BEGIN CERTIFICATE-----\nMIIB", "password": "hunter2"}"#, .namedSecret),
    ])
    func `a secret is found, and at every division of the bytes`(_ text: String, _ rule: StorageRule) {
        let expected = text.hasPrefix("<ada") ? [] : [rule]
        // A text in angle brackets is a tag: an address in one is not looked at.
        for chunk in [1, 2, 3, 7, 64] {
            #expect(rules(text, chunk: chunk) == expected, "\(text) in pieces of \(chunk)")
        }
    }

    @Test(arguments: [
        "", "hello", "{\"token_endpoint\": \"https://a.example/token\"}", #"{"passwordPolicy": "strict"}"#,
        #"{"token_type": "Bearer"}"#, #"{"password": null, "pin": 4, "session": true}"#, #"{"pinned": "yes, indeed"}"#,
        #"{"sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"}"#,
        #"{"installationID": "aB3dE5gH7jK9mN1pQ3sT5vX7zA9c"}"#,
        "sha256withrsaencryption2048bits", "SHA512WITHRSAENCRYPTIONANDMGF1", "abcdefghijklmnopqrstuvwxyz",
        "550e8400-e29b-41d4-a716-446655440000", "NSUserDefaultsDidChangeNotificationName1", "1234567890123456789012345",
        "/usr/Lib4/swift/Package9/Sources/Kit2/Storage", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "a@b", "@example.org",
        "a@b@c.de",
        "user@localhost", inJSON,
        "-----BEGIN CERTIFICATE-----\nMIIBaB3dE5gH7jK9mN1pQ3sT5vX7zA9c\n-----END CERTIFICATE-----",
        "eyJub3QiOiJhIHRva2VuIn0.eyJub3QiOiJhIHRva2VuIn0.",
    ])
    func `ordinary text gives no finding`(_ text: String) { #expect(rules(text) == []) }

    @Test func `a value is never part of a finding`() {
        var scanner = ShapeScanner()
        let text =
            #"{"password": "canary1", "\#(Self.token)": "aB3dE5gH7jK9mN1pQ3sT5vX7zA9c", "mail": "canary@example.org"}"#
        scanner.feed(Array(text.utf8)[...])
        scanner.finish()
        #expect(scanner.hits.count == 4)
        for hit in scanner.hits {
            #expect(!hit.detail.contains("canary") && !hit.detail.contains("eyJ") && !hit.detail.contains("aB3d"))
        }
    }

    @Test func `a finding has the line on which its value ends`() {
        var scanner = ShapeScanner()
        scanner.feed(Array("a\nb\npassword: hunter2\n".utf8)[...])
        scanner.finish()
        #expect(scanner.hits.map(\.line) == [3])
    }

    @Test func `a million bytes without an end of a run are bounded and judged by their beginning`() {
        var scanner = ShapeScanner()
        for _ in 0..<1_000 { scanner.feed([UInt8](repeating: 0x61, count: 1_000)[...]) }
        scanner.finish()
        #expect(scanner.hits.isEmpty)
    }

    @Test func `a file full of findings is cut at its bound`() {
        var scanner = ShapeScanner()
        for _ in 0..<1_000 { scanner.feed(Array("password: hunter2\n".utf8)[...]) }
        scanner.finish()
        #expect(scanner.hits.count == ShapeScanner.mostHits)
    }

    @Test(arguments: [
        ("refreshToken", ["refresh", "token"]), ("sessionID", ["session", "id"]), ("HTTPToken", ["http", "token"]),
        ("API_KEY", ["api", "key"]), ("oauth2-secret", ["oauth2", "secret"]), ("", []), ("__", []),
    ])
    func `names are divided into their words`(_ name: String, _ words: [String]) {
        #expect(TellingName.words(of: Array(name.utf8)) == words)
    }

    @Test func `random bytes of sealed files give no finding`() throws {
        var scanner = ShapeScanner()
        var state: UInt64 = 42
        for _ in 0..<512 {
            let block = (0..<4_096).map { _ -> UInt8 in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return UInt8(truncatingIfNeeded: state >> 33)
            }
            scanner.feed(block[...])
        }
        scanner.finish()
        #expect(scanner.hits == [])
    }
}
