#if canImport(PaviseSync)
internal import Foundation
internal import Pavise
internal import PaviseProtectedStorage
internal import PaviseStorage
public import PaviseSync

/// Keeps the documents of the diary the same as a folder at the account's server.
///
/// The documents are the app's and stay when the person signs out; between them and the server lies a folder that the
/// account keeps sealed, and that goes with it. A document is never changed, only added and erased: two devices that
/// add different ones under one name have both.
public final class DocumentSync: Sendable {
    /// What a run did.
    public struct Outcome: Hashable, Sendable {
        /// How many documents of this device are new in the folder, or gone from it.
        public let sent: Int
        /// How many documents of this device are new, or gone.
        public let received: Int
        /// What the person has to answer before it goes on.
        public let questions: Set<SyncReport.Question>
    }

    /// The path of the folder at the server.
    public static let path = "/api/dav"

    private let folder: FolderSync
    private let agreed: ProtectedDatabase
    private let security: DiarySecurity

    init(_ account: Account, _ security: DiarySecurity) throws(PaviseError) {
        self.security = security
        folder = try account.sync(sealed: "documents", with: Self.path, device: "sleep diary")
        agreed = try account.database(
            "documents-agreed", protection: .complete,
            migrations: [
                DatabaseMigration(
                    1, "agreed",
                    "CREATE TABLE agreed(file TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, digest TEXT NOT NULL)",
                    "CREATE TABLE erased(name TEXT PRIMARY KEY)")
            ])
    }

    /// How many documents are not at the server yet.
    func waiting() throws -> Int {
        let known = Set(try known().map(\.file))
        let here = Set(try security.app.files.list().map { "\($0.id)" })
        return known.symmetricDifference(here).count + folder.state.unsent
    }

    /// The person erases a document. One that is gone without a word is lost, and comes again.
    func erases(_ file: StoredFileID) throws {
        guard let one = try known().first(where: { $0.file == "\(file)" }) else { return }
        try agreed.write { try $0.run("INSERT OR REPLACE INTO erased VALUES (\(one.name))") }
    }

    /// Brings the documents, the sealed folder and the server together once. Without the person's consent none is sent,
    /// and none is taken: it may have been taken back since the nights were.
    func run(approving approved: Set<SyncReport.Question>) async throws(PaviseError) -> Outcome {
        // What an earlier run brought and could not give on comes first: it is no document that the person erased.
        let (early, sent) = try await security.with { diary in
            try diary.demandConsent()
            return (try self.pull(diary), try self.push())
        }
        var report = await folder.run(approving: approved)
        let erased = try await security.with { _ in try self.erased().count }
        let own = report.questions.filter { Self.isOwn($0, erased) }
        if !own.isEmpty { report = await folder.run(approving: approved.union(own)) }
        if report.isComplete, erased > 0 { try await security.with { _ in try self.forgetErased() } }
        let late = try await security.with { try self.pull($0) }
        if case .stopped(let failure) = folder.state.activity { throw failure }
        return Outcome(sent: sent, received: early + late, questions: report.questions)
    }

    /// Whether it is about documents alone that the person erased here: of each she was asked when she did.
    static func isOwn(_ question: SyncReport.Question, _ erased: Int) -> Bool {
        switch question {
        case .massChange(.deletions(here: 0, there: let count, of: _)): count <= erased
        case .massChange(.emptied(.here)): erased > 0
        default: false
        }
    }

    // MARK: Between documents and folder

    private struct Known {
        let file: String
        let name: String
        let digest: String
    }

    // What the person added and erased since both were the same.
    private func push() throws -> Int {
        guard let sealed = folder.sealed else { return 0 }
        let known = try known()
        let here = try security.app.files.list()
        var taken = Set(try sealed.items().compactMap { $0.path.count == 1 ? $0.path.first?.text : nil })
        var count = 0
        for entry in here where !known.contains(where: { $0.file == "\(entry.id)" }) {
            guard let facts = try? entry.content.get(), let bytes = try content(of: entry.id) else { continue }
            let name = Self.free(facts.attributes.name, taken)
            try sealed.write(bytes, to: name)
            taken.insert(name)
            try agree("\(entry.id)", name, SyncContent(bytes).digest)
            count += 1
        }
        let erased = try erased()
        for one in known where !here.contains(where: { "\($0.id)" == one.file }) {
            if SyncItemName(one.name).map(erased.contains) ?? false {
                try sealed.remove(one.name)
                count += 1
            }
            try forget(one)
        }
        return count
    }

    // What the other devices added and erased.
    private func pull(_ diary: Diary) throws -> Int {
        guard let sealed = folder.sealed else { return 0 }
        // By bytes, as the folder and the server have them: two names that look the same may be two.
        var known = Dictionary(
            try known().compactMap { one in SyncItemName(one.name).map { ($0, one) } }, uniquingKeysWith: { $1 })
        var count = 0
        for item in try sealed.items() where item.status != nil && item.path.count == 1 {
            guard let last = item.path.first, let content = try sealed.content(of: last.text) else { continue }
            let (name, old) = (last.text, known.removeValue(forKey: last))
            // Folders, and files that are too large for a diary, are other programs' and no documents. What is damaged
            // here comes again: damage is no change, and nothing that the person did.
            guard content.count <= DiarySecurity.documentLimit,
                try old?.digest != "\(content.digest)" || isDamaged(old?.file)
            else { continue }
            try take(name, content, old, diary)
            count += 1
        }
        for gone in known.values {
            if let file = StoredFileID(gone.file) { try security.app.files.remove(file) }
            try forget(gone)
            count += 1
        }
        return count
    }

    // `nil` for one that is damaged: the list says so, and the others go on.
    private func content(of file: StoredFileID) throws -> [UInt8]? {
        do {
            return try security.app.files.get(file, limit: DiarySecurity.documentLimit)
        } catch let failure as StorageFailure {
            guard !failure.isPassing else { throw failure }
            return nil
        }
    }

    private func isDamaged(_ file: String?) throws -> Bool {
        guard let file = file.flatMap(StoredFileID.init) else { return false }
        do {
            try security.app.files.verify(file)
        } catch let failure as StorageFailure {
            guard !failure.isPassing else { throw failure }
            if case .damaged = failure { return true }
        }
        return false
    }

    private func take(_ name: String, _ content: SyncContent, _ old: Known?, _ diary: Diary) throws {
        let bytes = try content.bytes(limit: DiarySecurity.documentLimit)
        let shown = Self.shown(name)
        let file = try twin(shown, bytes)
        let id =
            try file
            ?? diary.permitted {
                try security.app.files.put(bytes, named: shown, type: "", protection: .complete, erasable: true)
            }
        if let old {
            try forget(old)
            if let file = StoredFileID(old.file) { try security.app.files.remove(file) }
        }
        try agree("\(id)", name, content.digest)
    }

    // The same document, of which nobody knows yet that it is the same: of a run that was cut off, or of both devices.
    private func twin(_ name: String, _ bytes: [UInt8]) throws -> StoredFileID? {
        let known = Set(try known().map(\.file))
        for entry in try security.app.files.list() where !known.contains("\(entry.id)") {
            guard let facts = try? entry.content.get(), facts.attributes.name == name,
                facts.attributes.length == bytes.count,
                try content(of: entry.id) == bytes
            else { continue }
            return entry.id
        }
        return nil
    }

    /// What a file of the folder is called here. A server's name may have controls, and marks that turn what follows:
    /// no document has them.
    static func shown(_ name: String) -> String {
        let scalars = name.unicodeScalars.filter { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: false
            default: true
            }
        }
        return scalars.isEmpty ? "document" : String(String.UnicodeScalarView(scalars))
    }

    /// A name for the folder that no file of it has: of `letter.html` the second is `letter 2.html`.
    static func free(_ name: String, _ taken: Set<String>) -> String {
        let safe = SyncItemName(name).flatMap { $0.isReserved ? nil : $0.text } ?? "document"
        guard taken.contains(safe) else { return safe }
        let dot = safe.lastIndex(of: ".").flatMap { safe[$0...].utf8.count <= 32 ? $0 : nil } ?? safe.endIndex
        var stem = String(safe[..<dot])
        // Room for the number, in bytes: a longer name is none.
        while stem.utf8.count > SyncItemName.limit - 52 { stem.removeLast() }
        return (2...).lazy.map { "\(stem) \($0)\(safe[dot...])" }.first { !taken.contains($0) } ?? safe
    }

    private func known() throws -> [Known] {
        try agreed.read { try $0.rows("SELECT file, name, digest FROM agreed") }.map { row in
            Known(file: try row.value("file"), name: try row.value("name"), digest: try row.value("digest"))
        }
    }

    private func agree(_ file: String, _ name: String, _ digest: ContentDigest) throws {
        try agreed.write {
            try $0.run("INSERT OR REPLACE INTO agreed VALUES (\(file), \(name), \("\(digest)"))")
        }
    }

    private func erased() throws -> Set<SyncItemName> {
        let rows = try agreed.read { try $0.rows("SELECT name FROM erased") }
        return Set(try rows.compactMap { SyncItemName(try $0.value("name")) })
    }

    // What was carried out: what the person erased since the run began is for the next one.
    private func forgetErased() throws {
        try agreed.write { try $0.run("DELETE FROM erased WHERE name NOT IN (SELECT name FROM agreed)") }
    }

    private func forget(_ known: Known) throws {
        try agreed.write { try $0.run("DELETE FROM agreed WHERE file = \(known.file)") }
    }
}
#endif
