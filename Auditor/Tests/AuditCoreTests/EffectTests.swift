import AuditCore
import Foundation
import Testing

/// What is asked for and has no effect, resources, and what other people's apps once set off wrongly.
@Suite struct EffectTests {
    private func findings(_ text: String, _ file: String = "App/A.swift") -> [Finding] {
        Analyzer.analyze(Data(text.utf8), file: file).findings
    }

    private func rules(_ text: String, _ file: String = "App/A.swift") -> Set<String> {
        Set(findings(text, file).map(\.rule))
    }

    private let write = "func f(d: Data, u: URL) throws { try d.write(to: u, options: .completeFileProtection) }"

    @Test(arguments: [
        "import Glibc\n", "#if os(Linux)\nimport Foundation\n#endif\n", "import FoundationEssentials\n",
        "#if canImport(Glibc)\nlet a = 1\n#endif\n",
    ])
    func `a file option that Linux does not know is named where the file is for Linux`(_ start: String) throws {
        let finding = try #require(findings(start + write).first { $0.rule == "FILE-UNPROTECTED" })
        #expect(finding.message.contains("Linux") && finding.severity == .warning)
        #expect(!rules(write).contains("FILE-UNPROTECTED"))
        #expect(!rules(start + "#if os(iOS)\n" + write + "\n#endif").contains("FILE-UNPROTECTED"))
        #expect(rules(start + "#if os(iOS)\n#else\n" + write + "\n#endif").contains("FILE-UNPROTECTED"))
    }

    @Test(arguments: [
        "func f(d: Data, access: SecAccessControl) { keep(d) }",
        "func f(d: Data, with flags: SecAccessControlCreateFlags = .biometryCurrentSet) { keep(d) }",
        "func f(d: Data, protection: FileProtectionType) throws { try d.write(to: u) }",
        "func f(d: Data, thisDeviceOnly: Bool) { let a = 1; keep(d, a) }",
        "func f(d: Data) { let c = SecAccessControlCreateWithFlags(nil, k, [], nil)!; keep(d) }",
        "init(requireBiometrics flag: Bool) { keep(1) }",
    ])
    func `a protection that reaches no call is told`(_ source: String) {
        #expect(rules("struct A { " + source + " }").contains("PROTECTION-NO-EFFECT"))
    }

    @Test(arguments: [
        "func f(d: Data, access: SecAccessControl) { keep(d, access) }",
        "func f(d: Data, access: SecAccessControl) { fatalError() }",
        "func f(d: Data, access: SecAccessControl) throws { throw Refused() }",
        "func f(d: Data) { let c = SecAccessControlCreateWithFlags(nil, k, [], nil)!; keep(d, c) }",
        "func f(d: Data, thisDeviceOnly: Bool) { keep(d, thisDeviceOnly ? 1 : 2) }",
        "func f(access: Int) { keep(1) }",
    ])
    func `a protection that reaches a call, or a refusal, is silent`(_ source: String) {
        #expect(!rules("struct A { " + source + " }").contains("PROTECTION-NO-EFFECT"))
    }

    @Test(arguments: [
        ("func f() { let c = LAContext(); c.touchIDAuthenticationAllowableReuseDuration = 300 }", "BIO-ENROLMENT"),
        ("let a = [kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeySizeInBits: 2048] as [CFString: Any]", "CRYPTO-RSA"),
        ("let c = HTTPCookie(properties: [.name: n, .value: v, .domain: d, .path: p])", "CACHE-RESPONSE"),
        ("@Model class Account { var password: String }", "STORE-DATABASE"),
        (
            "struct V { var b: Int { Text(t).onOpenURL { url in show(url.lastPathComponent) }; return 1 } }",
            "LINK-UNCHECKED"
        ),
        (
            "func f(r: inout URLRequest) { r.setValue(\"Bearer q7ZpR3xW9bTn2LkVd8Hs5YcFm1Ju\", forHTTPHeaderField: \"Authorization\") }",
            "SECRET-ENTROPY"
        ),
        ("func f() { Shop.start(apiKey: \"k9Xq2LmP7vRt5w8Zb\") }", "SECRET-LITERAL"),
        (
            "func f() { bytes.withUnsafeMutableBytes { SecRandomCopyBytes(kSecRandomDefault, 9, $0.baseAddress!) } }",
            "KEYCHAIN-STATUS"
        ),
        ("func f(u: URL) { let t = try! String(contentsOf: u); use(t) }", "TRAP-INPUT"),
    ])
    func `other forms are found too`(_ source: String, _ rule: String) {
        #expect(rules(source).contains(rule))
        #expect(rules("#if os(iOS)\n" + source + "\n#endif").contains(rule))
        #expect(rules("enum Space {\n" + source + "\n}").contains(rule))
    }

    @Test(arguments: [
        ("let c = LAContext(); c.touchIDAuthenticationAllowableReuseDuration = 10", "BIO-ENROLMENT"),
        ("let a = [kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeySizeInBits: 4096] as [CFString: Any]", "CRYPTO-RSA"),
        ("let c = HTTPCookie(properties: [.name: n, .secure: \"TRUE\"])", "CACHE-RESPONSE"),
        ("@Model class Account { var title: String }", "STORE-DATABASE"),
        ("struct V { var b: Int { Text(t).onOpenURL { url in router.handle(url) }; return 1 } }", "LINK-UNCHECKED"),
        (
            "func f(s: OSStatus, q: CFDictionary) { let certStatus = SecItemAdd(passwordQuery, nil); print(certStatus) }",
            "LOG-SENSITIVE"
        ),
        ("func f() { var c = Set<Context>(); c.insert(.insulin); print(c) }", "LOG-SENSITIVE"),
        ("func f() { print(Key.password) }", "LOG-SENSITIVE"),
        (
            "func f(d: Data, k: SymmetricKey) throws { let n = AES.GCM.Nonce(); use(try AES.GCM.seal(d, using: k, nonce: n)) }",
            "CONST-IV"
        ),
        ("func f(data: Item) { connections.append(data.password) }", "STORE-DATABASE"),
        ("import os\nstruct A { func f(token: String) { Self.logger.debug(\"a \\(token)\") } }", "LOG-SENSITIVE"),
        ("func f(serverChangeToken: Data) { print(serverChangeToken) }", "LOG-SENSITIVE"),
        (
            "func f(r: inout URLRequest, password: String) { let i = URLQueryItem(name: \"p\", value: password); r.httpBody = form(i) }",
            "NET-SENSITIVE"
        ),
        (
            "func f(w: WKWebView) throws { let u = Bundle.main.url(forResource: \"a\", withExtension: \"js\")!; w.evaluateJavaScript(try String(contentsOf: u)) }",
            "WEB-JS"
        ),
        ("let didPurgeForResizingKey = \"didPurgeForResizingKeyB2024x7Q\"", "SECRET-ENTROPY"),
        (
            "func f(t: SecTrust) -> Bool { var e: CFError?; _ = SecTrustEvaluateWithError(t, &e); return e == nil }",
            "KEYCHAIN-STATUS"
        ),
        (
            "func f(t: SecTrust) throws -> URLCredential { try validateServer(t); return URLCredential(trust: t) }",
            "TLS-NO-EVALUATION"
        ),
        ("let u = URL(string: \"http://example.com\")", "NET-HTTP"),
        ("func f(v: Int) { UserDefaults.standard.set(v, forKey: \"failed-passcode-attempts\") }", "STORE-DEFAULTS"),
    ])
    func `what apps of others set off wrongly is silent`(_ source: String, _ rule: String) {
        #expect(!rules(source).contains(rule))
    }

    @Test(arguments: [
        ("App/Keys.xcconfig", "API_SECRET = k9Xq2LmP7vRt5w8Zb"), ("App/.env", "API_SECRET=k9Xq2LmP7vRt5w8Zb"),
        ("App/a.strings", "\"api_secret\" = \"k9Xq2LmP7vRt5w8Zb\";"),
        ("App/a.json", "{\n\"apiSecret\": \"k9Xq2LmP7vRt5w8Zb\",\n}"),
        ("App/a.pem", "-----BEGIN PRIVATE KEY-----\nAAAA"),
        ("App/.env", "A=b\r\nAPI_SECRET=k9Xq2LmP7vRt5w8Zb\r\nC=d\r\n"),
        ("App/a.json", "{\r\n\"a\": 1,\r\n\"apiSecret\": \"k9Xq2LmP7vRt5w8Zb\"\r\n}\r\n"),
        ("App/.env", "\u{FEFF}API_SECRET=k9Xq2LmP7vRt5w8Zb\n"), ("App/.env", "export API_SECRET=k9Xq2LmP7vRt5w8Zb\n"),
        ("App/Keys.xcconfig", "API_SECRET[sdk=iphoneos*][config=Release] = k9Xq2LmP7vRt5w8Zb"),
    ])
    func `a secret in a resource is found, and its value not repeated`(_ file: String, _ text: String) throws {
        let finding = try #require(findings(text, file).first)
        #expect(finding.rule == "SECRET-RESOURCE" && finding.severity == .error)
        #expect(!String(decoding: try JSONEncoder().encode(finding), as: UTF8.self).contains("k9Xq"))
        #expect(findings(text, "AppTests/" + file).first?.testCode == true)
    }

    @Test(arguments: [
        ("App/Keys.xcconfig", "API_SECRET = $(FROM_ELSEWHERE_1)"),
        ("App/a.strings", "\"password\" = \"Enter 2 words\";"),
        ("App/a.json", "{\"title\": \"k9Xq2LmP7vRt5w8Zb\"}"), ("App/a.pem", "-----BEGIN CERTIFICATE-----"),
        ("App/a.p12", "none"), ("App/a.strings", "\"Choose a passcode\" = \"4桁のコードa1\";"),
    ])
    func `a resource without a secret is silent`(_ file: String, _ text: String) {
        #expect(findings(text, file).isEmpty)
    }

    @Test(arguments: ["\n", "\r\n", "\r"])
    func `a line of a resource is counted as an editor does, and a long file of short lines is read whole`(
        _ end: String
    ) {
        let line = "A=b" + end
        let text = String(repeating: line, count: 2_000) + "API_SECRET=k9Xq2LmP7vRt5w8Zb" + end
        let report = Analyzer.analyze(Data(text.utf8), file: "App/.env")
        #expect(report.gaps == nil && report.findings.map(\.line) == [2_001])
    }

    @Test func `a key that is meant to be in apps is a note`() {
        let text = "<plist><dict><key>API_KEY</key><string>AIzaSyA9Xq2LmP7vRt5w8ZbQ</string></dict></plist>"
        #expect(findings(text, "App/Info.plist").map(\.severity) == [.note])
    }
}
