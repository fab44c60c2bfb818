extension Catalogue {
    static let crypto: [Rule] = [
        Rule(
            "HASH-WEAK", .error, cwe: 328, maswe: "MASWE-0008", masvs: "MASVS-CRYPTO-1", tr: ["O.Cryp_3"],
            claim: "MD5 and SHA-1 do not hide or bind personal data.",
            mend: "Use SHA256, or HMAC with a secret key.",
            bad: #"""
                func f(creditCardNumber: Data) {
                    let h = Insecure.MD5.hash(data: creditCardNumber)
                use(h) }
                """#,
            good: #"""
                func f(creditCardNumber: Data) { let h = SHA256.hash(data: creditCardNumber); use(h) }
                """#),
        Rule(
            "HASH-OUTDATED", .note, cwe: 328, maswe: "MASWE-0008", masvs: "MASVS-CRYPTO-1", tr: ["O.Cryp_3"],
            claim: "MD5 and SHA-1 collide.",
            mend: "Use SHA256.",
            bad: #"""
                func f(block: Data) { let h = Insecure.SHA1.hash(data: block); use(h) }
                """#,
            good: #"""
                func f(block: Data) { let h = SHA256.hash(data: block); use(h) }
                """#),
        Rule(
            "HASH-PASSWORD", .error, cwe: 916, maswe: "MASWE-0014", masvs: "MASVS-CRYPTO-2", tr: ["O.Pass_5"],
            claim: "A fast hash lets a thief try billions of passwords a second.",
            mend: "Use AppLock, or Argon2id with a salt.",
            bad: #"""
                func f(password: Data) { let h = SHA256.hash(data: password); use(h) }
                """#,
            good: #"""
                func f(document: Data) { let h = SHA256.hash(data: document); use(h) }
                """#),
        Rule(
            "KDF-WEAK", .warning, cwe: 916, maswe: "MASWE-0014", masvs: "MASVS-CRYPTO-2", tr: ["O.Pass_5"],
            claim: "Few iterations make guessing cheap.",
            mend: "Take 600,000 iterations or Argon2id.",
            bad: #"""
                func f(p: [UInt8], s: [UInt8]) {
                    let k = PKCS5.PBKDF2(password: p, salt: s, iterations: 1000)
                use(k) }
                """#,
            good: #"""
                func f(p: [UInt8], s: [UInt8]) {
                    let k = PKCS5.PBKDF2(password: p, salt: s, iterations: 600_000)
                use(k) }
                """#),
        Rule(
            "CONST-KEY", .error, cwe: 321, maswe: "MASWE-0007", masvs: "MASVS-CRYPTO-1", tr: ["O.Cryp_1", "O.Cryp_3"],
            claim: "A key in the program belongs to everyone who has the program.",
            mend: "Make it on the device: EnclaveKey, or a random key in the keychain.",
            bad: #"""
                func f() { let k = SymmetricKey(data: Data([1, 2, 3, 4])); use(k) }
                """#,
            good: #"""
                func f() { let k = SymmetricKey(size: .bits256); use(k) }
                """#),
        Rule(
            "CONST-IV", .error, cwe: 1204, maswe: "MASWE-0013", masvs: "MASVS-CRYPTO-2", tr: ["O.Cryp_3"],
            claim: "A repeated vector shows equal texts, and breaks GCM.",
            mend: "Let the cipher choose, or take random bytes.",
            bad: #"""
                func f(key: [UInt8]) { let iv: [UInt8] = [0, 0, 0]; let c = GCM(iv: iv); use(c) }
                """#,
            good: #"""
                func f(iv: [UInt8]) { let c = GCM(iv: iv); use(c) }
                """#),
        Rule(
            "CONST-SALT", .error, cwe: 760, maswe: "MASWE-0013", masvs: "MASVS-CRYPTO-2", tr: ["O.Cryp_3"],
            claim: "A constant salt lets one table serve for all people.",
            mend: "Take 16 random bytes for each secret.",
            bad: #"""
                func f(p: [UInt8]) { let k = HKDF(password: p, salt: [1, 2, 3]); use(k) }
                """#,
            good: #"""
                func f(p: [UInt8], s: [UInt8]) { let k = HKDF(password: p, salt: s); use(k) }
                """#),
        Rule(
            "CONST-PASSWORD", .error, cwe: 259, maswe: "MASWE-0007", masvs: "MASVS-CRYPTO-1", tr: ["O.Cryp_1"],
            claim: "A password in the program belongs to everyone who has the program.",
            mend: "Ask the person, or keep a random secret in the keychain.",
            bad: #"""
                func f(s: [UInt8]) { let k = Scrypt(password: "swordfish".bytes, salt: s); use(k) }
                """#,
            good: #"""
                func f(typed: [UInt8], s: [UInt8]) { let k = Scrypt(password: typed, salt: s); use(k) }
                """#),
        Rule(
            "CRYPTO-MODE", .error, cwe: 327, maswe: "MASWE-0007", masvs: "MASVS-CRYPTO-1", tr: ["O.Cryp_3"],
            claim: "The cipher or its mode is broken.",
            mend: "Use AES-GCM.",
            bad: #"""
                func f(key: [UInt8]) { let c = AES(key: key, blockMode: ECB()); use(c) }
                """#,
            good: #"""
                func f(key: [UInt8], iv: [UInt8]) {
                    let c = AES(key: key, blockMode: GCM(iv: iv))
                use(c) }
                """#),
        Rule(
            "CRYPTO-OWN", .warning, cwe: 327, maswe: "MASWE-0007", masvs: "MASVS-CRYPTO-1",
            tr: ["O.Cryp_2", "O.Cryp_3"],
            claim: "A text that is combined with a key by exclusive or hides nothing from whoever has two of them.",
            mend: "Use CryptoKit's AES.GCM, or Pavise's sealed files.",
            bad: #"""
                func hide(_ t: [UInt8], _ k: [UInt8]) -> [UInt8] {
                    var r: [UInt8] = []
                for i in t.indices { r.append(t[i] ^ k[i % k.count]) }
                return r }
                """#,
            good: #"""
                func hide(_ t: Data, _ k: SymmetricKey) throws -> Data { try AES.GCM.seal(t, using: k).combined! }
                """#),
        Rule(
            "CRYPTO-RSA", .warning, cwe: 780, maswe: "MASWE-0013", masvs: "MASVS-CRYPTO-2", tr: ["O.Cryp_3"],
            claim: "PKCS#1 v1.5 encryption leaks by its errors.",
            mend: "Use rsaEncryptionOAEPSHA256 or ECIES.",
            bad: #"""
                let algorithm = SecKeyAlgorithm.rsaEncryptionPKCS1
                """#,
            good: #"""
                let algorithm = SecKeyAlgorithm.rsaEncryptionOAEPSHA256
                """#),
        Rule(
            "RANDOM-WEAK", .warning, cwe: 338, maswe: "MASWE-0012", masvs: "MASVS-CRYPTO-1", tr: ["O.Rand_1"],
            claim: "The generator can be predicted.",
            mend: "Use SystemRandomNumberGenerator or SecRandomCopyBytes.",
            bad: #"""
                func f() -> Int { Int(drand48() * 10) }
                """#,
            good: #"""
                func f() -> Int { Int.random(in: 0..<10) }
                """#),
        Rule(
            "SECRET-LITERAL", .error, cwe: 798, maswe: "MASWE-0004", masvs: "MASVS-STORAGE-1", tr: ["O.Cryp_1"],
            claim: "A secret in the source is in every copy of the program.",
            mend: "Fetch it after sign-in and keep it in TokenVault.",
            bad: #"""
                let apiKey = "k9Xq2LmP7vRt5"
                """#,
            good: #"""
                let apiKeyName = "api_key_name_1"
                """#),
        Rule(
            "KEY-PREDICTABLE", .error, cwe: 330, maswe: "MASWE-0013", masvs: "MASVS-CRYPTO-2", tr: ["O.Cryp_1"],
            claim: "An identifier of device or bundle is no secret: other programs read it too.",
            mend: "Make a random key and keep it in the keychain or the enclave.",
            bad: #"""
                func f() {
                    let id = UIDevice.current.identifierForVendor!.uuidString
                let k = SymmetricKey(data: Data(id.utf8))
                use(k) }
                """#,
            good: #"""
                func f() { let k = SymmetricKey(size: .bits256); use(k) }
                """#),
        Rule(
            "SECRET-OBFUSCATED", .error, cwe: 656, maswe: "MASWE-0004", masvs: "MASVS-STORAGE-1", tr: ["O.Cryp_1"],
            claim: "A text that the program puts together at run time is as readable as one that stands there.",
            mend: "Fetch it after sign-in and keep it in TokenVault.",
            bad: #"""
                let apiKey = String(bytes: [107, 57, 88, 113, 50, 76, 109, 80, 55], encoding: .utf8)
                """#,
            good: #"""
                let title = String(bytes: [72, 101, 108, 108, 111], encoding: .utf8)
                """#),
    ]
}
