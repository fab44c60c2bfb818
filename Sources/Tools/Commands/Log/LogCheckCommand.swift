internal import PaviseArguments
internal import PaviseLog
internal import PavisePrimitives

/// `pavise log check`: what a log of any program gives away.
enum LogCheckCommand {
    private static let file = Argument("FILE", help: "The log; - is standard input.")
    private static let strict = Flag("strict", help: "Look for addresses, UUIDs and other identifiers too.")

    static let check = Action(
        Command(
            "check", abstract: "Look for secrets and personal data in a log.",
            discussion: """
                Looks for tokens, passwords, cookies, private keys, e-mail addresses, telephone, account and card \
                numbers, also where they are percent-encoded, escaped or in base64. Each is told with its kind and \
                line; the value is never printed. The log may have any length: it is read once, in pieces. \
                Names and health data have no form that could be told.

                Exit status: 0 nothing found, 1 the log could not be read, 2 usage, 3 something was found.
                """,
            parameters: [file, strict, Shared.json],
            examples: [
                .init("pavise log check app.log", "Check a file."),
                .init("journalctl -u diary | pavise log check - --json", "Check the log of a service."),
            ])
    ) { invocation, environment in
        let path = try invocation.value(file)
        let input = try InputFile.open(path)
        let progress = Progress(console: environment.console, isWanted: true)
        if path != "-" { progress.expect(try? input.size()) }
        var result = LogCheckResult()
        var scan = LogScan(invocation[strict] ? .strict : .standard)
        var beginning: [UInt8] = []
        while true {
            let piece = try input.readChunk(upTo: 1 << 18)
            guard !piece.isEmpty else { break }
            if beginning.count < LogForm.markCount {
                beginning += piece.prefix(LogForm.markCount - beginning.count)
                if let form = LogForm(beginning: beginning) { throw CommandFailure(.failed, form.refusal(of: path)) }
            }
            scan.take(piece) { result.add($0) }
            progress.show(scan.count)
        }
        scan.finish { result.add($0) }
        progress.end()
        try environment.show(result.report(path, bytes: scan.count), for: invocation)
        if result.total > 0 { throw CommandFailure.reported(.refused) }
    }
}

/// What was found, counted by kind; of each kind the first lines are kept.
struct LogCheckResult {
    // A log of any length takes no more memory than this. JSON has all lines that are kept, the table the first ones.
    private static let kept = 10_000
    private static let shown = 20
    private var counts: [MaskKind: Int] = [:]
    private var lines: [MaskKind: [Int]] = [:]
    private var cut: Set<MaskKind> = []

    var total: Int { counts.values.reduce(0, +) }

    mutating func add(_ finding: LogScan.Finding) {
        counts[finding.kind, default: 0] += 1
        guard lines[finding.kind]?.last != finding.line else { return }
        guard lines[finding.kind, default: []].count < Self.kept else {
            cut.insert(finding.kind)
            return
        }
        lines[finding.kind, default: []].append(finding.line)
    }

    func report(_ path: String, bytes: Int) -> Report {
        let kinds = MaskKind.allCases.filter { counts[$0] != nil }
        var report = Report(
            data: .fields([
                "file": .string(path), "bytes": .integer(bytes), "count": .integer(total),
                "kinds": .array(
                    kinds.map { kind in
                        .fields([
                            "kind": .string(kind.rawValue), "count": .integer(counts[kind] ?? 0),
                            "lines": .array((lines[kind] ?? []).map { .integer($0) }),
                            "linesCut": .bool(cut.contains(kind)),
                        ])
                    }),
            ]))
        guard total > 0 else { return report.adding(.success("Nothing found in \(bytes) bytes.")) }
        report.add(
            .table(
                [["KIND", "COUNT", "LINES"]]
                    + kinds.map { kind in
                        let known = lines[kind] ?? []
                        let first = known.prefix(Self.shown).map { "\($0)" }.joined(separator: " ")
                        let more = known.count > Self.shown ? " …" : ""
                        return [kind.rawValue, "\(counts[kind] ?? 0)", first + more]
                    }))
        report.add(.failure("\(total.counting("value")) that must not be in a log."))
        return report
    }
}
