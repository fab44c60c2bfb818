/// What iOS tells an app about its scenes and the device. What each sign means is decided here, where Linux tests it;
/// the adapter knows the notification by which it comes.
package enum PhoneSign: Hashable, Sendable, CaseIterable {
    case sceneActivated, sceneWillDeactivate, sceneEnteredBackground, sceneWillEnterForeground, sceneDisconnected
    /// Protected files are taken away: the device is being locked.
    case protectedDataLeaves
    /// They are there again: it was unlocked.
    case protectedDataIsBack

    /// Its meaning for `scene`.
    package func event(of scene: String) -> LifecycleEvent {
        switch self {
        case .sceneActivated: .becameActive(of: scene)
        case .sceneWillDeactivate: .willResignActive(of: scene)
        case .sceneEnteredBackground: .enteredBackground(of: scene)
        case .sceneWillEnterForeground: .willEnterForeground(of: scene)
        case .sceneDisconnected: .closed(scene)
        case .protectedDataLeaves: .screenLocked
        case .protectedDataIsBack: .screenUnlocked
        }
    }
}

/// The same of macOS, where an app has no scenes.
package enum MacSign: Hashable, Sendable, CaseIterable {
    case appActivated, appResigned, appHidden, appWillUnhide
    /// Another user is in front: nobody sees this session.
    case sessionLeaves
    case sessionIsBack
    case screensSleep, screensWake
    case machineWillSleep, machineWoke
    /// Protected data is taken away: the Mac is being locked, also while its screen stays on.
    case protectedDataLeaves
    case protectedDataIsBack

    /// Whether the workspace's own notification center tells it.
    package var isOfWorkspace: Bool {
        switch self {
        case .appActivated, .appResigned, .appHidden, .appWillUnhide, .protectedDataLeaves, .protectedDataIsBack: false
        case .sessionLeaves, .sessionIsBack, .screensSleep, .screensWake, .machineWillSleep, .machineWoke: true
        }
    }

    /// Its meaning.
    package var event: LifecycleEvent {
        switch self {
        case .appActivated: .becameActive(of: LifecycleEvent.app)
        case .appResigned: .willResignActive(of: LifecycleEvent.app)
        case .appHidden: .enteredBackground(of: LifecycleEvent.app)
        case .appWillUnhide: .willEnterForeground(of: LifecycleEvent.app)
        // A screen that is off is seen by nobody, either.
        case .sessionLeaves, .screensSleep, .protectedDataLeaves: .screenLocked
        case .sessionIsBack, .screensWake, .protectedDataIsBack: .screenUnlocked
        case .machineWillSleep: .willSleep
        case .machineWoke: .woke
        }
    }
}

/// Why nobody sees a Mac's screen. The reasons come and go by themselves: whoever wakes the screen of a Mac that is
/// locked sees the login window, and nobody has unlocked anything.
package struct MacScreen: Hashable, Sendable {
    private var reasons: Set<MacSign> = []

    /// A screen that is seen.
    package init() {}

    /// What a sign means after those before it; `nil` where one reason ends and another one holds.
    package mutating func event(of sign: MacSign) -> LifecycleEvent? {
        switch sign {
        case .sessionLeaves, .screensSleep, .protectedDataLeaves: reasons.insert(sign)
        case .screensWake: reasons.remove(.screensSleep)
        // Who is in front of a session again has its screen on.
        case .sessionIsBack: reasons.subtract([.sessionLeaves, .screensSleep])
        // Somebody gave the password, here and now.
        case .protectedDataIsBack: reasons = []
        case .appActivated, .appResigned, .appHidden, .appWillUnhide, .machineWillSleep, .machineWoke: break
        }
        return sign.event == .screenUnlocked && !reasons.isEmpty ? nil : sign.event
    }
}
