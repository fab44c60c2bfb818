/// One place of a source file that a rule names.
package struct Finding: Codable, Hashable, Sendable {
    package var rule: String
    package var severity: Severity
    package var file = ""
    package var line: Int
    package var column: Int
    package var message: String
    /// The lines that the value went through, in the file of the finding, the place itself last.
    package var steps: [Int]
    /// The line of source, white space trimmed, literals masked.
    package var excerpt: String
    /// SHA-free identity: rule, enclosing declaration and normalised source, no line number.
    package var identity: String
    package var suppressed: String?
    package var testCode: Bool?
}

/// How grave a finding is. Notes never decide an exit status.
package enum Severity: String, Codable, Sendable { case error, warning, note }

/// What a worker says about one file.
package struct FileReport: Codable, Sendable {
    package var file: String
    package var lines: Int
    package var parseErrors: Bool
    package var findings: [Finding]
    /// A reason when the file was not analysed: TOO-LARGE, BRACKETS, CONDITIONS, TIME, CRASH, UNREADABLE.
    package var notAnalysed: String?

    package init(
        file: String, lines: Int = 0, parseErrors: Bool = false, findings: [Finding] = [], notAnalysed: String?
    ) {
        self.file = file
        self.lines = lines
        self.parseErrors = parseErrors
        self.findings = findings
        self.notAnalysed = notAnalysed
    }
}
