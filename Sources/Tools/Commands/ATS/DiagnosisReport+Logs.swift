internal import PavisePrimitives
internal import PaviseTransport

extension DiagnosisReport {
    /// The summary of several servers.
    static func summary(_ reports: [DiagnosisReport]) -> Report {
        var report = Report(data: .null)
        report.add(.heading(reports.count.counting("server")))
        for conclusion in [
            ATSDiagnosis.Conclusion.noExceptionNeeded, .exceptionsSuffice, .noExceptionHelps, .unreachable,
        ] {
            let hosts = reports.filter { $0.diagnosis.conclusion == conclusion }.map(\.place)
            guard !hosts.isEmpty else { continue }
            // A fleet has thousands: the first are named, and the lines of each server have the others.
            let named = conclusion == .noExceptionNeeded ? (hosts.count > 5 ? 0 : 5) : 20
            let rest = hosts.count > named ? " and \(hosts.count - named) more" : ""
            let names = named == 0 ? "" : ": " + hosts.prefix(named).joined(separator: ", ") + rest
            report.add(.line("  \(hosts.count) \(conclusion.words)\(names)"))
        }
        return report
    }

    /// The object, with what is different from an earlier run.
    func data(since earlier: EarlierDiagnosis?) -> JSONValue {
        guard let earlier, let members = data.members else { return data }
        return .object(members + [.init("change", earlier.change(self).data)])
    }

    /// What is different from an earlier run, then the count of all.
    static func changes(_ reports: [DiagnosisReport], since earlier: EarlierDiagnosis) -> Report {
        var report = Report(data: .null)
        let changes = reports.map { ($0, earlier.change($0)) }
        let gone = earlier.gone(reports)
        let different = changes.filter { $0.1 != .same }
        report.add(
            .heading(
                different.isEmpty && gone.isEmpty
                    ? "Nothing changed." : "Changed: \(different.count), not asked any more: \(gone.count)"))
        for (server, change) in different {
            if case .changed(let what) = change {
                report.add(.line("  \(server.place): \(what.joined(separator: "; "))"))
            } else {
                report.add(.line("  \(server.place): new, \(server.diagnosis.conclusion)"))
            }
        }
        for url in gone { report.add(.line("  \(Printable.text(url)): not asked any more")) }
        for part in summary(reports).parts { report.add(part) }
        return report
    }

    /// A SARIF log: one result for each server that needs something.
    static func sarif(_ reports: [DiagnosisReport]) -> JSONValue {
        let rules: [ATSDiagnosis.Conclusion: SARIF.Rule] = [
            .exceptionsSuffice: .init(
                id: "ATS-DIAGNOSE-EXCEPTION", summary: "The server needs an ATS exception.", level: .warning),
            .noExceptionHelps: .init(id: "ATS-DIAGNOSE-REFUSED", summary: "No ATS exception helps.", level: .error),
            .unreachable: .init(
                id: "ATS-DIAGNOSE-UNREACHABLE", summary: "The server could not be reached.", level: .error),
        ]
        return SARIF(
            rules: rules.values.sorted { $0.id < $1.id },
            results: reports.compactMap { report in
                guard let rule = rules[report.diagnosis.conclusion] else { return nil }
                let entry =
                    report.diagnosis.exception.map { " " + $0.dictionary(for: report.url.origin.host).text } ?? ""
                return SARIF.Result(
                    rule: rule.id, level: rule.level, text: report.diagnosis.verdict + entry, place: "\(report.url)",
                    line: nil)
            }
        ).log
    }

    /// JUnit's XML: one test case for each server. A needed exception is a failure, a server that cannot be reached an
    /// error.
    static func junit(_ reports: [DiagnosisReport]) -> String {
        let count = { (wanted: Set<ATSDiagnosis.Conclusion>) in
            reports.count { wanted.contains($0.diagnosis.conclusion) }
        }
        let cases = reports.map { report -> String in
            let name = "    <testcase classname=\"pavise.ats.diagnose\" name=\"\(escaped("\(report.url)"))\">\n"
            let rows = report.diagnosis.results.map { result in
                "\(result.row.number) \(result.row.name): \(result.failure.map { "FAIL \($0.text)" } ?? "PASS")"
            }
            let output = rows.isEmpty ? "" : "      <system-out>\(escaped(rows.joined(separator: "\n")))</system-out>\n"
            return name + report.problem + output + "    </testcase>\n"
        }
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuites>
              <testsuite name="pavise ats diagnose" tests="\(reports.count)" \
            failures="\(count([.exceptionsSuffice, .noExceptionHelps]))" errors="\(count([.unreachable]))">
            \(cases.joined())  </testsuite>
            </testsuites>

            """
    }

    // The host, with its port unless that is the usual one.
    // pavise:ignore LENGTH The text is ASCII, where both counts are the same.
    private var place: String { String("\(url.origin)".dropFirst(url.origin.scheme.rawValue.utf8.count + 3)) }

    private var problem: String {
        let entry = diagnosis.exception.map { $0.dictionary(for: url.origin.host).text } ?? ""
        let message = Self.escaped(diagnosis.verdict)
        return switch diagnosis.conclusion {
        case .noExceptionNeeded: ""
        case .exceptionsSuffice, .noExceptionHelps:
            "      <failure message=\"\(message)\" type=\"\(diagnosis.conclusion)\">\(Self.escaped(entry))</failure>\n"
        case .unreachable: "      <error message=\"\(message)\" type=\"unreachable\"/>\n"
        }
    }

    // XML 1.0 §2.2 has no place for control characters, and a server's words may hold some.
    // Scalar by scalar: with a combining letter behind it a “<” is another character, and one of XML all the same.
    static func escaped(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { Printable.text(String($0)) }
            .joined(separator: "\n").unicodeScalars
            .map { letter in
                switch letter {
                case "&": "&amp;"
                case "<": "&lt;"
                case ">": "&gt;"
                case "\"": "&quot;"
                default: String(letter)
                }
            }.joined()
    }
}

extension ATSDiagnosis.Conclusion {
    /// The conclusion in a count.
    var words: String {
        switch self {
        case .noExceptionNeeded: "need no exception"
        case .exceptionsSuffice: "work with an exception"
        case .noExceptionHelps: "cannot be helped by an exception"
        case .unreachable: "could not be reached"
        }
    }
}
