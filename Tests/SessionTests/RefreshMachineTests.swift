import PavisePrimitives
import Testing

@testable import PaviseSession

/// Transcripts: what goes into the machine, and what comes out. No clock, no lock, no network.
@Suite struct RefreshMachineTests {
    private func at(_ seconds: Double, boot: String = "b") -> ClockReading {
        ClockReading(wall: Int64(seconds * 1000), continuous: Int64(seconds * 1000), boot: boot)
    }

    private func facts(_ generation: UInt64 = 1, at seconds: Double = 0, lifetime: Int64 = 1800, refresh: Bool = true)
        -> RefreshMachine.TokenFacts
    {
        RefreshMachine.TokenFacts(
            stamp: TokenVersion(epoch: 1, generation: generation), received: at(seconds), lifetime: lifetime,
            canRefresh: refresh)
    }

    private func machine(lifetime: Int64 = 1800, refresh: Bool = true, mustRecover: Bool = false) -> RefreshMachine {
        RefreshMachine(
            facts(lifetime: lifetime, refresh: refresh), policy: RefreshPolicy(), mustRecover: mustRecover)
    }

    @Test(
        arguments: [
            (1800, 0.0, RefreshMachine.Decision.use), (1800, 1679, .use), (1800, 1680, .useAndStart),
            (1800, 1799, .useAndStart),
            (1800, 1800, .start), (2, 0.9, .use), (2, 1, .useAndStart), (2, 2, .start), (0, 0, .start),
        ] as [(Int64, Double, RefreshMachine.Decision)])
    func `a token is used, renewed ahead, or waited for`(
        _ lifetime: Int64, _ seconds: Double, _ wanted: RefreshMachine.Decision
    ) {
        var machine = machine(lifetime: lifetime)
        #expect(machine.need(.token, passed: nil, at: at(seconds)) == wanted)
    }

    @Test func `callers join, a forced one follows, the end comes for all`() {
        var machine = machine()
        #expect(machine.need(.refused(TokenVersion(epoch: 1, generation: 1)), passed: nil, at: at(1)) == .start)
        #expect(machine.need(.refused(TokenVersion(epoch: 1, generation: 1)), passed: nil, at: at(1)) == .join)
        #expect(machine.need(.token, passed: nil, at: at(1)) == .join)
        #expect(machine.need(.forced, passed: nil, at: at(1)) == .follow)
        let done = machine.finished(.renewed(facts(2, at: 2), isStored: true), at: at(2), chance: 0)
        #expect(done == RefreshMachine.Completion(startsAgain: true))
        #expect(machine.need(.refused(TokenVersion(epoch: 1, generation: 1)), passed: nil, at: at(3)) == .use)
        #expect(
            machine.need(.refused(TokenVersion(epoch: 2, generation: 1)), passed: nil, at: at(3))
                == .fail(.sessionChanged))
    }

    @Test(arguments: [(2, 4), (3, 3), (5, 2), (60, 0)] as [(Int64, Int)])
    func `tokens of seconds are renewed ahead twice, then at their end, and the bound on refreshes is met by nobody`(
        _ lifetime: Int64, _ expected: Int
    ) {
        var machine = machine(lifetime: lifetime)
        var (starts, generation) = (0, UInt64(1))
        for tenth in 0..<61 {
            let now = at(Double(tenth) / 10)
            switch machine.need(.token, passed: nil, at: now) {
            case .use: continue
            case .start, .useAndStart: starts += 1
            case let other: Issue.record("\(other) after \(tenth) tenths of a second")
            }
            generation += 1
            let fresh = facts(generation, at: Double(tenth) / 10, lifetime: lifetime)
            _ = machine.finished(.renewed(fresh, isStored: true), at: now, chance: 0)
        }
        #expect(starts == expected)
        // What keeps a session fresh waits for the end, and does not ask again and again.
        if lifetime == 2 { #expect(machine.renewal(at: at(6.5)) == 1500) }
    }

    @Test(arguments: [0.125, 0.5, 0.999])
    func `failures pause with full jitter, the fifth is called degraded, none ends`(_ chance: Double) {
        var machine = machine()
        var clock = 1800.0
        for count in 1...8 {
            #expect(machine.need(.token, passed: nil, at: at(clock)) == .start)
            let end = machine.finished(
                .failed(.network, retryAfter: nil, isRejection: false), at: at(clock), chance: chance)
            // From nothing to twice the pause before; a degraded session at the cap, a tenth more or less.
            let pause = count < 5 ? Double(1000 << (count - 1)) * chance : 60_000 * (0.9 + 0.2 * chance)
            #expect(end.retryIn == .milliseconds(Int64(pause)), "\(count)")
            #expect((machine.degraded != nil) == (count >= 5))
            let pausing = machine.need(.token, passed: nil, at: at(clock))
            if case .fail(.unavailable(.network, _)) = pausing {} else { Issue.record("\(pausing)") }
            clock += 70
        }
        machine.wakeUp()
        #expect(machine.need(.token, passed: nil, at: at(clock - 70)) == .start)
    }

    @Test func `the pause doubles sixteen times, and no further`() {
        var policy = RefreshPolicy()
        (policy.backoffBase, policy.backoffCap) = (.milliseconds(1), .seconds(86_400))
        policy.failuresUntilDegraded = 100
        var machine = RefreshMachine(facts(), policy: policy, mustRecover: false)
        var clock = 1800.0
        for count in 1...20 {
            #expect(machine.need(.token, passed: nil, at: at(clock)) == .start)
            let end = machine.finished(.failed(.network, retryAfter: nil, isRejection: false), at: at(clock), chance: 1)
            #expect(end.retryIn == .milliseconds(1 << min(count - 1, 16)), "\(count)")
            clock += 70
        }
    }

    @Test func `a refused token is not served again, an unexpired one is`() {
        var machine = machine()
        #expect(machine.need(.token, passed: nil, at: at(1700)) == .useAndStart)
        let end = machine.finished(.failed(.server, retryAfter: 9, isRejection: false), at: at(1700), chance: 0)
        #expect(end.failure == nil && end.retryIn == .seconds(9))
        #expect(machine.need(.token, passed: nil, at: at(1701)) == .use)
        let refused = machine.need(.refused(TokenVersion(epoch: 1, generation: 1)), passed: nil, at: at(1702))
        #expect(refused == .fail(.unavailable(.server, retryIn: 7)))
        #expect(machine.need(.token, passed: nil, at: at(1703)) == .fail(.unavailable(.server, retryIn: 6)))
        #expect(machine.need(.token, passed: nil, at: at(1709)) == .start)
    }

    @Test(arguments: [Duration.seconds(Int64.max), .seconds(Int64.min), .zero], [0, 0.999])
    func `no figure of a policy and no Retry-After is beyond what can be reckoned with`(
        _ figure: Duration, _ chance: Double
    ) {
        var policy = RefreshPolicy()
        policy.backoffBase = figure
        policy.backoffCap = figure
        policy.retryAfterCap = figure
        for (retryAfter, isRejection) in [(nil, false), (Int64.max, false), (.max, true)] {
            var machine = RefreshMachine(facts(), policy: policy)
            for second in 1...8 {
                let now = ClockReading(wall: 1_800_000_000_000, continuous: Int64(second) << 40, boot: "b")
                _ = machine.need(.forced, passed: nil, at: now)
                let end = machine.finished(
                    .failed(.server, retryAfter: retryAfter, isRejection: isRejection), at: now, chance: chance)
                if let pause = end.retryIn { #expect(pause >= .zero && pause <= .seconds(2 * 36_525 * 86_400)) }
                machine.wakeUp()
            }
        }
    }

    @Test func `a journal left behind comes first, unless nobody answers`() {
        var machine = machine(mustRecover: true)
        #expect(machine.need(.token, passed: nil, at: at(1)) == .start)
        #expect(machine.need(.token, passed: nil, at: at(1)) == .join)
        _ = machine.finished(.failed(.network, retryAfter: nil, isRejection: false), at: at(2), chance: 0.9)
        #expect(machine.need(.token, passed: nil, at: at(2)) == .use)
        #expect(machine.need(.token, passed: nil, at: at(4)) == .start)
    }

    @Test func `limits, missing refresh tokens and reboots`() {
        var machine = machine()
        #expect(machine.need(.token, passed: .absoluteLimit, at: at(1)) == .end(.absoluteLimit))
        #expect(machine.need(.token, passed: nil, at: at(1, boot: "c")) == .start)
        var poor = self.machine(refresh: false)
        #expect(poor.need(.token, passed: nil, at: at(1799)) == .use)
        #expect(poor.need(.token, passed: nil, at: at(1800)) == .end(.expired))
        #expect(poor.need(.forced, passed: nil, at: at(1)) == .fail(.reloginNeeded(.expired)))
    }

    @Test func `after the end nothing starts`() {
        var machine = machine()
        _ = machine.need(.forced, passed: nil, at: at(1))
        let end = machine.finished(.ended(.reloginNeeded(.invalidGrant)), at: at(1), chance: 0)
        #expect(end.failure == .reloginNeeded(.invalidGrant) && end.retryIn == nil)
        for need in [RefreshMachine.Need.token, .forced, .refused(TokenVersion(epoch: 1, generation: 1))] {
            #expect(machine.need(need, passed: nil, at: at(9)) == .fail(.reloginNeeded(.invalidGrant)))
        }
        let late = machine.finished(.renewed(facts(2), isStored: true), at: at(2), chance: 0)
        #expect(late.failure == .sessionChanged)
    }
}
