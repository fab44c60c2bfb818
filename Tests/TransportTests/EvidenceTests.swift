import Foundation
import PaviseCrypto
import PaviseLab
import PaviseManaged
import PavisePrimitives
import PaviseTransport
import SecurityFramework
import Testing

/// A server whose handshake brings evidence along, and a client that asks for some.
private struct EvidenceLab {
    let authority: CertificateAuthority
    let server: LabServer
    let log: LabLog
    let other: LabLog

    init(
        _ version: LabTLS.Version, hasIntermediate: Bool = false,
        prepare: (CertificateAuthority, (LabLog, LabLog), inout ServerIdentity) throws -> Void
    ) throws {
        authority = try CertificateAuthority(hasIntermediate: hasIntermediate)
        log = try LabLog()
        other = try LabLog()
        var identity = try authority.issue()
        try prepare(authority, (log, other), &identity)
        server = try LabServer.start(identity, tls: LabTLS(maximum: version)) { _ in .text("hello") }
    }

    func client(_ change: (inout TrustPolicy) -> Void) throws -> HTTPClient {
        var policy = TrustPolicy(anchors: .only([authority.anchor]))
        change(&policy)
        return try HTTPClient(policy: policy)
    }

    func get(_ client: HTTPClient) async throws(TransportFailure) -> HTTPResponse {
        guard let url = try? WebURL(server.address(host: "localhost")) else { throw .unusableRequest("") }
        return try await client.send(HTTPRequest("GET", url))
    }

    /// The failures that a person is told; nothing of the request has left.
    func refusal(_ client: HTTPClient) async -> [TrustFailure] {
        let end = await failure { () throws(TransportFailure) in try await get(client) }
        #expect(server.counters.applicationBytes == 0)
        #expect(server.counters.handshakes == 0)
        guard case .untrusted(let refusal) = end else {
            Issue.record("\(String(describing: end))")
            return []
        }
        return refusal.failures
    }

    /// Both logs, known to the client.
    var logs: [TransparencyLog] {
        [log, other].map { TransparencyLog(spki: $0.spki, operatorName: "\($0.spki.count)") }
    }
}

private let versions: [LabTLS.Version] = [.tls12, .tls13]

@Suite struct `A stapled answer on a connection` {
    @Test(arguments: versions)
    func `that says revoked ends the handshake, with no demand but the usual one`(_ version: LabTLS.Version)
        async throws
    {
        let lab = try EvidenceLab(version) { $2.staple = try $0.statusAnswer(about: $2, .revoked) }
        #expect(await lab.refusal(try lab.client { _ in }) == [.revoked])
        #expect(await lab.refusal(try lab.client { $0.revocation = .hard }) == [.revoked])
    }

    @Test(arguments: versions)
    func `that says good is enough for the hard demand`(_ version: LabTLS.Version) async throws {
        let lab = try EvidenceLab(version) { $2.staple = try $0.statusAnswer(about: $2, .good) }
        #expect(try await lab.get(lab.client { _ in }).status == 200)
        #expect(try await lab.get(lab.client { $0.revocation = .hard }).status == 200)
    }

    @Test(arguments: versions)
    func `that is missing is refused under the hard demand alone`(_ version: LabTLS.Version) async throws {
        let lab = try EvidenceLab(version) { _, _, _ in }
        #expect(await lab.refusal(try lab.client { $0.revocation = .hard }) == [.revocationUnknown])
        #expect(try await lab.get(lab.client { _ in }).status == 200)
    }

    @Test(arguments: versions)
    func `that is over, of another server, of another key or no answer at all is none`(_ version: LabTLS.Version)
        async throws
    {
        let stranger = try CertificateAuthority()
        let makes: [(CertificateAuthority, ServerIdentity) throws -> [UInt8]] = [
            { try $0.statusAnswer(about: $1, .good, validity: .expired) },
            { authority, _ in try authority.statusAnswer(about: authority.issue(), .good) },
            { _, identity in try stranger.statusAnswer(about: identity, .good) },
            { _, _ in [0x30, 0x82, 0xFF, 0xFF, 0x00] },
        ]
        for make in makes {
            let lab = try EvidenceLab(version) { $2.staple = try make($0, $2) }
            #expect(await lab.refusal(try lab.client { $0.revocation = .hard }) == [.revocationUnknown])
        }
    }

    @Test(arguments: versions)
    func `speaks for the server alone: an authority in between needs a list`(_ version: LabTLS.Version) async throws {
        let lab = try EvidenceLab(version, hasIntermediate: true) { $2.staple = try $0.statusAnswer(about: $2, .good) }
        #expect(await lab.refusal(try lab.client { $0.revocation = .hard }) == [.revocationUnknown])
        #expect(try await lab.get(lab.client { _ in }).status == 200)
    }

    @Test(arguments: versions)
    func `is part of the verdict that an inspection shows`(_ version: LabTLS.Version) async throws {
        let lab = try EvidenceLab(version) { $2.staple = try $0.statusAnswer(about: $2, .revoked) }
        let client = try lab.client { _ in }
        let shown = try await client.inspect(WebURL(lab.server.address(host: "localhost")).origin)
        #expect(shown.decision.refusal?.failures == [.revoked])
        #expect(shown.decision.refusal?.canBeApproved == false)
    }
}

@Suite struct `Timestamps of logs on a connection` {
    private func stamp(
        _ logs: [LabLog], _ identity: ServerIdentity, seconds: Int64 = TimeNow.seconds - 60
    ) throws -> [UInt8] {
        LabLog.list(try logs.map { try $0.timestamp(for: identity, at: UInt64(seconds) * 1000) })
    }

    @Test(arguments: versions)
    func `of two known logs are enough`(_ version: LabTLS.Version) async throws {
        let lab = try EvidenceLab(version) { $2.timestamps = try stamp([$1.0, $1.1], $2) }
        let client = try lab.client {
            $0.transparency = TransparencyPolicy(logs: lab.logs, date: nil, scope: .everyServer)
        }
        #expect(try await lab.get(client).status == 200)
    }

    @Test(arguments: versions)
    func `count in the answer that the server staples`(_ version: LabTLS.Version) async throws {
        for isWhole in [true, false] {
            let lab = try EvidenceLab(version) {
                let list = try stamp(isWhole ? [$1.0, $1.1] : [$1.0], $2)
                $2.staple = try $0.statusAnswer(about: $2, .good, timestamps: list)
            }
            let client = try lab.client {
                $0.transparency = TransparencyPolicy(logs: lab.logs, date: nil, scope: .everyServer)
            }
            if isWhole {
                #expect(try await lab.get(client).status == 200)
            } else {
                #expect(await lab.refusal(client) == [.notTransparent])
            }
        }
    }

    @Test(arguments: versions)
    func `that are missing, too few, forged or of strangers are refused where they are demanded`(
        _ version: LabTLS.Version
    ) async throws {
        let stranger = try LabLog()
        let makes: [((LabLog, LabLog), ServerIdentity) throws -> [UInt8]] = [
            { _, _ in [] },
            { try stamp([$0.0], $1) },
            { try stamp([$0.0, $0.0], $1) },
            { try stamp([$0.0, stranger], $1) },
            { try stamp([$0.0, $0.1], $1, seconds: TimeNow.seconds + 3600) },
            { logs, identity in Array(try stamp([logs.0, logs.1], identity).dropLast()) },
            { logs, _ in try stamp([logs.0, logs.1], try CertificateAuthority().issue()) },
        ]
        for make in makes {
            let lab = try EvidenceLab(version) { $2.timestamps = try make($1, $2) }
            let everywhere = try lab.client {
                $0.transparency = TransparencyPolicy(logs: lab.logs, date: nil, scope: .everyServer)
            }
            #expect(await lab.refusal(everywhere) == [.notTransparent])
            let here = try lab.client {
                $0.transparency = TransparencyPolicy(logs: lab.logs, date: nil, requiredHosts: ["localhost"])
            }
            #expect(await lab.refusal(here) == [.notTransparent])
            let elsewhere = try lab.client {
                $0.transparency = TransparencyPolicy(logs: lab.logs, date: nil, requiredHosts: ["a.example"])
            }
            #expect(try await lab.get(elsewhere).status == 200)
        }
    }

    @Test(arguments: [[TrustFailure.notTransparent], [.unknownAuthority], [.selfSigned, .expired]])
    func `are not made up for by a person, under whatever authority`(_ failures: [TrustFailure]) throws {
        let pin = try #require(Pin(Base64.encode([UInt8](repeating: 1, count: 32))))
        let summary = CertificateSummary(
            subject: "CN=a", names: [], issuer: "CN=a", notBefore: 0, notAfter: 1_000, key: "EC", signature: "ECDSA",
            serial: "1", fingerprint: String(repeating: "ab", count: 32), spki: pin.base64)
        let chain = EvaluatedChain(failures: failures, path: [pin], summary: summary)
        let origin = Origin(scheme: .https, host: "a.example", port: 443)
        let refusal = CertificateRefusal(failures: failures, summary: summary, canBeApproved: true)
        let word = try #require(CertificateApproval(of: refusal, origin: origin, at: 0))
        func decision(_ change: (inout TrustPolicy) -> Void) -> TrustDecision {
            var policy = TrustPolicy()
            policy.approvals = [word]
            change(&policy)
            return policy.decide(on: chain, at: origin, seconds: 1)
        }
        #expect(decision { _ in }.isAllowed)
        let logs = TransparencyPolicy(logs: [], date: nil)
        #expect(decision { $0.transparency = logs }.isAllowed)
        let denied = TrustDecision.deny(
            CertificateRefusal(failures: failures, summary: summary, canBeApproved: false))
        #expect(decision { $0.managed.transparentHosts = ["a.example"] } == denied)
        #expect(
            decision { $0.transparency = TransparencyPolicy(logs: [], date: nil, requiredHosts: ["a.example"]) }
                == denied)
        #expect(
            decision { $0.transparency = TransparencyPolicy(logs: [], date: nil, scope: .everyServer) } == denied)
        #expect(decision { $0.managed.transparentHosts = ["b.example"] }.isAllowed)
    }

    @Test func `TL3: count by the list of an administrator, where the app gives none`() async throws {
        func rules(_ logs: [LabLog], age: Int64 = 0) throws -> ManagedTrust {
            let date = Date(timeIntervalSince1970: Double(TimeNow.seconds - age * 86_400)).ISO8601Format()
            let operators = logs.enumerated().map { number, log in
                let identifier = Base64.encode(Hash.digest(.sha256, log.spki))
                let key = Base64.encode(log.spki)
                return #"{"name":"\#(number)","logs":[{"log_id":"\#(identifier)","key":"\#(key)"}]}"#
            }
            let list = #"{"log_list_timestamp":"\#(date)","operators":[\#(operators.joined(separator: ","))]}"#
            let text = #"{"transparency":["localhost"],"transparencyLogs":\#(list)}"#
            return try ManagedConfiguration(json: Array(text.utf8)).trust
        }
        let lab = try EvidenceLab(.tls13) { $2.timestamps = try stamp([$1.0, $1.1], $2) }
        let known = try rules([lab.log, lab.other])
        let strangers = try rules([LabLog(), LabLog()])
        let stale = try rules([lab.log, lab.other], age: 61)
        // Without a list no log can vouch.
        #expect(await lab.refusal(try lab.client { $0.managed.transparentHosts = ["localhost"] }) == [.notTransparent])
        #expect(await lab.refusal(try lab.client { $0.managed = strangers }) == [.notTransparent])
        // The app relies on nobody: whom the administrator relies on does not change that.
        let demanding = try lab.client {
            $0.managed = known
            $0.transparency = TransparencyPolicy(logs: [], date: nil, scope: .everyServer)
        }
        #expect(await lab.refusal(demanding) == [.notTransparent])
        #expect(await lab.refusal(try lab.client { $0.managed = stale }) == [.notTransparent])
        #expect(try await lab.get(lab.client { $0.managed = known }).status == 200)
        let ofTheApp = try lab.client {
            $0.managed = strangers
            $0.transparency = TransparencyPolicy(logs: lab.logs, date: nil)
        }
        #expect(try await lab.get(ofTheApp).status == 200)
    }

    @Test func `an administrator's list does not take away what the app demands`() throws {
        let list = #"{"transparencyLogs":{"operators":[]}}"#
        let managed = try ManagedConfiguration(json: Array(list.utf8)).trust
        let demanding = TransparencyPolicy(logs: [], date: nil, scope: .publicAuthorities, requiredHosts: ["a.example"])
        let policy = TrustPolicy(managed: managed, transparency: demanding)
        #expect(policy.transparencyDemand(host: "a.example", timestamps: [])?.scope == .everyServer)
        #expect(policy.transparencyDemand(host: "b.example", timestamps: [])?.scope == .publicAuthorities)
    }

    @Test func `count with a fresh list of logs only`() async throws {
        let lab = try EvidenceLab(.tls13) { $2.timestamps = try stamp([$1.0, $1.1], $2) }
        func client(age: Int64) throws -> HTTPClient {
            try lab.client {
                $0.transparency = TransparencyPolicy(
                    logs: lab.logs, date: TimeNow.seconds - age * 86_400, scope: .everyServer)
            }
        }
        #expect(await lab.refusal(try client(age: 61)) == [.notTransparent])
        #expect(try await lab.get(client(age: 59)).status == 200)
    }
}
