extension Catalogue {
    /// What is asked for and does not happen, and what comes from outside and is not looked at.
    static let effects: [Rule] = [
        Rule(
            "PROTECTION-NO-EFFECT", .warning, cwe: 693, maswe: "MASWE-0016", masvs: "MASVS-CRYPTO-2",
            tr: ["O.Data_3", "O.Auth_3"],
            claim: "A parameter or value asks for a protection and reaches no call: whoever sets it is not protected.",
            mend: "Hand it to the call that stores the item or file, or remove it.",
            bad: #"""
                func save(_ d: Data, requiresUserPresence: Bool) -> OSStatus {
                    let q: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecAttrAccessible: c, kSecValueData: d]
                return SecItemAdd(q as CFDictionary, nil) }
                """#,
            good: #"""
                func save(_ d: Data, requiresUserPresence: Bool) -> OSStatus {
                    let f: SecAccessControlCreateFlags = requiresUserPresence ? [.biometryCurrentSet] : []
                let a = SecAccessControlCreateWithFlags(nil, c, f, nil)
                let q: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecAttrAccessControl: a, kSecValueData: d]
                return SecItemAdd(q as CFDictionary, nil) }
                """#),
        Rule(
            "FILE-NO-CLASS", .note, cwe: 311, maswe: "MASWE-0001", masvs: "MASVS-STORAGE-1", tr: ["O.Data_14"],
            claim:
                "A file without a class of its own is readable from the first unlock on, also while the device is locked.",
            mend: "Write with .completeFileProtection; on Linux with Pavise's protected files.",
            bad: #"""
                func save(diagnosis: Data, u: URL) throws { try diagnosis.write(to: u, options: .atomic) }
                """#,
            good: #"""
                func save(diagnosis: Data, u: URL) throws {
                    try diagnosis.write(to: u, options: [.atomic, .completeFileProtection]) }
                """#),
        Rule(
            "SECRET-ENTROPY", .warning, cwe: 798, maswe: "MASWE-0004", masvs: "MASVS-STORAGE-1", tr: ["O.Cryp_1"],
            claim: "A random text at the name of a key is a key, and it is in every copy of the program.",
            mend: "Fetch it after sign-in and keep it in TokenVault.",
            bad: #"""
                let paymentKey = "q7ZpR3xW9bTn2LkVd8Hs5YcFm1Ju"
                """#,
            good: #"""
                let paymentKey = "com.example.payment.key.of.the.entry"
                """#),
        Rule(
            "LINK-UNCHECKED", .warning, cwe: 939, maswe: "MASWE-0029", masvs: "MASVS-PLATFORM-1",
            tr: ["O.Source_1", "O.Arch_5"],
            claim: "A link from anybody decides what the app does, and neither its scheme nor its host is compared.",
            mend: "Compare scheme, host and each part with a list before anything is done: Pavise's DeepLink.",
            bad: #"""
                func application(_ a: UIApplication, open url: URL, options: [String: Any]) -> Bool {
                    show(url.lastPathComponent)
                return true }
                """#,
            good: #"""
                func application(_ a: UIApplication, open url: URL, options: [String: Any]) -> Bool {
                    guard url.scheme == "shop", url.host == "item" else { return false }
                show(url.lastPathComponent)
                return true }
                """#),
        Rule(
            "LOG-RELEASE", .note, cwe: 532, maswe: "MASWE-0005", masvs: "MASVS-STORAGE-2", tr: ["O.Source_8"],
            claim: "What is printed in a release build is read on the device by whoever has it.",
            mend: "Use Pavise's log, or print inside of #if DEBUG.",
            bad: #"""
                func f(count: Int) { print(count) }
                """#,
            good: #"""
                func f(count: Int) { count.description.isEmpty ? stop() : go() }
                """#),
        Rule(
            "TRAP-INPUT", .note, cwe: 248, maswe: "MASWE-0050", masvs: "MASVS-CODE-4", tr: ["O.Source_4"],
            claim: "Data from outside that is not as expected ends the program.",
            mend: "Read it with guard, and say what was wrong.",
            bad: #"""
                func f(u: URL) throws { let t = try String(contentsOf: u); let n = Int(t.split(separator: " ")[0]); use(n) }
                """#,
            good: #"""
                func f(u: URL) throws {
                    let t = try String(contentsOf: u)
                guard let first = t.split(separator: " ").first else { return }
                use(first) }
                """#),
    ]
}
