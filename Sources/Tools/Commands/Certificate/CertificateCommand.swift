internal import PaviseArguments
internal import PaviseCrypto
internal import PavisePrimitives
internal import PaviseTransport
internal import SecurityFramework

/// `pavise certificate show`: what a certificate says, in words.
enum CertificateCommand {
    private static let place = Argument("PLACE", help: "A file, or a host such as example.org or example.org:8443.")
    private static let chain = Flag("chain", help: "Show each certificate that the server sends, not its own alone.")
    private static let pem = Flag("pem", help: "Print the certificates themselves (PEM), and nothing else.")
    private static let soon = Option(
        "expires-within", value: "DAYS",
        help: "End with status 3 when a shown certificate ends within so many days, 0 to 10000.",
        parse: days)

    static let show = Action(
        Command(
            "show", abstract: "Say what a certificate says.",
            discussion: """
                Shows each certificate of a file (PEM or DER), or the certificate that a server shows in a handshake, \
                and for a server what the rules say about it. Nothing but the handshake is sent, and nothing is \
                stored. The certificate of a server is shown too when its TLS is refused.
                """,
            parameters: [place, chain, pem, soon, ServerOptions.anchors, ServerOptions.connect, Shared.json],
            examples: [
                .init("pavise certificate show example.org", "What a server shows."),
                .init("pavise certificate show chain.pem --json", "What a file holds."),
                .init(
                    "pavise certificate show example.org --expires-within 20",
                    "For a monitor: status 3 in its last days."),
                .init("pavise certificate show example.org --chain --pem >chain.pem", "Keep what the server sends."),
            ])
    ) { invocation, environment in
        let now = environment.time.wallSeconds
        let shown: [CertificateSummary]
        switch try CertificateSource.read(try invocation.value(place)) {
        case .file(let entries):
            shown = entries.compactMap(\.facts).map(CertificateSummary.init(reading:))
            guard !invocation[pem] else {
                let blocks = entries.filter { $0.kind == .certificate }.map { PEM.text("CERTIFICATE", $0.der) }
                try environment.console.show(text: blocks.joined())
                break
            }
            try environment.show(report(entries, now), for: invocation)
        case .server(let origin):
            let server = try await ServerCertificates.ask(
                origin, at: invocation[ServerOptions.connect], trusting: ServerOptions.certificates(invocation),
                wantsChain: invocation[chain] || invocation[pem], environment)
            let certificates = invocation[chain] ? server.certificates : Array(server.certificates.prefix(1))
            let all = certificates.compactMap { CertificateFacts(der: $0) }.map(CertificateSummary.init(reading:))
            shown = invocation[chain] ? all : server.summary.map { [$0] } ?? []
            guard !invocation[pem] else {
                try environment.console.show(text: certificates.map { PEM.text("CERTIFICATE", $0) }.joined())
                break
            }
            try environment.show(
                try report(server, of: origin, chain: invocation[chain] ? shown : [], now), for: invocation)
        }
        guard let limit = invocation[soon] else { return }
        // Where nothing ends, nobody can say that nothing ends soon.
        guard let end = shown.map(\.notAfter).min() else {
            var failure = CommandFailure(.failed, "No certificate was shown whose end --expires-within could be about.")
            failure.isReported = invocation[Shared.json]
            throw failure
        }
        if end - now <= Int64(limit) * 86_400 { throw CommandFailure.reported(.refused) }
    }

    private static func days(_ text: String) throws(Parameter.Invalid) -> Int {
        guard let days = Int(text), (0...10_000).contains(days) else { throw Parameter.Invalid("takes 0 to 10000") }
        return days
    }

    private static func report(_ entries: [KeyFile.Entry], _ now: Int64) -> Report {
        let all = entries.map { facts($0, now) }
        var report = Report(data: .fields(["certificates": .array(all.map(data))]))
        for (entry, facts) in zip(entries, all) {
            report.add(.heading(entry.facts?.commonName ?? entry.kind.rawValue))
            for fact in facts { report.add(.fact(fact)) }
        }
        return report
    }

    private static func report(
        _ server: ServerCertificates, of origin: Origin, chain: [CertificateSummary], _ now: Int64
    ) throws -> Report {
        guard let summary = server.summary else {
            throw CommandFailure(.failed, "The certificate of \(origin) cannot be read.")
        }
        var facts = summary.facts + [summary.end(now)] + server.facts
        if !server.path.isEmpty {
            facts.append(.init("path", "Keys of the path", .array(server.path.map { .string($0.base64) })))
        }
        var members: [JSONValue.Member] = [
            .init("server", .string("\(origin)")), .init("trusted", .bool(server.refusal == nil)),
        ]
        members += facts.map { .init($0.name, $0.value) }
        if let refusal = server.refusal { members.append(.init("refusal", .string(refusal))) }
        if !chain.isEmpty { members.append(.init("chain", .array(chain.map { data($0.facts + [$0.end(now)]) }))) }
        var report = Report(data: .object(members))
        report.add(.heading("\(origin)"))
        for fact in facts + [.init("trusted", "Trusted", server.refusal == nil ? "yes" : "no")] {
            report.add(.fact(fact))
        }
        if let refusal = server.refusal { report.add(.line(refusal)) }
        for (index, certificate) in chain.enumerated() {
            report.add(.heading("Certificate \(index + 1) of \(chain.count) that the server sends"))
            for fact in certificate.facts + [certificate.end(now)] { report.add(.fact(fact)) }
        }
        return report
    }

    private static func facts(_ entry: KeyFile.Entry, _ now: Int64) -> [Report.Fact] {
        guard let facts = entry.facts else { return [.init("spki", "SPKI SHA-256", entry.pin)] }
        let summary = CertificateSummary(reading: facts)
        return summary.facts + [summary.end(now)]
    }

    private static func data(_ facts: [Report.Fact]) -> JSONValue { .object(facts.map { .init($0.name, $0.value) }) }
}

extension CertificateSummary {
    /// When it ends, seen from `now`.
    func end(_ now: Int64) -> Report.Fact { .expiry(of: notAfter, at: now) }

    /// The same facts in the words of the Kit.
    init(reading facts: CertificateFacts) {
        self.init(
            subject: facts.subject, names: facts.names, issuer: facts.issuer, notBefore: facts.notBefore,
            notAfter: facts.notAfter, key: facts.key, signature: facts.signature, serial: facts.serial,
            fingerprint: facts.fingerprint, spki: facts.spki)
    }
}
