internal import SwiftSyntax

/// The forward pass over one file: statements in source order over abstract values, calls inside the file followed.
final class Pass {
    let lines: LineTable
    let names: NameTable
    let tree: SourceFileSyntax
    var findings: [Finding] = []
    /// Where in `findings` the finding of a rule and line is.
    var seen: [String: Int] = [:]
    /// Enumerations of this file: their values are cases.
    var enumerations: Set<String> = []
    /// Values of names and dotted paths. Changes are taken back at the ends of branches.
    var scope = Scope()
    /// Members of types of this file, by name.
    var members: [String: Value] = [:]
    var functions: [String: [FunctionDeclSyntax]] = [:]
    var initializers: [String: [InitializerDeclSyntax]] = [:]
    var computed: [String: CodeBlockItemListSyntax] = [:]
    var bases: [String: [String]] = [:]
    var transient: Set<String> = []
    var managed: Set<String> = []
    /// Classes that SwiftData stores.
    var models: Set<String> = []
    var declaredMembers: Set<String> = []
    var typeStack: [String] = []
    var declaration: [String] = []
    var returned: Value?
    /// The value of the closure that was read last, when it is one expression.
    var closed: Value?
    var depth = 0
    var follows = 0
    var debugOnly = 0
    /// The place is one of a preview.
    var previews = 0
    /// The conditions of the `#if` around the place of the pass; empty for `#else`.
    var conditions: [String] = []
    /// The file is for Linux too, as far as it says so.
    var isForLinux = false
    /// The file imports what Apple's systems alone have.
    var isForAppleAlone = false
    /// Writes that ask for a protection which Linux does not give, in a file that says nothing of Linux, with their
    /// identity. Its package may be for Linux all the same.
    var forgotten: [(region: Region, identity: String)] = []
    /// Calls that open a database without a key, with the declaration that they stand in.
    var opened: [(node: Syntax, declaration: [String])] = []
    /// The file hands a key to a database.
    var keepsKey = false
    /// The file says that a database has a person's data: a column, or a property of a class that is stored.
    var storesPersonal = false
    /// Functions that do something in debug builds alone.
    var quiet: Set<String> = []
    /// What other files may know of a finding about a log: the logger, the type of a property.
    var questions: [String] = []
    var importsSQLite = false
    var hasReleaseLog = false
    var hasGroup = false
    /// The file imports the system's log: what is called a logger is one, and its texts are private.
    var importsLog = false
    /// The file reads its command line: whoever runs it chooses its files.
    var isTool = false
    /// Tokens are coins in this file, parts of a language, or places in lists of changes.
    var hasOtherTokens = false
    /// The file asks a list of leaked passwords.
    var asksForLeaks = false
    var isLogger = false
    var spent = 0
    /// Whether a call may be followed: depth and work are bounded, whatever the file says.
    var canFollow: Bool {
        guard depth < 3 else { return false }
        if follows < 400, spent < 8_000 + lines.count * 60 { return true }
        isSpent = true
        return false
    }
    /// The work was bounded: calls after that were not followed.
    var isSpent = false
    /// Items of the keychain whose attributes could not be followed to the call.
    var undecidedItems = 0

    /// What calls with the same values gave, while no member has changed.
    var results: [FollowKey: (version: Int, value: Value)] = [:]
    var getters: [String: (version: Int, value: Value)] = [:]
    var collected: Set<SyntaxIdentifier> = []
    /// Counts the changes of members that a result may depend on.
    var version = 0

    /// What other files' functions do; `nil` when each file is read for itself.
    var foreign: ForeignTable?
    /// The file's functions are asked about afterwards (``wrappers(isSuppressed:)``).
    var summarizes = false
    /// Functions that may be of use to other files.
    var candidates: [Candidate] = []
    /// In the function of this place something stands that may be of use to other files.
    var isOfUse = false
    /// A function of another file is called there.
    var callsForeign = false
    /// Calls of functions that the file does not declare, by how.
    var asked: [String: CallUses] = [:]
    /// What the parameters come to, while a function is asked about.
    var reaches: [Wrapper.Reach]?
    var isSuppressed: (String, Int) -> Bool = { _, _ in false }

    init(tree: SourceFileSyntax, lines: LineTable, names: NameTable) {
        self.tree = tree
        self.lines = lines
        self.names = names
    }

    func line(of node: some SyntaxProtocol) -> Int {
        lines.line(node.positionAfterSkippingLeadingTrivia.utf8Offset)
    }

    func facts(_ name: String) -> NameFacts { names.facts(name) }

    func report(
        _ rule: String, _ node: some SyntaxProtocol, _ message: String, _ value: Value = Value(),
        _ severity: Severity? = nil, elsewhere: [Elsewhere] = []
    ) {
        let place = lines.region(node)
        guard let entry = Catalogue.byID[rule] else { return }
        // What a debug build alone does is told, and is no weakness of what is shipped. A secret stands in the source.
        let isKept = rule.hasPrefix("SECRET-") || rule.hasPrefix("CONTROL-")
        // A sample is no secret of anybody; what has the shape of one is looked at in debug builds too.
        let isSample =
            rule.hasPrefix("SECRET-") && (previews > 0 || isForTests(node))
            || rule.hasPrefix("CONST-") && isVector(node)
        let isUnclear = value.isOutside && value.marks.contains(.read)
        let severity = (debugOnly > 0 && !isKept || isUnclear || isSample ? .note : severity) ?? entry.severity
        if reaches != nil { return reach(rule, place.line, message, value, severity, elsewhere) }
        if let known = seen["\(rule):\(place.line)"] {
            // Another value that comes to the same place may weigh more.
            guard findings[known].severity == .note, severity != .note else { return }
            findings[known].severity = severity
            findings[known].message = message
            findings[known].elsewhere = Self.way(value, elsewhere)
            findings[known].place(at: place)
            return
        }
        seen["\(rule):\(place.line)"] = findings.count
        let excerpt = Redaction.excerpt(tree, line: place.line, lines)
        var finding = Finding(
            rule: rule, severity: severity, region: place, message: message,
            steps: Array(value.steps.suffix(8)) + [place.line], excerpt: excerpt,
            identity: SHA256.hex("\(rule)|\(declaration.joined(separator: "."))|\(excerpt.filter { $0 != " " })"))
        finding.elsewhere = Self.way(value, elsewhere)
        findings.append(finding)
    }

    private static func way(_ value: Value, _ elsewhere: [Elsewhere]) -> [Elsewhere]? {
        let all = (value.sensitive == nil && !value.isConstant ? [] : value.elsewhere) + elsewhere
        return all.isEmpty ? nil : all
    }

    func run(_ tree: SourceFileSyntax) {
        Collector(self).collect(tree.statements)
        storesPersonal = hasPersonalClass
        walk(Syntax(tree))
        judgeStores()
    }

    /// Whether `type` or one of its bases in this file is called one of `names`.
    func isKind(_ type: String?, _ names: Set<String>, _ level: Int = 0) -> Bool {
        guard let type, level < 6 else { return false }
        if names.contains(type) { return true }
        return (bases[type] ?? []).contains { isKind($0, names, level + 1) }
    }
}
