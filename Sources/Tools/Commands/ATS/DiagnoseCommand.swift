internal import PaviseArguments
internal import PaviseCrypto
internal import PavisePrimitives
internal import PaviseTransport
internal import SecurityFramework

/// `pavise ats diagnose`: which exceptions a server needs.
enum DiagnoseCommand {
    private static let urls = RepeatedArgument(
        "URL", help: "An address such as https://example.org; a host alone means https.", parse: address)
    private static let verbose = Flag("verbose", letter: "v", help: "Print the keys of each row.")
    private static let junit = Flag("junit", help: "Print JUnit's XML instead of text.")
    private static let anchors = Option(
        "anchors", value: "FILE", help: "Trust these certificates (PEM) and no others; this machine's unless given.")
    private static let connect = Option(
        "connect", value: "HOST:PORT",
        help: "Connect there, whatever the address says; names are still compared with it.",
        parse: place)
    private static let jobs = Option(
        "jobs", letter: "j", value: "N", help: "How many servers to ask at the same time, 1 to 256; 16 unless given.",
        parse: count)

    static let action = Action(
        Command(
            "diagnose", abstract: "Find out which ATS exceptions a server needs.",
            discussion: """
                Plays the sixteen configurations of macOS's own tool with as few handshakes as decide them (one for a good \
                server, three at most), and asks once over plain http. Prints the narrowest exception that works and whether \
                App Review wants a reason for it. No request is sent over TLS.

                A server with TLS 1.2 alone fails three rows and needs nothing: read the verdict, not the rows.

                Exit status, the highest of all addresses: 0 no exception is needed, 1 the printed exceptions suffice, 3 no \
                exception helps, 6 a server could not be reached. 2 is usage: nothing was asked.
                """,
            parameters: [
                urls, verbose, Shared.json, ATSOptions.sarif, junit, anchors, connect, jobs,
            ],
            examples: [
                .init("pavise ats diagnose https://example.org", "Which exception does this server need?"),
                .init(
                    "pavise ats diagnose https://app.example --connect 127.0.0.1:8443 --anchors ca.pem",
                    "The same for a server that runs here under another name."),
                .init(
                    "pavise ats diagnose --jobs 64 --json $(cat hosts) >verdicts", "A list of hosts, one object a line."
                ),
            ])
    ) { invocation, environment in
        let forms = [invocation[Shared.json], invocation[ATSOptions.sarif], invocation[junit]]
        guard forms.count(where: { $0 }) <= 1 else {
            throw UsageError(.rule("Choose one of --json, --sarif and --junit."), path: invocation.path)
        }
        let run = DiagnosisRun(
            environment: environment, urls: invocation[urls], anchors: try trust(invocation, environment),
            place: invocation[connect], jobs: invocation[jobs] ?? 16)
        let showsEach = invocation[Shared.json] || forms.allSatisfy { !$0 }
        let reports = try await run.reports { report in
            guard showsEach else { return }
            if invocation[Shared.json] {
                try environment.console.show(text: report.data.text + "\n")
            } else {
                try environment.console.show(report.report(isVerbose: invocation[verbose]))
            }
        }
        if invocation[ATSOptions.sarif] {
            try environment.console.show(text: DiagnosisReport.sarif(reports).prettyText + "\n")
        } else if invocation[junit] {
            try environment.console.show(text: DiagnosisReport.junit(reports))
        } else if !invocation[Shared.json], reports.count > 1 {
            try environment.console.show(DiagnosisReport.summary(reports))
        }
        let worst = reports.map(\.diagnosis.conclusion.rawValue).max() ?? 0
        guard let status = ProgramStatus(rawValue: Int32(worst)), status != .done else { return }
        throw CommandFailure.reported(status)
    }

    private static func trust(
        _ invocation: Invocation, _ environment: Environment
    ) throws -> @Sendable () -> TrustAnchors {
        guard let path = invocation[anchors] else { return try environment.systemAnchors() }
        let bytes: [UInt8]
        do throws(SystemFailure) {
            bytes = try InputFile.read(path, limit: 8 << 20)
        } catch {
            throw CommandFailure(.usage, "The file “\(Printable.text(path))” cannot be read: \(error.words)")
        }
        let certificates = PEM.blocks("CERTIFICATE", in: String(decoding: bytes, as: UTF8.self)) ?? []
        let anchors = TrustAnchors.only(certificates)
        guard anchors.count > 0 else {
            throw CommandFailure(.usage, "The file “\(Printable.text(path))” holds no certificate in PEM form.")
        }
        return { anchors }
    }

    private static func address(_ text: String) throws(Parameter.Invalid) -> WebURL {
        try ATSOptions.address(text.contains("://") ? text : "https://\(text)")
    }

    private static func place(_ text: String) throws(Parameter.Invalid) -> ServerProbe.Endpoint {
        guard let url = try? WebURL("https://\(text)"), url.path == "/", url.query == nil, text.contains(":") else {
            throw Parameter.Invalid("takes a host and a port, such as 127.0.0.1:8443")
        }
        return ServerProbe.Endpoint(host: url.origin.host, port: url.origin.port)
    }

    private static func count(_ text: String) throws(Parameter.Invalid) -> Int {
        guard let count = Int(text), (1...256).contains(count) else { throw Parameter.Invalid("takes 1 to 256") }
        return count
    }
}
