/// What happens to an app and to the device around it.
///
/// ``AppLifecycle`` hears most of it from the system by itself; ``AppLifecycle/report(_:)`` takes the rest.
public enum LifecycleEvent: Hashable, Sendable {
    /// A window, a scene or the whole app is in front and takes input. `of` tells several of them apart.
    case becameActive(of: String)
    /// It is about to lose the input: another app, the app switcher, a question of the system lies above it.
    case willResignActive(of: String)
    /// Nobody sees it any more.
    case enteredBackground(of: String)
    /// It is about to be seen again.
    case willEnterForeground(of: String)
    /// It is gone for good, or was never there.
    case closed(String)
    /// The device, or the session of this user on it, was locked.
    case screenLocked
    /// It was unlocked again.
    case screenUnlocked
    /// The machine is about to sleep.
    case willSleep
    /// It woke up.
    case woke
    /// The networks are others than before; whether one can be used now, as far as the system says.
    case networkChanged(isUsable: Bool)

    /// The whole app, where there are no scenes.
    public static let app = "app"
}

/// What counts as leaving an app.
public struct LifecycleRules: Hashable, Sendable {
    /// When the app lock learns that the person has left, and its grace begins.
    public enum Leaving: Hashable, Sendable, CaseIterable {
        /// Nothing of the app is seen any more. A question of the system above the app, such as that for a face, does
        /// not count.
        case background
        /// Something else has the input: stricter, and for a desktop where windows stay visible each change to another
        /// app.
        case inactive
    }

    /// See ``Leaving``. What is on the screen is covered as soon as the app is inactive, whatever stands here.
    public var leaving: Leaving
    /// Whether the app lock closes at once, without grace, when the device is locked or goes to sleep.
    public var locksWithScreen: Bool
    /// The shortest time between two wake-ups of the sessions: a network that comes and goes must not ask a server each
    /// time. 0 to 60 seconds; what is outside counts as the nearest value that is within.
    public var wakeUpPause: Duration

    /// Rules from their parts.
    public init(
        leaving: Leaving = .background, locksWithScreen: Bool = true, wakeUpPause: Duration = .seconds(2)
    ) {
        self.leaving = leaving
        self.locksWithScreen = locksWithScreen
        self.wakeUpPause = wakeUpPause
    }
}
