internal import AuditCore
internal import Foundation

/// Reads the arguments, finds files, runs workers, prints.
package struct Program {
    package let arguments: [String]

    package init(arguments: [String]) { self.arguments = arguments }

    package func run() -> Int32 {
        if arguments.first == "explain" { return explain() }
        if ["--help", "-h"].contains(arguments.first) {
            print(Self.forms)
            return 0
        }
        var format = "text"
        var jobs = ProcessInfo.processInfo.activeProcessorCount
        var paths: [String] = []
        var output: String?
        var baseline: String?
        var failOn = Severity.warning
        var cacheFolder: String?
        var since: String?
        var index = 0
        while index < arguments.count {
            let argument = arguments[index]
            func value() -> String? {
                index += 1
                return index < arguments.count ? arguments[index] : nil
            }
            switch argument {
            case "--json": format = "json"
            case "--sarif": format = "sarif"
            case "--html": format = "html"
            case "--output":
                guard let text = value() else { return usage("--output needs a file") }
                output = text
            case "--baseline":
                guard let text = value() else { return usage("--baseline needs a file") }
                baseline = text
            case "--cache":
                guard let text = value() else { return usage("--cache needs a folder") }
                cacheFolder = text
            case "--changed-since":
                guard let text = value() else { return usage("--changed-since needs a commit") }
                since = text
            case "--jobs":
                guard let text = value(), let number = Int(text), number > 0 else {
                    return usage("--jobs needs a number")
                }
                jobs = number
            case "--fail-on":
                guard let text = value(), let level = Severity(rawValue: text) else {
                    return usage("--fail-on: error, warning or note")
                }
                failOn = level
            case let text where text.hasPrefix("-"): return usage("“\(text)” is no option")
            default: paths.append(argument)
            }
            index += 1
        }
        guard !paths.isEmpty else { return usage("name a folder or a file") }
        let started = Date()
        let collected: SourceFolder
        do {
            collected = try SourceFolder(paths: paths)
        } catch {
            return fault("\(error)")
        }
        var files = collected.files
        if let since {
            let own = collected.files.first.map { collected.root(of: $0.path) } ?? ""
            guard let changed = ChangedFiles(since: since, in: own.isEmpty ? "." : own) else {
                return fault("git does not say what changed since “\(since)”")
            }
            guard files.allSatisfy({ changed.holds($0.path) }) else {
                return fault("--changed-since asks one repository, and there is a file outside of it")
            }
            files = files.filter { changed.contains($0.path) }
        }
        var reports = collected.refused
        let cache = cacheFolder.map(ReportCache.init(folder:))
        if let cache {
            let known = files.map { cache.report($0.path, below: collected.root) }
            reports += known.compactMap { $0 }
            files = zip(files, known).filter { $0.1 == nil }.map(\.0)
        }
        let isNew = !files.isEmpty
        for (root, files) in collected.groups(files) {
            reports += WorkerPool(files: files, root: root, progress: Self.progress).run(jobs: jobs)
        }
        reports.sort { $0.file < $1.file }
        if since == nil {
            let first = reports
            var again = RepeatedReading(collected, cache, jobs)
            var second = SecondPass(first, root: collected.root)
            reports = second.run { again.read($0, first) }
            if let cache, isNew || again.isNew, !cache.save(first, again: again.all, below: collected.root) {
                FileHandle.standardError.write(Data("The cache could not be written.\n".utf8))
            }
        }
        var result = AuditResult(
            reports: reports, root: collected.root, seconds: Date().timeIntervalSince(started), isPartial: since != nil)
        result.skipped = collected.skipped
        result.otherLanguages = collected.otherLanguages
        if let baseline {
            guard let text = try? String(contentsOfFile: baseline, encoding: .utf8) else {
                return fault("cannot read \(baseline)")
            }
            // A line may end with CR LF, which is one character.
            result.known = Set(text.split(whereSeparator: \.isNewline).map(String.init))
        }
        let text: String
        switch format {
        case "json": text = result.json()
        case "sarif": text = SARIFLog(result).text()
        case "html": text = HTMLReport(result).text()
        default: text = result.text()
        }
        if let output {
            guard OutputFile.write(text, to: output) else { return fault("cannot write \(output)") }
        } else {
            print(text)
        }
        return result.status(failOn: failOn)
    }

    /// A line on a terminal that says how far the audit is; nothing where standard error goes elsewhere.
    private static var progress: (@Sendable (Int, Int) -> Void)? {
        guard isatty(2) == 1 else { return nil }
        return { done, all in
            guard done % 25 == 0 || done == all else { return }
            let text = done == all ? "\r\u{1B}[K" : "\r\(done) of \(all) files"
            FileHandle.standardError.write(Data(text.utf8))
        }
    }

    private static let forms = """
        usage: pavise-audit [--json|--sarif|--html] [--output FILE] [--jobs N] [--baseline FILE] [--fail-on LEVEL]
                            [--cache FOLDER] [--changed-since COMMIT] PATH…
               pavise-audit explain RULE
               pavise-audit evidence …
        """

    private func usage(_ message: String) -> Int32 { fault(message + "\n" + Self.forms) }

    /// What the words name cannot be used: how they are written would say nothing of that.
    private func fault(_ message: String) -> Int32 {
        FileHandle.standardError.write(Data((message + "\n").utf8))
        return 2
    }

    private func explain() -> Int32 {
        guard arguments.count == 2, let rule = Catalogue.byID[arguments[1]] else {
            let known = Catalogue.rules.map(\.id)
            let near = arguments.count == 2 ? Self.nearest(to: arguments[1], among: known) : nil
            let hint = near.map { " Did you mean “\($0)”?" } ?? ""
            return fault("Name a rule.\(hint) There are: " + known.joined(separator: " "))
        }
        print(
            """
            \(rule.id) (\(rule.severity.rawValue))
            \(rule.claim)
            Mend: \(rule.mend)
            CWE-\(rule.cwe) · \(rule.maswe) (1.0.0) · \(rule.masvs) (2.1.0) · MASTG: \(rule.mastgText) · TR-03161-1 3.0: \(rule.tr.joined(separator: ", "))

            Found:
            \(rule.bad)

            Not found:
            \(rule.good)\(rule.weighs.isEmpty ? "" : "\n\n" + rule.weighs)
            """)
        return 0
    }

    /// The name that takes the fewest letters more, less or other, three at most (Levenshtein).
    private static func nearest(to text: String, among names: [String]) -> String? {
        let typed = Array(text.uppercased().utf8.prefix(64))
        func distance(_ name: String) -> Int {
            var row = Array(0...typed.count)
            for (line, letter) in name.utf8.enumerated() {
                var before = row[0]
                row[0] = line + 1
                for index in typed.indices {
                    let other = before + (typed[index] == letter ? 0 : 1)
                    before = row[index + 1]
                    row[index + 1] = min(other, row[index] + 1, before + 1)
                }
            }
            return row[typed.count]
        }
        return names.map { ($0, distance($0)) }.min { $0.1 < $1.1 }.flatMap { $0.1 <= 3 ? $0.0 : nil }
    }
}
