import PavisePrimitives
import PaviseTransport
import Testing

private func pin(_ byte: UInt8) -> Pin {
    guard let pin = Pin(Base64.encode([UInt8](repeating: byte, count: 32))) else {
        preconditionFailure("32 bytes are a pin")
    }
    return pin
}

@Suite struct `Pins` {
    @Test(arguments: [
        "", "AAAA", "not base64", String(repeating: "A", count: 44),
        "sha256/" + String(repeating: "A", count: 43) + "=",
    ])
    func `are 32 bytes of base64 and nothing else`(_ text: String) { #expect(Pin(text) == nil) }

    @Test(arguments: [
        (PinSet.Subdomains.none, "a.example", true), (.none, "A.Example.", true), (.none, "b.a.example", false),
        (.oneLabel, "b.a.example", true), (.oneLabel, "c.b.a.example", false), (.all, "c.b.a.example", true),
        (.all, "ba.example", false), (.all, "a.example.evil", false), (.oneLabel, "xa.example", false),
        (.all, "example", false),
    ])
    func `cover hosts by whole labels`(_ subdomains: PinSet.Subdomains, _ host: String, _ isCovered: Bool) throws {
        let set = try PinSet(hosts: ["a.example"], subdomains: subdomains, leaf: [pin(1), pin(2)])
        #expect(set.covers(host) == isCovered)
    }

    @Test func `need a host, a key and a backup`() throws {
        #expect(throws: PinSet.Problem.noHost) { try PinSet(hosts: [], leaf: [pin(1), pin(2)]) }
        #expect(throws: PinSet.Problem.noPin) { try PinSet(hosts: ["a.example"]) }
        #expect(throws: PinSet.Problem.noBackup) { try PinSet(hosts: ["a.example"], leaf: [pin(1)]) }
        #expect(throws: PinSet.Problem.noBackup) {
            try PinSet(hosts: ["a.example"], leaf: [pin(1)], authority: [pin(1)])
        }
        for host in ["*.example", "a.example:443", "A.example", "a.example.", "", "https://a.example"] {
            #expect(throws: PinSet.Problem.hostIsNoName(host)) { try PinSet(hosts: [host], leaf: [pin(1), pin(2)]) }
        }
    }

    @Test func `of the leaf match the leaf only, of an authority only what is above`() throws {
        let leaf = [try PinSet(hosts: ["a.example"], leaf: [pin(1), pin(9)])]
        let authority = [try PinSet(hosts: ["a.example"], authority: [pin(3), pin(9)])]
        func match(_ sets: [PinSet], _ path: [Pin]) -> Bool {
            PinSet.match(sets, host: "a.example", path: path, at: 0) == .matched
        }
        #expect(match(leaf, [pin(1), pin(2), pin(3)]))
        #expect(!match(leaf, [pin(2), pin(1)]))
        #expect(match(authority, [pin(1), pin(2), pin(3)]))
        #expect(!match(authority, [pin(3)]))
        #expect(match(leaf + authority, [pin(1), pin(3)]))
        #expect(!match(leaf + authority, [pin(1), pin(4)]))
        #expect(!match(leaf + authority, [pin(4), pin(3)]))
        #expect(!match(leaf, []))
        #expect(PinSet.match(leaf, host: "b.example", path: [], at: 0) == .notPinned)
    }

    @Test func `that are over refuse everything or step aside, as they say`() throws {
        let strict = try PinSet(hosts: ["a.example"], leaf: [pin(1), pin(2)], expires: 100)
        let lenient = try PinSet(hosts: ["a.example"], leaf: [pin(1), pin(2)], expires: 100, afterExpiry: .ignorePins)
        #expect(PinSet.match([strict], host: "a.example", path: [pin(1)], at: 100) == .matched)
        #expect(PinSet.match([strict], host: "a.example", path: [pin(1)], at: 101) == .expired)
        #expect(PinSet.match([lenient], host: "a.example", path: [pin(7)], at: 101) == .notPinned)
        #expect(PinSet.match([lenient, strict], host: "a.example", path: [pin(1)], at: 101) == .expired)
    }
}

@Suite struct `A trust decision` {
    private let origin = Origin(scheme: .https, host: "a.example", port: 443)

    private func summary(_ key: Pin, notAfter: Int64 = 1 << 40) -> CertificateSummary {
        CertificateSummary(
            subject: "CN=a", names: ["a.example"], issuer: "CN=a", notBefore: 0, notAfter: notAfter, key: "EC 256",
            signature: "ECDSA with SHA-256", serial: "01", fingerprint: "aa", spki: key.base64)
    }

    private func chain(_ failures: [TrustFailure], _ key: Pin) -> EvaluatedChain {
        EvaluatedChain(failures: failures, path: [key], summary: summary(key))
    }

    @Test(arguments: TrustFailure.allCases)
    func `has an answer for every failure, and hard ones cannot be approved`(_ found: TrustFailure) throws {
        let decision = TrustPolicy().decide(on: chain([found], pin(1)), at: origin, seconds: 0)
        let isHard = [.blocked, .revoked, .weakKey, .weakSignature, .denied, .pinMismatch].contains(found)
        let refusal = CertificateRefusal(failures: [found], summary: summary(pin(1)), canBeApproved: !isHard)
        #expect(decision == (isHard ? .deny(refusal) : .ask(refusal)))
        #expect((CertificateApproval(of: refusal, origin: origin, at: 0) == nil) == isHard)
    }

    @Test func `follows an approval for this server, this key, these failures and this time only`() throws {
        let refusal = CertificateRefusal(
            failures: [.selfSigned, .wrongHost], summary: summary(pin(1)), canBeApproved: true)
        let approval = try #require(CertificateApproval(of: refusal, origin: origin, at: 1000))
        let policy = TrustPolicy(approvals: [approval])
        func allows(_ found: EvaluatedChain, _ server: Origin? = nil, at seconds: Int64 = 1000) -> Bool {
            policy.decide(on: found, at: server ?? origin, seconds: seconds).isAllowed
        }
        #expect(allows(chain([.selfSigned, .wrongHost], pin(1))))
        #expect(allows(chain([.selfSigned], pin(1))))
        #expect(!allows(chain([.selfSigned, .wrongHost, .expired], pin(1))))
        #expect(!allows(chain([.selfSigned], pin(2))))
        #expect(!allows(chain([.selfSigned], pin(1)), Origin(scheme: .https, host: "a.example", port: 8443)))
        #expect(!allows(chain([.selfSigned], pin(1)), Origin(scheme: .https, host: "b.example", port: 443)))
        #expect(allows(chain([.selfSigned], pin(1)), at: 1000 + CertificateApproval.longestTime))
        #expect(!allows(chain([.selfSigned], pin(1)), at: 1001 + CertificateApproval.longestTime))
        // A clock that was set back by less than five minutes.
        #expect(allows(chain([.selfSigned], pin(1)), at: 700))
        #expect(!allows(chain([.selfSigned], pin(1)), at: 699))
        #expect(!allows(EvaluatedChain(failures: [.selfSigned], path: [], summary: nil)))
    }

    @Test func `never outlives the certificate unless its end was approved`() throws {
        func approval(_ failures: [TrustFailure]) -> CertificateApproval? {
            CertificateApproval(
                of: CertificateRefusal(
                    failures: failures, summary: summary(pin(1), notAfter: 500), canBeApproved: true),
                origin: origin, at: 100)
        }
        #expect(approval([.selfSigned])?.expires == 500)
        #expect(approval([.expired])?.expires == 100 + CertificateApproval.longestTime)
    }

    @Test func `puts a pin above an approval and above validity`() throws {
        let refusal = CertificateRefusal(failures: [.selfSigned], summary: summary(pin(1)), canBeApproved: true)
        let approval = try #require(CertificateApproval(of: refusal, origin: origin, at: 0))
        let pins = try PinSet(hosts: ["a.example"], leaf: [pin(8), pin(9)])
        let policy = TrustPolicy(pins: [pins], approvals: [approval])
        for found in [[], [TrustFailure.selfSigned], [.weakKey, .expired]] {
            let decision = policy.decide(on: chain(found, pin(1)), at: origin, seconds: 0)
            guard case .deny(let refusal) = decision else {
                Issue.record("\(decision)")
                continue
            }
            #expect(refusal.failures.contains(.pinMismatch))
            #expect(refusal.failures.first == (found.first == .weakKey ? .weakKey : .pinMismatch))
        }
        #expect(policy.decide(on: chain([], pin(8)), at: origin, seconds: 0) == .allow(.pinned))
    }

    @Test func `asks for the app's key and for the administrator's, neither in the other's place`() throws {
        func set(_ keys: [UInt8]) throws -> PinSet {
            try PinSet(hosts: ["a.example"], leaf: Set(keys.map { pin($0) }), backup: .notRequired)
        }
        func decision(_ own: [PinSet], _ required: [PinSet], _ key: UInt8) -> TrustDecision {
            let policy = TrustPolicy(pins: own, managed: ManagedTrust(requiredPins: required))
            return policy.decide(on: chain([], pin(key)), at: origin, seconds: 0)
        }
        let (one, two) = (try set([1]), try set([2]))
        for key: UInt8 in [1, 2, 3] { #expect(decision([one], [two], key).refusal?.failures == [.pinMismatch]) }
        let (first, second) = (try set([1, 3]), try set([2, 3]))
        for key: UInt8 in [1, 2] { #expect(decision([first], [second], key).refusal?.failures == [.pinMismatch]) }
        #expect(decision([first], [second], 3) == .allow(.pinned))
        #expect(decision([one], [], 1) == .allow(.pinned))
        #expect(decision([], [two], 2) == .allow(.pinned))
        // Several sets of the app are joined, as ever.
        #expect(decision([one, two], [], 2) == .allow(.pinned))
    }

    @Test func `denies what cannot be read`() {
        let decision = TrustPolicy().decide(
            on: EvaluatedChain(failures: [.notCompliant], path: [], summary: nil), at: origin, seconds: 0)
        #expect(decision.refusal?.canBeApproved == false)
    }
}
