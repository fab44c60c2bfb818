import PaviseAttackedClients
import PaviseLab
import TestSupport
import Testing

/// Every attack once more, at a session whose delegate is asked about each server.
@Suite struct `The attack matrix with a session's delegate` {
    /// Where App Transport Security leaves the server to the app: `NSExceptionAllowsInsecureHTTPLoads` stands for the
    /// host.
    private static let left = ["ats/http-is-not-trust"]

    private func through(_ delegate: AttackedDelegate, _ cases: [AttackCase]) async throws -> [String: String] {
        let run = AttackRun(try AttackFixtures(), targets: [AttackedURLSession(asking: delegate)])
        let rows = await run.play(cases).filter { !$0.isStopped }
        return Dictionary(rows.map { ($0.attack.id, ($0.faults + $0.twinFaults).joined(separator: "; ")) }) { $1 }
    }

    @Test(.long, arguments: AttackedDelegate.allCases)
    func `each attack is stopped whatever the delegate says, but where App Transport Security lets the app decide`(
        _ delegate: AttackedDelegate
    ) async throws {
        let found = try await through(delegate, AttackTable.all)
        #expect(found.keys.sorted() == (delegate == .evaluating ? [] : Self.left), "\(found)")
    }

    // The lab's server agrees to HTTP/2 in the handshake and cannot speak it: what is stopped in the handshake can be
    // played so.
    private static let inHandshakes = AttackTable.all.filter { attack in
        attack.expectation(at: .urlSession).front == .handshake && attack.scene.steps.count == 1
            && attack.scene.front.isSecure
    }

    @Test(.long, arguments: AttackedDelegate.allCases)
    func `each attack that a handshake stops is stopped when HTTP/2 is agreed to`(
        _ delegate: AttackedDelegate
    ) async throws {
        #expect(Self.inHandshakes.count >= 20)
        let cases = Self.inHandshakes.map { attack in
            AttackCase(attack.id, attack.rule, attack.attack, expected: attack.expectation(at: .urlSession)) {
                $0 = attack.scene
                $0.front.tls.protocols = ["h2"]
            }
        }
        let found = try await through(delegate, cases)
        #expect(found.keys.sorted() == (delegate == .evaluating ? [] : Self.left), "\(found)")
    }
}
