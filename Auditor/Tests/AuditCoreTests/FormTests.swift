import AuditCore
import Foundation
import Testing

/// Other forms of what the rules find, each with a twin that is mended.
@Suite struct FormTests {
    typealias Twins = SettingTests.Twins

    private func rules(_ source: String) -> Set<String> {
        Set(Analyzer.analyze(Data(source.utf8), file: "App/A.swift").findings.map(\.rule))
    }

    private func spellings(_ source: String) -> [String] {
        [source, "enum Space {\n" + source + "\n}", "#if os(iOS)\n" + source + "\n#endif"]
    }

    static let obfuscated: [Twins] =
        [
            "let apiKey = String(decoding: [107, 57, 88, 113, 50, 76, 109, 80, 55, 118, 82, 116] as [UInt8], as: UTF8.self)",
            "let apiKey = String(bytes: [0x6b, 0x39, 0x58, 0x71, 0x32, 0x4c, 0x6d, 0x50, 0x37, 0x76], encoding: .utf8)!",
            "let raw: [UInt8] = [107, 57, 88, 113, 50, 76, 109, 80, 55, 118]\nlet apiKey = String(decoding: raw, as: UTF8.self)",
            "let raw: [UInt8] = [108, 62, 95, 118, 53, 75, 106, 87, 48, 113]\nlet apiKey = String(decoding: raw.map { $0 ^ 7 }, as: UTF8.self)",
            "let apiKey = String(decoding: [108, 58, 89, 114, 51, 77, 110, 81, 56, 119].map { $0 - 1 }, as: UTF8.self)",
            "let a: [UInt8] = [108, 62, 95, 118, 53, 75, 106, 87, 48, 113]\nlet b: [UInt8] = [7, 7, 7, 7, 7, 7, 7, 7, 7, 7]\nlet apiKey = String(decoding: zip(a, b).map { $0 ^ $1 }, as: UTF8.self)",
            "let k: [UInt8] = [7, 7]\nlet apiKey = String(decoding: [108, 62, 95, 118, 53, 75, 106, 87, 48, 113].enumerated().map { $1 ^ k[$0 % k.count] }, as: UTF8.self)",
            "let apiKey = String(decoding: Data(base64Encoded: \"azlYcTJMbVA3dlJ0NXc4WmI=\")!, as: UTF8.self)",
            "let apiKey = String(data: Data(base64Encoded: \"azlYcTJMbVA3dlJ0NXc4WmI=\")!, encoding: .utf8)!",
            "let apiKey = String(\"bZ8w5tRv7PmL2qX9k\".reversed())",
            "let apiKey = [\"k9Xq2LmP\", \"7vRt5w8Zb\"].joined()",
            "let apiKey = String(UnicodeScalar(107)) + String(UnicodeScalar(57)) + String(UnicodeScalar(88)) + \"q2LmP7vR\"",
            "let apiKey = String(cString: [107, 57, 88, 113, 50, 76, 109, 80, 55, 118, 0])",
        ].map { Twins("SECRET-OBFUSCATED", $0, $0.replacing("apiKey", with: "greeting")) } + [
            // What comes out is a word, or is not known here.
            Twins(
                "SECRET-OBFUSCATED", "let apiKey = [\"k9Xq2LmP\", \"7vRt5w8Zb\"].joined()",
                "let apiKey = [\"first\", \"second\"].joined()"),
            Twins(
                "SECRET-OBFUSCATED", "let apiKey = String(\"bZ8w5tRv7PmL2qX9k\".reversed())",
                "let apiKey = String(stored.reversed())"),
            Twins(
                "SECRET-OBFUSCATED", "let apiKey = String(\"bZ8w5tRv7PmL2qX9k\".reversed())",
                "func f(d: Data) { let apiKey = String(decoding: d.map { $0 ^ 7 }, as: UTF8.self); use(apiKey) }"),
        ]

    static let network: [Twins] = [
        Twins(
            "TLS-VERSION",
            "func f(o: sec_protocol_options_t) { sec_protocol_options_set_min_tls_protocol_version(o, .TLSv10) }",
            "func f(o: sec_protocol_options_t) { sec_protocol_options_set_min_tls_protocol_version(o, .TLSv12) }"),
        Twins(
            "TLS-VERSION",
            "func f(o: sec_protocol_options_t) { sec_protocol_options_set_max_tls_protocol_version(o, .TLSv11) }",
            "func f(o: sec_protocol_options_t) { sec_protocol_options_set_max_tls_protocol_version(o, .TLSv13) }"),
        Twins(
            "TLS-VERSION",
            "func f(o: sec_protocol_options_t) { sec_protocol_options_set_tls_min_version(o, .tlsProtocol1) }",
            "func f(o: sec_protocol_options_t) { sec_protocol_options_set_tls_min_version(o, .tlsProtocol12) }"),
        Twins(
            "TLS-VERSION", "func f(c: SSLContext) { SSLSetProtocolVersionMin(c, .tlsProtocol11) }",
            "func f(c: SSLContext) { SSLSetProtocolVersionMin(c, .tlsProtocol12) }"),
        Twins(
            "TLS-NO-EVALUATION",
            "func f(t: SecTrust, done: (Int, URLCredential?) -> Void) { if !SecTrustEvaluateWithError(t, nil) { note(\"bad\") }; done(0, URLCredential(trust: t)) }",
            "func f(t: SecTrust, done: (Int, URLCredential?) -> Void) { if !SecTrustEvaluateWithError(t, nil) { done(2, nil); return }; done(0, URLCredential(trust: t)) }"
        ),
        Twins(
            "TLS-NO-EVALUATION",
            "func f(t: SecTrust) -> URLCredential { _ = SecTrustEvaluateWithError(t, nil); return URLCredential(trust: t) }",
            "func f(t: SecTrust) -> URLCredential? { guard SecTrustEvaluateWithError(t, nil) else { return nil }; return URLCredential(trust: t) }"
        ),
    ]

    static let storage: [Twins] = [
        Twins(
            "FILE-UNPROTECTED",
            "func f(m: FileManager) throws { try m.setAttributes([.protectionKey: .none], ofItemAtPath: p) }",
            "func f(m: FileManager) throws { try m.setAttributes([.protectionKey: .complete], ofItemAtPath: p) }"),
        Twins(
            "FILE-UNPROTECTED",
            "let a: [FileAttributeKey: Any] = [FileAttributeKey.protectionKey: FileProtectionType.none]",
            "let a: [FileAttributeKey: Any] = [FileAttributeKey.protectionKey: FileProtectionType.complete]"),
        Twins(
            "STORE-FILE", "func f(diagnosis: Data, u: URL) throws { try diagnosis.write(to: u) }",
            "func f(drawing: Data, u: URL) throws { try drawing.write(to: u) }"),
        Twins(
            "STORE-AUTHSTATE",
            "func f() { if UserDefaults.standard.string(forKey: \"userRole\") == \"admin\" { open() } }",
            "func f() { if UserDefaults.standard.string(forKey: \"theme\") == \"dark\" { open() } }"),
        Twins(
            "KEY-NO-CONTROL", "func f() throws { let k = try SecureEnclave.P256.Signing.PrivateKey(); use(k) }",
            "func f(a: SecAccessControl) throws { let k = try SecureEnclave.P256.Signing.PrivateKey(accessControl: a); use(k) }"
        ),
        Twins(
            "KEYCHAIN-STATUS", "func f(q: CFDictionary) { let status = SecItemAdd(q, nil); go() }",
            "func f(q: CFDictionary) -> Bool { let status = SecItemAdd(q, nil); return status == errSecSuccess }"),
        Twins(
            "KEYCHAIN-STATUS", "func f(q: CFDictionary) { SecItemDelete(q); go() }",
            "func f(q: CFDictionary) -> OSStatus { let s = SecItemDelete(q); return s }"),
    ]

    static let leaving: [Twins] = [
        Twins(
            "PASTE-GENERAL",
            "func f(password: String) { UIPasteboard.general.setValue(password, forPasteboardType: t) }",
            "func f(title: String) { UIPasteboard.general.setValue(title, forPasteboardType: t) }"),
        Twins(
            "PASTE-GENERAL",
            "func f(accessToken: Data) { UIPasteboard.general.setData(accessToken, forPasteboardType: t) }",
            "func f(p: UIPasteboard2, accessToken: Data) { p.setData(accessToken, forPasteboardType: t) }"),
        Twins(
            "IPC-SENSITIVE",
            "func f(accessToken: String) { UIApplication.shared.open(URL(string: \"otherapp://in?t=\" + accessToken)!) }",
            "func f(page: String) { UIApplication.shared.open(URL(string: \"otherapp://in?t=\" + page)!) }"),
        Twins(
            "IPC-SENSITIVE", "struct V { func f(password: String) -> some View { ShareLink(item: password) } }",
            "struct V { func f(title: String) -> some View { ShareLink(item: title) } }"),
        Twins(
            "FIELD-PLAIN",
            "struct V { var body: some View { TextField(\"Word\", text: $word).textContentType(.password) } }",
            "struct V { var body: some View { SecureField(\"Word\", text: $word).textContentType(.password) } }"),
        Twins(
            "FIELD-PLAIN", "func f(field: UITextField) { field.textContentType = .newPassword }",
            "func f(field: UITextField) { field.textContentType = .newPassword; field.isSecureTextEntry = true }"),
        Twins(
            "DEP-UNPINNED", "let p = Package(targets: [.binaryTarget(name: \"A\", url: \"https://a.example/a.zip\")])",
            "let p = Package(targets: [.binaryTarget(name: \"A\", url: \"https://a.example/a.zip\", checksum: \"c\")])"),
        Twins(
            "DEP-UNPINNED",
            "let p = Package(dependencies: [.package(url: \"https://a.example/a\", .branch(\"main\"))])",
            "let p = Package(dependencies: [.package(url: \"https://a.example/a\", .exact(\"1.0.0\"))])"),
        Twins(
            "SECRET-LITERAL",
            "let a = \"xoxr-1234567890-abcdefABCDEF\"", "let a = \"xoxo-1234567890-abcdefABCDEF\""),
    ]

    @Test(arguments: obfuscated + network + storage + leaving)
    func `the form is found, and its mended twin is silent`(_ twins: Twins) {
        for text in spellings(twins.bad) { #expect(rules(text).contains(twins.rule), "\(text)") }
        for text in spellings(twins.good) { #expect(!rules(text).contains(twins.rule), "\(text)") }
    }

    @Test(arguments: obfuscated + network + storage + leaving)
    func `a long file with the form is parsed`(_ twins: Twins) {
        let filling = String(repeating: "let a = b + 1 // of no matter\n", count: 60)
        #expect(rules(filling + twins.bad + "\n" + filling).contains(twins.rule))
    }

    @Test(arguments: [
        "func f(t: SecTrust) -> URLCredential { var e: CFError?; _ = SecTrustEvaluateWithError(t, &e); if e == nil { return URLCredential(trust: t) }; return stop() }",
        "func f(t: SecTrust) throws -> URLCredential { try pins.evaluate(t); return URLCredential(trust: t) }",
        "func f(t: SecTrust, done: (Int) -> Void) { if !SecTrustEvaluateWithError(t, nil) { completionHandler(.cancelAuthenticationChallenge, nil) } else { done(URLCredential(trust: t)) } }",
        "func f(t: SecTrust) -> URLCredential? { SecTrustEvaluateWithError(t, nil) ? URLCredential(trust: t) : nil }",
    ])
    func `an evaluation whose answer counts is one`(_ source: String) {
        #expect(!rules(source).contains("TLS-NO-EVALUATION"))
    }

    @Test func `constants that are put together are bounded`() {
        let deep =
            "let apiKey = " + String(repeating: "String(", count: 40) + "[107]" + String(repeating: ")", count: 40)
        #expect(!rules(deep).contains("SECRET-OBFUSCATED"))
        let long = "let apiKey = String(decoding: [" + String(repeating: "107, ", count: 5_000) + "57], as: UTF8.self)"
        #expect(!rules(long).contains("SECRET-OBFUSCATED"))
    }

    /// The probe of peers: twelve weaknesses in one file.
    @Test(arguments: [
        ("func f(c: URLSessionConfiguration) { c.tlsMinimumSupportedProtocolVersion = .TLSv10 }", "TLS-VERSION"),
        ("func f(c: URLSessionConfiguration) { c.tlsMinimumSupportedProtocol = .tlsProtocol1 }", "TLS-VERSION"),
        ("func f(password: String) { UIPasteboard.general.string = password }", "PASTE-GENERAL"),
        ("func f(d: Data) { use(Insecure.MD5.hash(data: d)) }", "HASH-OUTDATED"),
        ("func f(d: Data) { use(Insecure.SHA1.hash(data: d)) }", "HASH-OUTDATED"),
        ("func f(accessToken: String) { print(accessToken) }", "LOG-SENSITIVE"),
        (
            "import os\nlet logger = Logger()\nfunc f(password: String) { logger.info(\"\\(password, privacy: .public)\") }",
            "LOG-PUBLIC"
        ),
        ("func f(d: Data, u: URL) throws { try d.write(to: u, options: .noFileProtection) }", "FILE-UNPROTECTED"),
        ("let a: [FileAttributeKey: Any] = [.protectionKey: FileProtectionType.none]", "FILE-UNPROTECTED"),
        (
            "func f(c: LAContext) { c.evaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, localizedReason: r) { ok, _ in if ok { show() } } }",
            "BIO-BOOLEAN"
        ),
        ("let a = kSecAttrAccessibleAlwaysThisDeviceOnly", "KEYCHAIN-WEAK"),
        ("func f(password: String) { UserDefaults.standard.set(password, forKey: \"p\") }", "STORE-DEFAULTS"),
    ])
    func `the probe of other tools is found whole`(_ source: String, _ rule: String) {
        #expect(rules(source).contains(rule))
    }

    /// What the request for this auditor named as its samples.
    @Test(arguments: [
        ("func f(password: String) { UserDefaults.standard.set(password, forKey: \"password\") }", "STORE-DEFAULTS"),
        (
            "func f(d: Data) -> OSStatus { let q: [String: Any] = [kSecClass as String: kSecClassGenericPassword, kSecValueData as String: d]; return SecItemAdd(q as CFDictionary, nil) }",
            "KEYCHAIN-NO-CLASS"
        ),
        (
            "func f(d: Data) -> OSStatus { var q = [kSecClass: kSecClassGenericPassword] as [CFString: Any]; q[kSecValueData] = d; return SecItemAdd(q as CFDictionary, nil) }",
            "KEYCHAIN-NO-CLASS"
        ),
        (
            "func f(d: Data) -> OSStatus { let q = [kSecClass: kSecClassInternetPassword, kSecValueData: d] as NSDictionary; return SecItemAdd(q, nil) }",
            "KEYCHAIN-NO-CLASS"
        ),
        (
            "func f() { let a = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, .userPresence, nil); use(a) }",
            "BIO-ENROLMENT"
        ),
        (
            "func f() { let k = SecKeyCreateRandomKey([kSecAttrTokenID: kSecAttrTokenIDSecureEnclave] as CFDictionary, nil); use(k) }",
            "KEY-NO-CONTROL"
        ),
        (
            "func f(t: SecTrust, pin: Data) -> URLCredential? { guard SecTrustCopyKey(t).map(bytes) == pin else { return nil }; return URLCredential(trust: t) }",
            "TLS-NO-EVALUATION"
        ),
        ("func f(t: SecTrust) -> URLCredential { return URLCredential(trust: t) }", "TLS-NO-EVALUATION"),
        (
            "let apiKey = String(bytes: [107, 57, 88, 113, 50, 76, 109, 80, 55, 118], encoding: .utf8)!",
            "SECRET-OBFUSCATED"
        ),
        ("let accessToken = \"k9Xq2LmP7vRt5w8Zb\"", "SECRET-LITERAL"),
    ])
    func `the samples of the request are found`(_ source: String, _ rule: String) {
        #expect(rules(source).contains(rule))
    }

    @Test func `what the request named as right is silent`() {
        let item = """
            func f(d: Data) -> OSStatus { let q: [CFString: Any] = [kSecClass: kSecClassGenericPassword, \
            kSecAttrAccessible: kSecAttrAccessibleWhenUnlockedThisDeviceOnly, kSecValueData: d]
            let s = SecItemAdd(q as CFDictionary, nil); print(s); return s }
            """
        #expect(
            rules(item).isDisjoint(with: ["KEYCHAIN-NO-CLASS", "KEYCHAIN-WEAK", "KEYCHAIN-STATUS", "LOG-SENSITIVE"]))
        let write =
            "import UIKit\nfunc f(d: Data, u: URL) throws { try d.write(to: u, options: .completeFileProtection) }"
        #expect(rules(write).isDisjoint(with: ["FILE-UNPROTECTED", "FILE-NO-CLASS", "STORE-FILE"]))
    }
}
