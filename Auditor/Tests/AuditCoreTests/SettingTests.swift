import AuditCore
import Foundation
import Testing

/// Settings that weaken what the system does, and secrets that a person types or chose: each with what is found and what
/// is not, in three spellings.
@Suite struct SettingTests {
    struct Twins: Sendable, CustomTestStringConvertible {
        let rule: String
        let bad: String
        let good: String
        var testDescription: String { "\(rule): \(bad.prefix(60))" }

        init(_ rule: String, _ bad: String, _ good: String) { (self.rule, self.bad, self.good) = (rule, bad, good) }
    }

    private func rules(_ source: String) -> Set<String> {
        Set(Analyzer.analyze(Data(source.utf8), file: "App/A.swift").findings.map(\.rule))
    }

    private func spellings(_ source: String) -> [String] {
        [source, "enum Space {\n" + source + "\n}", "#if os(iOS)\n" + source + "\n#endif"]
    }

    static let transport: [Twins] = [
        Twins(
            "TLS-NO-EVALUATION",
            "func f(o: sec_protocol_options_t) { sec_protocol_options_set_verify_block(o, { _, _, done in done(true) }, q) }",
            "func f(o: sec_protocol_options_t) { sec_protocol_options_set_verify_block(o, { _, t, done in done(SecTrustEvaluateWithError(sec_trust_copy_ref(t).takeRetainedValue(), nil)) }, q) }"
        ),
        Twins(
            "TLS-NO-EVALUATION",
            "func f(o: sec_protocol_options_t) { sec_protocol_options_set_verify_block(o, { _, _, verifyComplete in verifyComplete(true) }, q) }",
            "func f(o: sec_protocol_options_t) { sec_protocol_options_set_verify_block(o, { _, t, verifyComplete in if verifyChain(t) { verifyComplete(true) } }, q) }"
        ),
        Twins(
            "TLS-NO-EVALUATION",
            "func f(t: SecTrust, k: Data) -> URLCredential? { guard pinner.validatePin(k) else { return nil }; return URLCredential(trust: t) }",
            "func f(t: SecTrust, k: Data) -> URLCredential? { guard pinner.validatePin(k, t) else { return nil }; return URLCredential(trust: t) }"
        ),
        Twins(
            "BIO-ENROLMENT",
            "func f(c: LAContext) { c.touchIDAuthenticationAllowableReuseDuration = LATouchIDAuthenticationMaximumAllowableReuseDuration }",
            "func f(c: LAContext) { c.touchIDAuthenticationAllowableReuseDuration = 10 }"),
        Twins(
            "TLS-NO-EVALUATION",
            "func f(c: URLAuthenticationChallenge) { SecTrustSetPolicies(c.protectionSpace.serverTrust!, SecPolicyCreateBasicX509()) }",
            "func f(c: SecCertificate) { use(c, SecPolicyCreateBasicX509()) }"),
        Twins(
            "TLS-NO-EVALUATION",
            "func f(c: URLAuthenticationChallenge) { let p = SecPolicyCreateSSL(true, nil); use(p, c.protectionSpace.serverTrust) }",
            "func f(c: URLAuthenticationChallenge) { let p = SecPolicyCreateSSL(true, c.protectionSpace.host as CFString); use(p, c.protectionSpace.serverTrust) }"
        ),
        Twins(
            "TLS-NO-EVALUATION", "let p: ServerTrustPolicy = .disableEvaluation",
            "let p: ServerTrustPolicy = .performDefaultEvaluation(validateHost: true)"),
        Twins(
            "TLS-NO-EVALUATION", "let s = [kCFStreamSSLValidatesCertificateChain: false] as [CFString: Any]",
            "let s = [kCFStreamSSLValidatesCertificateChain: true] as [CFString: Any]"),
        Twins(
            "NET-SENSITIVE",
            "func f(ssn: Data) { var r = URLRequest(url: URL(string: \"http://shop.example.net/a\")!); r.httpBody = ssn }",
            "func f(ssn: Data) { var r = URLRequest(url: URL(string: \"https://shop.example.net/a\")!); r.httpBody = ssn }"
        ),
        Twins(
            "DEBUG-SWITCH", "let u = URL(string: \"https://api.staging.shop.example\")",
            "let u = URL(string: \"https://api.shop.example/staging\")"),
        Twins(
            "CACHE-RESPONSE", "let c = URLCache(memoryCapacity: 1, diskCapacity: 2000)",
            "let c = URLCache(memoryCapacity: 1, diskCapacity: 0)"),
        Twins(
            "CACHE-RESPONSE",
            "func f() { let p: [HTTPCookiePropertyKey: Any] = [.name: n, .value: v]; let c = HTTPCookie(properties: p); use(c) }",
            "func f() { let p: [HTTPCookiePropertyKey: Any] = [.name: n, .secure: true]; let c = HTTPCookie(properties: p); use(c) }"
        ),
    ]

    static let storage: [Twins] = [
        Twins(
            "STORE-DATABASE",
            "func f(e: UITextField, passwordField: UITextField) { let u = NSEntityDescription.insertNewObject(forEntityName: \"U\", into: c) as? User; u?.password = passwordField.text }",
            "func f(titleField: UITextField) { let u = NSEntityDescription.insertNewObject(forEntityName: \"U\", into: c) as? User; u?.title = titleField.text }"
        ),
        Twins(
            "STORE-DATABASE", "func f(password: String) { let u = User(context: c); u.password = password }",
            "func f(password: String) { let u = User(model: c); u.password = password }"),
        Twins(
            "STORE-DATABASE",
            "func f(realm: Realm, password: String) { let u = Account(); u.password = password; realm.add(u) }",
            "func f(list: Names, password: String) { let u = Account(); u.password = password; list.add(u) }"),
        Twins(
            "STORE-DATABASE",
            "func f(t: Transaction, password: String) { t.setObject(password, forKey: \"p\", inCollection: \"c\") }",
            "func f(t: Transaction, title: String) { t.setObject(title, forKey: \"p\", inCollection: \"c\") }"),
        Twins(
            "STORE-DATABASE",
            "func f(d: CBLDocument, password: String) throws { let p = [\"password\": password]; try d.putProperties(p) }",
            "func f(d: CBLDocument, title: String) throws { let p = [\"title\": title]; try d.putProperties(p) }"),
        Twins(
            "STORE-FILE",
            "func f(password: String) { let d = NSMutableDictionary(); d.setValue(password, forKey: \"password\"); d.write(toFile: p, atomically: true) }",
            "func f(title: String) { let d = NSMutableDictionary(); d.setValue(title, forKey: \"title\"); d.write(toFile: p, atomically: true) }"
        ),
        Twins(
            "STORE-AUTHSTATE", "func f() { UserDefaults.standard.set(true, forKey: \"loggedIn\") }",
            "func f() { UserDefaults.standard.set(true, forKey: \"showsHints\") }"),
        Twins(
            "STORE-AUTHSTATE", "struct V { @AppStorage(\"isLoggedIn\") var isLoggedIn = false }",
            "struct V { @AppStorage(\"isCompact\") var isCompact = false }"),
        Twins(
            "KEYCHAIN-WEAK",
            "func f(password: Data) -> OSStatus { let q: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecValueData: password, kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked]; return SecItemAdd(q as CFDictionary, nil) }",
            "func f(password: Data) -> OSStatus { let q: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecValueData: password, kSecAttrAccessible: kSecAttrAccessibleWhenUnlockedThisDeviceOnly]; return SecItemAdd(q as CFDictionary, nil) }"
        ),
        Twins(
            "PASTE-GENERAL", "func f(password: String) { UIPasteboard.general.setItems([[k: password]]) }",
            "func f(password: String) { UIPasteboard.general.setItems([[k: password]], options: [.localOnly: true]) }"),
        Twins(
            "WEB-FILES",
            "func f(w: WKWebView, u: URL) { w.loadFileURL(u, allowingReadAccessTo: URL(fileURLWithPath: NSHomeDirectory())) }",
            "func f(w: WKWebView, u: URL) { w.loadFileURL(u, allowingReadAccessTo: u) }"),
        Twins(
            "WEB-FILES",
            "func f(w: WKWebView) { w.configuration.preferences.setValue(true, forKey: \"developerExtrasEnabled\") }",
            "#if DEBUG\nfunc f(w: WKWebView) { w.configuration.preferences.setValue(true, forKey: \"developerExtrasEnabled\") }\n#endif"
        ),
        Twins(
            "NOTIFY-CONTENT",
            "func application(_ a: UIApplication, didFinish o: Any) -> Bool { center.requestAuthorization(options: [.alert]) { _, _ in }; return true }",
            "func ask() { center.requestAuthorization(options: [.alert]) { _, _ in } }"),
        Twins(
            "ZIP-SLIP",
            "func f(archive: Archive, to: URL) throws { for entry in archive { let u = to.appendingPathComponent(entry.path); _ = try archive.extract(entry, to: u) } }",
            "func f(archive: Archive, to: URL) throws { for entry in archive { let u = to.appendingPathComponent(entry.path).standardizedFileURL; guard u.path.hasPrefix(to.path) else { continue }; _ = try archive.extract(entry, to: u) } }"
        ),
        Twins(
            "LEAK-ANALYTICS", "func f(email: String) { Flurry.log(eventName: \"a\", parameters: [\"e\": email]) }",
            "func f(count: Int) { Flurry.log(eventName: \"a\", parameters: [\"e\": count]) }"),
    ]

    static let secrets: [Twins] = [
        Twins(
            "CONST-IV",
            "func f(k: Data, d: Data) { CCCrypt(o, a, CCOptions(kCCOptionPKCS7Padding), k.p, 16, nil, d.p, 9, out, 9, &n) }",
            "func f(k: Data, d: Data, v: Data) { CCCrypt(o, a, CCOptions(kCCOptionPKCS7Padding), k.p, 16, v.p, d.p, 9, out, 9, &n) }"
        ),
        Twins(
            "KDF-WEAK",
            "func derive(_ p: String, rounds: Int = 1000) { CCKeyDerivationPBKDF(a, p, 4, s, 8, h, UInt32(rounds), k, 32) }",
            "func derive(_ p: String, rounds: Int = 700_000) { CCKeyDerivationPBKDF(a, p, 4, s, 8, h, UInt32(rounds), k, 32) }"
        ),
        Twins(
            "KEY-PREDICTABLE",
            "func f(db: OpaquePointer) { let id = UIDevice.current.identifierForVendor!.uuidString; sqlite3_exec(db, \"PRAGMA key = '\\(id)'\", nil, nil, nil) }",
            "func f(db: OpaquePointer, key: String) { sqlite3_exec(db, \"PRAGMA key = '\\(key)'\", nil, nil, nil) }"),
        Twins(
            "KEY-PREDICTABLE",
            "func f() { let k = SymmetricKey(data: Data(\"\\(Date().timeIntervalSince1970)\".utf8)); use(k) }",
            "func f(d: Data) { let k = SymmetricKey(data: d); use(k) }"),
        Twins(
            "CRYPTO-RSA",
            "let a = [kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 192] as [CFString: Any]",
            "let a = [kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256] as [CFString: Any]"),
        Twins(
            "RANDOM-WEAK",
            "struct G: RandomNumberGenerator { var s: UInt64; mutating func next() -> UInt64 { s = s &* 6 &+ 1; return s } }",
            "struct G: RandomNumberGenerator { var s = SystemRandomNumberGenerator(); mutating func next() -> UInt64 { s.next() } }"
        ),
        Twins("SECRET-LITERAL", "let adminPassword = \"tenzing\"", "let adminPassword = \"adminPassword\""),
        Twins("SECRET-LITERAL", "let password = \"TheUnknown\"", "let password = \"Passwort\""),
        Twins(
            "SECRET-LITERAL", "func f() { login(password: \"taoGi\") }",
            "func f() { login(password: \"user.password\") }"),
        Twins("SECRET-LITERAL", "var encryptionKey = \"myencrytionkey\"", "var encryptionKey = \"database_key\""),
        Twins(
            "SECRET-LITERAL",
            "func f(name: String, password: String) { if name == \"Admin\" && password == \"This!sA\" { open() } }",
            "func f(name: String, password: String) { if name == \"Admin\" && password == typed { open() } }"),
        Twins(
            "SECRET-LITERAL", "func f() { UserDefaults.standard.set(\"53cr3tP\", forKey: \"PIN\") }",
            "func f() { UserDefaults.standard.set(\"53cr3tP\", forKey: \"colour\") }"),
        Twins(
            "LOG-SENSITIVE", "func f(ccNoTextField: UITextField) { NSLog(\"n: %@\", ccNoTextField.text ?? \"\") }",
            "func f(titleTextField: UITextField) { NSLog(\"n: %@\", titleTextField.text ?? \"\") }"),
        Twins(
            "FIELD-PLAIN", "struct V: View { var body: some View { TextField(\"Card PIN\", text: $code) } }",
            "struct V: View { var body: some View { TextField(\"Card name\", text: $code) } }"),
        Twins(
            "FIELD-PLAIN",
            "struct V: View { var body: some View { TextField(\"Card PIN\", text: $code).opacity(0.5) } }",
            "struct V: View { var body: some View { TextField(\"Card PIN\", text: $code).opacity(0.001) } }"),
        Twins(
            "FIELD-PLAIN", "func f() { passwordTextField.isSecureTextEntry = false }",
            "func f() { passwordTextField.isSecureTextEntry = true }"),
    ]

    static let input: [Twins] = [
        Twins(
            "SQL-STRING",
            "func f(db: OpaquePointer, searchField: UITextField) { let q = \"SELECT a FROM t WHERE b = '\\(searchField.text!)'\"; sqlite3_prepare_v2(db, q, -1, &s, nil) }",
            "func f(db: OpaquePointer, searchField: UITextField) { sqlite3_prepare_v2(db, \"SELECT a FROM t WHERE b = ?\", -1, &s, nil); sqlite3_bind_text(s, 1, searchField.text!, -1, nil) }"
        ),
        Twins(
            "WEB-HTML",
            "func f(w: WKWebView, nameField: UITextField) { w.loadHTMLString(\"Hello \\(nameField.text ?? \"\")\", baseURL: nil) }",
            "func f(w: WKWebView, nameLabel: UILabel) { w.loadHTMLString(\"Hello\", baseURL: nil) }"),
        Twins(
            "PREDICATE",
            "func f(searchBar: UISearchBar) { let p = NSPredicate(format: \"a = '\" + searchBar.text! + \"'\"); use(p) }",
            "func f(searchBar: UISearchBar) { let p = NSPredicate(format: \"a = %@\", searchBar.text!); use(p) }"),
        Twins(
            "LINK-UNCHECKED", "func handleDeeplink(_ url: URL) { if url.lastPathComponent == \"pay\" { pay() } }",
            "func handleDeeplink(_ url: URL) { if url.host == \"shop.example\", url.lastPathComponent == \"pay\" { pay() } }"
        ),
    ]

    @Test(arguments: transport + storage + secrets + input)
    func `what weakens is found in each spelling, and its good twin is not`(_ twins: Twins) {
        for source in spellings(twins.bad) { #expect(rules(source).contains(twins.rule)) }
        for source in spellings(twins.good) { #expect(!rules(source).contains(twins.rule)) }
    }

    @Test(arguments: [
        ("http://shop.net/", true), ("HTTP://shop.net/", true), ("http://localhost.shop.net/a", true),
        ("http://10.shop.net", true), ("http://127.0.0.1.shop.net", true), ("http://example.com.shop.net", true),
        ("http://localhost@shop.net/", true), ("http://shop.net?a=b", true), ("http://172.32.0.1/", true),
        ("http://[2001:db8::1]:80/", true), ("http://172.20.0.1/", false), ("http://localhost:8080/", false),
        ("http://127.0.0.1", false), ("http://192.168.0.7/a", false), ("http://169.254.1.1/", false),
        ("http://nas.local?a", false), ("http://[::1]:80/", false), ("http://[fe80::1]/", false),
        ("http://[fd00::1]/", false), ("http://maps.apple.com/?q=a", false), ("https://shop.net/", false),
    ])
    func `plain http is told by whom it goes to, and not by how the address begins`(_ address: String, _ isTold: Bool) {
        let source = "let u = URL(string: \"\(address)\")\n"
        for text in [source, source + String(repeating: "let a = 1\n", count: 200)] {
            #expect(rules(text).contains("NET-HTTP") == isTold)
        }
    }
}
