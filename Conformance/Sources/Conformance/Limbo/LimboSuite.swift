internal import Dispatch
internal import Foundation
internal import PaviseCrypto
internal import SecurityFramework
internal import Synchronization

/// x509-limbo and BetterTLS: chains with known verdicts.
enum LimboSuite {
    @Sendable static func play(_ arguments: SuiteArguments) throws -> SuiteReport {
        var report = SuiteReport("limbo", arguments)
        for path in arguments.paths {
            let clock = ContinuousClock()
            let file = try LimboFile(path)
            let start = clock.now
            let outcomes = try judge(file)
            report.figures["seconds", default: 0] += (clock.now - start) / .seconds(1)
            report.add(outcomes, warnings: LimboWarnings(beside: path))
        }
        return report
    }

    /// What came out of a case: whether it was accepted, the first reason where that is wrong, and the rule that
    /// explains an acceptance.
    struct Outcome: Sendable {
        let id: String
        let isToBeAccepted: Bool
        let isAccepted: Bool
        let reason: String
        let explanation: String?
    }

    // Cases know nothing of each other, so each processor takes its share.
    private static func judge(_ file: LimboFile) throws -> [Outcome] {
        let now = Int64(Date().timeIntervalSince1970)
        let outcomes = Mutex<[Int: Result<[Outcome], any Error>]>([:])
        let starts = file.starts
        let size = 64
        DispatchQueue.concurrentPerform(iterations: (starts.count + size - 1) / size) { block in
            let part = starts[block * size..<min(starts.count, (block + 1) * size)]
            let result = Result { try part.map { try judge(file.bytes, at: $0, now: now) } }
            outcomes.withLock { $0[block] = result }
        }
        return try outcomes.withLock { try $0.sorted { $0.key < $1.key }.flatMap { try $0.value.get() } }
    }

    private static func judge(_ bytes: [UInt8], at start: Int, now: Int64) throws(LimboFailure) -> Outcome {
        var reader = LimboReader(bytes, from: start)
        let entry = try LimboCase(&reader)
        let request = entry.request(now: now)
        let isTrusted = ServerTrust.isTrusted(request)
        let isRight = isTrusted == entry.isToBeAccepted
        return Outcome(
            id: entry.id, isToBeAccepted: entry.isToBeAccepted, isAccepted: isTrusted,
            reason: isRight ? "" : reason(request),
            explanation: isTrusted ? LimboExpectation.reason(entry) : nil)
    }

    // Reasons cost every signature of a path, and nobody asks why a case came out right.
    private static func reason(_ request: TrustRequest) -> String {
        let failure = ServerTrust.evaluate(request).failures.first
        return failure.map { "certificate \($0.certificate): \($0.sentence)" } ?? ""
    }
}

extension LimboCase {
    /// The case as a question. What a PEM text does not give becomes bytes that are no certificate.
    func request(now: Int64) -> TrustRequest {
        func certificates(_ text: [UInt8]) -> [[UInt8]] { PEM.blocks("CERTIFICATE", in: text) ?? [[0]] }
        let peer: TrustRequest.Peer =
            switch kind {
            case .server: .server(host: host)
            case .client: .client(mail: peers.filter { $0.kind == "RFC822" }.map(\.value))
            }
        var request = TrustRequest(
            chain: certificates(leaf) + others.flatMap(certificates), peer: peer,
            at: time.flatMap(Self.seconds) ?? now, anchors: .only(anchors.flatMap(certificates)))
        request.maximumAuthorities = maximumDepth
        guard !revocationLists.isEmpty else { return request }
        let lists = revocationLists.flatMap { PEM.blocks("X509 CRL", in: $0) ?? [[0]] }
        request.evidence = RevocationEvidence(lists: lists, answers: [])
        request.revocation = .usableWhenPresent
        return request
    }

    // `2026-01-01T00:00:00Z`, or with `+00:00` and a fraction.
    private static func seconds(_ text: String) -> Int64? {
        let numbers = text.prefix(19).split { !$0.isNumber }.compactMap { Int($0) }
        return try? CertificateTime.seconds(numbers)
    }
}
