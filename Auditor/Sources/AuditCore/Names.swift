/// What a name says about a value.
package enum Sensitivity: String, Sendable {
    case password, credential, person, bank, health

    /// For a value whose key is a literal, which a finding does not repeat.
    var spoken: String {
        switch self {
        case .password: "a password"
        case .credential: "a credential"
        case .person: "a person's data"
        case .bank: "bank data"
        case .health: "health data"
        }
    }
}

/// Judges names of variables, members, functions, labels and keys. No types: a name is all that a source alone has.
package struct Names: Sendable {
    private static let password = ["password", "passwd", "passphrase", "passcode"]
    private static let credential = [
        "secret", "accesstoken", "refreshtoken", "idtoken", "authtoken", "sessiontoken", "bearertoken", "securetoken",
        "apikey", "authkey", "privatekey", "privkey", "accesskey", "licensekey", "securekey", "encryptionkey", "aeskey",
        "awskey", "credential", "onetimecode", "seedphrase", "oauthtoken", "certificate", "authenticationkey",
        "symmetrickey", "masterkey", "cipherkey", "decryptionkey", "signingkey", "mnemonic", "recoveryphrase",
        "recoverykey", "securityanswer", "sessioncookie", "jsonwebtoken", "sensitivedata", "sensitiveinfo",
    ]
    private static let credentialWords: Set = ["token", "otp", "mfa", "cert", "secret", "jwt", "totp"]
    private static let person = [
        "email", "phonenumber", "mobilenumber", "mobilephone", "telephone", "homeaddress", "postcode", "zipcode",
        "birthday", "dateofbirth", "birthdate", "nationality", "latitude", "longitude", "passport", "socialsecurity",
        "taxid",
        "salary", "employer", "spouse", "maidenname", "aadhar", "pancard", "incometax", "mobileno", "phoneno",
        "driverlicense", "driverslicense", "nationalid", "identitycard", "birthplace",
    ]
    private static let personWords: Set = ["ssn", "gender", "ethnicity", "dob", "phone"]
    private static let bank = [
        "creditcard", "debitcard", "bankcard", "cardnumber", "accountno", "accountnumber", "bankaccount",
        "routingnumber",
        "creditrating", "cardno", "ccno", "cvvno", "acctno", "accountbalance", "acctbalance", "sortcode",
        "securitycode",
    ]
    private static let bankWords: Set = ["cvv", "iban", "ccn", "creditcard"]
    private static let health = [
        "medical", "medication", "prescription", "diagnosis", "patient", "careplan", "bloodtype", "bloodpressure",
        "heartrate", "menstrua", "pregnan", "insulin", "sleepdiary", "questionnaire",
        "allergies", "bloodgroup", "glucose", "vaccin", "symptom",
    ]
    private static let harmless: Set = [
        "hash", "hashed", "digest", "encrypted", "encrypt", "cipher", "redact", "redacted", "mask", "masked", "random",
        "placeholder", "title", "label", "hint", "error", "message", "view", "cell", "button", "path", "url", "file",
        "filename", "count", "length", "expiry", "policy", "rule", "strength", "changed", "enabled", "segue",
        "identifier",
        "is", "has", "should", "name", "type", "format", "field", "controller", "provider", "service", "manager",
        "store",
        "storage", "screen", "page", "flow", "state", "delegate", "handler", "completion", "request", "response",
        "endpoint",
        "tokenizer", "cancellation", "crypted", "max", "min", "valid", "validator", "description", "regex", "pattern",
        "rules", "unknown", "available", "found", "missing", "attempt", "attempts", "status", "query", "failed",
        "failures", "timeout",
        "interval",
        "delay", "date", "timestamp", "dismissed", "tag", "tags", "consent", "subject", "body", "instead", "port",
        "host", "exists", "characters", "period", "fingerprint", "public", "simulator", "simulated",
    ]
    /// What a name says that begins so is a choice: `usePasscode`, `showsPassword`.
    private static let choices: Set = [
        "use", "uses", "show", "shows", "allow", "allows", "enable", "enables", "disable", "prefer", "prefers", "skip",
        "needs", "requires", "require", "can", "did", "will", "supports", "wants", "ask", "asks",
    ]
    /// After the word token: what belongs to a coin, a device's list or a grammar, and opens nothing.
    private static let ofTokens: Set = [
        "id", "ids", "address", "amount", "balance", "symbol", "price", "decimals", "contract", "standard", "list",
        "info", "icon", "image", "kind", "range", "index", "metadata", "rate", "supply", "transfer", "swap", "value",
        "usage", "budget", "limit",
    ]
    /// Before the word token: what it is a name or a colour of.
    private static let beforeTokens: Set = [
        "room", "color", "design", "search", "layout", "style", "theme", "string", "observation", "observer", "emoji",
        "cancel", "group", "start", "end", "begin", "mention", "tag", "filter", "query", "sort", "undo",
    ]
    /// Before the word token: what makes it a credential, whatever the file is about.
    private static let ofCredentials: Set = [
        "access", "auth", "refresh", "session", "bearer", "push", "device", "api", "login", "user", "fcm", "apns",
        "oauth", "csrf", "sync", "notify", "registration", "bot", "app", "client", "verification", "reset", "sign",
        "id", "account", "identity", "personal", "jwt", "notification",
    ]

    /// Whether the word token alone makes the name a credential's: in a file about coins, languages or changes it is not.
    static func isPlainToken(_ name: NameParts) -> Bool {
        let words = name.words
        guard words.contains("token"), words.allSatisfy({ !ofCredentials.contains($0) }) else { return false }
        return kind(NameParts(words.filter { $0 != "token" }.joined(separator: "_"))) == nil
    }

    /// The words of `name` in lower case: `userAccessToken2` is user, access, token.
    package static func words(_ name: String) -> [String] {
        let bytes = Array(name.utf8)
        func isUpper(_ index: Int) -> Bool { index < bytes.count && bytes[index] &- 65 < 26 }
        func isLower(_ index: Int) -> Bool { index < bytes.count && bytes[index] &- 97 < 26 }
        var words: [String] = []
        var word: [UInt8] = []
        func end() {
            if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
            word = []
        }
        for index in bytes.indices {
            guard isUpper(index) || isLower(index) else {
                end()
                continue
            }
            // `authToken` is two words, and so are `CVVText` and `IDToken`; `PINs` is one.
            let isStart =
                isUpper(index) && (index > 0 && isLower(index - 1) || isLower(index + 1) && isLower(index + 2))
            if isStart { end() }
            word.append(bytes[index] | 32)
        }
        end()
        return words
    }

    /// Slow: ``NameTable`` keeps what it said of a name.
    package static func sensitivity(of name: String) -> Sensitivity? { sensitivity(of: NameParts(name)) }

    static func sensitivity(of name: NameParts) -> Sensitivity? {
        // The constants of the keychain name what an item has, and are no values.
        guard name.length > 2, name.length < 80, !name.isOfSecurity, let found = kind(name) else { return nil }
        if let first = name.words.first, name.words.count > 1, choices.contains(first) { return nil }
        if let index = name.words.firstIndex(of: "secret"), index + 1 == name.words.count - 1,
            ["id", "ids"].contains(name.words[index + 1])
        {
            return nil
        }
        if let index = name.words.firstIndex(of: "token") {
            if index + 1 < name.words.count, ofTokens.contains(name.words[index + 1]) { return nil }
            if index > 0, beforeTokens.contains(name.words[index - 1]) { return nil }
        }
        // Places in lists of changes open nothing.
        if contains(name.joined, "token"),
            ["changetoken", "pagetoken", "continuationtoken", "historytoken"].contains(where: {
                contains(name.joined, $0)
            })
        {
            return nil
        }
        return name.words.contains { harmless.contains($0) } ? nil : found
    }

    /// Whether a certificate alone makes the name a credential's: whoever connects is shown it.
    static func isCertificate(_ name: String) -> Bool {
        guard sensitivity(of: name) == .credential else { return false }
        let rest = words(name).filter { !["cert", "certs", "certificate", "certificates"].contains($0) }
        return rest.isEmpty || sensitivity(of: rest.joined(separator: "_")) == nil
    }

    /// Whether a parameter of this name says who may read: a class of files or items, the person's presence.
    static func promisesProtection(_ name: NameParts) -> Bool {
        guard name.length > 8, name.length < 60 else { return false }
        return [
            "userpresence", "accesscontrol", "fileprotection", "protectionclass", "protectionlevel", "requirebiometr",
            "requiresbiometr", "requireauthentication", "requiresauthentication", "requirepasscode", "requirespasscode",
            "thisdeviceonly", "keychainaccessib", "withaccessib", "accessibilitylevel", "accessibilityclass",
        ].contains { contains(name.joined, $0) }
    }

    /// The kind of control that a call or member of this name is: a server's trust, the integrity of device and app, the
    /// person's presence, the class of a file.
    static func control(_ name: String, _ parts: NameParts) -> String? {
        if name.hasPrefix("SecTrustEvaluate") { return "trust" }
        if ["ptrace", "DCAppAttestService"].contains(name) { return "integrity" }
        if ["evaluatePolicy", "SecAccessControlCreateWithFlags"].contains(name) { return "presence" }
        if name == "isExcludedFromBackup" || name.hasPrefix("completeFileProtection") { return "files" }
        guard parts.length > 8, parts.length < 60, let first = parts.words.first, acts.contains(first) else {
            return nil
        }
        if ["jailbr", "debuggerattached", "beingdebugged", "tamper", "integrity", "rooted"].contains(where: {
            contains(parts.joined, $0)
        }) {
            return "integrity"
        }
        let pins = parts.words.contains { ["pin", "pins", "pinning", "pinned"].contains($0) }
        let isServer = ["certificate", "server", "host", "publickey", "trust"].contains { contains(parts.joined, $0) }
        return isServer && (pins || contains(parts.joined, "servertrust")) ? "trust" : nil
    }

    private static let acts: Set = [
        "verify", "check", "validate", "evaluate", "enforce", "detect", "deny", "is", "assert", "require", "ensure",
        "setup", "start", "enable", "configure",
    ]

    /// Whether a value of this name decides who may go on.
    static func opensSession(_ name: NameParts) -> Bool {
        guard name.length > 3, name.length < 80 else { return false }
        // What once was decides nothing now.
        if name.words.contains(where: { ["has", "had", "ever", "once", "before", "first"].contains($0) }),
            contains(name.joined, "authenticated")
        {
            return false
        }
        if name.words == ["role"] || name.words == ["user", "role"] { return true }
        return [
            "loggedin", "signedin", "authenticated", "unlocked", "isadmin", "ispremium", "haspaid", "loginattempts",
            "istrusted",
            "trusteddevice",
        ].contains { contains(name.joined, $0) }
    }

    /// Parts of names, by their first letter: a name is compared with few of them at each place.
    private static let parts: [[(part: String, kind: Sensitivity)]] = {
        var result = [[(part: String, kind: Sensitivity)]](repeating: [], count: 26)
        let all: [([String], Sensitivity)] = [
            (password, .password), (credential, .credential), (bank, .bank), (health, .health), (person, .person),
        ]
        for (list, kind) in all {
            for part in list { result[Int(part.utf8.first ?? 97) - 97].append((part, kind)) }
        }
        return result
    }()
    /// All parts of names, for the question what a name ends with.
    static let allParts: [String] = password + credential + bank + health + person

    static func isSensitiveWord(_ word: String) -> Bool {
        word == "pin" || word == "pwd" || credentialWords.contains(word) || bankWords.contains(word)
            || personWords.contains(word)
    }

    private static let order: [Sensitivity] = [.password, .credential, .bank, .health, .person]

    private static func kind(_ name: NameParts) -> Sensitivity? {
        var found: Set<Sensitivity> = []
        let joined = name.joined
        for (index, letter) in joined.enumerated() {
            for entry in parts[Int(letter) - 97] where joined.count - index >= entry.part.utf8.count {
                if zip(joined[index...], entry.part.utf8).allSatisfy({ $0 == $1 }) { found.insert(entry.kind) }
            }
        }
        for word in name.words {
            if word == "pin" || word == "pwd" { found.insert(.password) }
            if credentialWords.contains(word) { found.insert(.credential) }
            if bankWords.contains(word) { found.insert(.bank) }
            if personWords.contains(word), word != "phone" || name.words.first != "i" { found.insert(.person) }
        }
        return order.first { found.contains($0) }
    }

    /// A plain search of bytes: the general one of the library builds tables for each text that it looks for.
    static func contains(_ text: [UInt8], _ part: String) -> Bool {
        let part = part.utf8
        guard let first = part.first, text.count >= part.count else { return part.isEmpty }
        for start in 0...(text.count - part.count) where text[start] == first {
            if zip(text[start...], part).allSatisfy({ $0 == $1 }) { return true }
        }
        return false
    }
}

/// A name taken apart, once for all that is asked about it.
struct NameParts {
    let length: Int
    /// In lower case.
    let words: [String]
    /// The letters of all words, in lower case.
    let joined: [UInt8]
    /// A constant of Apple's Security framework.
    let isOfSecurity: Bool

    init(_ name: String) {
        length = name.utf8.count
        words = length < 80 ? Names.words(name) : []
        joined = Array(words.joined().utf8)
        isOfSecurity = name.hasPrefix("kSec")
    }
}
