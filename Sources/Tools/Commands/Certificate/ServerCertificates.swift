internal import PaviseCrypto
internal import PavisePrimitives
internal import PaviseTransport
internal import SecurityFramework

/// What a server sends in a handshake, and what the rules say of it.
struct ServerCertificates: Sendable {
    /// As the server sends them, DER, its own first; empty where nobody wants them.
    let certificates: [[UInt8]]
    /// What its own says; `nil` when it cannot be read.
    let summary: CertificateSummary?
    /// The keys of the trusted path, the server's own first; empty when there is none, or nobody looked for one.
    let path: [Pin]
    /// Further facts: version and suite, what failed.
    let facts: [Report.Fact]
    /// Why Pavise would not talk to it; `nil` when it would.
    let refusal: String?

    /// How long a connection and its handshake may take, in milliseconds.
    private static let patience: Int32 = 10_000

    /// Asks a server, with nothing but handshakes.
    ///
    /// The rules judge it as any connection of Pavise does. Where they have nothing to judge, because the server speaks
    /// no TLS that is offered, a second handshake that offers everything shows the certificate. One that is looked for
    /// at another place is judged by the handshakes of a diagnosis, since a connection goes where its name leads.
    static func ask(
        _ origin: Origin, at place: ServerProbe.Endpoint?, trusting anchors: [[UInt8]]?, wantsChain: Bool,
        _ environment: Environment
    ) async throws -> ServerCertificates {
        guard let place else {
            do {
                let policy = TrustPolicy(anchors: anchors.map { .only($0) } ?? .system)
                let inspection = try await environment.makeTransport(policy).inspect(origin)
                return try await inspected(inspection, wantsChain: wantsChain)
            } catch TransportFailure.tls(let words, _) {
                let shown = try await handshake(.init(host: origin.host, port: origin.port), origin)
                return try ServerCertificates(shown, refusal: "TLS is refused: \(words)", anchors, origin, environment)
            }
        }
        let shown = try await handshake(place, origin)
        let refusal = try await refusal(at: place, of: origin, trusting: anchors, environment)
        return try ServerCertificates(shown, refusal: refusal, anchors, origin, environment)
    }

    /// What App Transport Security has against a server that is looked for at another place; `nil` when it connects, or
    /// when its certificate is not trusted, which is said elsewhere.
    private static func refusal(
        at place: ServerProbe.Endpoint, of origin: Origin, trusting anchors: [[UInt8]]?, _ environment: Environment
    ) async throws -> String? {
        let trusted = try anchors.map { TrustAnchors.only($0) } ?? environment.systemAnchors()()
        let probe = ServerProbe(
            origin: origin, place: place, anchors: { trusted }, seconds: environment.time.wallSeconds)
        let failure = await probe.run().diagnosis.results.first?.failure
        guard let failure, failure.code != .certificateUntrusted, failure.code != .certificateTrust else { return nil }
        return "TLS is refused: \(failure.text)"
    }

    private static func inspected(_ inspection: ServerInspection, wantsChain: Bool) async throws -> ServerCertificates {
        let refusal = inspection.decision.refusal
        let failed = refusal.map { Report.Fact("failures", "Failed", .array($0.failures.map { .string($0.rawValue) })) }
        let origin = inspection.origin
        let shown = wantsChain ? try await handshake(.init(host: origin.host, port: origin.port), origin) : nil
        return ServerCertificates(
            certificates: shown?.chain ?? [], summary: refusal?.summary ?? inspection.summary, path: inspection.path,
            facts: failed.map { [$0] } ?? [], refusal: refusal?.sentences)
    }

    private static func handshake(
        _ place: ServerProbe.Endpoint, _ origin: Origin
    ) async throws -> DiagnosticHandshake.Shown {
        let result: Result<DiagnosticHandshake.Shown, CommandFailure> = try await WorkerThread.run {
            do {
                let socket = try TCPStream.dial(host: place.host, port: place.port, within: patience)
                return .success(
                    try DiagnosticHandshake(.everything).perform(
                        over: socket, serverName: IPAddress(origin.host) == nil ? origin.host : nil, within: patience))
            } catch let error as SystemFailure {
                return .failure(CommandFailure(.failed, "\(origin) cannot be reached: \(error.words)"))
            } catch {
                return .failure(CommandFailure(.failed, "\(origin) speaks no TLS that can be read: \(error)"))
            }
        }
        return try result.get()
    }
}

extension ServerCertificates {
    /// A handshake that judged nothing: the path is looked for here.
    private init(
        _ shown: DiagnosticHandshake.Shown, refusal: String?, _ anchors: [[UInt8]]?, _ origin: Origin,
        _ environment: Environment
    ) throws {
        let trusted = try anchors.map { TrustAnchors.only($0) } ?? environment.systemAnchors()()
        let verdict = ServerTrust.evaluate(
            chain: shown.chain, host: origin.host, at: environment.time.wallSeconds, anchors: trusted)
        let untrusted = verdict.isTrusted ? nil : verdict.failures.first?.diagnosis ?? "The certificate is not trusted."
        let reasons = [refusal, untrusted].compactMap(\.self)
        self.init(
            certificates: shown.chain,
            summary: shown.chain.first.flatMap { CertificateFacts(der: $0) }.map(CertificateSummary.init(reading:)),
            path: [], facts: [.init("tls", "Negotiated", "\(shown.version), \(shown.suite)")],
            refusal: reasons.isEmpty ? nil : reasons.joined(separator: " "))
    }
}
