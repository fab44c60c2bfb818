import AuditCore
import Foundation
import Testing

/// Controls that are not in the built app, keys that nobody reads, databases without a key: what is found, and what is not.
@Suite struct MissingControlTests {
    private func rules(_ source: String, _ file: String = "App/A.swift") -> Set<String> {
        Set(Analyzer.analyze(Data(source.utf8), file: file).findings.map(\.rule))
    }

    private func spellings(_ source: String) -> [String] {
        [source, "enum Space {\n" + source + "\n}", "#if os(iOS)\n" + source + "\n#endif"]
    }

    @Test(arguments: [
        "func f() {\n#if DEBUG\nif isJailbroken { stop() }\n#endif\n}",
        "func f() {\n#if !DEBUG\nshow()\n#else\ncheckServerTrustPins(t)\n#endif\n}",
        "func f() {\n#if DEBUG && os(iOS)\ndenyDebuggerAttached()\n#endif\n}",
        "func f(v: inout URLResourceValues) {\n#if DEBUG\nv.isExcludedFromBackup = true\n#endif\n}",
        "func f(d: Data, u: URL) throws {\n#if DEBUG\ntry d.write(to: u, options: .completeFileProtection)\n#endif\n}",
    ])
    func `a control that debug builds alone have is told`(_ source: String) {
        for text in spellings(source) { #expect(rules(text).contains("CONTROL-DEBUG"), "\(text)") }
    }

    @Test(arguments: [
        "func f() {\n#if !DEBUG\nif isJailbroken { stop() }\n#endif\n}",
        "func f() {\n#if DEBUG\nif isJailbroken { show() }\n#endif\nif isJailbroken { stop() }\n}",
        "func f() {\n#if DEBUG\nSecTrustEvaluateAsync(t)\n#else\nSecTrustEvaluateWithError(t, nil)\n#endif\n}",
        "#if DEBUG\nfunc showIntegrity() { if isJailbroken { print(1) } }\n#endif",
        "func f() {\n#if DEBUG\nfunc checkIntegrity() {}\n#endif\n}",
    ])
    func `a control that release builds have too is silent`(_ source: String) {
        for text in spellings(source) { #expect(!rules(text).contains("CONTROL-DEBUG"), "\(text)") }
    }

    private func list(_ inner: String) -> String { "<plist version=\"1.0\"><dict>\(inner)</dict></plist>" }
    private func transport(_ inner: String) -> String {
        list("<key>NSAppTransportSecurity</key><dict>\(inner)</dict>")
    }

    private func misplaced(_ text: String, _ file: String = "App/Info.plist") -> [Severity] {
        Analyzer.analyze(Data(text.utf8), file: file).findings.filter { $0.rule == "PLIST-MISPLACED" }.map(\.severity)
    }

    @Test func `a key in the wrong dictionary is told, what would protect as a warning`() {
        #expect(misplaced(list("<key>NSExceptionDomains</key><dict></dict>")) == [.note])
        #expect(misplaced(list("<key>NSPinnedDomains</key><dict></dict>")) == [.warning])
        #expect(misplaced(transport("<key>NSExceptionMinimumTLSVersion</key><string>TLSv1.3</string>")) == [.warning])
        #expect(misplaced(transport("<key>NSIncludesSubdomains</key><true/>")) == [.note])
        #expect(
            misplaced(
                transport("<key>NSExceptionDomains</key><dict><key>NSExceptionMinimumTLSVersion</key><true/></dict>"))
                == [.warning])
        let global = "<key>a.example</key><dict><key>NSAllowsArbitraryLoads</key><true/></dict>"
        #expect(misplaced(transport("<key>NSExceptionDomains</key><dict>\(global)</dict>")) == [.note])
        let pins = "<key>a.example</key><dict><key>NSPinnedCAIdentities</key><array></array></dict>"
        #expect(misplaced(transport("<key>NSExceptionDomains</key><dict>\(pins)</dict>")) == [.warning])
        #expect(misplaced(transport("<key>NSPinnedDomains</key><dict>\(pins)</dict>")) == [])
        let below = "<key>Settings</key><dict><key>NSAppTransportSecurity</key><dict></dict></dict>"
        #expect(misplaced(list(below)) == [.warning])
        #expect(misplaced(list("<key>NSAppTransportSecurity\n</key><dict></dict>")) == [.warning])
    }

    @Test func `a key in the wrong file is told`() {
        #expect(misplaced(list("<key>get-task-allow</key><true/>")) == [.note])
        let protection = "<key>com.apple.developer.default-data-protection</key><string>a</string>"
        #expect(misplaced(list(protection)) == [.warning])
        #expect(misplaced(list(protection), "App/App.entitlements") == [])
        #expect(misplaced(list("<key>UIFileSharingEnabled</key><true/>"), "App/App.entitlements") == [.note])
        #expect(misplaced(list("<key>NSPrivacyTracking</key><false/>")) == [.warning])
        #expect(misplaced(list("<key>NSPrivacyTracking</key><false/>"), "App/PrivacyInfo.xcprivacy") == [])
        // A list of the app's own has the keys that it likes.
        #expect(misplaced(list("<key>NSPinnedDomains</key><dict></dict>"), "App/Own.plist") == [])
    }

    @Test(arguments: [
        "class P: Object { @Persisted var iban = \"\" }\nfunc f() throws { use(try Realm()) }",
        "func f() { sqlite3_open(p, &db); sqlite3_exec(db, \"CREATE TABLE people (id INTEGER, email TEXT)\", nil, nil, nil) }",
        "func f() throws { let q = try DatabaseQueue(path: p); try q.write { db in try db.execute(sql: \"INSERT INTO p (diagnosis) VALUES (?)\") } }",
        "import SQLite\nlet email = Expression<String>(\"email\")\nlet db = try Connection(p)",
        "struct P: Codable, FetchableRecord { var passport: String }\nfunc f() throws { use(try DatabasePool(path: p)) }",
    ])
    func `a database without a key that holds a person's data is told`(_ source: String) {
        for text in [source, "#if os(iOS)\n" + source + "\n#endif", "import Foundation\n\n" + source] {
            #expect(rules(text).contains("STORE-NO-KEY"), "\(text)")
        }
        #expect(!rules(source + "\nlet c = Realm.Configuration(encryptionKey: k)").contains("STORE-NO-KEY"))
    }

    @Test(arguments: [
        "class P: Object { @Persisted var name = \"\" }\nfunc f() throws { use(try Realm()) }",
        "class P: Object { @Persisted var iban = \"\" }\nfunc f() throws { use(try Realm(configuration: .init(inMemoryIdentifier: \"a\"))) }",
        "func f() { sqlite3_open(\":memory:\", &db); sqlite3_exec(db, \"CREATE TABLE people (email TEXT)\", nil, nil, nil) }",
        "func f() { sqlite3_open(p, &db); sqlite3_exec(db, \"PRAGMA key = '\\(k)'\", nil, nil, nil); sqlite3_exec(db, \"CREATE TABLE people (email TEXT)\", nil, nil, nil) }",
        "let email = Expression<String>(\"email\")\nlet db = try Connection(p)",
    ])
    func `a database with a key, in memory or without a person's data is silent`(_ source: String) {
        for text in spellings(source) { #expect(!rules(text).contains("STORE-NO-KEY"), "\(text)") }
    }

    @Test(arguments: [
        (
            "CRYPTO-OWN", "func f(t: [UInt8], k: [UInt8]) { for i in t.indices { use(k[i % k.count] ^ t[i]) } }",
            "func f(t: [UInt8], k: [UInt8]) { for i in t.indices { use(k[i] ^ t[i]) } }"
        ),
        (
            "WEB-URL",
            "struct V { var b: Int { t.onOpenURL { url in webView.load(URLRequest(url: url)) }; return 1 } }",
            "struct V { var b: Int { t.onOpenURL { url in webView.load(URLRequest(url: home)) }; return 1 } }"
        ),
        (
            "SQL-STRING",
            "func f(name: String) { let q = \"SELECT * FROM p WHERE n = '\\(name)'\"; sqlite3_prepare_v2(db, q, -1, &s, nil) }",
            "func f(name: Int) { let q = \"SELECT * FROM p WHERE n = '\\(name)'\"; sqlite3_prepare_v2(db, q, -1, &s, nil) }"
        ),
        (
            "SECRET-LITERAL", "let u = URL(string: \"https://robot:k9Xq2Lm@shop.example.net/a\")",
            "let u = URL(string: \"https://user:password@shop.example.net/a\")"
        ),
        (
            "SECRET-LITERAL", "let h = [\"Authorization\": \"Basic cm9ib3Q6azlYcTJMbQ==\"]",
            "let h = [\"Authorization\": \"Basic realm\"]"
        ),
        (
            "LOG-SENSITIVE",
            "func f(city: String, password: String) { os_log(\"%{private}@ %% %{public}@\", city, password) }",
            "func f(city: String, password: String) { os_log(\"%{public}@ %% %{private}@\", city, password) }"
        ),
        (
            "NET-HTTP", "func f() { AF.request(\"http://api.shop.example.net/v1\") }",
            "func f() { AF.request(\"https://api.shop.example.net/v1\") }"
        ),
        (
            "STORE-FILE",
            "func f(credentials: C, u: URL) throws { let d = try JSONEncoder().encode(credentials); try d.write(to: u) }",
            "func f(settings: C, u: URL) throws { let d = try JSONEncoder().encode(settings); try d.write(to: u) }"
        ),
        (
            "STORE-FILE", "func f(h: FileHandle, password: Data) { h.write(password) }",
            "func f(h: FileHandle, title: Data) { h.write(title) }"
        ),
        (
            "STORE-DEFAULTS", "func f(v: String) { UserDefaults.standard.set(v, forKey: Keys.accessToken) }",
            "func f(v: String) { UserDefaults.standard.set(true, forKey: Keys.accessToken) }"
        ),
        (
            "KEYCHAIN-WEAK", "func f(k: KeychainSwift) { k.set(v, forKey: \"a\", withAccess: .accessibleAlways) }",
            "func f(k: KeychainSwift) { k.set(v, forKey: \"a\", withAccess: .accessibleWhenUnlockedThisDeviceOnly) }"
        ),
        (
            "IPC-SENSITIVE",
            "func f(diagnosis: String) { let a = CSSearchableItemAttributeSet(); a.contentDescription = diagnosis }",
            "func f(title: String) { let a = CSSearchableItemAttributeSet(); a.contentDescription = title }"
        ),
    ])
    func `other forms of a weakness are found, and their mended twins are silent`(
        _ rule: String, _ bad: String, _ good: String
    ) {
        for text in spellings(bad) { #expect(rules(text).contains(rule), "\(text)") }
        for text in spellings(good) { #expect(!rules(text).contains(rule), "\(text)") }
    }
}
