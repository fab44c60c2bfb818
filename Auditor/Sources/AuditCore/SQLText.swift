/// The beginnings of SQL statements.
enum SQLText {
    private static let verbs = ["SELECT ", "INSERT ", "UPDATE ", "DELETE ", "REPLACE "]

    /// A statement that breaks off inside of quotation marks, or formats something there.
    static func isQuoted(_ start: String) -> Bool {
        guard start.utf8.count > 10, isStatement(start) else { return false }
        return start.hasSuffix("'") || start.hasSuffix("\"") || start.hasSuffix("'%") || start.contains("'%@")
    }

    /// A statement that reads what is stored.
    static func asks(_ text: String) -> Bool {
        text.drop { $0.isWhitespace }.prefix(7).uppercased() == "SELECT "
    }

    static func isStatement(_ text: String) -> Bool {
        let start = text.drop { $0.isWhitespace }.prefix(8).uppercased()
        return verbs.contains(where: start.hasPrefix)
    }
}
