internal import SwiftSyntax

/// Databases that are opened without a key where a person's data are kept.
extension Pass {
    private static let records: Set<String> = [
        "Object", "RealmSwiftObject", "EmbeddedObject", "RLMObject", "FetchableRecord", "PersistableRecord",
        "MutablePersistableRecord", "TableRecord",
    ]

    /// A class of this file that a database stores has a property of a person's data.
    var hasPersonalClass: Bool {
        guard bases.values.contains(where: { $0.contains { Self.records.contains($0) } }) else { return false }
        return declaredMembers.contains { member in
            guard let dot = member.lastIndex(of: ".") else { return false }
            return isKind(String(member[..<dot]), Self.records)
                && facts(String(member[member.index(after: dot)...])).isPlain
        }
    }

    func stores(_ call: Call) {
        switch call.name {
        case "Expression", "SQLExpression", "column":
            if let text = call[0]?.value.text, call[0]?.label == nil, facts(text).isPlain {
                storesPersonal = true
            }
        case "Realm":
            guard call.receiver == nil else { return }
            let inMemory = call.node.tokens(viewMode: .sourceAccurate).contains { $0.text == "inMemoryIdentifier" }
            if !inMemory, call.arguments.allSatisfy({ ["configuration", "fileURL", "queue"].contains($0.label) }) {
                open(call)
            }
        case "FMDatabase", "FMDatabaseQueue", "DatabaseQueue", "DatabasePool":
            if let first = call[0], ["path", "url"].contains(first.label), first.value.text != ":memory:" {
                open(call)
            }
        case "Connection":
            guard importsSQLite, let first = call[0], first.label == nil, first.value.text != ":memory:" else { return }
            open(call)
        default:
            // A file system of the app's own may encrypt what it writes.
            let isPlain = call[3]?.node.is(NilLiteralExprSyntax.self) ?? true
            if isPlain, call[0]?.value.text != ":memory:" { open(call) }
        }
    }

    private func open(_ call: Call) {
        guard depth == 0 else { return }
        opened.append((Syntax(call.node), declaration))
    }

    /// The text of a statement that names a column of a person's data, or that gives a database its key.
    func statement(_ node: StringLiteralExprSyntax, _ first: String) {
        let start = first.drop { $0.isWhitespace }.prefix(14).uppercased()
        if start.hasPrefix("PRAGMA KEY") || start.hasPrefix("PRAGMA HEXKEY") { keepsKey = true }
        let statements = ["CREATE TABLE", "INSERT INTO", "INSERT OR", "REPLACE INTO", "ALTER TABLE"]
        guard !storesPersonal, statements.contains(where: start.hasPrefix) else { return }
        for case .stringSegment(let segment) in node.segments {
            for word in segment.content.text.split(whereSeparator: { !$0.isLetter && !$0.isNumber && $0 != "_" })
            where facts(String(word)).isPlain {
                storesPersonal = true
                return
            }
        }
    }

    /// After the pass: whether what is opened here holds what is declared here.
    func judgeStores() {
        guard storesPersonal, !keepsKey, let first = opened.first else { return }
        declaration = first.declaration
        report("STORE-NO-KEY", first.node, FileReport.plainStore)
        declaration = []
        opened = []
    }

    /// Opened stores whose content other files may declare.
    var undecidedStores: [(region: Region, identity: String)] {
        guard !keepsKey, let first = opened.first else { return [] }
        let identity = SHA256.hex("STORE-NO-KEY|\(first.declaration.joined(separator: "."))")
        return [(lines.region(first.node), identity)]
    }
}
