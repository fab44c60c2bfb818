internal import PaviseArguments
internal import PavisePrimitives
internal import PaviseTransport
internal import SecurityFramework

/// `pavise pin`: the pins of keys, for Info.plist or anything else.
enum PinCommand {
    private static let places = RepeatedArgument(
        "PLACE", help: "A file with a certificate, a request or a public key, or a host such as example.org.")
    private static let asPropertyList = Flag("plist", help: "Print NSPinnedDomains for Info.plist.")
    private static let domain = Option(
        "domain", value: "NAME", help: "The domain of --plist; otherwise the first host or name.")
    private static let pinsAuthorities = Flag(
        "authority", help: "Pin the authorities above the server, not its own key.")

    static let action = Action(
        Command(
            "pin", abstract: "Compute the pin of a key.",
            discussion: """
                A pin is the SHA-256 of a key's SubjectPublicKeyInfo in base64. It outlives a renewal with the same \
                key, and can be computed from a request before there is a certificate.

                Pin at least two keys, of which one is in reserve: an app with one pin fails when that key is lost.
                """,
            parameters: [places, asPropertyList, domain, pinsAuthorities, Shared.json],
            examples: [
                .init("pavise pin example.org", "The pin of a server's key."),
                .init("pavise pin current.pem next.csr --plist --domain example.org", "Two pins for Info.plist."),
            ])
    ) { invocation, environment in
        var found: [Found] = []
        var refused: [Refused] = []
        for text in invocation[places] {
            do {
                found += try await pins(text, authorities: invocation[pinsAuthorities], environment)
            } catch {
                // An app whose list lacks the pin of a key is locked out when that key is used.
                guard invocation[places].count > 1, !invocation[asPropertyList], !(error is CancellationError) else {
                    throw error
                }
                refused.append(Refused(source: text, failure: CommandFailure(describing: error)))
            }
        }
        guard invocation[asPropertyList] else {
            let isOne = invocation[places].count == 1
            try environment.show(report(found, refused, isOne: isOne), for: invocation)
            guard var first = refused.first?.failure else { return }
            first.isReported = true
            throw first
        }
        guard let name = invocation[domain] ?? found.lazy.compactMap(\.domain).first else {
            throw CommandFailure(.usage, "Which domain are the pins for? Say it with --domain NAME.")
        }
        let list = PinnedDomain(
            name: name, isForAuthorities: invocation[pinsAuthorities], pins: found.map(\.pin))
        guard let lines = list.lines else {
            throw CommandFailure(.usage, "“\(name)” is no domain. Say it with --domain NAME.")
        }
        var report = Report(data: list.data)
        for line in lines { report.add(.line(line)) }
        try environment.show(report, for: invocation)
    }

    /// A pin, where it is from, and the domain that it may be for.
    struct Found {
        let pin: String
        let source: String
        let domain: String?
    }

    /// A place that gives no pin; those of the others are printed all the same.
    struct Refused {
        let source: String
        let failure: CommandFailure
    }

    private static func pins(
        _ text: String, authorities: Bool, _ environment: Environment
    ) async throws -> [Found] {
        switch try CertificateSource.read(text) {
        case .file(let entries):
            let wanted = authorities ? entries.filter { $0.facts?.isAuthority == true } : Array(entries.prefix(1))
            guard !wanted.isEmpty else { throw CommandFailure(.failed, "“\(text)” holds no authority's certificate.") }
            return wanted.map { Found(pin: $0.pin, source: text, domain: Self.domain(of: $0)) }
        case .server(let origin):
            let path = try await environment.makeTransport(TrustPolicy()).inspect(origin).path
            let wanted = authorities ? path.dropFirst() : path.prefix(1)
            guard !wanted.isEmpty else {
                throw CommandFailure(.failed, "No trusted path was found above the certificate of \(origin).")
            }
            return wanted.map { Found(pin: $0.base64, source: "\(origin)", domain: origin.host) }
        }
    }

    private static func domain(of entry: KeyFile.Entry) -> String? {
        guard entry.facts?.isAuthority != true else { return nil }
        return entry.facts?.names.first { !$0.contains("*") }
    }

    // Of one place the pin alone, as --approve-certificate takes it: where it is from was typed.
    private static func report(_ found: [Found], _ refused: [Refused], isOne: Bool) -> Report {
        let data = found.map { JSONValue.fields(["pin": .string($0.pin), "source": .string($0.source)]) }
        let failures = refused.map { one in
            JSONValue.fields(["source": .string(one.source), "message": .string(one.failure.message)])
        }
        var report = Report(
            data: .fields(["pins": .array(data), "failures": refused.isEmpty ? nil : .array(failures)]))
        for pin in found { report.add(.line(isOne ? pin.pin : "\(pin.pin)  \(pin.source)")) }
        for one in refused { report.add(.failure(one.failure.message)) }
        return report
    }
}
