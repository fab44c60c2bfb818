/// What the handshakes with a server say about App Transport Security: sixteen rows, one verdict, the narrowest
/// exception.
///
/// Pure: somebody else makes the handshakes that ``missing(_:)`` asks for.
package struct ATSDiagnosis: Hashable, Sendable {
    /// One row and how it went.
    package struct Result: Hashable, Sendable {
        package let row: ATSDiagnosisRow
        /// Why it failed; `nil` for a row that passed.
        package let failure: Failure?
    }

    /// Why a row failed.
    package struct Failure: Hashable, Sendable {
        package let text: String
        package let code: ATSFailureCode
    }

    /// The answer to plain http, where it was asked for.
    package struct PlainHTTP: Hashable, Sendable {
        /// The status of the answer.
        package let status: Int
        /// Where it redirects to.
        package let location: String?

        package init(status: Int, location: String?) {
            self.status = status
            self.location = location
        }

        /// Whether it only sends people to https.
        package var redirectsToHTTPS: Bool {
            (300..<400).contains(status) && location?.lowercased().hasPrefix("https://") == true
        }
    }

    /// The conclusion. The raw value is the exit status of the command; 2 is for words that it does not understand.
    package enum Conclusion: Int, Hashable, Sendable {
        case noExceptionNeeded = 0
        case exceptionsSuffice = 1
        case noExceptionHelps = 3
        case unreachable = 6
    }

    /// The rows in their order; none when the server could not be reached.
    package let results: [Result]
    /// What follows.
    package let conclusion: Conclusion
    /// The entry that gives up least and works; `nil` when none is needed or none helps.
    package let exception: ATSException?
    /// One sentence.
    package let verdict: String

    /// The handshakes that are still needed: first the strictest, and the wider ones only when it leaves something
    /// open.
    package static func missing(_ done: [ATSOffer: ATSHandshake]) -> [ATSOffer] {
        guard let first = done[.forwardSecret] else { return [.forwardSecret] }
        guard !first.decidesAll else { return [] }
        return [.withKeyTransport, .any].filter { done[$0] == nil }
    }

    /// Concludes from the handshakes.
    ///
    /// - Parameters:
    ///   - origin: What was asked about; `http` asks whether plain http is needed.
    ///   - handshakes: What ``missing(_:)`` asked for.
    ///   - plainHTTP: The answer to plain http; `nil` when there was none.
    package init(of origin: Origin, _ handshakes: [ATSOffer: ATSHandshake], plainHTTP: PlainHTTP?) {
        results = ATSDiagnosisRow.all.map { row in
            let handshake =
                handshakes[row.offer] ?? handshakes[.forwardSecret] ?? .broken("the handshake was not made")
            return Result(row: row, failure: Self.failure(of: row, handshake))
        }
        let passing = Set(results.filter { $0.failure == nil }.map(\.row.number))
        let best = ATSDiagnosisRow.byWhatTheyGiveUp.first { passing.contains($0.number) }
        if let best {
            exception = best.exception
            conclusion = best.exception == nil ? .noExceptionNeeded : .exceptionsSuffice
            verdict = Self.words(for: best.exception, origin)
        } else if handshakes.values.allSatisfy({ $0 == .timeout }), plainHTTP == nil {
            exception = nil
            conclusion = .unreachable
            verdict = "The server accepts connections and does not answer in time: there is no verdict."
        } else if origin.scheme == .http, plainHTTP?.redirectsToHTTPS == false {
            exception = ATSException(allowsInsecureHTTPLoads: true)
            conclusion = .exceptionsSuffice
            verdict = "The server answers over plain http alone: the app needs an exception that allows insecure loads."
        } else {
            exception = nil
            conclusion = .noExceptionHelps
            let cause = results.first { $0.row.number == 2 }?.failure?.text ?? ""
            verdict = "No ATS exception helps. \(cause)"
        }
    }

    /// The server could not be reached at all, for this reason.
    package init(unreachable reason: String) {
        results = []
        exception = nil
        conclusion = .unreachable
        verdict = "The server could not be reached, so there is no verdict. \(reason)"
    }

    /// Whether App Review wants a reason for the exception.
    package var needsJustification: Bool {
        guard let exception else { return false }
        return exception.allowsInsecureHTTPLoads || exception.minimumTLSVersion != nil
    }

    private static func failure(of row: ATSDiagnosisRow, _ handshake: ATSHandshake) -> Failure? {
        switch handshake {
        case .completed(let version, _, let chain):
            if let floor = row.floor, version.wireNumber < floor.wireNumber {
                let text = "The server speaks \(version.rawValue) at most; the floor is \(floor.rawValue)."
                return Failure(text: text, code: .peerProtocolVersion)
            }
            switch chain {
            case .strict: return nil
            case .systemOnly(let text, let code): return row.isStrict ? Failure(text: text, code: code) : nil
            case .untrusted(let text): return Failure(text: text, code: .certificateUntrusted)
            }
        case .refused(let reason):
            let suites = "The server refuses \(row.offer.words): \(reason)."
            return Failure(text: suites, code: .peerHandshakeFailure)
        case .notTLS: return Failure(text: "What answers does not speak TLS.", code: .secureConnectionFailed)
        case .broken(let reason):
            return Failure(text: "The connection broke in the handshake: \(reason).", code: .handshakeFailed)
        case .timeout: return Failure(text: "The server did not answer in time.", code: .handshakeFailed)
        }
    }

    private static func words(for exception: ATSException?, _ origin: Origin) -> String {
        guard let exception else {
            return origin.scheme == .https
                ? "No exception is needed: the server works under full App Transport Security."
                : "No exception is needed: load the address over https instead of http."
        }
        var parts: [String] = []
        if let version = exception.minimumTLSVersion { parts.append("the lowest version set to \(version.rawValue)") }
        if !exception.requiresForwardSecrecy { parts.append("forward secrecy given up") }
        if exception.allowsInsecureHTTPLoads { parts.append("insecure loads allowed") }
        return "An exception is needed: the server works with \(parts.joined(separator: " and "))."
    }
}

extension ATSOffer {
    /// The offer for people.
    package var words: String {
        switch self {
        case .forwardSecret: "the suites of ATS"
        case .withKeyTransport: "the suites of ATS and RSA key transport"
        case .any: "every suite"
        }
    }
}
