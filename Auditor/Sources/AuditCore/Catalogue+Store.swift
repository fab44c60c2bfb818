extension Catalogue {
    static let store: [Rule] = [
        Rule(
            "STORE-NO-KEY", .warning, cwe: 311, maswe: "MASWE-0001", masvs: "MASVS-STORAGE-1", tr: ["O.Data_2"],
            claim: "A database without a key of its own is read by whoever gets its file, from a backup too.",
            mend: "Give it a key from the keychain (encryptionKey, SQLCipher), or use Pavise's protected database.",
            bad: #"""
                class Person: Object { @Persisted var email = "" }
                func f() throws { let r = try Realm(); use(r) }
                """#,
            good: #"""
                class Person: Object { @Persisted var email = "" }
                func f(key: Data) throws { let r = try Realm(configuration: .init(encryptionKey: key)); use(r) }
                """#),
        Rule(
            "STORE-DEFAULTS", .error, cwe: 312, maswe: "MASWE-0001", masvs: "MASVS-STORAGE-1",
            tr: ["O.Data_2", "O.Auth_13"],
            claim: "A secret in preferences is a readable file, also in backups.",
            mend: "Keep it in TokenVault or the keychain.",
            bad: #"""
                func save(password: String) { UserDefaults.standard.set(password, forKey: "p") }
                """#,
            good: #"""
                func save(theme: String) { UserDefaults.standard.set(theme, forKey: "theme") }
                """#),
        Rule(
            "STORE-DATABASE", .error, cwe: 312, maswe: "MASWE-0001", masvs: "MASVS-STORAGE-1", tr: ["O.Data_2"],
            claim: "A database in clear text gives its rows to whoever copies the file.",
            mend: "Use Pavise's protected database, or seal the value first.",
            bad: #"""
                func save(password: String, db: Connection) throws {
                    try db.run("INSERT INTO t VALUES (?)", password) }
                """#,
            good: #"""
                func save(title: String, db: Connection) throws {
                    try db.run("INSERT INTO t VALUES (?)", title) }
                """#),
        Rule(
            "STORE-FILE", .error, cwe: 312, maswe: "MASWE-0001", masvs: "MASVS-STORAGE-1", tr: ["O.Data_2"],
            claim: "A secret in a file can be copied with it.",
            mend: "Use Pavise's sealed files or the keychain.",
            bad: #"""
                func save(accessToken: Data, url: URL) throws { try accessToken.write(to: url) }
                """#,
            good: #"""
                func save(image: Data, url: URL) throws { try image.write(to: url) }
                """#),
        Rule(
            "FILE-UNPROTECTED", .error, cwe: 311, maswe: "MASWE-0001", masvs: "MASVS-STORAGE-1", tr: ["O.Data_14"],
            claim: "A file without protection is readable on a locked device.",
            mend: "Use .completeFileProtection.",
            bad: #"""
                func save(d: Data, u: URL) throws { try d.write(to: u, options: .noFileProtection) }
                """#,
            good: #"""
                func save(d: Data, u: URL) throws { try d.write(to: u, options: .completeFileProtection) }
                """#),
        Rule(
            "KEYCHAIN-NO-CLASS", .warning, cwe: 522, maswe: "MASWE-0016", masvs: "MASVS-CRYPTO-2",
            tr: ["O.Data_3", "O.Data_14"],
            claim: "An item without a class gets a default that leaves the device in backups.",
            mend: "Set kSecAttrAccessibleWhenUnlockedThisDeviceOnly.",
            bad: #"""
                func add(d: Data) {
                    let q: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecValueData: d]
                let s = SecItemAdd(q as CFDictionary, nil)
                use(s) }
                """#,
            good: #"""
                func add(d: Data) {
                    let q: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecAttrAccessible: kSecAttrAccessibleWhenUnlockedThisDeviceOnly, kSecValueData: d]
                let s = SecItemAdd(q as CFDictionary, nil)
                use(s) }
                """#),
        Rule(
            "KEYCHAIN-WEAK", .error, cwe: 522, maswe: "MASWE-0016", masvs: "MASVS-CRYPTO-2",
            tr: ["O.Data_3", "O.Data_15"],
            claim: "The class lets the item be read while the device is locked.",
            mend: "Set kSecAttrAccessibleWhenUnlockedThisDeviceOnly.",
            bad: #"""
                let accessibility = kSecAttrAccessibleAlways
                """#,
            good: #"""
                let accessibility = kSecAttrAccessibleWhenUnlockedThisDeviceOnly
                """#),
        Rule(
            "KEYCHAIN-STATUS", .warning, cwe: 252, maswe: "MASWE-0011", masvs: "MASVS-CRYPTO-1",
            tr: ["O.Source_4", "O.Rand_1"],
            claim: "A failure that nobody reads leaves zeros or an old secret.",
            mend: "Compare the status with errSecSuccess.",
            bad: #"""
                func f(q: CFDictionary) { SecItemAdd(q, nil) }
                """#,
            good: #"""
                func f(q: CFDictionary) -> Bool { let s = SecItemAdd(q, nil); return s == errSecSuccess }
                """#),
        Rule(
            "KEY-NO-CONTROL", .note, cwe: 522, maswe: "MASWE-0016", masvs: "MASVS-CRYPTO-2", tr: ["O.Cryp_6"],
            claim: "An enclave key without access control signs for anyone on the device.",
            mend: "Give it a SecAccessControl with .privateKeyUsage.",
            bad: #"""
                func f() {
                    let k = SecKeyCreateRandomKey([kSecAttrTokenID: kSecAttrTokenIDSecureEnclave] as CFDictionary, nil)
                use(k) }
                """#,
            good: #"""
                func f(a: SecAccessControl) {
                    let k = SecKeyCreateRandomKey([kSecAttrTokenID: kSecAttrTokenIDSecureEnclave, kSecAttrAccessControl: a] as CFDictionary, nil)
                use(k) }
                """#),
        Rule(
            "KEYCHAIN-SYNC", .warning, cwe: 522, maswe: "MASWE-0002", masvs: "MASVS-STORAGE-1", tr: ["O.Data_15"],
            claim: "A synchronised item is on every device of the account, and on the provider's servers.",
            mend: "Leave kSecAttrSynchronizable out, and use a class that ends in ThisDeviceOnly.",
            bad: #"""
                func add(d: Data) {
                    let q: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecAttrSynchronizable: true, kSecValueData: d]
                let s = SecItemAdd(q as CFDictionary, nil)
                use(s) }
                """#,
            good: #"""
                func add(d: Data) {
                    let q: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecAttrSynchronizable: false, kSecValueData: d]
                let s = SecItemAdd(q as CFDictionary, nil)
                use(s) }
                """#),
        Rule(
            "CACHE-RESPONSE", .warning, cwe: 524, maswe: "MASWE-0001", masvs: "MASVS-STORAGE-1", tr: ["O.Data_5"],
            claim: "Responses stay on disk and are shown when they are no longer true.",
            mend: "Use .reloadIgnoringLocalCacheData, or Pavise's requests, which are fresh by default.",
            bad: #"""
                func f() { var r = URLRequest(url: u); r.cachePolicy = .returnCacheDataElseLoad; send(r) }
                """#,
            good: #"""
                func f() { var r = URLRequest(url: u); r.cachePolicy = .reloadIgnoringLocalCacheData; send(r) }
                """#),
        Rule(
            "IPC-SENSITIVE", .warning, cwe: 927, maswe: "MASWE-0002", masvs: "MASVS-STORAGE-1", tr: ["O.Plat_7"],
            claim: "What is handed over is out of the app's hands.",
            mend: "Hand over a reference that the receiver opens after a sign-in of its own.",
            bad: #"""
                func f(password: String) {
                    let a = NSUserActivity(activityType: "a")
                a.userInfo = ["p": password] }
                """#,
            good: #"""
                func f(page: String) {
                    let a = NSUserActivity(activityType: "a")
                a.userInfo = ["p": page] }
                """#),
    ]
}
