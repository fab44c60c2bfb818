internal import PaviseCrypto
internal import PavisePrimitives
internal import PaviseTransport
internal import SecurityFramework

/// Makes the connections of a diagnosis: handshakes side by side, one question over plain http.
struct ServerProbe: Sendable {
    /// Where the connections go; the host and port of the address unless somebody says otherwise.
    struct Endpoint: Hashable, Sendable {
        let host: String
        let port: UInt16
    }

    let origin: Origin
    let place: Endpoint?
    let anchors: @Sendable () -> TrustAnchors
    /// The time to judge certificates at, in seconds since 1970.
    let seconds: Int64
    /// The time for one connection, from the look-up to the end of the handshake, in milliseconds.
    var patience: Int32 = 5_000
    /// How long the first handshake may stay silent before the wider offers are made beside it, in milliseconds.
    ///
    /// Some old servers never answer an offer that they do not understand, and then the wider ones decide. Side by side
    /// the silence of a server costs its time once.
    var hesitation: Int32 = 1_000

    /// What the diagnosis needs, and how many handshakes decided it.
    func run() async -> (
        diagnosis: ATSDiagnosis, handshakes: Int, seen: [ATSOffer: ATSHandshake], http: ATSDiagnosis.PlainHTTP?,
        notAfter: Int64?, keys: [ATSOffer: String]
    ) {
        async let answer = plainHTTP()
        let (done, failure, notAfter, keys) = await handshakes()
        let http = await answer
        let diagnosis =
            if let failure, done.isEmpty, origin.scheme == .https || http == nil {
                ATSDiagnosis(unreachable: Self.words(failure))
            } else {
                ATSDiagnosis(of: origin, done, plainHTTP: http)
            }
        return (diagnosis, done.count, done, http, notAfter, keys)
    }

    /// A handshake, and of the certificate that the server showed in it the end, in seconds since 1970, and the SPKI
    /// SHA-256 in base64.
    private typealias Seen = (handshake: ATSHandshake, notAfter: Int64?, key: String?)

    private enum Event: Sendable {
        case ended(ATSOffer, Result<Seen, SystemFailure>)
        case hesitated
    }

    private func handshakes() async -> (
        done: [ATSOffer: ATSHandshake], failure: SystemFailure?, notAfter: Int64?, keys: [ATSOffer: String]
    ) {
        await withTaskGroup(of: Event.self) { group in
            var done: [ATSOffer: ATSHandshake] = [:]
            var failure: SystemFailure?
            var notAfter: Int64?
            var keys: [ATSOffer: String] = [:]
            var begun: Set<ATSOffer> = []
            func begin(_ offers: [ATSOffer], within patience: Int32, _ group: inout TaskGroup<Event>) {
                for offer in offers where begun.insert(offer).inserted {
                    group.addTask { .ended(offer, await result(of: offer, within: patience)) }
                }
            }
            begin(ATSDiagnosis.missing([:]), within: patience, &group)
            group.addTask {
                try? await Task.sleep(for: .milliseconds(Int64(hesitation)))
                return .hesitated
            }
            while failure == nil, !ATSDiagnosis.missing(done).isEmpty, let event = await group.next() {
                switch event {
                case .hesitated: begin(ATSOffer.allCases, within: max(1_000, patience - hesitation), &group)
                case .ended(let offer, .success(let seen)):
                    done[offer] = seen.handshake
                    keys[offer] = seen.key
                    notAfter = [notAfter, seen.notAfter].compactMap(\.self).min()
                    begin(ATSDiagnosis.missing(done), within: patience, &group)
                case .ended(_, .failure(let problem)): failure = problem
                }
            }
            group.cancelAll()
            return (done, failure, notAfter, keys)
        }
    }

    private func result(
        of offer: ATSOffer, within patience: Int32
    ) async -> Result<Seen, SystemFailure> {
        do throws(SystemFailure) {
            return try await WorkerThread.run { handshake(offer, within: patience) }
        } catch {
            return .failure(error)
        }
    }

    private var secure: Endpoint {
        place ?? Endpoint(host: origin.host, port: origin.scheme == .http && origin.port == 80 ? 443 : origin.port)
    }

    private func handshake(_ offer: ATSOffer, within patience: Int32) -> Result<Seen, SystemFailure> {
        let socket: TCPStream
        do throws(SystemFailure) {
            socket = try TCPStream.dial(host: secure.host, port: secure.port, within: patience)
        } catch {
            return .failure(error)
        }
        do throws(TLSFailure) {
            let shown = try Self.client(for: offer).perform(
                over: socket, serverName: IPAddress(origin.host) == nil ? origin.host : nil, within: patience)
            guard let version = Self.version(shown.version) else {
                return .success((.broken("version \(shown.version)"), nil, nil))
            }
            let own = shown.chain.first.flatMap { CertificateFacts(der: $0) }
            let handshake = ATSHandshake.completed(
                version: version, suite: shown.suite, chain: judge(shown.chain))
            return .success((handshake, own?.notAfter, own?.spki))
        } catch {
            return .success((ATSHandshake(error), nil, nil))
        }
    }

    private static func client(for offer: ATSOffer) throws(TLSFailure) -> DiagnosticHandshake {
        do throws(CryptoFailure) {
            return try DiagnosticHandshake(DiagnosticHandshake.Offer(offer))
        } catch {
            throw .handshake("the offer could not be made")
        }
    }

    private static func version(_ text: String) -> ATSVersion? { text == "TLSv1" ? .tls10 : ATSVersion(rawValue: text) }

    private func judge(_ chain: [[UInt8]]) -> ATSChainJudgement {
        let verdict = ServerTrust.evaluate(chain: chain, host: origin.host, at: seconds, anchors: anchors())
        guard verdict.isTrusted else {
            return .untrusted(verdict.failures.first?.diagnosis ?? "The certificate is not trusted.")
        }
        return ATSChainJudgement(
            trusted: verdict.path.compactMap { CertificateFacts(der: $0) }.map {
                ATSChainJudgement.Facts(
                    isRSA: $0.isRSA, isEC: $0.isEC, keyBits: $0.keyBits, hash: $0.signatureHash,
                    isSelfIssued: $0.isSelfIssued)
            })
    }

    private func plainHTTP() async -> ATSDiagnosis.PlainHTTP? {
        guard place == nil || origin.scheme == .http else { return nil }
        let port = origin.scheme == .http ? origin.port : 80
        let target = place ?? Endpoint(host: origin.host, port: port)
        let question = PlainQuestion(
            host: target.host, port: target.port, name: origin.host, patience: min(patience, 2_000))
        return try? await WorkerThread.run { question.ask() }
    }

    private static func words(_ failure: SystemFailure) -> String {
        failure.operation == "resolve"
            ? "The name “\(failure.path)” is not known." : "\(failure.path): \(failure.description)"
    }
}

extension DiagnosticHandshake.Offer {
    init(_ offer: ATSOffer) {
        let list =
            switch offer {
            case .forwardSecret: ATSCipherSuite.forwardSecret
            case .withKeyTransport: ATSCipherSuite.forwardSecret + ATSCipherSuite.rsaKeyTransport
            case .any: [ATSCipherSuite]()
            }
        guard !list.isEmpty else {
            self = .everything
            return
        }
        let names = { (isModern: Bool) in
            list.filter { ($0.number >> 8 == 0x13) == isModern }.map(\.libraryName).joined(separator: ":")
        }
        self.init(suites: names(false), modernSuites: names(true))
    }
}

extension ATSHandshake {
    /// What a failed handshake means, from OpenSSL's reason.
    init(_ failure: TLSFailure) {
        switch failure {
        case .timeout: self = .timeout
        case .closed: self = .broken("the server closed the connection")
        case .broken(let reason): self = .broken(TLSReason.plain(reason))
        case .handshake(let reason):
            let notTLS = ["wrong version number", "http request", "packet length too long", "unexpected message"]
            if notTLS.contains(reason) {
                self = .notTLS
            } else if reason.contains("alert") || reason.contains("unsupported") || reason.contains("wrong") {
                self = .refused(TLSReason.plain(reason))
            } else {
                self = .broken(TLSReason.plain(reason))
            }
        }
    }
}
