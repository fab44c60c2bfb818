public import Foundation
public import Pavise
public import PaviseProtectedStorage
public import PaviseStorage

/// The diary of one person, in a protected container: nights, answers and consents.
///
/// ```swift
/// let diary = try Diary.open(in: try ProtectedContainer.open("sleep-diary"))
/// try diary.keep(Consent(moment: Date(), isGiven: true))
/// try diary.keep(night)
/// let weeks = SleepSummary.of(try diary.nights(), by: .week)
/// ```
/// It is of class `complete`: health data is read while the device is unlocked, and at no other time.
public struct Diary: Sendable {
    private let database: ProtectedDatabase

    /// Opens the diary of a container, and makes it the first time.
    public static func open(in container: ProtectedContainer) throws(ProtectedDatabaseError) -> Diary {
        Diary(database: try container.database("diary", protection: .complete, migrations: steps))
    }

    /// The diary of an app: its key is in memory only while the app lock is open, and a wipe ends it.
    public static func open(in security: AppSecurity) throws(PaviseError) -> Diary {
        Diary(database: try security.database("diary", protection: .complete, migrations: steps))
    }

    private static let steps = [
        DatabaseMigration(
            1, "nights, answers, outbox",
            """
            CREATE TABLE night(
                id BLOB PRIMARY KEY CHECK (length(id) = 16), date TEXT NOT NULL CHECK (date GLOB '????-??-??'),
                toBed REAL NOT NULL, offsetToBed INTEGER NOT NULL CHECK (offsetToBed BETWEEN -720 AND 840),
                up REAL NOT NULL, offsetUp INTEGER NOT NULL CHECK (offsetUp BETWEEN -720 AND 840),
                asleepAfter INTEGER NOT NULL CHECK (asleepAfter BETWEEN 0 AND 1440),
                awake INTEGER NOT NULL CHECK (awake BETWEEN 0 AND 1440),
                note TEXT NOT NULL, version INTEGER NOT NULL CHECK (version > 0),
                CHECK (up > toBed AND up - toBed <= 86400))
            """,
            "CREATE INDEX night_date ON night(date)",
            """
            CREATE TABLE answer(
                questionnaire TEXT NOT NULL CHECK (questionnaire IN ('isi', 'phq9')), date TEXT NOT NULL,
                edition TEXT NOT NULL, item INTEGER NOT NULL CHECK (item BETWEEN 1 AND 9),
                value INTEGER CHECK (value BETWEEN 0 AND 4),
                PRIMARY KEY (questionnaire, date, item)) WITHOUT ROWID
            """,
            """
            CREATE TABLE outbox(
                number INTEGER PRIMARY KEY AUTOINCREMENT, night BLOB NOT NULL, version INTEGER NOT NULL)
            """,
            "CREATE VIRTUAL TABLE words USING fts5(id UNINDEXED, note)"),
        DatabaseMigration(
            2, "consent",
            """
            CREATE TABLE consent(
                number INTEGER PRIMARY KEY AUTOINCREMENT, edition TEXT NOT NULL, moment REAL NOT NULL,
                isGiven INTEGER NOT NULL CHECK (isGiven IN (0, 1)))
            """),
        // What has to be sent is what differs from the records of the account: DiarySync. Nothing is lost with it, and
        // no copy is kept, in which a night would outlive its erasure.
        DatabaseMigration(3, "no outbox", losesData: false, "DROP TABLE outbox"),
    ]

    // MARK: Nights

    /// Keeps a night, or its next version; all of it or nothing.
    ///
    /// - Throws: ``ConsentNeeded`` before the person agreed.
    public func keep(_ night: Night) throws { try database.write { try Self.keep(night, $0) } }

    private static func keep(_ night: Night, _ access: borrowing DatabaseAccess) throws {
        try demandConsent(in: access)
        try access.run("DELETE FROM night WHERE id = \(night.id)")
        try access.insert(night, into: "night")
        try access.run("DELETE FROM words WHERE id = \(night.id)")
        try access.run("INSERT INTO words(id, note) VALUES (\(night.id), \(night.note))")
    }

    /// The nights of the days given, in their order; all of them where no day is given.
    public func nights(from first: LocalDate? = nil, to last: LocalDate? = nil) throws -> [Night] {
        var question: SQL = "SELECT * FROM night WHERE 1"
        if let first { question += " AND date >= \(first)" }
        if let last { question += " AND date <= \(last)" }
        question += " ORDER BY date, toBed"
        let whole = question
        return try database.read { try $0.rows(whole, as: Night.self) }
    }

    /// The nights whose note has all of the words.
    public func nights(noting words: String) throws -> [Night] {
        // Each word is a text of the search, whatever characters it has (sqlite.org/fts5.html, “FTS5 Strings”).
        // U+0000 would end the search.
        let query = words.filter { $0 != "\u{0}" }.split(whereSeparator: \.isWhitespace)
            .map { "\"" + $0.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\"" }
            .joined(separator: " ")
        guard !query.isEmpty else { return [] }
        return try database.read { access in
            try access.rows(
                """
                SELECT night.* FROM words JOIN night ON night.id = words.id WHERE words MATCH \(query)
                ORDER BY night.date
                """, as: Night.self)
        }
    }

    /// Erases a night: its row and its words. Nothing of it stays in a page or in the log.
    public func erase(_ night: UUID) throws {
        try database.write { try Self.erase(night, $0) }
        try database.emptyLog()
    }

    private static func erase(_ night: UUID, _ access: borrowing DatabaseAccess) throws {
        try access.run("DELETE FROM night WHERE id = \(night)")
        try access.run("DELETE FROM words WHERE id = \(night)")
        try access.eraseDeletedWords(inSearch: "words")
    }

    // MARK: Other devices

    /// Keeps a night of another device, as the next version of the one that is here.
    ///
    /// - Returns: Whether the one that is here was still `old`, and was replaced.
    func take(_ night: Night, inPlaceOf old: NightRecord?) throws -> Bool {
        try database.write { access in
            let here = try Self.night(night.id, access)
            guard here.map(NightRecord.init) == old else { return false }
            guard let next = NightRecord(night).night(version: (here?.version ?? 0) + 1) else { return false }
            try Self.keep(next, access)
            return true
        }
    }

    /// Erases a night that another device erased.
    ///
    /// - Returns: Whether the one that is here was still `old`; one that is not here any more counts as erased.
    func erase(_ night: UUID, ifStill old: NightRecord?) throws -> Bool {
        let isErased = try database.write { access in
            let here = try Self.night(night, access)
            guard here == nil || here.map(NightRecord.init) == old else { return false }
            try Self.erase(night, access)
            return true
        }
        if isErased { try database.emptyLog() }
        return isErased
    }

    /// Whether the night is here as another version than `seen`. One that is not here any more has none.
    func hasOther(than seen: Night) throws -> Bool {
        let here = try database.read { try Self.night(seen.id, $0) }
        return here.map { NightRecord($0) != NightRecord(seen) } ?? false
    }

    private static func night(_ id: UUID, _ access: borrowing DatabaseAccess) throws -> Night? {
        try access.rows("SELECT * FROM night WHERE id = \(id)", as: Night.self).first
    }

    // MARK: Answers

    /// Keeps the answers of a day, in place of earlier ones of that day.
    ///
    /// - Throws: ``ConsentNeeded`` before the person agreed.
    public func keep(_ answers: Answers) throws {
        let (name, date) = (answers.questionnaire.rawValue, answers.date)
        try database.write { access in
            try Self.demandConsent(in: access)
            try access.run("DELETE FROM answer WHERE questionnaire = \(name) AND date = \(date)")
            for (index, value) in answers.values.enumerated() {
                try access.run(
                    "INSERT INTO answer VALUES (\(name), \(date), \(answers.edition), \(index + 1), \(value))")
            }
        }
    }

    /// All answers to a questionnaire, by day.
    public func answers(to questionnaire: Questionnaire) throws -> [Answers] {
        let rows = try database.read { access in
            try access.rows(
                """
                SELECT date, edition, value FROM answer WHERE questionnaire = \(questionnaire.rawValue)
                ORDER BY date, item
                """)
        }
        return try stride(from: 0, to: rows.count, by: questionnaire.items).map { start in
            let part = rows[start..<min(rows.count, start + questionnaire.items)]
            guard let first = part.first else { throw Answers.Problem.count }
            return try Answers(
                questionnaire, edition: first.value("edition"), date: first.value("date"),
                part.map { try $0.value("value", as: Int?.self) })
        }
    }

    // MARK: Consent

    /// Notes that the person agreed, or took it back. What was said before stays: it has to be shown (GDPR Art. 7(1)).
    public func keep(_ consent: Consent) throws {
        try database.write { access in
            try access.run(
                """
                INSERT INTO consent(edition, moment, isGiven) VALUES (\(consent.edition), \(consent.moment), \
                \(consent.isGiven))
                """
            )
        }
    }

    /// Everything that the person said about it, the first first.
    public func consents() throws -> [Consent] {
        try database.read { access in
            try access.rows("SELECT edition, moment, isGiven FROM consent ORDER BY number", as: Consent.self)
        }
    }

    /// Refuses where the person has not agreed, for what is kept beside the diary.
    ///
    /// - Throws: ``ConsentNeeded``.
    func demandConsent() throws { try database.read { try Self.demandConsent(in: $0) } }

    /// Keeps something beside the diary that only the consent permits, in one step with looking at it.
    ///
    /// - Throws: ``ConsentNeeded``, and what `body` throws.
    func permitted<Value>(_ body: () throws -> Value) throws -> Value {
        try database.write { access in
            try Self.demandConsent(in: access)
            return try body()
        }
    }

    // In the same step as what it permits: nobody takes the consent back in between.
    private static func demandConsent(in access: borrowing DatabaseAccess) throws {
        let last = try access.rows(
            "SELECT edition, moment, isGiven FROM consent ORDER BY number DESC LIMIT 1", as: Consent.self)
        guard Consent.isGiven(last) else { throw ConsentNeeded() }
    }

    /// Closes the diary.
    public func close() { database.close() }
}
