internal import PavisePrimitives
internal import PaviseTransport

/// The diagnosis of one server as text and as JSON.
struct DiagnosisReport: Sendable {
    let url: WebURL
    let diagnosis: ATSDiagnosis
    let handshakes: [ATSOffer: ATSHandshake]
    let plainHTTP: ATSDiagnosis.PlainHTTP?
    let isDirect: Bool
    /// When it was asked: seconds since 1970.
    let asked: Int64
    /// When the server's certificate ends; `nil` where none was seen.
    let expiry: Report.Fact?
    /// The SPKI SHA-256 of the server's certificate in each handshake, in base64: one server may have several.
    let keys: [ATSOffer: String]

    /// The value of `NSAppTransportSecurity` that is needed; empty when none is or none helps.
    private var exceptions: JSONValue {
        diagnosis.exception.map { $0.dictionary(for: url.origin.host) } ?? .object([])
    }

    /// The object for programs. `schema` counts its forms: a member that goes or changes its meaning makes a new
    /// number.
    var data: JSONValue {
        .fields([
            "schema": .integer(1), "asked": .string(time), "url": .string("\(url)"), "host": .string(url.origin.host),
            "port": .integer(url.origin.port), "rows": .array(diagnosis.results.map(Self.row)),
            "conclusion": .string("\(diagnosis.conclusion)"), "verdict": .string(diagnosis.verdict),
            "exitStatus": .integer(diagnosis.conclusion.rawValue), "exceptions": exceptions,
            "needsJustification": .bool(diagnosis.needsJustification), "negotiated": negotiated,
            "spki": key, "plainHTTP": plain,
            "isLocal": .bool(isDirect), "notes": .array(notes.map { .string($0) }),
            "handshakes": .integer(handshakes.count), "daysLeft": expiry?.value ?? .null,
        ])
    }

    // As RFC 3339 has it.
    private var time: String { "\(CivilTime(seconds: asked).text)Z" }

    // The strictest offer that the server took.
    private var shown: (offer: ATSOffer, version: ATSVersion, suite: String)? {
        for offer in [ATSOffer.forwardSecret, .withKeyTransport, .any] {
            if case .completed(let version, let suite, _)? = handshakes[offer] { return (offer, version, suite) }
        }
        return nil
    }

    private var negotiated: JSONValue {
        guard let shown else { return .null }
        return .fields([
            "version": .string(shown.version.rawValue), "suite": .string(shown.suite),
            "offer": .string("\(shown.offer)"),
        ])
    }

    // The pin of the certificate that was shown then.
    private var key: JSONValue {
        guard let shown, let key = keys[shown.offer] else { return .null }
        return .string(key)
    }

    private var plain: JSONValue {
        guard let plainHTTP else { return .null }
        return .fields([
            "status": .integer(plainHTTP.status), "redirectsToHTTPS": .bool(plainHTTP.redirectsToHTTPS),
        ])
    }

    private static func row(_ result: ATSDiagnosis.Result) -> JSONValue {
        .fields([
            "row": .integer(result.row.number), "name": .string(result.row.name),
            "result": .string(result.failure == nil ? "PASS" : "FAIL"),
            "reason": result.failure.map { .string("\($0.text) (\($0.code.rawValue) \($0.code.name))") } ?? .null,
            "code": result.failure.map { .integer($0.code.rawValue) } ?? .null,
            "codeName": result.failure.map { .string($0.code.name) } ?? .null,
        ])
    }

    /// The text for people.
    func report(isVerbose: Bool) -> Report {
        var report = Report(data: data)
        let isGood = diagnosis.conclusion == .noExceptionNeeded
        report.add(isGood ? .success(diagnosis.verdict) : .failure(diagnosis.verdict))
        report.add(.fact(.init("url", "Address", "\(url)")))
        if let shown {
            report.add(.fact(.init("tls", "Negotiated", "\(shown.version.rawValue), \(shown.suite)")))
        }
        if let expiry { report.add(.fact(.init(expiry.name, "Certificate", expiry.value, words: expiry.words))) }
        report.add(.fact(.init("http", "Plain http", httpWords)))
        report.add(.fact(.init("handshakes", "Handshakes", "\(handshakes.count)")))
        for note in notes { report.add(.fact(.init("note", "Note", note))) }
        if !diagnosis.results.isEmpty { report.add(.table(table(isVerbose))) }
        guard let exception = diagnosis.exception else { return report }
        report.add(.heading("The narrowest exception for Info.plist:"))
        for line in exception.fragment(for: url.origin.host).split(separator: "\n") { report.add(.line(String(line))) }
        report.add(
            .line(
                diagnosis.needsJustification
                    ? "App Review wants a reason for it. Eligible: "
                        + ATSJustification.allCases.map(\.text).joined(separator: "; ") + "."
                    : "App Review wants no reason for it."))
        return report
    }

    private func table(_ isVerbose: Bool) -> [[String]] {
        let head = ["row", "configuration"] + (isVerbose ? ["keys"] : []) + ["result", "reason"]
        return [head]
            + diagnosis.results.map { result in
                let keys =
                    result.row.exception.map { JSONValue.object($0.members).text }
                    ?? (result.row.number == 2 ? "NSAllowsArbitraryLoads" : "none")
                let failure = result.failure.map { "\($0.text) (\($0.code.rawValue))" } ?? ""
                return ["\(result.row.number)", result.row.name] + (isVerbose ? [keys] : [])
                    + [result.failure == nil ? "PASS" : "FAIL", failure]
            }
    }

    private var httpWords: String {
        guard let plainHTTP else { return "no answer, or not asked" }
        if plainHTTP.redirectsToHTTPS { return "redirects to https (\(plainHTTP.status))" }
        return "answers with \(plainHTTP.status)"
    }

    /// What a person should know beyond the rows.
    var notes: [String] {
        var notes: [String] = []
        if isDirect {
            notes.append(
                "The target is local: on current systems ATS leaves it alone unless NSAllowsLocalNetworking is false. "
                    + "The rows tell what a public host with this server would need.")
        } else if ATSAddress(url.origin.host) != nil {
            notes.append("The target is an address: entries for addresses work from iOS 17 and macOS 14 on.")
        }
        if case .completed(_, let suite, _)? = handshakes[.any],
            handshakes[.withKeyTransport].map(Self.isRefused) == true,
            ATSCipherSuite.documented2016.contains(where: { $0.libraryName == suite })
        {
            notes.append(
                """
                The server's suite \(suite) was in the list that Apple documented until 2018; current systems do not \
                offer it.
                """
            )
        }
        return notes
    }

    private static func isRefused(_ handshake: ATSHandshake) -> Bool {
        guard case .completed = handshake else { return true }
        return false
    }
}
