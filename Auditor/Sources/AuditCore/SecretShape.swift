/// Texts that are secrets by their shape, or by their name and shape.
package enum SecretShape {
    private static let prefixes = [
        "-----BEGIN PRIVATE KEY", "-----BEGIN RSA PRIVATE KEY", "-----BEGIN EC PRIVATE KEY", "AKIA", "ghp_",
        "github_pat_",
        "glpat-", "xoxb-", "xoxp-", "xoxa-", "sk_live_", "rk_live_",
    ]

    package static func hasShape(_ text: String) -> Bool {
        if text.count >= 16, prefixes.contains(where: text.hasPrefix) { return true }
        let parts = text.split(separator: ".")
        return text.hasPrefix("eyJ") && parts.count == 3 && text.count > 40
    }

    package static func isSecret(_ text: String, name: String) -> Bool {
        if hasShape(text) { return true }
        guard text.utf8.count >= 6, text.utf8.count < 512, let kind = Names.sensitivity(of: name),
            kind == .password || kind == .credential
        else { return false }
        let words = Names.words(name)
        // The name of an entry, not its value: `passwordKeychainKey`.
        if words.contains("keychain") || words.contains("defaults") { return false }
        let last = words.last ?? ""
        if ["param", "name", "type", "identifier", "header", "scope", "placeholder", "parameter"].contains(last) {
            return false
        }
        let plain = Names.words(text).joined()
        if plain == Names.words(name).joined() || text.contains(" ") || text.hasPrefix("http") || text.hasPrefix("/") {
            return false
        }
        return text.contains(where: \.isNumber) && text.contains(where: \.isLetter) && entropy(text) > 2.5
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
