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
            "NET-SENSITIVE", "func f(accessToken: String) { if let u = URL(string: base + accessToken) { open(u) } }",
            "func f(accessToken: String) { if let u = URL(string: accessToken) { open(u) } }"),
        .init(
            "NET-HTTP", "struct Shop { let page = URL(string: \"http://a.example/page\") }",
            "enum Credits { static let page = URL(string: \"http://a.example/page\") }"),
        .init(
            "HASH-WEAK", "func key(email: String) -> Digest { Insecure.MD5.hash(data: Data(email.utf8)) }",
            "func avatarKey(email: String) -> Digest { Insecure.MD5.hash(data: Data(email.utf8)) }"),
        .init(
            "STORE-DATABASE", "@Model class Unlock { var pin: String?\nvar title = \"\" }",
            "@Model class Item { var pin: String?\nvar title = \"\" }"),
        .init(
            "NET-SENSITIVE",
            "class Session { func f(token: String) { g(URL(string: \"https://a.example/?t=\" + token)) } }",
            "class Rooms { func f(token: String) { g(URL(string: \"https://a.example/?t=\" + token)) } }"),
        .init(
            "TLS-NO-EVALUATION",
            "func f(c: URLAuthenticationChallenge) { if counts(2) { g(URLCredential(trust: c.protectionSpace.serverTrust!)) } }",
            "func f(c: URLAuthenticationChallenge) { if store.accepts(c) { g(URLCredential(trust: c.protectionSpace.serverTrust!)) } }"
        ),
        .init(
            "FIELD-PLAIN",
            "struct V: View { var body: some View { if h { SecureField(t, text: $b) } else { TextField(\"PIN\", text: $code) } } }",
            "struct V: View { var body: some View { if h { SecureField(t, text: a ? $b : $code) } else { TextField(\"PIN\", text: $code) } } }"
        ),
        .init(
            "LOG-SENSITIVE",
            "func f() { switch readPassword() { case .success(let a): print(a)\ncase .failure(let b): break } }",
            "func f() { switch readPassword() { case .success(let a): break\ncase .failure(let b): print(b) } }"),
        .init(
            "FIELD-PLAIN", "func f(row: Row) { row = Row(field: 1); row.textField.textContentType = .password }",
            "func f(row: Row) { row = Row(secureTextField: 1); row.textField.textContentType = .password }"),
        .init(
            "SECRET-LITERAL", "let oneTimePassword = \"mobilenumber7\"",
            "let oneTimePassword = \"mobileNumberConfirmationCode\""),
        .init(
            "CONST-SALT", "let values = [HkdfTestVector(ikm: d, salt: Data([1, 2, 3, 4]))]",
            "let hkdfTestVectors = [HkdfTestVector(ikm: d, salt: Data([1, 2, 3, 4]))]"
        ),
        .init(
            "LOG-RELEASE", "#if BETA || DEBUG\nfunc f(r: URLRequest) { print(r.allHTTPHeaderFields) }\n#endif",
            "#if DEBUG || INHOUSE\nfunc f(r: URLRequest) { print(r.allHTTPHeaderFields) }\n#endif"),
        .init(
            "CRYPTO-OWN",
            "func seal(_ t: Data) -> Data { Data(t.enumerated().map { $0.element ^ mask[$0.offset % mask.count] }) }",
            "func read(_ e: [UInt8]) -> String { String(e.enumerated().map { Character(UnicodeScalar($0.element ^ mask[$0.offset % mask.count])) }) }"
        ),
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
            "LOG-SENSITIVE", "func f(s: Session) { log.info(\"kept \\(s.vpnPassword)\") }",
            "func f() { log.info(\"kept \\(StorageKey.vpnPassword)\") }"),
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
            "PATH",
            "func f(remote: URL) throws { let p = try String(contentsOf: remote); let d = open(p, O_RDONLY); use(d) }",
            "func f(remote: URL) throws -> Act { let p = try String(contentsOf: remote); return .open(p) }"),
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
            "SECRET-LITERAL",
            "let t = \"\"\"\r\n    Name: anna\r\n    Password: Tulip4Ever9\r\n    Town: Kiel\r\n    \"\"\"",
            "let t = \"\"\"\r\n    Name: anna\r\n    Password: chosen by you\r\n    Town: Kiel\r\n    \"\"\""),
        .init(
            "LOG-PUBLIC",
            "func f(l: Logger, password: String) { l.info(\"\\(password, privacy: OSLogPrivacy.public)\") }",
            "func f(l: Logger, password: String) { l.info(\"\\(password, privacy: OSLogPrivacy.private)\") }"),
        .init(
            "LOG-SENSITIVE",
            "func f(l: Logger, password: String) { l.info(\"\\(password, privacy: OSLogPrivacy.public)\") }",
            "func f(l: Logger, password: String) { l.info(\"\\(password, privacy: OSLogPrivacy.private)\") }"),
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
        .init(
            "CONST-IV",
            "func f() throws { let b = try AES.GCM.seal(m, using: k, nonce: \"0123456789ab\".data); use(b) }",
            "func f() { use(Operation(sender: a, nonce: \"0x0\", initCode: c)) }"),
        .init(
            "CONST-SALT", "func f() throws { let k = try derive(password: p, salt: Data([1, 2, 3, 4])); use(k) }",
            "func f() { use(Factory.address(owner: o, salt: 0)) }"),
        .init(
            "CONST-KEY", "func f(db: Connection) throws { try db.key(\"Tulip4Ever\") }",
            "enum Marks { static func key(_ t: String) -> Int { 1 }; func f() { all[Self.key(\"bold\")] = b } }"),
        .init(
            "FIELD-PLAIN", "struct V: View { var body: some View { TextField(\"PIN\", text: $pinCode) } }",
            "struct V: View { var body: some View { if hides { SecureField(\"PIN\", text: $pinCode) } else { TextField(\"PIN\", text: $pinCode) } } }"
        ),
        .init(
            "HASH-PASSWORD", "func f(password: Data) { use(Insecure.SHA1.hash(data: password)) }",
            "func f(password: Data) { pwnedPasswords.ask(Insecure.SHA1.hash(data: password)) }"),
        .init(
            "KEYCHAIN-NO-CLASS",
            "func f() { let q: [String: Any] = [kSecClass as String: kSecClassKey, kSecValueRef as String: k]; check(SecItemAdd(q as CFDictionary, nil)) }",
            "func f() { let q: [String: Any] = [kSecClass as String: kSecClassCertificate, kSecValueRef as String: c]; check(SecItemAdd(q as CFDictionary, nil)) }"
        ),
        .init(
            "LINK-UNCHECKED",
            "func scene(_ s: UIScene, openURLContexts c: Set<UIOpenURLContext>) { c.forEach { show($0.url.path) } }",
            "func scene(_ s: UIScene, openURLContexts c: Set<UIOpenURLContext>) { c.forEach { show(path: Route(url: $0.url)) } }"
        ),
        .init(
            "LOG-SENSITIVE", "func f(glucose: Double) { print(glucose) }",
            "func f(d: Date) { let e = LoopError.glucoseTooOld(date: d); print(e) }"),
        .init(
            "LOG-SENSITIVE", "func f(syncToken: String) { print(syncToken) }",
            "func f(syncToken: String) {\n#if DEBUG\nprint(syncToken)\n#endif\n}"),
        .init(
            "LOG-SENSITIVE", "func login(baseToken: String) { print(baseToken) }",
            "func login(baseToken: String, erc20: Bool) { print(baseToken) }"),
        .init(
            "LOG-SENSITIVE", "func login(token: String) { print(token) }",
            "func login(tokenAmount: Int, tokenId: Int) { print(tokenAmount, tokenId) }"),
        .init(
            "LOG-SENSITIVE", "func f(password: String) { let s = open(data, password); print(s, password) }",
            "func f(password: String) { let s = SecPKCS12Import(data, options(password), &items); print(s) }"),
        .init(
            "NET-SENSITIVE",
            "func f(email: String) { c.scheme = \"https\"; c.queryItems = [URLQueryItem(name: \"e\", value: email)] }",
            "func f(email: String) { c.scheme = \"mailto\"; c.queryItems = [URLQueryItem(name: \"e\", value: email)] }"),
        .init(
            "NET-SENSITIVE",
            "func f(email: String) { c.scheme = base.scheme; use(URLQueryItem(name: \"e\", value: email)) }",
            "func f(email: String) { use(build(scheme: ownScheme, items: [URLQueryItem(name: \"e\", value: email)])) }"),
        .init(
            "PATH",
            "func f(remote: URL) throws { let d = try String(contentsOf: remote); try FileManager.default.removeItem(atPath: d) }",
            "func f(remote: URL) throws { let d = try Data(contentsOf: remote); try FileManager.default.removeItem(atPath: folder + Format(d).rawValue) }"
        ),
        .init(
            "WEB-URL", "func f(webView: WKWebView) { webView.load(URLRequest(url: UIPasteboard.general.url!)) }",
            "func f(webView: WKWebView, navigationAction: WKNavigationAction) { webView.load(navigationAction.request) }"
        ),
        .init(
            "RANDOM-WEAK", "func f() { srand48(Int(time(nil))); use(drand48()) }",
            "func f(seed: Int) { srand48(seed); use(drand48()) }"),
        .init(
            "SECRET-LITERAL", "let syncPassword = \"Tulip4Ever9\"",
            "let syncTokenKey = \"SJSyncV2Token\"; let startToken = \"\\u{001A}\""),
        .init(
            "STORE-DEFAULTS",
            "var passcode: String { get { \"\" } set { UserDefaults.standard.set(newValue, forKey: \"passcode\") } }",
            "var passcode: Bool { get { true } set { UserDefaults.standard.set(newValue, forKey: \"passcode\") } }"),
        .init(
            "STORE-DEFAULTS", "func f(token: Data) { UserDefaults.standard.set(token, forKey: \"t\") }",
            "func f(token: CKServerChangeToken) { UserDefaults.standard.set(token, forKey: \"t\") }"),
        .init(
            "STORE-FILE",
            "func f(password: Data, u: URL) throws { try password.write(to: u) }",
            "func f(trustedCertificates: Data, u: URL) throws { try trustedCertificates.write(to: u) }"),
        .init(
            "STORE-FILE",
            "class B { func f(passphrase: String, u: URL) throws { let d = try data(of: passphrase); try d.write(to: u) } }",
            "class B { func f(passphrase: String, u: URL) throws { let d = try data(of: passphrase); try d.write(to: u) }\nfunc data(of secret: String) throws -> Data { try encrypt(secret) } }"
        ),
        .init(
            "TLS-NO-EVALUATION",
            "func f(c: URLAuthenticationChallenge) { set(c.protectionSpace.serverTrust, SecPolicyCreateBasicX509()) }",
            "func f(c: URLAuthenticationChallenge) { set(c.protectionSpace.serverTrust, [SecPolicyCreateBasicX509(), SecPolicyCreateSSL(true, host)]) }"
        ),
        .init(
            "WEB-FILES", "func f(w: WKWebView) { if isNew { w.isInspectable = true } }",
            "func f(w: WKWebView) { if !Bundle.main.isProduction { w.isInspectable = true } }"),
        .init(
            "WEB-JS", "let s = { WKUserScript(source: try! String(contentsOf: serverPlace)) }()",
            "let s = { WKUserScript(source: try! String(contentsOf: Bundle.main.url(forResource: \"a\", withExtension: \"js\")!)) }()"
        ),
        .init(
            "CONST-KEY", "func f() { let k = [UInt8](repeating: 0, count: 32); use(SymmetricKey(data: k)) }",
            "func f() { var k = [UInt8](repeating: 0, count: 32); agree(&k); use(SymmetricKey(data: k)) }"),
        .init(
            "CONST-SALT", "func f() { use(PBKDF2(password: p, salt: Data(\"fixed salt\".utf8))) }",
            "func f() { use(HKDF<SHA256>.extract(inputKeyMaterial: k, salt: Data(\"protocol-v2\".utf8))) }"),
        .init(
            "FORMAT", "func f(remote: URL) throws { let t = try String(contentsOf: remote); NSLog(t) }",
            "func f(remote: URL) throws { let t = try String(contentsOf: remote); AppLog(\"read \\(t)\") }"),
        .init(
            "PATH",
            "func f(remote: URL) throws { let d = try String(contentsOf: remote); try FileManager.default.removeItem(atPath: d) }",
            "func f(file: URL) throws { let d = try String(contentsOf: file); try FileManager.default.removeItem(atPath: d) }"
        ),
        .init(
            "PATH",
            "func f(remote: URL, d: Data) throws { let p = try String(contentsOf: remote); try d.write(to: p) }",
            "func f(remote: URL, h: FileHandle) throws { let d = try Data(contentsOf: remote); try h.write(contentsOf: d) }"
        ),
        .init(
            "WEB-FILES", "func f(p: WKPreferences) { p.setValue(true, forKey: \"allowFileAccessFromFileURLs\") }",
            "func f(p: WKPreferences) { p.setValue(false, forKey: \"allowFileAccessFromFileURLs\") }"),
        .init(
            "NET-HTTP", "let video = URL(string: \"http://media.shop.net/a.mp4\")",
            "let testVideo = URL(string: \"http://media.shop.net/a.mp4\")"),
        .init(
            "NET-HTTP", "struct V: View { var u = URL(string: \"http://media.shop.net/a.mp4\") }",
            "struct V: PreviewProvider { var u = URL(string: \"http://media.shop.net/a.mp4\") }"),
        .init(
            "NET-SENSITIVE",
            "func f(accessToken: String) { use(URL(string: \"https://a.net/register/\\(accessToken)\")) }",
            "func f(deviceToken: String) { use(URL(string: \"https://a.net/3/device/\\(deviceToken)\")) }"),
        .init(
            "NET-SENSITIVE", "func f(cert: String) { use(URL(string: \"https://a.net/?c=\\(cert)\")) }",
            "func f(cert: URL) { use(URL(string: cert.absoluteString)) }"),
        .init(
            "STORE-DEFAULTS", "func f(v: Int) { UserDefaults.standard.set(v, forKey: \"glucose_value\") }",
            "func f(v: Int) { UserDefaults.standard.set(v, forKey: \"GlucoseSimulator_Period\") }"),
        .init(
            "BIO-BOOLEAN", "func f(c: LAContext) { c.evaluatePolicy(p, localizedReason: r) { if $0 { open() } } }",
            "func f(c: LAContext) { c.evaluatePolicy(p, localizedReason: r) { if $0 { open() } } }\nlet q = [kSecUseAuthenticationContext: c]"
        ),
        .init(
            "LENGTH", "func f(s: String) { use(NSRange(location: 0, length: s.count)) }",
            "func f(s: String) { use(NSRange(location: 0, length: s.length)) }"),
        .init(
            "LOG-SENSITIVE", "func f(syncToken: String) { logMessage(token: syncToken) }",
            "class C { func f(syncToken: String) { logMessage(token: syncToken) }\nfunc logMessage(token: String) { print(1) } }"
        ),
        .init(
            "LOG-SENSITIVE", "func f(email: String) { log(email: email) }",
            "func f(email: String) { use(LogInData(email: email)) }"),
        .init(
            "LOG-SENSITIVE", "func f(encryptionKey: Data) { print(encryptionKey) }",
            "func f(encryptionKey: Data) { let s = CCCrypt(o, a, p, encryptionKey, n, iv, d, m, b, l, &c); print(s) }"),
        .init(
            "LOG-SENSITIVE", "func f(botToken: String) { print(botToken) }",
            "func f(roomToken: String, certificatePublicKeyFingerprint: String) { print(roomToken, certificatePublicKeyFingerprint) }"
        ),
        .init(
            "LOG-SENSITIVE", "func f(s: S) { print(s.authCredentials) }",
            "enum S { static let authCredentials = \"authCredentials\"; static func f() { print(authCredentials) } }"),
        .init(
            "LEAK-ANALYTICS", "func f(syncToken: String) { Analytics.log(syncToken) }",
            "func f(syncToken: String) { use(AnalyticsState.Mark(token: syncToken)) }"),
        .init(
            "STORE-DATABASE",
            "func f(db: Database, email: String) throws { try db.execute(sql: \"INSERT INTO a VALUES (?)\", arguments: [email]) }",
            "func f(db: Database, email: String) throws { try db.execute(sql: \"SELECT 1 FROM a WHERE e = ?\", arguments: [email]) }"
        ),
        .init(
            "KEYCHAIN-NO-CLASS",
            "func f() { var q: [String: Any] = [kSecClass as String: kSecClassKey]; q.merge(extra); check(SecItemAdd(q as CFDictionary, nil)) }",
            "func f() { var q: [String: Any] = [kSecClass as String: kSecClassKey]; q.merge(own()) { $1 }; check(SecItemAdd(q as CFDictionary, nil)) }\nfunc own() -> [CFString: Any] { [kSecAttrAccessible: kSecAttrAccessibleWhenUnlockedThisDeviceOnly] }"
        ),
        .init(
            "SECRET-LITERAL",
            "func f(token: String) -> Bool { token == \"k9Xq2LmP7vRt5\" }",
            "func f(token: String) -> Bool { token == \"unknown\" }"),
        .init(
            "FORMAT", "func f(remote: URL) throws { let t = try String(contentsOf: remote); AppLog(t, 1) }",
            "func f(remote: URL) throws { let t = try String(contentsOf: remote); AppLog(t, module: .net) }"),
        .init(
            "CONST-KEY", "func f() { var k = Data(repeating: 0, count: 32); use(SymmetricKey(data: k)) }",
            "func f() { var k = Data(repeating: 0, count: 32); k.withUnsafeMutableBytes { derive($0) }; use(SymmetricKey(data: k)) }"
        ),
        .init(
            "STORE-DATABASE", "func f(secret: String) { let a = Account(context: c); a.secret = secret }",
            "func f(encryptedSecret: Data) { let a = Account(context: c); a.secret = encryptedSecret }"),
        .init(
            "WEB-FILES", "func f(p: WKPreferences) { p.setValue(true, forKey: \"developerExtrasEnabled\") }",
            "func f(p: WKPreferences) { if Settings.isDebug { p.setValue(true, forKey: \"developerExtrasEnabled\") } }"),
        .init(
            "LOG-SENSITIVE", "func login(token: String) { print(token) }",
            "func login(tokenField: NSTokenField, token: String) { print(token) }"),
        .init(
            "WEB-JS", "func f(w: WKWebView) { w.evaluateJavaScript(UIPasteboard.general.string!) }",
            "func f(w: WKWebView, message: WKScriptMessage) { w.evaluateJavaScript(\"answer(\\(message.body))\") }"),
        .init(
            "NET-SENSITIVE", "func f(password: String) { AF.request(address, parameters: [\"p\": password]) }",
            "func f(password: String) { AF.request(address, method: .post, parameters: [\"p\": password]) }"),
        .init(
            "NET-SENSITIVE", "func f(email: String) { use(URL(string: base + email)) }",
            "func f(email: String) { use(URL(string: email)) }"),
        .init(
            "SECRET-LITERAL", "func f(token: String) -> Bool { token == \"k9Xq2LmP7vRt5\" }",
            "func f(token: String) -> Bool { token == \"persist=1\" }"),
        .init(
            "LOG-SENSITIVE", "func f(syncToken: String) { print(syncToken.lowercased()) }",
            "func f(syncToken: String) { print(syncToken.suffix(4)) }"),
        .init(
            "LOG-SENSITIVE", "func f(v: String) { var d = [String: Any](); d[\"password\"] = v; print(d) }",
            "func f() { var d = [String: Any](); d[\"password\"] = \"covered\"; print(d) }"),
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

    @Test(arguments: [
        "tests", "Specs", "StubbedAnswers", "androidTest", "AppMocks", "SharedTesting", "AppMockData", "_TestUtilities",
    ])
    func `a folder whose name says so holds code of tests`(_ folder: String) {
        let found = findings("let syncPassword = \"Tulip4Ever9\"", folder + "/A.swift")
        #expect(!found.isEmpty && found.allSatisfy { $0.testCode == true })
    }

    @Test func `a long list of one name in a resource is told once`() {
        let line = "\"encryptionKey\": \"7f0bce2db343e98aabdea0a0d77a9506\",\n"
        #expect(findings(line + line + line, "App/Data.json").count == 1)
    }

    @Test func `documents that are opened where they are, a translated list and an onion are no weakness`() {
        func list(_ body: String) -> String { "<plist version=\"1.0\"><dict>" + body + "</dict></plist>" }
        let key = { (name: String) in "<key>\(name)</key>" }
        let loads = list(
            key("NSAppTransportSecurity") + "<dict>" + key("NSAllowsArbitraryLoads") + "<true/></dict>")
        let onion = list(
            key("NSAppTransportSecurity") + "<dict>" + key("NSExceptionDomains") + "<dict>" + key("onion") + "<dict>"
                + key("NSExceptionAllowsInsecureHTTPLoads") + "<true/></dict></dict></dict>")
        #expect(rules(list(key("LSSupportsOpeningDocumentsInPlace") + "<true/>"), "App/Info.plist").isEmpty)
        #expect(rules(list(key("UIFileSharingEnabled") + "<true/>"), "App/Info.plist") == ["FILE-SHARED"])
        #expect(rules(loads, "App/Info.plist") == ["ATS-ARBITRARY"])
        #expect(rules(loads, "App/sv.lproj/Info.plist").isEmpty)
        #expect(rules(onion, "App/Info.plist").isEmpty)
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
