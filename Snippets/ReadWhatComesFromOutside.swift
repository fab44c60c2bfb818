// Text and bytes from outside become values that cannot be wrong, or they stop here.
import Pavise
import PaviseJWT
import PaviseValidation

/// Checks a signed token with the keys of its issuer.
func user(of text: String, _ keys: JSONWebKeySet, at now: Int64) throws -> String? {
    let token = try CompactToken(text).verified(by: keys)
    try TokenRules(issuer: "https://id.example.org", audience: "files").check(token, at: now)
    let user = token.claims?.string("sub")
    return user
}

/// Checks a signed token with one key that was handed out.
func isSigned(_ text: String, with bytes: [UInt8]) throws -> Bool {
    let key = try JSONWebKey(json: bytes)
    let token = try CompactToken(text).verified(by: key)
    return token.claims != nil
}

/// Reads an answer field by field.
func names(in body: [UInt8]) throws -> [String] {
    let answer = try AnswerReader(body)
    let name = try answer.text("name", 1...256)
    let size = try answer.integer("size", 0...1 << 40)
    return [name, "\(size)"]
}

/// Which address an app takes from another one.
func identifier(in text: String) throws -> String? {
    nonisolated enum Target { case invitation, file }
    let links = DeepLinks<Target>([
        .init(.invitation, scheme: "https", host: "app.example.org", path: "/invite/:code", query: ["from"]),
        .init(.file, scheme: "org.example.app", host: "open", path: "/file/:id"),
    ])
    let link = try links.read(text)  // link.target == .file, link["id"] == "42"
    return link["id"]
}

/// What a PIN has to be.
func pin(_ typed: borrowing SecretBytes) throws {
    let rule = PINRule.standard
    let digits = try rule.digits(in: typed)  // for a try
    try rule.checkNew(digits)  // for a PIN that is being chosen
}

/// What a passphrase has to be.
func passphrase(_ typed: borrowing SecretBytes) throws {
    let rule = PassphraseRule.standard
    let text = try rule.text(in: typed)  // for a try
    try rule.checkNew(text)  // for a passphrase that is being chosen
}

/// What a password for a server has to be (NIST SP 800-63B).
func password(_ typed: borrowing SecretBytes, _ leaked: Set<String>) throws {
    let policy = PasswordPolicy(
        isSecondFactorUsed: false, blocklist: { leaked.contains($0) }, words: ["ada", "example"])
    try policy.check(typed)
}

print(try identifier(in: "org.example.app://open/file/42") ?? "")
