import AuditCore
import Foundation
import Testing

/// What other people's apps set off wrongly, and what was missed in them: each with its twin.
@Suite struct OtherAppsTests {
    private func findings(_ text: String, _ file: String = "App/A.swift") -> [Finding] {
        Analyzer.analyze(Data(text.utf8), file: file).findings
    }

    private func rules(_ text: String, _ file: String = "App/A.swift") -> Set<String> {
        Set(findings(text, file).filter { $0.severity != .note }.map(\.rule))
    }

    static let twins: [SettingTests.Twins] = [
        .init(
            "LOG-SENSITIVE", "func f(certificateKey privateKey: Data) { print(privateKey) }",
            "func f(cert: SecCertificate) { print(cert) }"),
        .init(
            "LOG-SENSITIVE", "func f(accessToken: String) { logger.info(\"\\(accessToken)\") }",
            "func f(tokenTimestamp: Date, certificateConsent: Bool) { log(tokenTimestamp, certificateConsent) }"),
        .init(
            "LOG-SENSITIVE", "func f(_ phone: String) { print(\"phone is \\(phone)\") }",
            "func f(_ iPhone: Device) { print(iPhone) }"),
        .init(
            "LOG-SENSITIVE", "func f(s: Session) { log.info(\"kept \\(s.vpnCredentials)\") }",
            "func f() { log.info(\"kept \\(StorageKey.vpnCredentials)\") }"),
        .init(
            "LOG-SENSITIVE", "func f(_ sensitiveData: String) { print(sensitiveData) }",
            "func f(_ plainData: String) { print(plainData) }"),
        .init(
            "NOTIFY-CONTENT",
            "func f(diagnosis: String) { let c = UNMutableNotificationContent(); c.body = diagnosis }",
            "func f() { let c = UNMutableNotificationContent(); c.body = AppStrings.Notices.certificateValidity }"),
        .init("SECRET-LITERAL", "let n = \"npm_4fZ81kQpB7cD9eGhJ2mN5rS6tUvW\"", "let n = \"npm_variant_outline\""),
        .init(
            "SECRET-LITERAL", "let registrationToken = \"63b4d3ff-e0de-4bd4\"",
            "let fakeRegistrationToken = \"63b4d3ff-e0de-4bd4\""),
        .init(
            "STORE-FILE", "func f(credential: Data, u: URL) throws { try credential.write(to: u) }",
            "func f(c: Credential) { WidgetCredential.write(c, to: place) }"),
        .init(
            "NET-SENSITIVE", "func f(refreshToken: String) { AF.request(url, parameters: [\"t\": refreshToken]) }",
            "func f(refreshToken: String) { let r = Route(token: refreshToken); AF.request(r) }"),
        .init(
            "NET-HTTP", "let u = URL(string: \"http://home.example.net:8123\")",
            "let u = URL(string: \"http://home.local:8123\")"),
        .init(
            "TLS-NO-EVALUATION", "func f(t: SecTrust, d: CFData) { SecTrustSetExceptions(t, d) }",
            "func f(t: SecTrust, d: CFData) -> Bool { SecTrustSetExceptions(t, d); return SecTrustEvaluateWithError(t, nil) }"
        ),
        .init(
            "PATH", "func f(u: URL) throws { let p = try String(contentsOf: u); let d = open(p, O_RDONLY); use(d) }",
            "func f(u: URL) throws -> Act { let p = try String(contentsOf: u); return .open(p) }"),
        .init(
            "KDF-WEAK",
            "enum Keys { func f() throws { let k = try PKCS5.PBKDF2(password: p, salt: s, iterations: 1); use(k) } }",
            "struct Scrypt { func f() throws { let k = try PKCS5.PBKDF2(password: p, salt: s, iterations: 1); use(k) } }"
        ),
        .init(
            "CONST-IV",
            "struct Box { func f() throws { let c = try AES(key: k, blockMode: CBC(iv: [0, 0])); use(c) } }",
            "struct CMAC { func f() throws { let c = try AES(key: k, blockMode: CBC(iv: [0, 0])); use(c) } }"),
        .init(
            "STORE-DEFAULTS", "func f(email: String) { UserDefaults.standard.set(email, forKey: \"e\") }",
            "func f(d: Date) { UserDefaults.standard.set(d, forKey: \"emailPromptDismissedAt\") }"),
        .init(
            "SECRET-LITERAL",
            "func f() { use(hashed(\"admin123\")) }\nfunc hashed(_ password: String) -> Int { password.count }",
            "func f() { use(hashed(\"admin123\")) }\nfunc hashed(_ title: String) -> Int { title.count }"),
        .init(
            "STORE-AUTHSTATE",
            "func f() -> Bool { let isTrustedDevice = UserDefaults.standard.bool(forKey: \"is_trusted_device\"); if isTrustedDevice { return true }; return false }",
            "func f() -> Bool { let wide = UserDefaults.standard.bool(forKey: \"is_wide\"); if wide { return true }; return false }"
        ),
        .init(
            "WEB-FILES",
            "func f(w: WKWebView, html: String) { let documents = FileManager.default.urls(for: .documentDirectory, in: .userDomainMask)[0]; w.loadHTMLString(html, baseURL: documents) }",
            "func f(w: WKWebView, html: String) { let documents = FileManager.default.urls(for: .documentDirectory, in: .userDomainMask)[0]; w.loadHTMLString(html, baseURL: nil); use(documents) }"
        ),
        .init(
            "SECRET-LITERAL", "let t = \"\"\"\n    Name: anna\n    Password: Tulip4Ever9\n    \"\"\"",
            "let t = \"\"\"\n    Name: anna\n    Password: chosen by you\n    \"\"\""),
        .init(
            "LOG-RELEASE", "func f(r: HTTPURLResponse) { print(r.allHeaderFields) }",
            "func f(r: HTTPURLResponse) { print(r.statusCode) }"),
        .init(
            "KDF-WEAK", "func f() throws { let k = try PKCS5.PBKDF1(password: p, salt: s); use(k) }",
            "func f() throws { let k = try PKCS5.PBKDF2(password: p, salt: s, iterations: 600_000); use(k) }"),
        .init(
            "SECRET-ENTROPY",
            "let validCredentials = [\"anna\": \"76de6d01d6e0d1ec71ba68255ad7320ffd87fb49476b4da7f67af31e42a59542\"]",
            "let publicCredentialHashes = [\"anna\": \"76de6d01d6e0d1ec71ba68255ad7320ffd87fb49476b4da7f67af31e42a59542\"]"
        ),
    ]

    @Test(arguments: twins)
    func `a weakness of another app is found, and what only looks like it is not`(_ twins: SettingTests.Twins) {
        for spelling in [twins.bad, "#if os(iOS)\n" + twins.bad + "\n#endif", "enum Space {\n" + twins.bad + "\n}"] {
            #expect(rules(spelling).contains(twins.rule), "\(spelling)")
        }
        for spelling in [twins.good, "#if os(iOS)\n" + twins.good + "\n#endif", "enum Space {\n" + twins.good + "\n}"] {
            #expect(!rules(spelling).contains(twins.rule), "\(spelling)")
        }
    }

    @Test func `a translated name of a certificate is no secret of the app's resources`() {
        #expect(findings("\"Overview_TwoGCertificate\" = \"2G-Zertifikat\";", "de.lproj/Localizable.strings").isEmpty)
        #expect(
            findings("\"user.password\" = \"crwdns154862:0crwdne154862:0\";", "en.lproj/Localizable.strings").isEmpty)
        #expect(!findings("\"api_token\" = \"k9Xq2LmP7vRt5\";", "de.lproj/Localizable.strings").isEmpty)
    }

    @Test(arguments: [
        ("let k = try PKCS5.PBKDF2(password: p, salt: s, iterations: 210_000)", Severity.note),
        ("let k = try PKCS5.PBKDF2(password: p, salt: s, iterations: 600_000, variant: .sha1)", .note),
        ("let k = try PKCS5.PBKDF2(password: p, salt: s, iterations: 10_000)", .warning),
    ])
    func `a derivation is judged by its rounds and its function`(_ source: String, _ severity: Severity) {
        let found = findings("func f() throws { " + source + "; use(k) }").filter { $0.rule == "KDF-WEAK" }
        #expect(found.map(\.severity) == [severity])
    }

    @Test func `domains of developers are told once for each list`() {
        let list = ["a", "b"].map { "<string>applinks:\($0).example?mode=developer</string>" }.joined()
        let text =
            "<plist version=\"1.0\"><dict><key>com.apple.developer.associated-domains</key><array>\(list)</array></dict></plist>"
        #expect(findings(text, "App/App.entitlements").count == 1)
    }

    @Test func `what a file declares under the name of an API needs no reason`() {
        let own = Analyzer.analyze(Data("struct A { var modificationDate: Date? }".utf8), file: "App/A.swift").facts
        let used = Analyzer.analyze(Data("let d = attributes[.modificationDate]".utf8), file: "App/A.swift").facts
        #expect(!own.contains { $0.hasPrefix("uses:") } && used.contains { $0.hasPrefix("uses:") })
    }
}
