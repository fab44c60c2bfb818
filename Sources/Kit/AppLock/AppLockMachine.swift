package import PavisePrimitives

/// What an app lock decides, as a value: no clock, no store, no key (app-lock AL33).
///
/// Whoever drives it sends what happened and does what it is told, in the given order. An action that writes or judges
/// is answered by ``Event/stored(_:)`` or ``Event/judged(_:_:)``; until then nothing is judged, and nothing is unlocked
/// without a proof.
package struct AppLockMachine: Hashable, Sendable {
    /// Where the lock is.
    package enum State: Hashable, Sendable {
        /// No PIN was set.
        case unset
        /// Locked, and why.
        case locked(LockReason)
        /// Unlocked by a proof.
        case unlocked(Use)
        /// The limit of wrong PINs is reached.
        case ended(AppLockPolicy.FinalAction)
    }

    /// When it was unlocked, when it was used last, and when the app left the foreground.
    package struct Use: Hashable, Sendable {
        package var since: ClockReading
        package var last: ClockReading
        package var left: ClockReading?

        package init(since: ClockReading, last: ClockReading, left: ClockReading? = nil) {
            self.since = since
            self.last = last
            self.left = left
        }
    }

    /// What a try is for. All count in one place (AL5, AL17).
    package enum Purpose: Hashable, Sendable, CaseIterable {
        case unlock, change, remove
    }

    /// A try that is not judged yet, or a first PIN that is not durable yet.
    package enum Pending: Hashable, Sendable {
        /// A first PIN is being stretched and written.
        case establishing
        /// Its count is not durable yet.
        case counting(Purpose)
        /// The PIN is with the element.
        case judging(Purpose)
    }

    package private(set) var state: State = .locked(.started)
    package internal(set) var attempts = Attempts()
    package private(set) var policy: AppLockPolicy
    package private(set) var pending: Pending?
    /// The count before the try that is not judged yet.
    private(set) var before = Attempts()
    /// Why the try that is being judged opens nothing, though it is right, and why a first PIN leaves the lock closed:
    /// what came after it began.
    private(set) var closing: LockReason?
    /// When the app left the foreground while a try was being judged or a first PIN was set.
    private(set) var leaving: ClockReading?
    /// Whether the enrolment changed since the last right PIN.
    package private(set) var needsPIN = false

    /// A lock before its record was looked at: locked.
    package init(_ policy: AppLockPolicy) { self.policy = policy }

    /// Takes an event, and says what is to be done, in this order.
    package mutating func handle(_ event: Event) -> [Action] {
        switch event {
        case .opened(let record, let now): open(record, now)
        case .attempt(let purpose, let now): attempt(purpose, now)
        case .stored(let isDurable): stored(isDurable)
        case .judged(let isRight, let now): judged(isRight, now)
        case .unjudged: unjudged()
        case .blocked: pending.map { _ in end() } ?? []
        case .biometric(let proof, let now): biometric(proof, now)
        case .establishing: beginFirst()
        case .notEstablished: giveUpFirst()
        case .established(let now): establish(now)
        case .lock: shut()
        case .left(let now): leave(now)
        case .returned(let now): comeBack(now)
        case .used(let now): use(now)
        case .tick(let now): check(now)
        case .keyGone: close(.keyGone)
        case .rules(let policy, let now): follow(policy, now)
        case .signedIn: signedIn()
        }
    }

    private mutating func open(_ record: Record, _ now: ClockReading) -> [Action] {
        pending = nil
        switch record {
        case .absent: state = .unset
        case .unreadable(let damage): state = .locked(.unreadable(damage))
        case .ended(let action): state = .ended(action)
        case .ending(let action):
            state = .ended(action)
            return [.dropKey, .finish(action)]
        case .present(let known, nil):
            attempts = known
            state = .locked(.started)
        case .present(let known, let use?):
            attempts = known
            state = .unlocked(use)
            return check(now)
        }
        switch state {
        case .locked, .ended: return [.dropKey]
        case .unset, .unlocked: return []
        }
    }

    private mutating func establish(_ now: ClockReading) -> [Action] {
        guard case .unset = state, pending == .establishing else { return [.refuse(.alreadySet)] }
        pending = nil
        attempts = Attempts()
        needsPIN = false
        if let closing {
            state = .locked(closing)
            return [.dropKey]
        }
        state = .unlocked(Use(since: now, last: now, left: leaving))
        return [.release]
    }

    private mutating func beginFirst() -> [Action] {
        guard case .unset = state, pending == nil else { return [.refuse(.alreadySet)] }
        pending = .establishing
        closing = nil
        leaving = nil
        return []
    }

    private mutating func giveUpFirst() -> [Action] {
        if pending == .establishing { pending = nil }
        return []
    }

    private mutating func follow(_ policy: AppLockPolicy, _ now: ClockReading) -> [Action] {
        self.policy = policy
        return check(now)
    }

    // A full sign-in is the one other proof that gives tries again, and only where the data was kept.
    private mutating func signedIn() -> [Action] {
        guard case .ended(.endSession) = state else { return [] }
        attempts = Attempts()
        state = .locked(.requested)
        return [.store(attempts)]
    }

    /// Locks, where it was unlocked. The key goes with it.
    mutating func close(_ reason: LockReason) -> [Action] {
        guard case .unlocked = state else { return [] }
        state = .locked(reason)
        return [.dropKey]
    }

    mutating func become(_ state: State, pending: Pending? = nil) {
        self.state = state
        self.pending = pending
    }

    /// Counts a try that waits to be judged.
    mutating func begin(_ purpose: Purpose, _ counted: Attempts) {
        before = attempts
        attempts = counted
        pending = .counting(purpose)
        closing = nil
        leaving = nil
    }

    // What is closed already has nothing to drop, but a try that is under way must not open it afterwards.
    private mutating func shut() -> [Action] {
        if pending != nil { closing = .requested }
        return close(.requested)
    }

    /// Notes that the app left the foreground while a try was being judged or a first PIN was set.
    mutating func leaveBehind(at now: ClockReading) {
        guard pending != nil else { return }
        leaving = leaving ?? now
        if policy.grace <= .zero { closing = closing ?? .background }
    }

    /// Takes back what ``leaveBehind(at:)`` noted: the app is there again before the try is judged.
    mutating func comeBackInTime() {
        leaving = nil
        if closing == .background { closing = nil }
    }

    /// Takes the count of a try back that nobody judged.
    mutating func takeBack() {
        attempts = before
        pending = nil
    }

    mutating func wait(for pending: Pending?) { self.pending = pending }
    mutating func require(pin: Bool) { needsPIN = pin }
}
