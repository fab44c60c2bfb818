package import AuditCore
internal import Foundation

/// The pass over all files for functions that hand their arguments on: a file that calls such a function of another file
/// is read again, and told what the function does. What one says of its functions then may be news for others, so this
/// is done a few times.
///
/// Nothing here depends on the order of the files or on how many workers read them.
package struct SecondPass {
    /// Reads files again, each with what it is told.
    package typealias Reader = (_ requests: [String: ForeignCalls]) -> [FileReport]

    private let root: String
    private let first: [FileReport]
    private var reports: [FileReport]
    private let outlines: [Outline?]
    private var wrappers: [[Wrapper]]
    private let names: [String]
    /// The functions of each name: the number of the file, and of the function in it.
    private var declared: [String: [(file: Int, function: Int)]] = [:]
    /// How functions of each name are called, by files.
    private var callers: [String: [(file: Int, uses: CallUses)]] = [:]
    /// Names of functions that somebody calls with a secret or data from outside, with those that they hand a parameter
    /// on to; and the same of functions that get a constant.
    private var demanded: (values: Set<String>, constants: Set<String>) = ([], [])
    /// Those of the first that a function hands a parameter on to.
    private var passed: Set<String> = []

    package init(_ reports: [FileReport], root: String) {
        self.root = root
        first = reports
        self.reports = reports
        outlines = reports.map(\.outline)
        names = reports.map { $0.file.hasPrefix(root) ? String($0.file.dropFirst(root.count)) : $0.file }
        wrappers = zip(reports, names).map { report, name in (report.wrappers ?? []).map { $0.placed(in: name) } }
        for (file, outline) in outlines.enumerated() {
            guard let outline else { continue }
            for (index, function) in outline.functions.enumerated() {
                declared[Self.bare(function), default: []].append((file, index))
            }
        }
        for (file, outline) in outlines.enumerated() {
            for (key, uses) in outline?.calls ?? [:] where declared[Self.bare(key)] != nil {
                callers[Self.bare(key), default: []].append((file, uses))
            }
        }
        let values = demand([.secret, .outside])
        demanded = (values.all, demand(.literal).all)
        passed = values.passed
    }

    /// `Journal.write` and `write` are calls of `write`; an initialiser is known by its type.
    private static func bare(_ key: String) -> String {
        guard let dot = key.lastIndex(of: ".") else { return key }
        return key.hasSuffix(".init") ? key : String(key[key.index(after: dot)...])
    }

    private static func bare(_ function: Outline.Function) -> String {
        function.name == "init" ? function.type + ".init" : function.name
    }

    private static func bare(_ wrapper: Wrapper) -> String {
        wrapper.name == "init" ? wrapper.type + ".init" : wrapper.name
    }

    private func demand(_ uses: CallUses) -> (all: Set<String>, passed: Set<String>) {
        var all = Set(callers.filter { $0.value.contains { !$0.uses.isDisjoint(with: uses) } }.map(\.key))
        var (edge, passed) = (all, Set<String>())
        for _ in 1..<Wrapper.deepest {
            var next: Set<String> = []
            for name in edge {
                for (file, function) in declared[name] ?? [] {
                    for call in outlines[file]?.functions[function].passes ?? [] { next.insert(Self.bare(call)) }
                }
            }
            passed.formUnion(next)
            edge = next.subtracting(all)
            all.formUnion(next)
        }
        return (all, passed)
    }

    /// - Parameter read: Reads files again; what it does not give back stays as it was, and is told.
    /// - Returns: The reports, those of files that were read again in place of the first ones.
    package mutating func run(_ read: Reader) -> [FileReport] {
        summarize(read)
        var told: [Int: Data] = [:]
        for _ in 1...Wrapper.deepest {
            let rows = Dictionary(grouping: wrappers.enumerated().flatMap { file, rows in rows.map { (file, $0) } }) {
                Self.bare($0.1)
            }
            guard !rows.isEmpty else { break }
            var requests: [String: ForeignCalls] = [:]
            for file in reports.indices {
                let calls = foreign(file, rows)
                guard !calls.rows.isEmpty || told[file] != nil else { continue }
                let text = calls.text
                guard told[file] != text else { continue }
                told[file] = text
                requests[reports[file].file] = calls
            }
            guard !requests.isEmpty else { break }
            let before = wrappers
            take(read(requests), asked: Set(requests.keys))
            if before == wrappers { break }
        }
        return reports
    }

    /// Reads what the first pass left out: functions of which it is not known what they do, and which somebody calls.
    private mutating func summarize(_ read: Reader) {
        var requests: [String: ForeignCalls] = [:]
        for (file, outline) in outlines.enumerated() {
            var asked: Set<String> = []
            for function in outline?.functions ?? [] {
                let name = Self.bare(function)
                func isCalled(_ uses: CallUses) -> Bool {
                    callers[name]?.contains { $0.file != file && !$0.uses.isDisjoint(with: uses) } == true
                }
                let reaches = function.mayReach && (isCalled([.secret, .outside]) || passed.contains(name))
                if reaches || function.mayGive && isCalled(.outlet) { asked.insert(function.name) }
            }
            guard !asked.isEmpty else { continue }
            var calls = ForeignCalls()
            calls.asked = asked.sorted()
            requests[reports[file].file] = calls
        }
        if !requests.isEmpty { take(read(requests), asked: Set(requests.keys)) }
    }

    private mutating func take(_ read: [FileReport], asked: Set<String>) {
        let byFile = Dictionary(read.map { ($0.file, $0) }) { first, _ in first }
        for index in reports.indices where asked.contains(reports[index].file) {
            let old = reports[index]
            // A file that changed meanwhile, or that a worker did not finish this time: the first reading stands.
            guard let new = byFile[old.file], new.notAnalysed == nil, new.digest == old.digest else {
                if old.gaps?.contains("OTHER-FILES") != true {
                    reports[index].gaps = (old.gaps ?? []) + ["OTHER-FILES"]
                }
                continue
            }
            reports[index].join(new, first: first[index])
            let known = wrappers[index]
            let rows = (new.wrappers ?? []).map { row in
                let row = row.placed(in: names[index])
                return known.first { $0.isSame(row) }.map { row.joined($0) } ?? row
            }
            wrappers[index] = known.filter { row in !rows.contains { $0.isSame(row) } } + rows
        }
    }

    /// What a file is told: the functions of other files that its calls may be, and that have something to say.
    private func foreign(_ file: Int, _ rows: [String: [(Int, Wrapper)]]) -> ForeignCalls {
        var result = ForeignCalls()
        guard let outline = outlines[file] else { return result }
        var found: Set<Wrapper> = []
        func look(_ key: String, _ uses: CallUses) {
            for (other, row) in rows[Self.bare(key)] ?? [] where other != file && Self.fits(row, key, uses) {
                found.insert(row)
            }
        }
        for (key, uses) in outline.calls { look(key, uses) }
        for function in outline.functions {
            var uses = CallUses()
            if demanded.values.contains(Self.bare(function)) { uses.formUnion([.secret, .outside]) }
            if demanded.constants.contains(Self.bare(function)) { uses.insert(.literal) }
            if !uses.isEmpty { for key in function.passes { look(key, uses) } }
        }
        guard !found.isEmpty else { return result }
        // Two of one name and type differ in the rest.
        result.rows = found.sorted { ($0.name, $0.type, "\($0)") < ($1.name, $1.type, "\($1)") }
        for name in Set(found.map(Self.bare)) {
            for (other, index) in declared[name] ?? [] {
                guard let function = outlines[other]?.functions[index] else { continue }
                result.declared.append("\(function.name) \(function.type) \(function.labels.joined(separator: ":"))")
            }
        }
        result.declared.sort()
        return result
    }

    /// Whether a call may be one of the function, and gives it what it has something to say about.
    private static func fits(_ row: Wrapper, _ key: String, _ uses: CallUses) -> Bool {
        let type = key.lastIndex(of: ".").map { key[..<$0] }
        if let type, type != row.type { return false }
        if row.gift != nil, uses.contains(.outlet) { return true }
        return row.reaches.contains { reach in
            switch Taint.asked(by: reach.rule) {
            case .secret: uses.contains(.secret)
            case .constant: uses.contains(.literal)
            case .outside: uses.contains(.outside)
            case nil: false
            }
        }
    }
}

extension FileReport {
    /// Adds what another reading found for functions of other files, in place of what an earlier one did.
    fileprivate mutating func join(_ new: FileReport, first: FileReport) {
        findings = first.findings
        for finding in new.findings {
            let known = findings.firstIndex { $0.rule == finding.rule && $0.line == finding.line }
            if let known {
                // Of two values that come to one place the graver one is told.
                if findings[known].severity == .note, finding.severity != .note { findings[known] = finding }
            } else {
                findings.append(finding)
            }
        }
        findings.sort { ($0.line, $0.column, $0.rule) < ($1.line, $1.column, $1.rule) }
        // What one of both readings suppresses is suppressed.
        let still = Set(new.idle ?? [])
        idle = first.idle.map { $0.filter(still.contains) }
        if idle?.isEmpty == true { idle = nil }
        if new.gaps?.contains("BUDGET") == true, gaps?.contains("BUDGET") != true { gaps = (gaps ?? []) + ["BUDGET"] }
    }
}

extension ForeignCalls {
    /// The same bytes for the same content.
    var text: Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return (try? encoder.encode(self)) ?? Data()
    }
}
