import Foundation
import PaviseArguments
import PaviseBuildCheck
import PaviseDatabase
import PaviseLog
import PavisePrimitives
import PaviseTransport
import SecurityFramework

// The examples in the documentation of what this package has for itself. Snippets see only what is public, so these are
// built here; nothing calls them. `Scripts/check-words` compares.

/// A redirect by itself.
private func step(_ response: HTTPResponse, _ request: HTTPRequest) {
    var walk = RedirectWalk(.sameOrigin) { ATSDecision($0, isDirect: false, configuration: .strict) }
    print(walk.step(after: response, to: request))
}

/// A database whose pages are encrypted.
private func note(_ path: String, _ key: borrowing SecretBytes, _ note: String, account: String?) throws {
    let database = try Database.open(path, key: key)
    try database.run("INSERT INTO note(text) VALUES (?)", [.text(note)])
    var sql = SQLText("SELECT data FROM item WHERE class = ?")
    if account != nil { sql.append(" AND account = ?") }
    print(sql)
}

/// Bytes lent for the length of a call.
private func lend(_ data: Data, open: (Span<UInt8>) -> Int) -> Int {
    let packet = [UInt8](data)
    let plain = packet.withSpan { span in open(span) }
    let key = SecretBytes(copying: [UInt8](data))
    return plain + key.count
}

/// A keychain that is damaged.
private func repair(_ home: PaviseHome) throws {
    switch try KeychainRepair.examine(home) {
    case .absent: print("no keychain yet")
    case .whole(let count): print("\(count) items, all whole")
    case .damaged(let repair): print("set aside in", try repair.finish())
    }
}

/// A test of its own keychain.
private func inHome(_ home: PaviseHome, _ body: @Sendable () async throws -> Void) async throws {
    try await SecurityEnvironment.$override.withValue(SecurityEnvironment(home: home)) { try await body() }
}

/// Whether a program may go to people.
private func judge(_ bytes: [UInt8], _ policy: BuildPolicy) throws -> [BuildFinding] {
    let result = try BuildCheck.judge(bytes, for: policy, as: .release)
    return result.findings
}

/// Whether "not found" can be believed.
private func believed(_ answered: Int32, _ find: () -> Int32, _ add: () -> Int32) -> Int32 {
    let status = AbsenceProof.status(answered, look: { find() }, make: { add() })
    return status
}

/// Forms of secrets and addresses in a text of somebody else's.
private func mask(_ piece: [UInt8]) {
    var scan = LogScan(.standard)
    scan.take(piece) { finding in print(finding.line, finding.kind) }
    scan.finish { finding in print(finding.line, finding.kind) }
}

/// Options of a program.
private enum Options {
    static let port = Option("port", value: "PORT", help: "The port to listen on.") { text throws(Parameter.Invalid) in
        guard let port = UInt16(text) else { throw Parameter.Invalid("is no port; use 1 to 65535") }
        return port
    }
}
