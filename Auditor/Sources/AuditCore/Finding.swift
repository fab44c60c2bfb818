/// One place of a source file that a rule names.
package struct Finding: Codable, Hashable, Sendable {
    package var rule: String
    package var severity: Severity
    package var file = ""
    package var line: Int
    /// From 1, in units of UTF-16.
    package var column: Int
    /// Where the expression ends, the column after its last one; `nil` where the rule names a whole line.
    package var endLine: Int?
    package var endColumn: Int?
    package var message: String
    /// The lines that the value went through, in the file of the finding, the place itself last.
    package var steps: [Int]
    /// Where the value goes on, or comes from, in other files.
    package var elsewhere: [Elsewhere]?
    /// The line of source without comments, each literal masked.
    package var excerpt: String
    /// SHA-256 of rule, enclosing declaration and masked source; the driver adds the path. No line number is in it.
    package var identity: String
    package var suppressed: String?
    package var testCode: Bool?
    /// `vendored` or `generated`, for what is not the app's own; set where all files are put together.
    package var origin: String?

    package init(
        rule: String, severity: Severity, file: String = "", line: Int, message: String, steps: [Int] = [],
        excerpt: String, identity: String
    ) {
        self.rule = rule
        self.severity = severity
        self.file = file
        self.line = line
        column = 1
        self.message = message
        self.steps = steps
        self.excerpt = excerpt
        self.identity = identity
    }

    package init(
        rule: String, severity: Severity, file: String = "", region: Region, message: String, steps: [Int],
        excerpt: String, identity: String
    ) {
        self.init(
            rule: rule, severity: severity, file: file, line: region.line, message: message, steps: steps,
            excerpt: excerpt, identity: identity)
        place(at: region)
    }

    /// Moves the finding to another expression of its line.
    mutating func place(at region: Region) {
        column = region.column
        endLine = region.endLine
        endColumn = region.endColumn
    }
}

/// Where an expression stands; lines and columns are counted from 1, columns in units of UTF-16.
package struct Region: Equatable, Sendable {
    package let line: Int
    package let column: Int
    package let endLine: Int
    /// The column after the last one.
    package let endColumn: Int

    package init(line: Int, column: Int, endLine: Int, endColumn: Int) {
        self.line = line
        self.column = column
        self.endLine = endLine
        self.endColumn = endColumn
    }

    /// A fact, and back: `LINE:COLUMN:LINE:COLUMN`.
    var fact: String { "\(line):\(column):\(endLine):\(endColumn)" }

    /// The place and the identity of `WORD:LINE:COLUMN:LINE:COLUMN:IDENTITY`.
    package static func read(_ fact: String) -> (region: Region, identity: String)? {
        let parts = fact.split(separator: ":")
        let numbers = parts.dropFirst().prefix(4).compactMap { Int($0) }
        guard parts.count == 6, numbers.count == 4, let identity = parts.last else { return nil }
        let region = Region(line: numbers[0], column: numbers[1], endLine: numbers[2], endColumn: numbers[3])
        return (region, String(identity))
    }
}

/// How grave a finding is. Notes decide an exit status only where `--fail-on note` asks for it.
package enum Severity: String, Codable, Sendable { case error, warning, note }

/// What a worker says about one file.
package struct FileReport: Codable, Sendable {
    package var file: String
    package var lines: Int
    package var parseErrors: Bool
    package var findings: [Finding]
    /// A reason when the file was not analysed: TOO-LARGE, BRACKETS, CONDITIONS, PARSE-ERROR, TIME, CRASH, UNREADABLE,
    /// LINK, NO-WORKER.
    package var notAnalysed: String?
    /// Why a protection that Foundation on Linux takes and forgets is told.
    package static let forgottenProtection = "on Linux this option protects nothing: the bytes are in clear text"
    /// Why a database that is opened is told.
    package static let plainStore = "a database that holds a person's data is opened without a key"
    /// What an app needs and no file of it names: the rule, the fact that needs it, and the one that answers.
    package static let absences: [(rule: String, needs: String, answer: String)] = [
        ("TLS-PINNING", "has:network:", "has:pin:"), ("SCREEN-COVER", "has:screen:", "has:cover:"),
        ("FILE-BACKUP", "has:files:", "has:backup:"), ("RESI-ABSENT", "has:screen:", "has:integrity:"),
        ("FIELD-KEYBOARDS", "has:screen:", "has:keyboards:"), ("BIO-DOMAIN-STATE", "has:biometry:", "has:enrolment:"),
    ]
    /// Why a rule about all files says nothing at this line (`ignored:RULE:LINE:REASON`); `nil` where it does.
    package func ignored(_ rule: String, at line: Int) -> String? {
        let start = "ignored:\(rule):\(line):"
        return facts.first { $0.hasPrefix(start) }.map { String($0.dropFirst(start.count)) }
    }
    /// What the pass over all files needs: `uses:CATEGORY:LINE`, `ignored:RULE:LINE:REASON`, `reason:CATEGORY`,
    /// `application`, `linux`, `stores`,
    /// `forgets:PLACE:IDENTITY`, `opens:PLACE:IDENTITY` (PLACE is line, column, last line, column after the end); for
    /// ``LogEvidence`` `type:NAME:TYPE`, `own:NAME:TYPE`, `syslog:NAME`, `quiet:FUNCTION`,
    /// `logs:LINE:COLUMN:FUNCTION:ROOT:OWNER`, `typed:LINE:COLUMN:NAME`, `untyped:LINE:COLUMN:NAME`,
    /// `static:LINE:COLUMN:NAME`.
    package var facts: [String] = []
    /// Nothing stands in the file that a rule speaks about: its words and texts were read, and it was not parsed.
    package var isPlain: Bool?
    /// What of the file was not read: TOO-LARGE (a resource), LONG-LINE, BUDGET (calls that were not followed any more).
    package var gaps: [String]?
    /// Suppressions that suppress nothing: the line, the rule and why.
    package var idle: [String]?
    /// Values whose way could not be followed to a judgement, by rule.
    package var undecided: [String: Int]?
    /// SHA-256 of the bytes that were read.
    package var digest: String?
    /// How many bytes that were.
    package var size: Int?
    /// What its functions do with their arguments, for the files that call them.
    package var wrappers: [Wrapper]?
    private var declares: String?
    private var calls: String?
    /// Which functions the file declares and calls; `nil` for test code.
    package var outline: Outline? {
        get { declares.map { Outline(declares: $0, calls: calls ?? "") } }
        set {
            declares = newValue?.texts.declares
            calls = newValue?.texts.calls
        }
    }

    package init(
        file: String, lines: Int = 0, parseErrors: Bool = false, findings: [Finding] = [], notAnalysed: String?,
        facts: [String] = [], digest: String? = nil, size: Int? = nil
    ) {
        self.file = file
        self.lines = lines
        self.parseErrors = parseErrors
        self.findings = findings
        self.notAnalysed = notAnalysed
        self.facts = facts
        self.digest = digest
        self.size = size
    }

    /// A file of more bytes than are read. A resource is told as a gap: large ones are data, and no reason to stop.
    package static func tooLarge(_ file: String, size: Int) -> FileReport {
        let isResource = FileKind(path: file) == .resource
        var report = FileReport(file: file, notAnalysed: isResource ? nil : "TOO-LARGE", size: size)
        if isResource { report.gaps = ["TOO-LARGE"] }
        return report
    }
}
