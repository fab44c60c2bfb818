import PavisePrimitives

@testable import PaviseSession

/// A refresh machine with what surrounds it: a clock, and the refresh that is on its way. It does what the session
/// does, and notes every breach of what must hold, whatever happens in whatever order.
struct RefreshWalk: Hashable {
    /// All that can happen.
    enum Event: CaseIterable {
        case token, refused, lateRefused, foreignRefused, forced, pastLimit, retry
        case renewed, renewedUnsaved, failed, slowedDown, rejected, storeFailed, invalidGrant
        case stored, wakeUp, signOut
        case second, halfHour, reboot
    }

    var machine: RefreshMachine
    private var boot: Int64 = 0
    private var epoch = "a"
    private var generation: UInt64 = 1
    private var isOnItsWay = false
    private var isRefused = false
    private var starts: [Int64] = []
    private var pauseUntil: Int64 = 0
    private var failures = 0
    private var end: SessionFailure?
    /// What did not hold.
    private(set) var breaches: [String] = []

    init(mustRecover: Bool) {
        machine = RefreshMachine(
            RefreshMachine.TokenFacts(
                stamp: TokenVersion(epoch: 1, generation: 1), received: ClockReading(wall: 0, continuous: 0, boot: "a"),
                lifetime: 1800,
                canRefresh: true), policy: RefreshPolicy(), mustRecover: mustRecover)
    }

    private var now: ClockReading { ClockReading(wall: boot, continuous: boot, boot: epoch) }
    private var stamp: TokenVersion { TokenVersion(epoch: 1, generation: generation) }

    /// The walk after `event`; `nil` when it cannot happen now.
    func after(_ event: Event) -> RefreshWalk? {
        var next = self
        guard next.perform(event) else { return nil }
        next.check()
        return next
    }

    private mutating func perform(_ event: Event) -> Bool {
        switch event {
        case .token: ask(.token)
        case .refused:
            isRefused = true
            ask(.refused(stamp))
        case .lateRefused:
            guard generation > 1 else { return false }
            ask(.refused(TokenVersion(epoch: 1, generation: generation - 1)))
        case .foreignRefused:
            let decision = machine.need(.refused(TokenVersion(epoch: 9, generation: 1)), passed: nil, at: now)
            demand(decision == .fail(end ?? .sessionChanged), "another session's 401 gave \(decision)")
        case .forced: ask(.forced)
        case .pastLimit:
            let decision = machine.need(.token, passed: .absoluteLimit, at: now)
            demand(decision == end.map { .fail($0) } ?? .end(.absoluteLimit), "a passed limit gave \(decision)")
            finishSession(.reloginNeeded(.absoluteLimit))
        // The timer of a pause, which ends with the pause.
        case .retry:
            guard pauseUntil <= boot else { return false }
            if case .start = machine.retry(passed: nil, at: now) { start() }
        case .renewed: answer { .renewed($0.renewedFacts(), isStored: true) }
        case .renewedUnsaved: answer { .renewed($0.renewedFacts(), isStored: false) }
        case .failed: answer { $0.fail(.failed(.network, retryAfter: nil, isRejection: false)) }
        case .slowedDown: answer { $0.fail(.failed(.server, retryAfter: 30, isRejection: false)) }
        case .rejected: answer { $0.fail(.failed(.configuration, retryAfter: nil, isRejection: true)) }
        case .storeFailed: answer { $0.fail(.storeFailed) }
        case .invalidGrant:
            answer {
                $0.end = $0.end ?? .reloginNeeded(.invalidGrant)
                return .ended(.reloginNeeded(.invalidGrant))
            }
        case .stored: machine.stored()
        case .wakeUp:
            machine.wakeUp()
            pauseUntil = 0
        case .signOut: finishSession(.signedOut)
        case .second: boot += 1000
        case .halfHour: boot += 1_800_000
        case .reboot:
            guard epoch == "a" else { return false }
            (boot, epoch, starts, pauseUntil) = (0, "b", [], 0)
        }
        return true
    }

    private mutating func ask(_ need: RefreshMachine.Need) {
        let decision = machine.need(need, passed: nil, at: now)
        switch decision {
        case .use, .useAndStart:
            let isLate = if case .refused(let old) = need { old.generation < generation } else { false }
            demand(isLate || need == .token, "\(need) was answered with the token that is there")
            demand(isLate || !isRefused && !machine.isExpired(at: now), "a spoilt token was lent")
            if decision == .useAndStart { start() }
        case .start: start()
        case .join: demand(isOnItsWay && need != .forced, "\(need) joined nothing")
        case .follow: demand(isOnItsWay && need == .forced, "\(need) followed nothing")
        case .fail(let failure): demand(end == nil || failure == end, "an ended session said \(failure)")
        case .end(let reason): demand(false, "ended by itself: \(reason)")
        }
        if end != nil, case .fail = decision { return }
        demand(end == nil, "an ended session decided \(decision)")
    }

    private mutating func start() {
        demand(!isOnItsWay, "two refreshes at once")
        demand(end == nil, "a refresh after the end")
        demand(pauseUntil <= boot, "a refresh within a pause")
        begin()
    }

    private mutating func begin() {
        isOnItsWay = true
        starts = starts.filter { boot - $0 < 30_000 } + [boot]
        demand(starts.count <= 5, "more than five refreshes within half a minute")
    }

    private mutating func answer(_ outcome: (inout RefreshWalk) -> RefreshMachine.Outcome) {
        let before = self
        let completion = machine.finished(outcome(&self), at: now, chance: 0.5)
        guard before.isOnItsWay, before.end == nil else {
            // Nobody asked, or the session is over: the answer counts for nothing.
            demand(
                completion == RefreshMachine.Completion(failure: .sessionChanged), "an unasked answer: \(completion)")
            demand(machine == before.machine, "an unasked answer changed something")
            let found = breaches
            self = before
            breaches = found
            return
        }
        isOnItsWay = false
        if let pause = completion.retryIn { pauseUntil = boot + pause.milliseconds }
        guard completion.startsAgain else { return }
        machine.begin(at: now)
        begin()
    }

    private mutating func renewedFacts() -> RefreshMachine.TokenFacts {
        generation += 1
        isRefused = false
        failures = 0
        pauseUntil = 0
        return RefreshMachine.TokenFacts(stamp: stamp, received: now, lifetime: 1800, canRefresh: true)
    }

    private mutating func fail(_ outcome: RefreshMachine.Outcome) -> RefreshMachine.Outcome {
        failures += 1
        return outcome
    }

    private mutating func finishSession(_ failure: SessionFailure) {
        machine.end(failure)
        end = failure
        isOnItsWay = false
    }

    private mutating func check() {
        demand(end != nil || machine.isRefreshing == isOnItsWay, "the machine has lost count of the refresh")
        if case .ended = machine.phase { demand(end != nil, "a session ended by a passing fault") }
        let isEarly = machine.degraded == .network || machine.degraded == .server
        demand(!isEarly || failures >= 5, "degraded before the fifth failure")
    }

    private mutating func demand(_ holds: Bool, _ breach: @autoclosure () -> String) {
        if !holds { breaches.append(breach()) }
    }
}
