internal import PavisePrimitives
internal import PaviseProtectedStorage
internal import PaviseStorage

/// Everything of a database as text, of one moment: statements that make it again, or one JSON object for each row.
struct DatabaseDump {
    let asJSON: Bool
    /// Rows that are in memory at once.
    private static let batch = 500

    private struct Table {
        let name: String
        let kind: String
        let definition: String
        /// Those of a row in the dump: statements leave out what SQLite makes itself (generated columns).
        let columns: [String]
        /// A name for the row's number that no column has.
        let rowID: String?
    }

    func write(_ access: borrowing DatabaseAccess, _ write: (String) throws -> Void) throws {
        let tables = try tables(access)
        if !asJSON {
            try write("PRAGMA foreign_keys=OFF;\nBEGIN;\n")
            for table in tables { try write(table.definition + ";\n") }
        }
        for table in tables { try rows(of: table, access, write) }
        guard !asJSON else { return }
        try sequences(access, write)
        let rest = try access.answer(
            typed: """
                SELECT sql FROM sqlite_schema WHERE type IN ('index', 'trigger', 'view') AND sql IS NOT NULL \
                ORDER BY CASE type WHEN 'index' THEN 0 WHEN 'view' THEN 1 ELSE 2 END, rowid
                """, mayTouchAll: false)
        for row in rest.rows { if case .text(let sql)? = row.first { try write(sql + ";\n") } }
        try write("COMMIT;\n")
    }

    // Tables that a full-text index keeps for itself are made by it again.
    private func tables(_ access: borrowing DatabaseAccess) throws -> [Table] {
        let answer = try access.answer(
            typed: """
                SELECT list.name, list.type, list.wr, item.sql FROM pragma_table_list AS list \
                JOIN sqlite_schema AS item ON item.name = list.name AND item.type = 'table' \
                WHERE list.schema = 'main' AND list.type IN ('table', 'virtual') \
                AND list.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' \
                ORDER BY item.rowid
                """, mayTouchAll: false)
        var tables: [Table] = []
        for row in answer.rows {
            guard case .text(let name) = row[0], case .text(let kind) = row[1], case .text(let sql) = row[3] else {
                continue
            }
            let (columns, all) = try columns(of: name, access)
            let rowID = ["rowid", "_rowid_", "oid"].first { !all.contains($0) }
            tables.append(
                Table(
                    name: name, kind: kind, definition: sql, columns: columns,
                    rowID: row[2] == .integer(0) ? rowID : nil))
        }
        return tables
    }

    // What a dump has; and the names of all, in lower case.
    private func columns(
        of table: String, _ access: borrowing DatabaseAccess
    ) throws -> (shown: [String], all: Set<String>) {
        let answer = try access.answer(
            typed: "SELECT name, hidden FROM pragma_table_xinfo(\(SQLValue.text(table).literal))", mayTouchAll: false)
        var shown: [String] = []
        var all: Set<String> = []
        for row in answer.rows {
            guard case .text(let name) = row[0] else { continue }
            all.insert(name.lowercased())
            // 0 is a column, 1 is hidden, 2 and 3 are made of others: those are to be read and never inserted.
            if row[1] == .integer(0) || (asJSON && row[1] != .integer(1)) { shown.append(name) }
        }
        return (shown, all)
    }

    private func rows(
        of table: Table, _ access: borrowing DatabaseAccess, _ write: (String) throws -> Void
    ) throws {
        let name = Self.quoted(table.name)
        let columns = table.columns.map(Self.quoted).joined(separator: ", ")
        guard let rowID = table.rowID else {
            let answer = try access.answer(typed: "SELECT \(columns) FROM \(name)", mayTouchAll: false)
            for row in answer.rows { try write(line(table, table.columns, row)) }
            return
        }
        var last: Int64?
        repeat {
            let start = last.map { " WHERE \(rowID) > \($0)" } ?? ""
            let answer = try access.answer(
                typed: "SELECT \(rowID), \(columns) FROM \(name)\(start) ORDER BY \(rowID) LIMIT \(Self.batch)",
                mayTouchAll: false)
            // The row's number is part of a full-text index, and else only of its primary key.
            let skipped = table.kind == "virtual" && !asJSON ? 0 : 1
            let names = Array(([rowID] + table.columns).dropFirst(skipped))
            for row in answer.rows { try write(line(table, names, Array(row.dropFirst(skipped)))) }
            last = nil
            if answer.rows.count == Self.batch, case .integer(let number)? = answer.rows.last?.first { last = number }
        } while last != nil
    }

    // A table with AUTOINCREMENT gives the number of a deleted row to no other one, here nor where the dump is read.
    private func sequences(_ access: borrowing DatabaseAccess, _ write: (String) throws -> Void) throws {
        let table = try access.answer(
            typed: "SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_sequence'", mayTouchAll: false)
        guard !table.rows.isEmpty else { return }
        let answer = try access.answer(typed: "SELECT name, seq FROM sqlite_sequence", mayTouchAll: false)
        guard !answer.rows.isEmpty else { return }
        try write("DELETE FROM \"sqlite_sequence\";\n")
        for row in answer.rows {
            let values = row.map(\.literal).joined(separator: ", ")
            try write("INSERT INTO \"sqlite_sequence\"(\"name\", \"seq\") VALUES (\(values));\n")
        }
    }

    private func line(_ table: Table, _ columns: [String], _ row: [SQLValue]) -> String {
        guard asJSON else {
            let names = columns.map(Self.quoted).joined(separator: ", ")
            let values = row.map(\.literal).joined(separator: ", ")
            return "INSERT INTO \(Self.quoted(table.name))(\(names)) VALUES (\(values));\n"
        }
        let members = zip(columns, row).map { JSONValue.Member($0, $1.json) }
        return JSONValue.fields(["table": .string(table.name), "row": .object(members)]).text + "\n"
    }

    private static func quoted(_ name: String) -> String { SQLValue.quoted(name, "\"") }
}
