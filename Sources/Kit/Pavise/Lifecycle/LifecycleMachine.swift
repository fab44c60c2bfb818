internal import PavisePrimitives

/// What an app's life means for its lock, its screen and its sessions, as a value: no clock, no lock, no system.
package struct LifecycleMachine: Hashable, Sendable {
    /// What is to be done, in this order.
    package enum Action: Hashable, Sendable {
        /// Cover what is on the screen, before the system takes its picture of it (AL35).
        case cover
        /// It may be seen again.
        case uncover
        /// Tell the lock that the person has left.
        case leave
        /// Tell the lock that the person is back, before anything is drawn.
        case comeBack
        /// Close the lock now.
        case lock
        /// Sessions that wait after a failed refresh try again now.
        case wakeUp
        /// Say ``LifecycleMachine/waited(at:)`` after so many milliseconds.
        case wait(Int64)
    }

    private enum Phase: Int, Comparable {
        case background, inactive, active
        static func < (one: Phase, other: Phase) -> Bool { one.rawValue < other.rawValue }
    }

    /// The most scenes that are told apart; all further ones count as one.
    package static let limit = 64

    private let rules: LifecycleRules
    // Empty before the first event: the app is being started, and its lock is closed anyway.
    private var scenes: [String: Phase] = [:]
    private var hasScenes = false
    private var isScreenLocked = false
    private var isNetworkUsable = true
    private var lastWakeUp: Int64?
    private var isWaiting = false
    package private(set) var isCovered = false
    private var isAway = false

    /// A machine of an app that has just started.
    package init(_ rules: LifecycleRules = LifecycleRules()) { self.rules = rules }

    /// Takes an event at `now`, in milliseconds of a clock that counts sleep.
    package mutating func handle(_ event: LifecycleEvent, at now: Int64) -> [Action] {
        switch event {
        case .becameActive(let scene): become(.active, scene, now)
        case .willResignActive(let scene): become(.inactive, scene, now)
        // Seen, and without input yet.
        case .willEnterForeground(let scene): become(.inactive, scene, now)
        case .enteredBackground(let scene): become(.background, scene, now)
        case .closed(let scene): become(nil, scene, now)
        case .screenLocked: screen(isLocked: true, now)
        case .screenUnlocked: screen(isLocked: false, now)
        case .willSleep: rules.locksWithScreen ? [.lock] : []
        case .woke: isAway ? [] : wakeUp(now)
        case .networkChanged(let isUsable): network(isUsable, now)
        }
    }

    /// The time of ``Action/wait(_:)`` is over.
    package mutating func waited(at now: Int64) -> [Action] {
        guard isWaiting else { return [] }
        isWaiting = false
        guard !isAway, isNetworkUsable else { return [] }
        return wakeUp(now)
    }

    private mutating func become(_ phase: Phase?, _ scene: String, _ now: Int64) -> [Action] {
        let name = scenes[scene] != nil || scenes.count < Self.limit ? scene : "others"
        scenes[name] = phase
        hasScenes = true
        return settle(now)
    }

    private mutating func screen(isLocked: Bool, _ now: Int64) -> [Action] {
        let isNew = isLocked != isScreenLocked
        isScreenLocked = isLocked
        var actions = settle(now)
        if isLocked, rules.locksWithScreen { actions.append(.lock) }
        if !isLocked, isNew, !isAway { actions += wakeUp(now) }
        return actions
    }

    // The cover goes on first and comes off last; in between the lock decides.
    private mutating func settle(_ now: Int64) -> [Action] {
        // An app whose last scene is closed is seen by nobody. One that never told of any, a program without windows,
        // is in front.
        let phase = scenes.values.max() ?? (hasScenes ? .background : .active)
        let covers = isScreenLocked || phase < .active
        let leaves = rules.leaving == .background ? phase == .background : phase < .active
        var actions: [Action] = []
        if covers, !isCovered { actions.append(.cover) }
        if leaves, !isAway { actions.append(.leave) }
        let comesBack = !leaves && isAway
        if comesBack { actions.append(.comeBack) }
        if !covers, isCovered { actions.append(.uncover) }
        isCovered = covers
        isAway = leaves
        if comesBack, !isScreenLocked { actions += wakeUp(now) }
        return actions
    }

    private mutating func network(_ isUsable: Bool, _ now: Int64) -> [Action] {
        isNetworkUsable = isUsable
        // In the background this is left to the moment when the app comes back.
        return isUsable && !isAway ? wakeUp(now) : []
    }

    private mutating func wakeUp(_ now: Int64) -> [Action] {
        let pause = max(0, min(60_000, rules.wakeUpPause.milliseconds))
        if let lastWakeUp, now >= lastWakeUp, now - lastWakeUp < pause {
            guard !isWaiting else { return [] }
            isWaiting = true
            return [.wait(pause - (now - lastWakeUp))]
        }
        lastWakeUp = now
        isWaiting = false
        return [.wakeUp]
    }
}
