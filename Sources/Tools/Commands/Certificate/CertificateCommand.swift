internal import PaviseArguments
internal import PavisePrimitives
internal import PaviseTransport
internal import SecurityFramework

/// `pavise certificate show`: what a certificate says, in words.
enum CertificateCommand {
    private static let place = Argument("PLACE", help: "A file, or a host such as example.org or example.org:8443.")

    static let show = Action(
        Command(
            "show", abstract: "Say what a certificate says.",
            discussion: """
                Shows each certificate of a file (PEM or DER), or the certificate that a server shows in a handshake, and for \
                a server what the rules say about it. Nothing but the handshake is sent, and nothing is stored.
                """,
            parameters: [place, Shared.json],
            examples: [
                .init("pavise certificate show example.org", "What a server shows."),
                .init("pavise certificate show chain.pem --json", "What a file holds."),
            ])
    ) { invocation, environment in
        switch try CertificateSource.read(try invocation.value(place)) {
        case .file(let entries): try environment.show(report(entries), for: invocation)
        case .server(let origin):
            let inspection = try await environment.makeTransport(TrustPolicy()).inspect(origin)
            try environment.show(try report(inspection), for: invocation)
        }
    }

    private static func report(_ entries: [KeyFile.Entry]) -> Report {
        let all = entries.map(facts)
        var report = Report(data: .fields(["certificates": .array(all.map(data))]))
        for (entry, facts) in zip(entries, all) {
            report.add(.heading(entry.facts?.commonName ?? entry.kind.rawValue))
            for fact in facts { report.add(.fact(fact)) }
        }
        return report
    }

    private static func report(_ inspection: ServerInspection) throws -> Report {
        guard let summary = inspection.summary else {
            throw CommandFailure(.failed, "The certificate of \(inspection.origin) cannot be read.")
        }
        let refusal = inspection.decision.refusal
        var facts = refusal?.facts ?? summary.facts
        facts.append(.init("path", "Keys of the path", .array(inspection.path.map { .string($0.base64) })))
        let verdict = Report.Fact("trusted", "Trusted", refusal == nil ? "yes" : "no")
        let members: [JSONValue.Member] = [
            .init("server", .string("\(inspection.origin)")), .init("trusted", .bool(refusal == nil)),
        ]
        var report = Report(data: .object(members + facts.map { .init($0.name, $0.value) }))
        report.add(.heading("\(inspection.origin)"))
        for fact in facts + [verdict] { report.add(.fact(fact)) }
        if let refusal { report.add(.line(refusal.sentences)) }
        return report
    }

    private static func facts(_ entry: KeyFile.Entry) -> [Report.Fact] {
        guard let facts = entry.facts else { return [.init("spki", "SPKI SHA-256", entry.pin)] }
        return CertificateSummary(reading: facts).facts
    }

    private static func data(_ facts: [Report.Fact]) -> JSONValue { .object(facts.map { .init($0.name, $0.value) }) }
}

extension CertificateSummary {
    /// The same facts in the words of the Kit.
    init(reading facts: CertificateFacts) {
        self.init(
            subject: facts.subject, names: facts.names, issuer: facts.issuer, notBefore: facts.notBefore,
            notAfter: facts.notAfter, key: facts.key, signature: facts.signature, serial: facts.serial,
            fingerprint: facts.fingerprint, spki: facts.spki)
    }
}
