import AuditCore
import Foundation
import Testing

/// Two more spellings, as people write them, of rules that had one: through a name, a property, another API of the same
/// kind. Each has its mended twin.
@Suite struct SpellingTests {
    typealias Twins = SettingTests.Twins

    private func rules(_ source: String) -> Set<String> {
        Set(Analyzer.analyze(Data(source.utf8), file: "App/A.swift").findings.map(\.rule))
    }

    static let patterns: [Twins] = [
        Twins(
            "REGEX",
            "func f(u: URL) throws { let t = try String(contentsOf: u); use(try NSRegularExpression(pattern: t)) }",
            "func f(u: URL) throws { let t = try String(contentsOf: u); use(try NSRegularExpression(pattern: \"^a+$\"), t) }"
        ),
        Twins(
            "REGEX",
            "func f(u: URL) throws { let t = try String(contentsOf: u); use(a.replacingOccurrences(of: t, with: \"\", options: .regularExpression)) }",
            "func f(u: URL) throws { let t = try String(contentsOf: u); use(a.replacingOccurrences(of: t, with: \"\")) }"
        ),
        Twins(
            "REGEX-DOT", "let r = try! NSRegularExpression(pattern: \"^https://www.example.com/\")",
            "let r = try! NSRegularExpression(pattern: \"^https://www\\\\.example\\\\.com/\")"),
        Twins(
            "REGEX-DOT", "let p = \"^https://api.example.org/\"\nfunc f() throws { use(try Regex(p)) }",
            "let p = #\"^https://api\\.example\\.org/\"#\nfunc f() throws { use(try Regex(p)) }"),
        Twins(
            "REGEX-ANCHOR", "let r = try! NSRegularExpression(pattern: \"^a|b\")",
            "let r = try! NSRegularExpression(pattern: \"^(a|b)$\")"),
        Twins(
            "REGEX-ANCHOR", "let p = \"^one|two\"\nfunc f() throws { use(try Regex(p)) }",
            "let p = \"^(one|two)$\"\nfunc f() throws { use(try Regex(p)) }"),
        Twins(
            "TAG-FILTER", "let r = try! NSRegularExpression(pattern: \"<script.*?>.*?</script>\")",
            "let r = try! NSRegularExpression(pattern: \"<i>.*?</i>\")"),
        Twins(
            "TAG-FILTER", "let p = \"<script.*?>.*?</script>\"\nfunc f() throws { use(try Regex(p)) }",
            "let p = \"<em>.*?</em>\"\nfunc f() throws { use(try Regex(p)) }"),
        Twins(
            "REDOS", "let r = try! NSRegularExpression(pattern: \"(a*)*b\")",
            "let r = try! NSRegularExpression(pattern: \"a*b\")"),
        Twins(
            "REDOS", "let p = \"^(a+)+$\"\nfunc f() throws { use(try Regex(p)) }",
            "let p = \"^a+$\"\nfunc f() throws { use(try Regex(p)) }"),
    ]

    static let programs: [Twins] = [
        Twins(
            "COMMAND",
            "func f(u: URL) throws { let t = try String(contentsOf: u); try Process.run(tool, arguments: [t]) }",
            "func f(u: URL) throws { let t = try String(contentsOf: u); try Process.run(tool, arguments: [\"-l\"]); show(t) }"
        ),
        Twins(
            "COMMAND",
            "func f(u: URL) throws { let task = Process(); task.launchPath = try String(contentsOf: u) }",
            "func f(u: URL) throws { let task = Process(); task.launchPath = \"/bin/ls\"; show(try String(contentsOf: u)) }"
        ),
        Twins(
            "XXE",
            "func f(u: URL) throws { let d = try Data(contentsOf: u); use(try XMLDocument(data: d, options: .nodeLoadExternalEntitiesAlways)) }",
            "func f(u: URL) throws { let d = try Data(contentsOf: u); use(try XMLDocument(data: d, options: .nodeLoadExternalEntitiesNever)) }"
        ),
        Twins(
            "XXE",
            "func f(b: [CChar], n: Int32) { use(xmlReadMemory(b, n, nil, nil, Int32(XML_PARSE_NOENT.rawValue))) }",
            "func f(b: [CChar], n: Int32) { use(xmlReadMemory(b, n, nil, nil, Int32(XML_PARSE_NONET.rawValue))) }"),
    ]

    static let cryptography: [Twins] = [
        Twins("HASH-OUTDATED", "func f(d: Data) { use(d.md5()) }", "func f(d: Data) { use(d.sha256()) }"),
        Twins(
            "HASH-OUTDATED", "func f(d: [UInt8], o: inout [UInt8]) { CC_MD5(d, 4, &o) }",
            "func f(d: [UInt8], o: inout [UInt8]) { CC_SHA256(d, 4, &o) }"),
        Twins(
            "CONST-PASSWORD",
            "func f(s: [UInt8]) throws { let word = \"swordfish\"; use(try PKCS5.PBKDF2(password: word.bytes, salt: s, iterations: 700000)) }",
            "func f(word: String, s: [UInt8]) throws { use(try PKCS5.PBKDF2(password: word.bytes, salt: s, iterations: 700000)) }"
        ),
        Twins(
            "CONST-PASSWORD", "func f(d: Data) { use(RNCryptor.encrypt(data: d, withPassword: \"swordfish\")) }",
            "func f(d: Data, typed: String) { use(RNCryptor.encrypt(data: d, withPassword: typed)) }"),
        Twins(
            "CRYPTO-MODE",
            "func f(k: [UInt8], i: [UInt8]) { use(CCCrypt(0, 0, CCOptions(kCCOptionECBMode), k, 16, i, d, 3, o, 4, &n)) }",
            "func f(k: [UInt8], i: [UInt8]) { use(CCCrypt(0, 0, CCOptions(kCCOptionPKCS7Padding), k, 16, i, d, 3, o, 4, &n)) }"
        ),
        Twins(
            "CRYPTO-MODE", "func f() { use(CCAlgorithm(kCCAlgorithm3DES)) }",
            "func f() { use(CCAlgorithm(kCCAlgorithmAES)) }"
        ),
    ]

    static let items: [Twins] = [
        Twins(
            "KEYCHAIN-SYNC",
            "func f(d: Data) -> OSStatus { var q: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecValueData: d]; q[kSecAttrSynchronizable] = true; return SecItemAdd(q as CFDictionary, nil) }",
            "func f(d: Data) -> OSStatus { var q: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecValueData: d]; q[kSecAttrSynchronizable] = false; return SecItemAdd(q as CFDictionary, nil) }"
        ),
        Twins(
            "KEYCHAIN-SYNC",
            "func f(d: Data) -> OSStatus { return SecItemAdd([kSecClass: kSecClassGenericPassword, kSecAttrSynchronizable: kCFBooleanTrue!, kSecValueData: d] as CFDictionary, nil) }",
            "func f(d: Data) -> OSStatus { return SecItemAdd([kSecClass: kSecClassGenericPassword, kSecAttrSynchronizable: kCFBooleanFalse!, kSecValueData: d] as CFDictionary, nil) }"
        ),
        Twins(
            "KEY-NO-CONTROL",
            "func f() { let a: [CFString: Any] = [kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrTokenID: kSecAttrTokenIDSecureEnclave]; use(SecKeyCreateRandomKey(a as CFDictionary, nil)) }",
            "func f(c: SecAccessControl) { let a: [CFString: Any] = [kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrTokenID: kSecAttrTokenIDSecureEnclave, kSecAttrAccessControl: c]; use(SecKeyCreateRandomKey(a as CFDictionary, nil)) }"
        ),
        Twins(
            "KEY-NO-CONTROL", "struct K { let key = try? SecureEnclave.P256.KeyAgreement.PrivateKey() }",
            "struct K { let key = try? SecureEnclave.P256.KeyAgreement.PrivateKey(dataRepresentation: kept) }"),
        Twins(
            "LOG-PUBLIC",
            "import os\nstruct A { let logger = Logger(); func f(accessToken: String) { logger.error(\"\\(accessToken, privacy: .public)\") } }",
            "import os\nstruct A { let logger = Logger(); func f(accessToken: String) { logger.error(\"\\(accessToken)\") } }"
        ),
        Twins(
            "FILE-NO-CLASS",
            "func f(medication: Data, m: FileManager) { m.createFile(atPath: p, contents: medication) }",
            "func f(medication: Data, m: FileManager) { m.createFile(atPath: p, contents: medication, attributes: [.protectionKey: FileProtectionType.complete]) }"
        ),
        Twins(
            "CAPTURE-LIBRARY", "func f(p: String) { UISaveVideoAtPathToSavedPhotosAlbum(p, nil, nil, nil) }",
            "func f(p: String) { keepVideo(p) }"),
        Twins(
            "CAPTURE-LIBRARY",
            "func f(i: UIImage) { library.performChanges { PHAssetChangeRequest.creationRequestForAsset(from: i) } }",
            "func f(i: UIImage) { library.performChanges { PHAssetChangeRequest.deleteAssets(list) } }"),
        Twins(
            "NET-PEER",
            "struct S { let session = MCSession(peer: p, securityIdentity: nil, encryptionPreference: .optional) }",
            "struct S { let session = MCSession(peer: p, securityIdentity: i, encryptionPreference: .required) }"),
        Twins(
            "NET-PEER",
            "func f() { use(MCSession(peer: p, securityIdentity: nil, encryptionPreference: MCEncryptionPreference.none)) }",
            "func f() { use(MCSession(peer: p)) }"),
    ]

    @Test(arguments: patterns + programs + cryptography + items)
    func `the spelling is found, and its mended twin is silent`(_ twins: Twins) {
        for wrapped in [{ $0 }, { "enum Space {\n\($0)\n}" }, { "#if os(iOS)\n\($0)\n#endif" }] as [(String) -> String]
        {
            #expect(rules(wrapped(twins.bad)).contains(twins.rule), "\(wrapped(twins.bad))")
            #expect(!rules(wrapped(twins.good)).contains(twins.rule), "\(wrapped(twins.good))")
        }
    }
}
