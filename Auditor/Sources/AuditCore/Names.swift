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
    ]
    private static let credentialWords: Set = ["token", "otp", "mfa", "cert", "secret"]
    private static let person = [
        "email", "phonenumber", "mobilenumber", "mobilephone", "telephone", "homeaddress", "postcode", "zipcode",
        "birthday", "dateofbirth", "birthdate", "nationality", "latitude", "longitude", "passport", "socialsecurity",
        "taxid",
        "salary", "employer", "spouse", "maidenname",
    ]
    private static let personWords: Set = ["ssn", "gender", "ethnicity"]
    private static let bank = [
        "creditcard", "debitcard", "bankcard", "cardnumber", "accountno", "accountnumber", "bankaccount",
        "routingnumber",
        "creditrating",
    ]
    private static let bankWords: Set = ["cvv", "iban", "ccn", "creditcard"]
    private static let health = [
        "medical", "medication", "prescription", "diagnosis", "patient", "careplan", "bloodtype", "bloodpressure",
        "heartrate", "menstrua", "pregnan", "insulin", "sleepdiary", "questionnaire",
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
        "delay", "date",
    ]

    /// The words of `name` in lower case: `userAccessToken2` is user, access, token.
    package static func words(_ name: String) -> [String] {
        var words: [String] = []
        var word = ""
        var wasLower = false
        for character in name.unicodeScalars {
            if ("a"..."z").contains(character) || ("A"..."Z").contains(character) {
                let isUpper = character.value < 91
                if isUpper, wasLower, !word.isEmpty {
                    words.append(word)
                    word = ""
                }
                word.unicodeScalars.append(character)
                wasLower = !isUpper
            } else if !word.isEmpty {
                words.append(word)
                word = ""
            }
        }
        if !word.isEmpty { words.append(word) }
        return words.map { $0.lowercased() }
    }

    /// Slow: ``NameTable`` keeps what it said of a name.
    package static func sensitivity(of name: String) -> Sensitivity? {
        // The constants of the keychain name what an item has, and are no values.
        guard name.utf8.count > 2, name.utf8.count < 80, !name.hasPrefix("kSec") else { return nil }
        let words = words(name)
        let joined = Array(words.joined().utf8)
        // Places in lists of changes open nothing.
        if ["changetoken", "pagetoken", "continuationtoken", "historytoken"].contains(where: { contains(joined, $0) }) {
            return nil
        }
        guard let found = kind(joined, words) else { return nil }
        return words.contains { harmless.contains($0) } ? nil : found
    }

    /// Whether a parameter of this name says who may read: a class of files or items, the person's presence.
    package static func promisesProtection(_ name: String) -> Bool {
        guard name.utf8.count > 8, name.utf8.count < 60 else { return false }
        let joined = Array(words(name).joined().utf8)
        return [
            "userpresence", "accesscontrol", "fileprotection", "protectionclass", "protectionlevel", "requirebiometr",
            "requiresbiometr", "requireauthentication", "requiresauthentication", "requirepasscode", "requirespasscode",
            "thisdeviceonly", "keychainaccessib", "withaccessib", "accessibilitylevel", "accessibilityclass",
        ].contains { contains(joined, $0) }
    }

    private static func kind(_ joined: [UInt8], _ words: [String]) -> Sensitivity? {
        func has(_ parts: [String]) -> Bool { parts.contains { contains(joined, $0) } }
        if has(password) || words.contains("pin") || words.contains("pwd") {
            return .password
        }
        if has(credential) || words.contains(where: credentialWords.contains) {
            return .credential
        }
        if has(bank) || words.contains(where: bankWords.contains) { return .bank }
        if has(health) { return .health }
        if has(person) || words.contains(where: personWords.contains) { return .person }
        return nil
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
