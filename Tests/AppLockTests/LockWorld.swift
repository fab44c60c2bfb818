import PaviseAppLock
import PavisePrimitives

/// A world around the machine: clocks that people set, a disk, an element that knows the PIN, a key that is there or
/// not. What the world knows by itself is the truth that the machine's state is held against.
struct LockWorld: Hashable {
    private(set) var machine: AppLockMachine
    /// What must never be, and was.
    private(set) var breach: LockBreach?
    // Milliseconds, and the number of the boot.
    private var wall: Int64 = 1_900_000_000_000
    private var continuous: Int64 = 3_600_000
    private var boot = 1
    private var disk = Attempts()
    // Wrong PINs that the element judged since the last right one: the disk may not know of fewer.
    private var failures: UInt8 = 0
    // Before this instant, on the clock that nobody sets, no PIN may be judged.
    private var closedUntil: Int64 = 0
    private var openedAt: Int64 = 0
    private var usedAt: Int64 = 0
    private var hasKey = false
    private var isEnded = false
    private var isUnreadable = false
    private let twist: LockTwist

    static let policy: AppLockPolicy = {
        let small = try? AppLockPolicy(
            idle: .seconds(3600), grace: .seconds(60), activeTime: .seconds(7200), freeAttempts: 0, attempts: 3,
            delays: [.seconds(30), .seconds(300)])
        return small ?? .standard
    }()

    /// A program that has just started, on a disk that knows of some wrong PINs.
    init(_ twist: LockTwist = .none, failures: UInt8 = 0) {
        self.twist = twist
        machine = AppLockMachine(Self.policy)
        for _ in 0..<failures { disk = disk.counting(Self.policy, at: now) }
        self.failures = failures
        if failures > 0 { closedUntil = continuous + (Self.policy.delay(after: failures) ?? 0) * 1000 }
        _ = machine.handle(.opened(.present(disk, nil), now))
    }

    private var now: ClockReading { ClockReading(wall: wall, continuous: continuous, boot: "boot-\(boot)") }

    /// Takes one step, and looks whether everything still holds.
    mutating func take(_ step: LockStep) {
        switch step {
        case .right: attempt(.unlock, isRight: true)
        case .wrong: attempt(.unlock, isRight: false)
        case .wrongToChange: attempt(.change, isRight: false)
        case .killedAfterCount: attempt(.unlock, isRight: true, dies: true)
        case .fullDisk: attempt(.unlock, isRight: false, diskFails: true)
        case .elementAway: attempt(.unlock, isRight: nil)
        case .coldStart: start()
        case .reboot: reboot()
        case .halfMinute: pass(30)
        case .fiveMinutes: pass(300)
        case .tenHours: pass(36_000)
        case .wallBack: wall -= 315_360_000_000
        case .wallAhead: wall += 315_360_000_000
        case .lock: send(.lock)
        case .leave: send(.left(now))
        case .comeBack: send(.returned(now))
        case .use: use()
        case .tick: send(.tick(now))
        case .keyGone:
            hasKey = false
            send(.keyGone)
        case .finger: send(.biometric(.released, now), isProof: true)
        case .noFinger: send(.biometric(twist == .bareBoolean ? .released : .failed, now))
        case .otherFingers: send(.biometric(.enrolmentChanged, now))
        case .tighten:
            var rules = AppLockTightening()
            rules.idle = .seconds(60)
            send(.rules(Self.policy.tightened(by: rules), now))
        case .unreadable:
            isUnreadable = true
            send(.opened(twist == .nothingOpens ? .absent : .unreadable(.corrupt), now))
        }
        look()
    }

    private mutating func pass(_ seconds: Int64) {
        wall += seconds * 1000
        continuous += seconds * 1000
    }

    private mutating func reboot() {
        // A delay that runs begins again with the boot: what is left of it never shrinks.
        let isDelayed = continuous < closedUntil
        continuous = 1000
        boot += 1
        let delay = Self.policy.delay(after: failures) ?? 0
        closedUntil = isDelayed ? continuous + delay * 1000 : 0
        start()
    }

    private mutating func start() {
        hasKey = false
        isUnreadable = false
        let known = twist == .forgetsAtStart ? Attempts() : disk
        send(.opened(isEnded ? .ended(Self.policy.finalAction) : .present(known, nil), now))
    }

    private mutating func use() {
        let isOpen = machine.seen(now).isOpen
        send(.used(now))
        if isOpen { usedAt = continuous }
    }
}

extension LockWorld {
    private mutating func attempt(
        _ purpose: AppLockMachine.Purpose, isRight: Bool?, dies: Bool = false, diskFails: Bool = false
    ) {
        var reading = now
        if twist == .ignoresDelay {
            reading = ClockReading(wall: wall, continuous: continuous + 86_400_000, boot: now.boot)
        }
        if twist == .delaysByWall { reading = ClockReading(wall: wall, continuous: wall, boot: "wall") }
        var actions = machine.handle(.attempt(purpose, reading))[...]
        while let action = actions.popFirst() {
            switch action {
            case .store(let attempts):
                let isLost = diskFails || twist == .countsLater
                if !isLost { disk = attempts }
                if dies { return start() }
                actions += machine.handle(.stored(!diskFails))
            case .judge: actions += judge(isRight, reading)
            case .release: release(isProof: isRight == true)
            case .remove, .rewrap: if isRight != true { breach = breach ?? .openWithoutProof }
            default: perform(action)
            }
        }
    }

    private mutating func judge(_ isRight: Bool?, _ reading: ClockReading) -> [AppLockMachine.Action] {
        if isEnded || isUnreadable { breach = breach ?? .judgedAfterEnd }
        if disk.failures <= failures { breach = breach ?? .judgedBeforeCount }
        if continuous < closedUntil { breach = breach ?? .judgedInDelay }
        guard let isRight else { return machine.handle(.unjudged) }
        failures = isRight ? 0 : failures + 1
        // The world goes by the element's own count, which may be behind the disk's: kills cost tries.
        closedUntil = isRight ? 0 : continuous + (Self.policy.delay(after: failures) ?? 0) * 1000
        return machine.handle(.judged(isRight || twist == .nothingOpens, reading))
    }

    private mutating func send(_ event: AppLockMachine.Event, isProof: Bool = false) {
        for action in machine.handle(event) {
            switch action {
            case .release: release(isProof: isProof)
            case .store(let attempts): disk = attempts
            default: perform(action)
            }
        }
    }

    private mutating func release(isProof: Bool) {
        if !isProof { breach = breach ?? .openWithoutProof }
        hasKey = true
        openedAt = continuous
        usedAt = continuous
    }

    private mutating func perform(_ action: AppLockMachine.Action) {
        switch action {
        case .dropKey: if twist != .keepsKey { hasKey = false }
        case .finish: isEnded = true
        default: break
        }
    }

    private mutating func look() {
        guard breach == nil else { return }
        let seen = machine.seen(now)
        if disk.failures < failures, !isEnded { breach = .countLost }
        if seen.isOpen, isUnreadable || isEnded { breach = .openWithoutRecord }
        if seen.isOpen, !hasKey { breach = .openWithoutProof }
        if hasKey, isLocked { breach = .keyLeft }
        guard seen.isOpen else { return }
        let policy = machine.policy
        let isOver = continuous - openedAt >= policy.activeTime.components.seconds * 1000
        if isOver || continuous - usedAt >= policy.idle.components.seconds * 1000 { breach = .openTooLong }
    }

    private var isLocked: Bool {
        if case .unlocked = machine.state { return false }
        return true
    }
}
