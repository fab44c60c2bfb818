/// Whether the content of one scene (a window, a terminal) is covered, and why: pure, without clock and toolkit.
///
/// ```swift
/// var machine = ScreenMachine()
/// print(machine.handle(.willResignActive))     // [.cover]
/// print(machine.handle(.didEnterBackground))   // []: it is covered already
/// print(machine.handle(.willEnterForeground))  // []
/// print(machine.handle(.becameActive))         // [.uncover]
/// ```
///
/// The content is shown only while no reason is left to cover it. A screenshot is told and not prevented: no public
/// API can. To take the content out of the window, and not only to draw over it, is part of ``Action/cover``:
/// assistive technology reads what lies under a drawing. On a desktop's session bus every program of the person reads
/// notices and calls what an app exports: ``Action/withdrawNotices`` is for the moment when the app lock closes, and no
/// app exports an action that unlocks, approves or wipes.
public struct ScreenMachine: Hashable, Sendable {
    /// Why the content is covered.
    public enum Reason: String, Hashable, Sendable, CaseIterable {
        /// The scene is not the one that gets input.
        case inactive
        /// The scene is not on the screen; its picture lies in the app switcher.
        case background
        /// The screen is recorded or mirrored.
        case captured
        /// The app lock is closed.
        case locked
        /// The device is locked: the data cannot be read.
        case dataUnavailable
    }

    /// What happens to the scene.
    public enum Event: Hashable, Sendable, CaseIterable {
        /// The scene gets input.
        case becameActive
        /// It will not any more: the app switcher, a call, a prompt.
        case willResignActive
        /// It is off the screen; the system takes its picture next.
        case didEnterBackground
        /// It comes back.
        case willEnterForeground
        /// The screen is recorded or mirrored from now on.
        case captureBegan
        /// It is not any more.
        case captureEnded
        /// A picture was taken already.
        case screenshotTaken
        /// The app lock closed.
        case appLocked
        /// The app lock opened.
        case appUnlocked
        /// The device was locked.
        case dataBecameUnavailable
        /// The device was unlocked.
        case dataBecameAvailable
        /// A prompt of the app's own (Face ID, a permission, its own dialog) takes the focus: no reason to cover.
        case ownPromptBegan
        /// It is gone. Where it took the focus, the scene becomes active afterwards: until then nothing changes.
        case ownPromptEnded
        /// The prompt is gone and the scene did not become active: the focus is with another program. For an adapter,
        /// which looks a moment after the end of a prompt.
        case remainedInactive
    }

    /// What has to be done.
    public enum Action: Hashable, Sendable {
        /// Put the cover over the scene, without animation, and take the content out of what others can read.
        case cover
        /// Take the cover away.
        case uncover
        /// Tell the person, once in a run, that a picture was taken. It cannot be undone.
        case warnOfScreenshot
        /// Empty the clipboard of what this app put there.
        case clearClipboard
        /// Take back the notices that are shown: the app lock closed, and what they say is still on the desktop, in
        /// what its daemon keeps and on the session bus. Those that wait for their time stay.
        case withdrawNotices
    }

    /// Why the content is covered now; empty while it is shown.
    public private(set) var reasons: Set<Reason>
    private var isPrompting = false
    // The scene resigned since the prompt began, and is not active again.
    private var hasLostFocus = false
    private var isPromptEnding = false
    private var hasWarned = false

    /// A scene that was just made: inactive, and covered until it becomes active.
    ///
    /// - Parameter isLocked: Whether the app lock is closed.
    public init(isLocked: Bool = false) {
        reasons = isLocked ? [.inactive, .locked] : [.inactive]
    }

    /// Whether the content must not be seen.
    public var isCovered: Bool { !reasons.isEmpty }

    /// Takes an event.
    public mutating func handle(_ event: Event) -> [Action] {
        let wasCovered = isCovered
        var actions: [Action] = []
        switch event {
        case .becameActive:
            hasLostFocus = false
            isPromptEnding = false
            reasons.subtract([.inactive, .background])
        case .willResignActive:
            // The system says inactive for the app's own prompt too: a cover then would flash, or hide what is asked
            // about.
            if isPrompting { hasLostFocus = true }
            if !isPrompting && !isPromptEnding { reasons.insert(.inactive) }
        case .didEnterBackground:
            isPrompting = false
            hasLostFocus = false
            isPromptEnding = false
            reasons.formUnion([.inactive, .background])
            actions.append(.clearClipboard)
        case .willEnterForeground: reasons.remove(.background)
        case .captureBegan: reasons.insert(.captured)
        case .captureEnded: reasons.remove(.captured)
        case .screenshotTaken:
            if !hasWarned { actions.append(.warnOfScreenshot) }
            hasWarned = true
        case .appLocked: if reasons.insert(.locked).inserted { actions.append(.withdrawNotices) }
        case .appUnlocked: reasons.remove(.locked)
        case .dataBecameUnavailable: reasons.insert(.dataUnavailable)
        case .dataBecameAvailable: reasons.remove(.dataUnavailable)
        case .ownPromptBegan:
            isPrompting = true
            // The prompt before took the focus, and it is not back.
            if isPromptEnding { hasLostFocus = true }
            isPromptEnding = false
        case .ownPromptEnded:
            // A prompt that never took the focus gives none back: the next time that the scene resigns is a leave.
            if isPrompting { isPromptEnding = hasLostFocus }
            isPrompting = false
            hasLostFocus = false
        case .remainedInactive:
            if isPrompting { hasLostFocus = true } else { reasons.insert(.inactive) }
            isPromptEnding = false
        }
        if isCovered != wasCovered { actions.insert(isCovered ? .cover : .uncover, at: 0) }
        return actions
    }
}
