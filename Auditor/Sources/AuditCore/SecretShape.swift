internal import Foundation

/// Texts that are secrets by their shape, or by their name and shape.
package enum SecretShape {
    private static let prefixes = [
        "-----BEGIN PRIVATE KEY", "-----BEGIN RSA PRIVATE KEY", "-----BEGIN EC PRIVATE KEY",
        "-----BEGIN OPENSSH PRIVATE KEY", "-----BEGIN ENCRYPTED PRIVATE KEY", "AKIA", "ghp_",
        "github_pat_",
        "glpat-", "xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "sk_live_", "rk_live_", "ASIA", "gho_", "ghs_", "npm_",
        "shpat_",
        "dop_v1_",
        "sk-proj-", "sk-ant-",
    ]

    /// `scheme://name:password@host`, with a password that is no placeholder.
    static func hasUser(_ text: String) -> Bool {
        guard text.utf8.contains(UInt8(ascii: "@")), let scheme = text.firstRange(of: "://"),
            scheme.lowerBound > text.startIndex
        else { return false }
        let authority = text[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" && $0 != " " }
        guard let at = authority.lastIndex(of: "@") else { return false }
        let parts = authority[..<at].split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, parts[1].utf8.count > 2 else { return false }
        let open = ["%@", "\\(", "$", "{", "<", "*", "user", "pass", "secret", "xxx"]
        return !open.contains { parts[1].lowercased().hasPrefix($0) }
    }

    /// `NAME=value`, as in files of settings, where the name is a credential's.
    static func isPair(_ text: String) -> Bool {
        guard (16...200).contains(text.utf8.count), let sign = text.utf8.firstIndex(of: UInt8(ascii: "=")) else {
            return false
        }
        let name = text[..<sign]
        guard name.utf8.count > 2, name.utf8.allSatisfy({ $0 == 95 || ($0 | 32) &- 97 < 26 || $0 &- 48 < 10 }),
            name.utf8.contains(where: { $0 &- 65 < 26 })
        else { return false }
        let value = String(text[text.utf8.index(after: sign)...])
        return value.utf8.count >= 12 && !value.contains("%") && !value.contains("=")
            && isSecret(value, name: String(name))
    }

    /// A line `Password: value` of a longer text.
    static func isEntry(_ line: String) -> Bool {
        guard (10...200).contains(line.utf8.count), let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) else {
            return false
        }
        let name = line[..<colon].drop { $0.isWhitespace || $0 == "-" }
        guard name.utf8.count < 30, name.utf8.allSatisfy({ $0 == 32 || $0 == 95 || ($0 | 32) &- 97 < 26 }) else {
            return false
        }
        let value = line[line.utf8.index(after: colon)...].filter { !$0.isWhitespace }
        // The end of a line may be two bytes, and is one character.
        let end = line.last.map { $0.isNewline ? String($0) : "" } ?? ""
        return value.utf8.count >= 8 && line.hasSuffix(value + end)
            && !value.contains("(") && isSecret(value, name: String(name))
    }

    /// `Basic` and base64 of a name and a password (RFC 7617).
    static func isBasic(_ text: String) -> Bool {
        guard text.hasPrefix("Basic "), (12...512).contains(text.utf8.count),
            let data = Data(base64Encoded: String(text.dropFirst(6))),
            let plain = String(validating: data, as: UTF8.self), let colon = plain.firstIndex(of: ":")
        else { return false }
        return colon > plain.startIndex && plain.allSatisfy { $0.isASCII && !$0.isWhitespace }
    }

    package static func hasShape(_ text: String) -> Bool {
        // A key's first line alone is what a parser looks for.
        let least = text.hasPrefix("-----") ? 60 : 16
        if text.hasPrefix("-----"), text.contains("redacted") { return false }
        if text.utf8.count >= least, let prefix = prefixes.first(where: text.hasPrefix) {
            // Words with lines between them are the name of something.
            return !prefix.hasSuffix("_") || text.utf8.contains { $0 &- 48 < 10 || $0 &- 65 < 26 }
        }
        if hasUser(text) || isBasic(text) { return true }
        let parts = text.split(separator: ".")
        return text.hasPrefix("eyJ") && parts.count == 3 && text.count > 40
    }

    /// Whether the text may begin one that ``hasShape(_:)``.
    static func mayHaveShape(_ text: String) -> Bool {
        text.hasPrefix("eyJ") || prefixes.contains(where: text.hasPrefix) || hasUser(text) || isBasic(text)
    }

    package static func isSecret(_ text: String, name: String) -> Bool {
        if hasShape(text) { return true }
        guard text.utf8.count >= 6, text.utf8.count < 512, let kind = Names.sensitivity(of: name),
            kind == .password || kind == .credential
        else { return false }
        let words = Names.words(name)
        if words.contains(where: { ["fake", "dummy", "mock", "stub", "expected", "testable"].contains($0) }) {
            return false
        }
        // The name of an entry, not its value: `passwordKeychainKey`.
        if words.contains("keychain") || words.contains("defaults") { return false }
        let last = words.last ?? ""
        // `tokenKey` names the entry of a token; `apiKey` is a key.
        if last == "key", Names.sensitivity(of: words.dropLast().joined(separator: "_")) != nil, !isRandom(text) {
            return false
        }
        // The name of a type: `privateKey: Ed25519PrivateKey`.
        let own = Names.words(text)
        if kind == .credential, own.count > 1, text.utf8.first.map({ $0 &- 65 < 26 }) == true,
            own.joined().hasSuffix(words.joined())
        {
            return false
        }
        // Where the secret is kept, or what one has to look like.
        if text.contains("://") || text.contains("(?") || text.contains("[A-Z") { return false }
        // One character, written by its number.
        if text.hasPrefix("\\u{") { return false }
        if ["param", "name", "type", "identifier", "header", "scope", "placeholder", "parameter"].contains(last) {
            return false
        }
        let plain = Names.words(text).joined()
        if plain == Names.words(name).joined() || text.contains(" ") || text.hasPrefix("http") || text.hasPrefix("/") {
            return false
        }
        return text.contains(where: \.isNumber) && text.contains(where: \.isLetter) && entropy(text) > 2.5
    }

    /// A text that a person may have chosen as a password or key, at the name of one: one word that does not name
    /// anything itself.
    static func isChosen(_ text: String, name: String) -> Bool {
        let kind = Names.sensitivity(of: name)
        guard (5...64).contains(text.utf8.count), kind == .password || kind == .credential else { return false }
        let words = Names.words(name)
        // `pinFailTime` is a time.
        guard Names.isNoun(NameParts(name)) else { return false }
        let joined = words.joined()
        if kind == .credential, !["encryptionkey", "aeskey"].contains(where: joined.hasSuffix) { return false }
        if kind == .password, words.contains(where: { names.contains($0) }) { return false }
        guard text.utf8.allSatisfy({ $0 > 32 && $0 < 127 && !separators.contains($0) }) else { return false }
        let own = Names.words(text)
        // `Passwort` is a label, `userPassword` and `dbKey` are names of entries.
        let isLabel =
            own.count == 1 && text.utf8.first.map { $0 &- 65 < 26 } == true
            && text.utf8.allSatisfy { ($0 | 32) &- 97 < 26 }
        let isEntry = own.contains {
            names.contains($0) || ["password", "passwd", "passcode", "passphrase", "pin", "pwd"].contains($0)
        }
        // `encryptionKey: "lastEncryption"` names a column.
        let isColumn = !Set(words).subtracting(["key"]).isDisjoint(with: own)
        return !isLabel && !isEntry && !isColumn && own.joined() != joined && !own.isEmpty
            && !isPhrase(text, own)
    }

    /// `mobileNumberConfirmationCode` is the name of an entry: three words or more, written as names of a source are.
    private static func isPhrase(_ text: String, _ words: [String]) -> Bool {
        words.count > 2 && words.allSatisfy { $0.utf8.count > 2 } && text.utf8.allSatisfy { ($0 | 32) &- 97 < 26 }
            && text.utf8.first.map { $0 &- 97 < 26 } == true
    }

    private static let names: Set = [
        "key", "keychain", "defaults", "entry", "account", "service", "notification", "segue", "item", "tag", "param",
        "name", "type", "identifier", "header", "scope", "parameter", "id", "attribute", "column", "property", "event",
        "placeholder", "text", "new", "forgot", "reset", "prompt", "icon", "image", "symbol",
    ]
    /// Of paths, addresses, formats and reverse domain names.
    private static let separators = Set(".:/_%$()<>{}[]\\,;|".utf8)

    /// A text that no person wrote: 20 characters of base64 at 4.3 bits each, or 32 of base16 at 3.
    package static func isRandom(_ text: String) -> Bool {
        let bytes = text.utf8
        guard (20...512).contains(bytes.count) else { return false }
        func isHex(_ byte: UInt8) -> Bool { byte &- 48 < 10 || (byte | 32) &- 97 < 6 }
        func isBase64(_ byte: UInt8) -> Bool {
            byte &- 48 < 10 || (byte | 32) &- 97 < 26 || [43, 47, 61, 45, 95].contains(byte)
        }
        if bytes.allSatisfy(isHex) { return bytes.count >= 32 && entropy(text) >= 3 }
        guard bytes.allSatisfy(isBase64), bytes.contains(where: { $0 &- 48 < 10 }),
            bytes.contains(where: { $0 &- 65 < 26 }), bytes.contains(where: { $0 &- 97 < 26 })
        else { return false }
        return entropy(text) >= 4.3 && !hasWord(bytes)
    }

    /// Six small letters in a row: a person's word, rare in random texts.
    private static func hasWord(_ bytes: String.UTF8View) -> Bool {
        var run = 0
        for byte in bytes {
            run = byte &- 97 < 26 ? run + 1 : 0
            if run == 6 { return true }
        }
        return false
    }

    /// A name that ends as names of keys do, and does not say that the key is public.
    package static func namesKey(_ name: String) -> Bool {
        let words = Names.words(name)
        guard let last = words.last, words.count > 1 else { return false }
        return !isPublicName(name) && ["key", "token", "secret", "authorization", "bearer"].contains(last)
    }

    /// Whether a name says that its value may be known.
    static func isPublicName(_ name: String) -> Bool {
        Names.words(name).contains {
            [
                "public", "hash", "pin", "pins", "id", "identifier", "digest", "fingerprint", "checksum", "spki",
                "cache",
                "defaults", "storage", "notification", "coding", "sort", "primary", "test",
            ].contains($0)
        }
    }

    /// Keys that their makers mean to be in apps: of maps and of counters.
    package static func isPublic(_ text: String) -> Bool {
        if text.hasPrefix("6L"), text.utf8.count == 40 { return true }
        return ["AIza", "phc_", "pk_live_", "pk_test_", "pk."].contains { text.hasPrefix($0) }
    }

    /// Names of what a service's kit asks each app to carry in the open, to tell apps apart.
    static func namesClient(_ name: String) -> Bool {
        let words = Names.words(name)
        guard words.count > 1, let last = words.last else { return false }
        let kinds: Set = ["app", "client", "project", "site", "publishable", "installation"]
        return ["token", "key"].contains(last) && kinds.contains(words[words.count - 2])
    }

    /// Kits of crash reports and counters: their keys say whose app it is.
    static func isOfCounter(_ path: [String]) -> Bool {
        path.contains { key in
            ["fabric", "crashlytics", "bugsnag", "adjust", "amplitude", "mixpanel", "flurry"].contains {
                key.lowercased().hasPrefix($0)
            }
        }
    }

    /// Bits of each character, by the text's own frequencies.
    package static func entropy(_ text: String) -> Double {
        var counts: [UInt8: Double] = [:]
        for byte in text.utf8 { counts[byte, default: 0] += 1 }
        let total = Double(text.utf8.count)
        return counts.values.reduce(0) { $0 - $1 / total * logarithm($1 / total) }
    }

    private static func logarithm(_ value: Double) -> Double {
        // log2 without a C library: exponent and three Newton steps on the significand.
        let exponent = Double(value.exponent)
        let part = value.significand
        var guess = part - 1
        for _ in 0..<24 {
            var power = 1.0
            var term = 1.0
            let scaled = guess * 0.693_147_180_559_945_3
            for index in 1..<14 {
                term *= scaled / Double(index)
                power += term
            }
            guess += (part - power) / (power * 0.693_147_180_559_945_3)
        }
        return exponent + guess
    }
}
