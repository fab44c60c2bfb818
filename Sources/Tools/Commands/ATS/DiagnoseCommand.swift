internal import PaviseArguments
internal import PavisePrimitives
internal import PaviseTransport

/// `pavise ats diagnose`: which exceptions a server needs.
enum DiagnoseCommand {
    private static let urls = RepeatedArgument(
        "URL", help: "An address such as https://example.org; a host alone means https.", isRequired: false,
        parse: address)
    private static let hosts = Option(
        "hosts", value: "FILE",
        help: "Ask the servers of a list too, one a line, # begins a comment; - is standard input.")
    private static let since = Option(
        "since", value: "FILE", help: "Compare with what an earlier run printed with --json, and say what changed.")
    private static let verbose = Flag("verbose", letter: "v", help: "Print the keys of each row.")
    private static let junit = Flag("junit", help: "Print JUnit's XML instead of text.")
    private static let jobs = Option(
        "jobs", letter: "j", value: "N", help: "How many servers to ask at the same time, 1 to 256; 16 unless given.",
        parse: count)

    static let action = Action(
        Command(
            "diagnose", abstract: "Find out which ATS exceptions a server needs.",
            discussion: """
                Plays the sixteen configurations of macOS's own tool with as few handshakes as decide them (one for a \
                good server, three at most), and asks once over plain http. Prints the narrowest exception that works \
                and whether App Review wants a reason for it. No request is sent over TLS.

                A server with TLS 1.2 alone fails three rows and needs nothing: read the verdict, not the rows.

                A line of a list that is no address is told and left out. Host names may be in letters of any language.

                Exit status, the highest of all addresses: 0 no exception is needed, 1 the printed exceptions suffice, \
                3 no exception helps, 6 a server could not be reached, or a line of a list was left out. 2 is usage: \
                nothing was asked.
                """,
            parameters: [
                urls, hosts, since, verbose, Shared.json, ATSOptions.sarif, junit, ServerOptions.anchors,
                ServerOptions.connect,
                jobs,
            ],
            examples: [
                .init("pavise ats diagnose https://example.org", "Which exception does this server need?"),
                .init(
                    "pavise ats diagnose https://app.example --connect 127.0.0.1:8443 --anchors ca.pem",
                    "The same for a server that runs here under another name."),
                .init(
                    "pavise ats diagnose --jobs 64 --json --hosts fleet.txt >today.jsonl",
                    "A list of hosts, one object a line."),
                .init(
                    "pavise ats diagnose --hosts fleet.txt --since yesterday.jsonl", "What changed since yesterday?"),
            ])
    ) { invocation, environment in
        let forms = [invocation[Shared.json], invocation[ATSOptions.sarif], invocation[junit]]
        guard forms.count(where: { $0 }) <= 1 else {
            throw UsageError(.rule("Choose one of --json, --sarif and --junit."), path: invocation.path)
        }
        let list = try invocation[hosts].map(list)
        let servers = invocation[urls] + (list?.urls.filter { !invocation[urls].contains($0) } ?? [])
        guard !servers.isEmpty || list != nil else {
            throw UsageError(.rule("Name an address, or a list with --hosts."), path: invocation.path)
        }
        // A fleet of nothing needs no exception, and says nothing of any server.
        guard !servers.isEmpty || list?.badLines.isEmpty == false else {
            throw UsageError(.rule("The list of --hosts names no address."), path: invocation.path)
        }
        let earlier = try invocation[since].map(earlier)
        let run = DiagnosisRun(
            environment: environment, urls: servers, anchors: try ServerOptions.trust(invocation, environment),
            place: invocation[ServerOptions.connect], jobs: invocation[jobs] ?? 16)
        for line in list?.badLines ?? [] {
            environment.console.tell(.failure("Line \(line.number) of the list was left out. \(line.reason)"))
        }
        let showsEach = invocation[Shared.json] || forms.allSatisfy { !$0 }
        let reports = try await run.reports { report in
            guard showsEach else { return }
            if invocation[Shared.json] {
                try environment.console.show(text: Printable.json(report.data(since: earlier).text) + "\n")
            } else if earlier == nil {
                try environment.console.show(report.report(isVerbose: invocation[verbose]))
            }
        }
        if invocation[ATSOptions.sarif] {
            try environment.console.show(text: Printable.json(DiagnosisReport.sarif(reports).prettyText) + "\n")
        } else if invocation[junit] {
            try environment.console.show(text: DiagnosisReport.junit(reports))
        } else if !invocation[Shared.json], let earlier {
            try environment.console.show(DiagnosisReport.changes(reports, since: earlier))
        } else if !invocation[Shared.json], reports.count > 1 {
            try environment.console.show(DiagnosisReport.summary(reports))
        }
        let isComplete = list?.badLines.isEmpty ?? true
        let unread = isComplete ? 0 : ATSDiagnosis.Conclusion.unreachable.rawValue
        let worst = reports.map(\.diagnosis.conclusion.rawValue).reduce(unread, max)
        guard let status = ProgramStatus(rawValue: Int32(worst)), status != .done else { return }
        throw CommandFailure.reported(status)
    }

    private static func list(_ path: String) throws(CommandFailure) -> HostList {
        HostList(try content(path, limit: HostList.limit))
    }

    private static func earlier(_ path: String) throws(CommandFailure) -> EarlierDiagnosis {
        let bytes = try content(path, limit: EarlierDiagnosis.limit)
        do throws(EarlierDiagnosis.Unreadable) {
            return try EarlierDiagnosis(bytes)
        } catch {
            throw CommandFailure(
                .usage,
                """
                Line \(error.line) of “\(Printable.text(path))” is no diagnosis. --since takes what an earlier run \
                printed with --json, whole.
                """)
        }
    }

    private static func content(_ path: String, limit: Int) throws(CommandFailure) -> [UInt8] {
        do throws(SystemFailure) {
            return try InputFile.open(path).readAll(limit: limit)
        } catch {
            throw CommandFailure(.usage, "The file “\(Printable.text(path))” cannot be read: \(error.words)")
        }
    }

    private static func address(_ text: String) throws(Parameter.Invalid) -> WebURL {
        do throws(WebURL.Problem) {
            return try HostList.url(text)
        } catch {
            throw Parameter.Invalid("cannot be used: \(error.description.trimmingFullStop)")
        }
    }

    private static func count(_ text: String) throws(Parameter.Invalid) -> Int {
        guard let count = Int(text), (1...256).contains(count) else { throw Parameter.Invalid("takes 1 to 256") }
        return count
    }
}
