/// Judges names of values: whether a name speaks of a secret, or says that its value is none.
enum TellingName {
    private static let secrets: Set<String> = [
        "token", "tokens", "jwt", "bearer", "secret", "secrets", "pass", "password", "passwd", "passwort", "kennwort",
        "passphrase",
        "passcode", "pwd", "pin", "tan", "otp", "auth", "authorization", "session", "sid", "cookie", "cookies",
        "credential",
        "credentials", "apikey", "mnemonic",
    ]
    // Words that may follow without taking anything away: sessionID, tokenValue.
    private static let trailing: Set<String> = ["id", "key", "value", "data", "string", "text", "code", "header"]
    // In front of “key”: apiKey, privateKey, encryption_key.
    private static let keys: Set<String> = [
        "api", "private", "secret", "encryption", "signing", "master", "access", "refresh",
    ]
    // A random-looking value under one of these is what its name says.
    private static let harmless: Set<String> = [
        "sha", "sha1", "sha256", "sha384", "sha512", "md5", "digest", "hash", "checksum", "etag", "fingerprint",
        "commit", "revision",
        "uuid", "guid", "id", "identifier", "spki", "crc", "integrity", "version", "build", "certificate", "cert",
        "x5c", "kid",
        "public",
    ]

    /// Whether `name` speaks of a secret: its last word does, words such as “id” or “value” left out.
    ///
    /// `refresh_token`, `userPassword` and `sessionID` do; `token_endpoint`, `passwordPolicy` and `pinned` do not.
    static func speaksOfSecret(_ name: some Collection<UInt8>) -> Bool {
        var words = words(of: name)
        if let last = words.last, last == "key", words.count > 1, keys.contains(words[words.count - 2]) { return true }
        while words.count > 1, let last = words.last, trailing.contains(last) { words.removeLast() }
        return words.last.map { secrets.contains($0) } ?? false
    }

    /// Whether `name` says that a random-looking value is no secret: a digest, an identifier, something public.
    static func speaksOfNoSecret(_ name: some Collection<UInt8>) -> Bool {
        words(of: name).contains { harmless.contains($0) }
    }

    /// The words of `refresh_token`, `refreshToken`, `Refresh-Token`, in lower case. `sessionID` is two, `HTTPToken` is
    /// two.
    static func words(of name: some Collection<UInt8>) -> [String] {
        var words: [[UInt8]] = [[]]
        var previous: UInt8 = 0
        let bytes = Array(name.prefix(128))
        for (index, byte) in bytes.enumerated() {
            guard byte.isLetterOrDigit else {
                words.append([])
                previous = 0
                continue
            }
            let next = index + 1 < bytes.count ? bytes[index + 1] : 0
            let begins = byte.isUpper && (previous.isLower || previous.isDigit || (previous.isUpper && next.isLower))
            if begins { words.append([]) }
            words[words.count - 1].append(byte.isUpper ? byte | 0x20 : byte)
            previous = byte
        }
        return words.filter { !$0.isEmpty }.map { String(decoding: $0, as: UTF8.self) }
    }
}

extension UInt8 {
    var isUpper: Bool { (0x41...0x5A).contains(self) }
    var isLower: Bool { (0x61...0x7A).contains(self) }
    var isDigit: Bool { (0x30...0x39).contains(self) }
    var isLetterOrDigit: Bool { isUpper || isLower || isDigit }
    var isHexDigit: Bool { isDigit || (0x41...0x46).contains(self) || (0x61...0x66).contains(self) }
}
