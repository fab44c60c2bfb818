internal import CPaviseSQLite

/// What ``Database/verify()`` found. Pages count from 1.
package struct DatabaseVerification: Hashable, Sendable {
    /// How many pages of 4,096 bytes the file has.
    package let pages: Int
    /// Pages that are not authentic; at most 1,000 are named.
    package let damaged: [Int]
    /// Authentic pages that are not the newest of their number: somebody put them back. At most 1,000 are named.
    package let older: [Int]
    /// Whether the file has a list of its pages' tags. Without one, a page of an older moment is not noticed.
    package let isTracked: Bool
    /// Whether the list is gone, not authentic, or of an older moment than the log.
    package let isListLost: Bool

    /// Whether everything is as it was written last.
    package var isIntact: Bool { damaged.isEmpty && older.isEmpty && !isListLost }
}

extension Database {
    /// Reads every page and checks that it is authentic and, where the file has a list of tags
    /// (``DatabaseOptions/tracksPages``), that it is the newest of its number. Moves the log into the file first.
    ///
    /// Files of an older moment that are put back all together are authentic: only a counter outside of them could
    /// tell.
    ///
    /// - Throws: ``DatabaseFailure/busy`` while other connections read or write all the time.
    package func verify() throws(DatabaseFailure) -> DatabaseVerification {
        for _ in 0..<8 {
            let moved = try rows("PRAGMA wal_checkpoint(FULL)").first
            guard moved?.integer(0) == 0 else { continue }
            let report = PageReport()
            try hold { connection throws(DatabaseFailure) in try connection.check(report) }
            guard !report.isBehind else { continue }
            return DatabaseVerification(
                pages: report.pages, damaged: report.damaged, older: report.older, isTracked: report.isTracked,
                isListLost: report.isListLost)
        }
        throw .busy
    }

    /// The tables that statements of this connection wrote since the last call, also those that were taken back.
    package func takeWrittenTables() -> Set<String> { use { $0.takeWrittenTables() } }

    // Holds the write lock during `body`, so that no page is moved meanwhile.
    private func hold(_ body: (SQLiteConnection) throws(DatabaseFailure) -> Void) throws(DatabaseFailure) {
        try use { connection throws(DatabaseFailure) in
            _ = try connection.rows("BEGIN IMMEDIATE", [])
            defer { if connection.isInTransaction { _ = try? connection.rows("ROLLBACK", []) } }
            try body(connection)
        }
    }
}

extension SQLiteConnection {
    /// Has the file layer look at every page.
    func check(_ report: PageReport) throws(DatabaseFailure) {
        let isAnswered = unsafe control(PageReport.question, Unmanaged.passUnretained(report).toOpaque())
        guard !gate.isShut else { throw .locked }
        guard isAnswered else { throw .io(code: ResultCode.read, nil) }
    }
}
