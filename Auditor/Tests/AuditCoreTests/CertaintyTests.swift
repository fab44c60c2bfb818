import AuditCore
import Foundation
import Testing

/// What agrees with a name and what says otherwise: the noun, the written type, the words around. Where one weak word
/// decides alone, a value in a log is a note.
@Suite struct CertaintyTests {
    private func severities(_ source: String) -> [Severity] {
        Analyzer.analyze(Data(source.utf8), file: "App/A.swift").findings.filter { $0.rule == "LOG-SENSITIVE" }
            .map(\.severity)
    }

    /// What is an error, and its twin, which is a note or nothing.
    struct Twins: Sendable, CustomTestStringConvertible {
        let bad: String
        let good: String
        var testDescription: String { bad }

        init(_ bad: String, _ good: String) { (self.bad, self.good) = (bad, good) }
    }

    static let nouns = [
        Twins("func f(newUserPassword: String) { print(newUserPassword) }", "func f(p: P) { print(p.passwordPrompt) }"),
        Twins("func f(u: User) { print(u.email) }", "func f(u: User) { print(u.emailVerified) }"),
        Twins("func f(u: User) { print(u.emailAddress) }", "func f(u: User) { print(u.emailCampaigns) }"),
        Twins("func f(s: S) { print(s.accessTokenString) }", "func f(s: S) { print(s.accessTokenExpiration) }"),
        Twins("func f(s: S) { print(s.passwordForUser) }", "func f(s: S) { print(s.usersWithPassword) }"),
        Twins("func f(g: G) { print(g.lastGlucose) }", "func f(g: G) { print(g.lastGlucoseBackfill) }"),
    ]

    static let types = [
        Twins("func f(password: String) { print(password) }", "func f(password: Int) { print(password) }"),
        Twins("func f(password: String?) { print(password) }", "func f(password: PasswordSheet) { print(password) }"),
        Twins("func f(emails: [String]) { print(emails) }", "func f(email: EmailMessage) { print(email) }"),
        Twins("func f(otp: Int) { print(otp) }", "func f(accessToken: Int) { print(accessToken) }"),
        Twins("func f(latitude: Double, user: U) { print(user.latitude) }", "func f(email: Date) { print(email) }"),
        Twins("func f(patient: String) { print(patient) }", "func f(patient: Patient) { print(patient) }"),
        Twins(
            "func f(s: String) { print(s.isEmpty ? password : \"\") }",
            "func f() { print(password != nil ? \"set\" : \"none\") }"),
        Twins("func f() { print(password ?? \"\") }", "func f() { print(user.email ?? false) }"),
        Twins(
            "func f() { print(readPassword()) }\nfunc readPassword() -> String { a }",
            "func f() { print(readPassword()) }\nfunc readPassword() -> Bool { a }"),
        Twins("func f() { print(loadPassword(a)) }", "func f() { print(savePassword(a)) }"),
        Twins(
            "enum Kind { case a }\nfunc f(secret: String) { print(secret) }",
            "enum Kind { case a }\nfunc f(secret: Kind) { print(secret) }"),
        Twins("func f(s: S) { print(s.password) }", "func f() { print(Permission.password) }"),
        Twins(
            "func f(password: String) { let t = String(password); print(t) }",
            "func f(password: String) { let v = LoginView(password: password); print(v) }"),
        Twins(
            "func f(clientSecret: String) { print(clientSecret) }",
            "func f(clientSecret: String) { print(clientSecret.prefix(20)) }"),
    ]

    static let words = [
        Twins("func login(token: String) { print(token) }", "func next(token: String) { print(token) }"),
        Twins(
            "func f(token: String) { print(\"access token: \\(token)\") }",
            "func f(token: String) { print(\"token: \\(token)\") }"),
        Twins("func f(authToken: String) { print(authToken) }", "func f(deviceToken: String) { print(deviceToken) }"),
        Twins(
            "struct LoginModel { func f(s: S) { print(s.token) } }",
            "struct Registration { func f(s: S) { print(s.token) } }"),
        Twins("func unlock(s: S) { print(s.pin) }", "func draw(s: S) { print(s.pin) }"),
        Twins("func f(user: U) { print(user.place.latitude) }", "func f(m: MKMapView) { print(m.center.latitude) }"),
        Twins("func f(c: C) { print(c.contact.phone) }", "func f(c: C) { print(c.link.phone) }"),
    ]

    static let logs = [
        Twins("func f(glucose: Double) { log(glucose) }", "func f(glucose: Double) { use(log(glucose) / 2) }"),
        Twins("func f(glucose: Double) { logInfo(glucose) }", "func f(glucose: Double) { logMeal(glucose) }"),
        Twins(
            "let email = read(); func f() { print(email) }",
            "let email = \"help@example.net\"; func f() { print(email) }"),
        Twins(
            "func f(password: String) { print(password) }",
            "func f(password: String) { print(password, CommandLine.arguments) }"),
    ]

    @Test(arguments: nouns + types + words + logs)
    func `a value in a log is an error where two facts agree, and else a note`(_ twins: Twins) {
        #expect(severities(twins.bad).contains(.error), "\(twins.bad)")
        #expect(!severities(twins.good).contains(.error), "\(twins.good)")
    }

    @Test(arguments: [
        "encrypt(password)", "vault.seal(password)", "hashed(password)", "masked(password)", "digest(of: password)",
        "password.redacted()", "password.base64EncodedString()",
    ])
    func `what a call of a protecting name gives back counts as protected, whatever it does`(_ call: String) {
        #expect(severities("func f(password: String) { print(\(call)) }") == [])
        let own = "func encrypt(_ text: String) -> String { text }\nfunc masked(_ text: String) -> String { text }\n"
        #expect(severities(own + "func f(password: String) { print(\(call)) }") == [])
    }

    @Test(arguments: [
        "try JSONEncoder().encode(password)", "password.addingPercentEncoding(withAllowedCharacters: a)",
        "String(password)", "password as Any", "Data(password.utf8)",
    ])
    func `a value that is encoded or cast is the value`(_ call: String) {
        #expect(severities("func f(password: String) throws { print(\(call)) }") == [.error])
    }

    @Test func `of two values on one line, the graver one is told`() {
        #expect(severities("func f(s: S) { print(s.emailVerified, s.password) }") == [.error])
        #expect(severities("func f(s: S) { print(\"\\(s.emailVerified) \\(s.password)\") }") == [.error])
    }
}

/// The same beyond logs: what is stored, sent, copied, and what constants are.
@Suite struct WeightTests {
    private func told(_ source: String, _ file: String = "App/A.swift") -> Set<String> {
        Set(
            Analyzer.analyze(Data(source.utf8), file: file).findings.filter {
                $0.severity != .note && $0.testCode != true
            }
            .map(\.rule))
    }

    static let twins: [SettingTests.Twins] = [
        .init(
            "STORE-DEFAULTS", "func f(authToken: String) { UserDefaults.standard.set(authToken, forKey: \"t\") }",
            "func f(fcmToken: String) { UserDefaults.standard.set(fcmToken, forKey: \"t\") }"),
        .init(
            "STORE-DEFAULTS", "func f(v: String) { UserDefaults.standard.set(v, forKey: \"AccessToken\") }",
            "func f() { UserDefaults.standard.set(nil, forKey: \"AccessToken\") }"),
        .init(
            "STORE-DEFAULTS", "struct V { @AppStorage(\"userToken\") var userToken = \"\" }",
            "struct V { @AppStorage(\"phone\") var phoneFromBook = false }"),
        .init(
            "STORE-DATABASE",
            "class C: NSManagedObject { func f(iban: String) { setValue(iban, forKey: \"iban\") } }",
            "class C: NSManagedObject { func f(logInPinSet: Int) { setValue(logInPinSet, forKey: \"set\") } }"),
        .init(
            "STORE-NO-KEY", "class P: Object { @Persisted var email = \"\" }\nfunc f() { use(try! Realm()) }",
            "class P: Object { @Persisted var latitude = 0.0 }\nfunc f() { use(try! Realm()) }"),
        .init(
            "NET-SENSITIVE", "func f(email: String) { use(URL(string: \"https://a.net/?m=\\(email)\")) }",
            "func f(email: String) { use(URL(string: \"otpauth://totp/\\(email)\")) }"),
        .init(
            "NET-SENSITIVE",
            "func f(s: String) { AF.request(\"http://a.net\", headers: [\"Authorization\": accessToken]) }",
            "func f(s: String) { AF.request(u, headers: [\"Authorization\": accessToken]) }"),
        .init(
            "NET-SENSITIVE", "func f(p: P) { use(URL(string: b + p.password)) }",
            "func f() { use(URL(string: Links.forgotPassword)) }"),
        .init(
            "LEAK-ANALYTICS", "func f(u: U) { AnalyticsService.shared.track(u.email) }",
            "func f() { AnalyticsService.shared.track(Constants.Events.authEmailInUse) }"),
        .init(
            "STORE-AUTHSTATE", "struct V { @AppStorage(\"a\") var isLoggedIn = false }",
            "struct V { @AppStorage(\"a\") var userRole = \"\" }"),
        .init(
            "CACHE-RESPONSE", "func f(r: inout URLRequest) { r.cachePolicy = .returnCacheDataElseLoad }",
            "class ImageLoader { func f(r: inout URLRequest) { r.cachePolicy = .returnCacheDataElseLoad } }"),
        .init(
            "CONST-SALT",
            "func f() throws { var s = Data([1, 2]); use(try PBKDF2(password: p, salt: s)) }",
            "func f() throws { var s = Data(); s.append(other); use(try PBKDF2(password: p, salt: s)) }"),
        .init(
            "CONST-SALT", "func f() { use(HKDF<SHA256>.deriveKey(salt: Data([1, 2]))) }",
            "func f() { use(secret.hkdfDerivedSymmetricKey(using: h, salt: Data(), outputByteCount: 32)) }"),
        .init(
            "CONST-KEY", "func f() { use(HMAC(key: \"my own key\", variant: v)) }",
            "func f() { use(HMAC(key: \"ed25519 seed\", variant: v)) }"),
        .init(
            "CONST-KEY", "func f() { open(encryptionKey: \"Tulip4Ever9\") }",
            "func f() { read(encryptionKey: \"lastEncryption\") }"),
        .init(
            "SECRET-LITERAL", "let authToken = \"7FzrHF1pueRFrPEupz6oiVGTUZ\"",
            "let liquidToken = \"7FzrHF1pueRFrPEupz6oiVGTUZ\""),
        .init(
            "SECRET-LITERAL", "let userPassword = \"Tulip4Ever9\"",
            "let userPassword = \"op://vault/9fk2/password1\""),
        .init(
            "SECRET-LITERAL", "func f() { login(password: \"Tulip4Ever9\") }",
            "struct P: PreviewProvider { func f() { login(password: \"Tulip4Ever9\") } }"),
        .init("SECRET-LITERAL", "let pinCode = \"tenzing\"", "let pinFailTime = \"tenzing\""),
        .init(
            "KEYCHAIN-WEAK", "let q = [kSecAttrAccessible: kSecAttrAccessibleAlways]",
            "let t = [Access.always: kSecAttrAccessibleAlways]"),
        .init(
            "KEYCHAIN-STATUS", "func f(q: CFDictionary) { SecItemAdd(q, nil) }",
            "func f(q: CFDictionary) -> OSStatus { SecItemAdd(q, nil) }"),
        .init(
            "KEYCHAIN-NO-CLASS",
            "func f() { var q: [String: Any] = [kSecClass as String: c]; q[kSecValueData as String] = d; check(SecItemAdd(q as CFDictionary, nil)) }",
            "func f() { var q: [String: Any] = [kSecClass as String: c]; more.forEach { q[$0.key] = $0.value }; check(SecItemAdd(q as CFDictionary, nil)) }"
        ),
        .init(
            "ARCHIVE-INSECURE", "func f(d: Data) { use(NSKeyedUnarchiver.unarchiveObject(with: d)) }",
            "func f(d: Data) { use(OwnUnarchiver.unarchiveObject(withData: d)) }"),
        .init(
            "SQL-STRING",
            "func f(n: String) throws { use(try db.execute(sql: \"SELECT a FROM b WHERE c = '\\(n)'\")) }",
            "func f() throws { use(try db.execute(sql: \"SELECT a FROM b WHERE c = '\\(Tables.name)'\")) }"),
        .init(
            "FIELD-PLAIN", "struct V: View { var body: some View { TextField(\"PIN\", text: $pinCode) } }",
            "struct V: View { var body: some View { TextField(\"PIN\", text: $pinCode).frame(width: 0, height: 0) } }"),
        .init(
            "LINK-UNCHECKED",
            "func application(_ a: UIApplication, open url: URL) -> Bool { go(url.path); return true }",
            "func application(_ a: UIApplication, open url: URL) -> Bool { go(url.path, url.absoluteString.starts(with: own)); return true }"
        ),
    ]

    @Test(arguments: twins)
    func `one weak fact is a note beyond logs too`(_ twins: SettingTests.Twins) {
        #expect(told(twins.bad).contains(twins.rule), "\(twins.bad)")
        #expect(!told(twins.good).contains(twins.rule), "\(twins.good)")
    }

    private func secrets(_ source: String) -> [Finding] {
        Analyzer.analyze(Data(source.utf8), file: "App/A.swift").findings.filter { $0.rule.hasPrefix("SECRET-") }
    }

    static let names: [(String, [Severity])] = [
        ("clientToken", [.note]), ("appToken", [.note]), ("myClientToken", [.note]), ("projectKey", [.note]),
        ("userToken", [.error]), ("clientTokenOfUser", [.error]), ("clientSecret", [.error]),
        ("paymentKey", [.warning]),
    ]

    @Test(arguments: names)
    func `a constant at the name of a kit's public key for an app is a note`(_ name: String, _ told: [Severity]) {
        #expect(secrets("let \(name) = \"k9Xq2LmP7vRt5w8ZbA3dF6gH\"").map(\.severity) == told)
        #expect(secrets("func f() { Kit.start(\(name): \"k9Xq2LmP7vRt5w8ZbA3dF6gH\") }").map(\.severity) == told)
    }

    @Test func `a text with the shape of a secret is none of a kit's public keys, whatever its name`() {
        for name in ["clientToken", "appToken", "projectKey"] {
            let found = secrets("let \(name) = \"npm_4fZ81kQpB7cD9eGhJ2mN5rS6tUvW\"")
            #expect(found.map(\.rule) == ["SECRET-LITERAL"] && found.map(\.severity) == [.error], "\(name)")
        }
    }

    static let samples: [(String, [Severity])] = [
        ("sampleApiKey", [.error]), ("testApiKey", [.error]), ("previewApiKey", [.error]), ("fakeApiKey", []),
        ("dummyApiKey", []), ("mockApiKey", []), ("stubApiKey", []),
    ]

    @Test(arguments: samples)
    func `a constant named as a sample does not excuse a secret, and one that stands for another may`(
        _ name: String, _ told: [Severity]
    ) {
        #expect(secrets("let \(name) = \"k9Xq2LmP7vRt5w8Zb\"").map(\.severity) == told)
    }

    @Test(arguments: [
        "let apiKey = \"k9Xq2LmP7vRt5w8Zb\"", "let text = \"npm_4fZ81kQpB7cD9eGhJ2mN5rS6tUvW\"",
        "let pinCode = \"tenzing\"", "let paymentKey = \"q7ZpR3xW9bTn2LkVd8Hs5YcFm1Ju\"",
        "func f() { login(password: \"Tulip4Ever9\") }", "let apiKey = [\"k9Xq2LmP\", \"7vRt5w8Zb\"].joined()",
        "func f() { use(URL(string: \"https://anna:Tulip4Ever9@a.example.net\")) }",
    ])
    func `a secret in a debug build is told as elsewhere`(_ source: String) {
        let elsewhere = secrets(source)
        #expect(!elsewhere.isEmpty && elsewhere.allSatisfy { $0.severity != .note })
        let inside = ["#if DEBUG\n\(source)\n#endif", "#if !DEBUG\nlet a = 1\n#else\n\(source)\n#endif"]
        for text in inside + ["enum Space {\n#if DEBUG\n\(source)\n#endif\n}"] {
            let found = secrets(text)
            #expect(found.map(\.rule) == elsewhere.map(\.rule), "\(text)")
            #expect(found.map(\.severity) == elsewhere.map(\.severity), "\(text)")
        }
        // What a debug build does and is no secret, is a note there.
        let leak = "#if DEBUG\nfunc g(password: String) { print(password) }\n#endif"
        let found = Analyzer.analyze(Data(leak.utf8), file: "App/A.swift").findings
        #expect(!found.isEmpty && found.allSatisfy { $0.severity == .note })
    }
}
