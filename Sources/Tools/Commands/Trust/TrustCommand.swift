internal import Foundation
internal import PaviseArguments
internal import PavisePrimitives
internal import SecurityFramework

/// `pavise trust evaluate`: the verdict on a chain, with every reason.
enum TrustCommand {
    private static let chain = Option("chain", value: "FILE", help: "The chain, the server's own certificate first.")
    private static let host = Option("host", value: "NAME", help: "The name or address that the server was asked by.")
    private static let date = Option(
        "at", value: "DATE", help: "Judge at this time, such as 2026-11-22T00:00:00Z.", parse: seconds)
    private static let anchors = Option("anchors", value: "FILE", help: "Trust these roots and no others.")
    private static let lists = RepeatedOption("crl", value: "FILE", help: "A revocation list, PEM or DER.") { $0 }
    private static let answers = RepeatedOption("ocsp", value: "FILE", help: "A stapled OCSP answer, DER.") { $0 }
    private static let logs = Option(
        "logs", value: "FILE", help: "Certificate logs to ask for, a log_list.json of version 3.")
    private static let signature = Option(
        "logs-signature", value: "FILE", help: "The maker's signature of that list, its log_list.sig.")
    private static let maker = Option("logs-key", value: "FILE", help: "The maker's public key, PEM or DER.")
    private static let needsLogs = Flag(
        "require-logs", help: "Ask for logs under every root, and refuse where the list is too old.")
    private static let needsAnswer = Flag(
        "require-revocation", help: "Refuse what no list and no answer clears.")

    static let evaluate = Action(
        Command(
            "evaluate", abstract: "Judge a chain of certificates.",
            discussion: """
                Builds a path from the first certificate to a root and checks it by the rules for TLS servers. Each \
                reason names its certificate; 0 is the server's own. Nothing is fetched.

                With --logs, enough of the listed logs must have promised to hold the certificate. As on Apple's \
                systems that binds public authorities, by a list of the last 60 days; --require-logs binds every \
                chain. Whoever names the list vouches for it, unless --logs-signature and --logs-key have its \
                signature checked. Promises count inside the certificate and in a stapled answer.

                Ends with 0 for a trusted chain, 3 for a refused one.
                """,
            parameters: [
                chain, host, date, anchors, lists, answers, needsAnswer, logs, signature, maker, needsLogs, Shared.json,
            ],
            examples: [
                .init("pavise trust evaluate --chain chain.pem --host example.org", "With this machine's roots."),
                .init(
                    "pavise trust evaluate --chain chain.pem --host a.example --anchors root.pem --json",
                    "With roots of one's own, for a program."),
            ])
    ) { invocation, environment in
        guard let path = invocation[chain], let name = invocation[host] else {
            throw CommandFailure(.usage, "Say what to judge, and for whom: --chain FILE --host NAME.")
        }
        let roots = try invocation[anchors].map { TrustAnchors.only(try CertificateSource.certificates(of: $0)) }
        var request = TrustRequest(
            chain: try CertificateSource.certificates(of: path), peer: .server(host: name),
            at: invocation[date] ?? environment.time.wallSeconds,
            anchors: try roots ?? environment.systemAnchors()())
        request.evidence = try evidence(invocation)
        request.revocation = invocation[needsAnswer] ? .hard : .soft
        request.transparency = try transparency(invocation)
        let report = TrustReport(ServerTrust.evaluate(request), of: request, host: name)
        try environment.show(report.report, for: invocation)
        guard report.isTrusted else { throw report.failure }
    }

    private static func evidence(_ invocation: Invocation) throws -> RevocationEvidence {
        func file(_ path: String) throws -> [UInt8] { try InputFile.read(path, limit: 32 << 20) }
        let evidence = RevocationEvidence(
            lists: try invocation[lists].flatMap { RevocationEvidence.lists(in: try file($0)) },
            answers: try invocation[answers].map(file))
        guard evidence.unreadable == 0 else {
            throw CommandFailure(.failed, "A revocation list or an answer cannot be read.")
        }
        return evidence
    }

    private static func transparency(_ invocation: Invocation) throws -> TransparencyDemand? {
        guard let path = invocation[logs] else {
            guard !invocation[needsLogs] else { throw CommandFailure(.usage, "--require-logs needs --logs FILE.") }
            guard invocation[signature] == nil, invocation[maker] == nil else {
                throw CommandFailure(.usage, "--logs-signature and --logs-key are about a list: add --logs FILE.")
            }
            return nil
        }
        let bytes = try InputFile.read(path, limit: TransparencyLogList.maximumSize)
        let proof = try proof(invocation)
        do throws(LogListFailure) {
            let list =
                if let proof {
                    try TransparencyLogList(json: bytes, signature: proof.signature, maker: proof.maker)
                } else {
                    try TransparencyLogList(json: bytes)
                }
            return TransparencyDemand(
                logs: list, scope: invocation[needsLogs] ? .everyServer : .publicAuthorities)
        } catch {
            throw CommandFailure(.failed, "“\(path)”: \(error)")
        }
    }

    // A signature without a key, or a key without a signature, would look like a check and be none.
    private static func proof(_ invocation: Invocation) throws -> (signature: [UInt8], maker: [UInt8])? {
        switch (invocation[signature], invocation[maker]) {
        case (nil, nil): return nil
        case (let signature?, let maker?):
            return (try InputFile.read(signature, limit: 1 << 16), try InputFile.read(maker, limit: 1 << 16))
        default: throw CommandFailure(.usage, "--logs-signature and --logs-key go together: give both.")
        }
    }

    private static func seconds(_ text: String) throws(Parameter.Invalid) -> Int64 {
        let whole = text.count == 10 ? "\(text)T00:00:00Z" : text
        guard let date = try? Date(whole, strategy: .iso8601) else {
            throw Parameter.Invalid("takes a date such as 2026-11-22 or 2026-11-22T08:00:00Z")
        }
        return Int64(date.timeIntervalSince1970.rounded(.down))
    }
}
