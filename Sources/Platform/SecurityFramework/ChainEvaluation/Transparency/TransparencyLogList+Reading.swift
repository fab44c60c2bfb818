internal import PaviseCrypto
package import PavisePrimitives

extension TransparencyLogList {
    /// The largest file that is read, in bytes.
    package static let maximumSize = 8 << 20
    /// The most operators, and the most logs in all.
    package static let maximumEntries = 4_096

    /// Reads a list in the form that Google and Apple publish (`log_list.json`, version 3).
    ///
    /// Members that are not known here are passed over. Logs that are pending, rejected or for tests are left out, and
    /// so are logs in a state of another name. Nothing in it says who made it: whoever names the file vouches for it,
    /// or checks its signature with ``init(json:signature:maker:)``. A list without the member `log_list_timestamp`
    /// never becomes too old.
    package init(json bytes: [UInt8]) throws(LogListFailure) {
        let file: JSONValue
        do { file = try JSONValue.parse(bytes, limit: Self.maximumSize, depth: 12) } catch { throw .json(error) }
        try self.init(file)
    }

    /// The same of JSON that was parsed already.
    package init(_ file: JSONValue) throws(LogListFailure) {
        guard let operators = file["operators"]?.array else { throw .noOperators }
        guard operators.count <= Self.maximumEntries else { throw .tooMany(limit: Self.maximumEntries) }
        var entries: [TransparencyLog] = []
        var known: Set<[UInt8]> = []
        for one in operators {
            guard let name = one["name"]?.string else { throw .noOperators }
            for (member, isClassic) in [("logs", true), ("tiled_logs", false)] {
                for value in one[member]?.array ?? [] {
                    let entry = LogEntry(value, operatorName: name, isClassic: isClassic)
                    let log = try entry.log()
                    guard known.insert(try entry.identifier()).inserted else { throw .repeated(log: entry.title) }
                    guard known.count <= Self.maximumEntries else { throw .tooMany(limit: Self.maximumEntries) }
                    if let log { entries.append(log) }
                }
            }
        }
        self.init(entries, date: try Self.date(file["log_list_timestamp"]))
    }

    /// Reads a list whose maker signed it (`log_list.sig` beside `log_list.json`): nothing of it is read before.
    ///
    /// - Parameters:
    ///   - signature: Over all bytes of the file: RSA PKCS #1 v1.5 or ECDSA, with SHA-256.
    ///   - maker: The maker's public key, PEM or DER (SubjectPublicKeyInfo).
    package init(json bytes: [UInt8], signature: [UInt8], maker: [UInt8]) throws(LogListFailure) {
        guard bytes.count <= Self.maximumSize else { throw .json(.tooLarge(limit: Self.maximumSize)) }
        let blocks = PEM.blocks("PUBLIC KEY", in: maker) ?? []
        guard blocks.count < 2, let key = CertificateVerificationKey(spki: blocks.first ?? maker) else { throw .key }
        let schemes: [SignatureScheme] = [.rsa(.sha256), .ecdsa(.sha256)]
        guard schemes.contains(where: { key.isSignature(signature[...], of: bytes[...], $0) }) else { throw .signature }
        try self.init(json: bytes)
    }

    private static func date(_ value: JSONValue?) throws(LogListFailure) -> Int64? {
        guard let value else { return nil }
        guard let seconds = LogEntry.seconds(value) else { throw .timestamp }
        return seconds
    }
}

/// One log as the list describes it.
private struct LogEntry {
    private let value: JSONValue
    private let operatorName: String
    private let isClassic: Bool

    init(_ value: JSONValue, operatorName: String, isClassic: Bool) {
        self.value = value
        self.operatorName = operatorName
        self.isClassic = isClassic
    }

    /// How an error names it.
    var title: String { value["description"]?.string ?? value["log_id"]?.string ?? "a log of \(operatorName)" }

    /// The log; `nil` for one that is not to be relied on at all.
    func log() throws(LogListFailure) -> TransparencyLog? {
        let key = try key()
        let shard = try shard()
        guard value["log_type"]?.string ?? "prod" == "prod", let state = try state() else { return nil }
        return TransparencyLog(
            spki: key, operatorName: operatorName, state: state, shard: shard, isClassic: isClassic)
    }

    /// SHA-256 of the key, which the list repeats.
    func identifier() throws(LogListFailure) -> [UInt8] {
        let identifier = Hash.digest(.sha256, try key())
        guard value["log_id"]?.string.flatMap({ Base64.decode($0) }) == identifier else {
            throw .wrongIdentifier(log: title)
        }
        return identifier
    }

    private func key() throws(LogListFailure) -> [UInt8] {
        guard let key = value["key"]?.string.flatMap({ Base64.decode($0) }), (1...4_096).contains(key.count) else {
            throw .field(log: title, name: "key")
        }
        return key
    }

    // A list that says nothing about a log's state relies on it.
    private func state() throws(LogListFailure) -> TransparencyLog.State? {
        guard let states = value["state"] else { return .current }
        guard let members = states.members, members.count == 1, let state = members.first else {
            throw .field(log: title, name: "state")
        }
        switch state.name {
        case "usable", "qualified": return .current
        case "readonly": return .readOnly(since: try time(state.value, "readonly"))
        case "retired": return .retired(since: try time(state.value, "retired"))
        default: return nil
        }
    }

    private func shard() throws(LogListFailure) -> Range<Int64>? {
        guard let span = value["temporal_interval"] else { return nil }
        guard let start = span["start_inclusive"].flatMap(Self.seconds),
            let end = span["end_exclusive"].flatMap(Self.seconds), start < end
        else { throw .field(log: title, name: "temporal_interval") }
        return start..<end
    }

    private func time(_ state: JSONValue, _ name: String) throws(LogListFailure) -> Int64 {
        guard let seconds = state["timestamp"].flatMap(Self.seconds) else {
            throw .field(log: title, name: "state.\(name).timestamp")
        }
        return seconds
    }

    /// RFC 3339 in UTC, a fraction of a second cut off: `2026-11-22T08:00:00Z`.
    static func seconds(_ value: JSONValue) -> Int64? {
        guard let text = value.string, (20...40).contains(text.utf8.count), text.hasSuffix("Z") else { return nil }
        let letters = Array(text.utf8)
        let marks: [Int: UInt8] = [4: 0x2D, 7: 0x2D, 10: 0x54, 13: 0x3A, 16: 0x3A]
        guard marks.allSatisfy({ letters[$0.key] == $0.value }),
            letters[19] == 0x5A && letters.count == 20 || letters[19] == 0x2E && letters.count > 21,
            letters[20...].dropLast().allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        let fields = [0..<4, 5..<7, 8..<10, 11..<13, 14..<16, 17..<19].map { letters[$0] }
        guard fields.allSatisfy({ $0.allSatisfy { (0x30...0x39).contains($0) } }) else { return nil }
        return try? CertificateTime.seconds(fields.map { $0.reduce(0) { 10 * $0 + Int($1 - 0x30) } })
    }
}
