/// How much speaks for it that a value is what its name says.
enum Certainty: UInt8, Comparable {
    /// The name's noun is another one, or its type holds no such data.
    case denied
    /// One weak word alone says it.
    case weak
    /// The name says it, and what is known beside it does not say otherwise.
    case agreed

    static func < (one: Certainty, other: Certainty) -> Bool { one.rawValue < other.rawValue }
}

/// Words that mean other things too: a second fact has to agree.
enum WeakWord: Sendable {
    /// A token of a session, a grammar, a coin, a list of changes.
    case token
    /// A number that opens something, a needle on a map.
    case pin
    /// Where somebody is, or where a map is.
    case place
    /// A number, or the device itself.
    case phone
    /// What one object may be called that holds much or nothing of the kind.
    case object
}

extension Names {
    /// Words after the noun that leave the value what it is.
    private static let afterNoun: Set = [
        "string", "str", "text", "txt", "value", "values", "val", "data", "hex", "raw", "bytes", "plain", "plaintext",
        "cleartext", "base", "utf", "b", "encoded", "decoded", "address", "addresses", "list", "array", "words",
        "phrase", "first", "second", "last", "new", "old", "current", "previous", "input", "entered", "confirm",
        "confirmation", "again", "repeat", "repeated", "copy", "temp", "tmp", "local", "and", "or", "number", "numbers",
        "digits", "param", "parameter", "arg", "optional", "unwrapped", "trimmed", "lowercased",
    ]
    /// After one of these words, a name says where the value is from or what it is for.
    private static let prepositions: Set = [
        "for", "of", "from", "in", "to", "with", "by", "at", "on", "as", "using", "without", "before", "after", "per",
    ]
    private static let stems = ["pregnan", "menstrua", "vaccin"]

    /// Whether the noun of the name is that of the data: `newUserPassword`, not `passwordPrompt` or `emailVerified`.
    static func isNoun(_ name: NameParts) -> Bool {
        var words = name.words[...]
        if let cut = words.firstIndex(where: { prepositions.contains($0) }), cut > 0 { words = words[..<cut] }
        if endsAsNoun(words) { return true }
        while let last = words.last, afterNoun.contains(last) {
            words.removeLast()
            if endsAsNoun(words) { return true }
        }
        return false
    }

    private static func endsAsNoun(_ words: ArraySlice<String>) -> Bool {
        guard let last = words.last else { return false }
        // `pinCode` and `otpCode`, not `phoneCode`.
        if last == "code", ["pin", "otp", "mfa", "totp", "cvv", "cvc"].contains(words.dropLast().last) { return true }
        for word in [last, last.hasSuffix("s") ? String(last.dropLast()) : last] {
            if isSensitiveWord(word) || stems.contains(where: word.hasPrefix) { return true }
        }
        let joined = words.joined()
        return allParts.contains { joined.hasSuffix($0) || joined.hasSuffix($0 + "s") }
    }

    private static let objects = [
        "credential", "certificate", "passport", "medication", "prescription", "diagnosis", "patient", "careplan",
        "questionnaire", "symptom", "vaccin", "allergies", "employer", "spouse", "nationality", "insulin",
    ]

    /// The weak word that alone makes the name one of a secret or of a person; `nil` when other words say so too.
    static func weakWord(_ name: NameParts) -> WeakWord? {
        let words = name.words
        if isPlainToken(name) || isPushToken(name) || words == ["jwt"] { return .token }
        func rest(without part: String) -> Bool {
            let kept = words.filter { !$0.hasPrefix(part) }
            return kept.count < words.count && (kept.isEmpty || sensitivity(of: kept.joined(separator: "_")) == nil)
        }
        if words.contains("pin"), rest(without: "pin"), !words.contains("code") { return .pin }
        if ["latitude", "longitude", "zip", "postcode"].contains(where: rest) { return .place }
        if words.contains("phone"), rest(without: "phone"), !words.contains("number"), !words.contains("numbers") {
            return .phone
        }
        return objects.contains(where: rest) ? .object : nil
    }

    /// What a service for notifications reaches a device by: it opens nothing without the sender's own key.
    static func isPushToken(_ name: NameParts) -> Bool {
        if ["devicetoken", "fcmtoken", "apnstoken", "pushtoken", "notificationtoken", "notificationstoken"].contains(
            where: { contains(name.joined, $0) })
        {
            return true
        }
        return name.words.contains { $0 == "token" || $0 == "tokens" }
            && name.words.contains { ofNotifications.contains($0) }
            && !name.words.contains { ["access", "auth", "refresh", "session", "bearer", "id", "api"].contains($0) }
    }

    static let ofNotifications: Set = [
        "push", "device", "apns", "apn", "fcm", "notification", "notifications", "notify", "voip", "firebase",
        "messaging", "remote", "registration",
    ]

    /// Words beside a token that say what it opens.
    static let ofSessions: Set = [
        "auth", "access", "refresh", "session", "bearer", "oauth", "login", "signin", "signup", "jwt", "api",
        "authorization", "authentication", "authenticate", "authenticator", "authorize", "credential", "credentials",
        "keychain", "account", "password", "csrf", "identity", "logged", "secret", "client", "sign",
    ]
    /// Words beside a number that say that it opens something.
    static let ofLocks: Set = [
        "auth", "authentication", "authenticate", "login", "unlock", "lock", "keypad", "passcode", "security",
        "password", "code", "keychain", "verify", "enter", "entered", "setup", "wallet", "card",
    ]
    /// Words beside a place, a phone or an object that say whose they are.
    static let ofPersons: Set = [
        "user", "users", "profile", "account", "contact", "patient", "me", "my", "person", "member", "customer",
        "login", "register", "signup", "current", "gps", "home", "owner", "recipient", "sender", "client", "student",
        "employee", "driver", "passenger", "guest",
    ]
    /// Words beside a place that say that it is one of a map.
    static let ofMaps: Set = [
        "map", "center", "centre", "region", "bounds", "annotation", "marker", "camera", "span", "merchant", "store",
        "station", "stop", "venue", "restaurant", "city", "tile", "desired", "delta",
    ]

    /// What a command of this name gives back is seldom what the name speaks of: `validateEmail`, `saveToken`.
    static func isCommand(_ name: NameParts) -> Bool {
        guard name.words.count > 1, let first = name.words.first else { return false }
        return commands.contains(first)
    }

    private static let commands: Set = [
        "validate", "verify", "check", "refresh", "update", "save", "store", "delete", "remove", "clear", "reset",
        "send", "set", "add", "register", "unregister", "revoke", "invalidate", "handle", "process", "show", "hide",
        "present", "setup", "configure", "log", "print", "test", "authenticate", "enter", "confirm", "change",
        "forget", "forgot", "submit", "upload", "sync", "cancel", "perform", "observe", "subscribe", "open", "close",
        "start", "stop", "begin", "end", "toggle", "apply", "compare", "match", "matches", "contains", "persist",
        "write", "post", "put", "insert", "replace", "link", "unlink", "migrate", "prepare", "track", "record",
        "import", "export", "schedule", "did", "will", "on", "try", "attempt", "login", "sign", "evaluate",
    ]
}
