#if os(iOS)
public import PaviseLog
public import UIKit

/// Covers one scene of an app of UIKit while it must not be seen (``ScreenMachine``).
///
/// ```swift
/// let cover = ScreenCover(scene) { UIView() }
/// cover.screenshotTaken = { print("A picture of the screen was taken.") }
/// ```
///
/// A window of its own lies over everything, prompts of the app among them, before the system takes its picture. The
/// app's own windows are hidden under it, so that assistive technology has nothing to read, and their keyboard goes.
/// Compiled only: no Apple system has run it.
@MainActor public final class ScreenCover {
    /// Called once when a picture of the screen was taken. It cannot be undone; tell the person.
    public var screenshotTaken: (@MainActor () -> Void)?
    /// Called when the app lock closes: take back the notices that are shown (`NoticeCenter.removeShown()`).
    public var withdrawNotices: (@MainActor () -> Void)?

    private var machine: ScreenMachine
    private weak var scene: UIWindowScene?
    private let view: @MainActor () -> UIView
    private let events: any AuditRecorder
    private var window: UIWindow?
    private var hidden: [UIWindow] = []
    private var observers: [any NSObjectProtocol] = []

    /// Watches `scene`, and covers it while it is not active.
    ///
    /// - Parameters:
    ///   - scene: The scene whose content is private.
    ///   - isLocked: Whether the app lock is closed.
    ///   - events: Is told of each picture of the screen (`AuditEvent.Name.screenshotTaken`), in the system's log
    ///   where nothing else is said.
    ///   - view: Makes what is shown instead: a logo, never content.
    public init(
        _ scene: UIWindowScene, isLocked: Bool = false, events: any AuditRecorder = EventLog(.standard),
        view: @escaping @MainActor () -> UIView
    ) {
        machine = ScreenMachine(isLocked: isLocked)
        self.scene = scene
        self.events = events
        self.view = view
        observe()
        if scene.traitCollection.sceneCaptureState == .active { handle(.captureBegan) }
        // A scene that is active already tells so only after it was left.
        if scene.activationState == .foregroundActive { handle(.becameActive) }
        if machine.isCovered { cover() }
    }

    isolated deinit {
        for observer in observers { NotificationCenter.default.removeObserver(observer) }
        uncover()
    }

    /// Takes an event that no notification tells: the app lock, a prompt of the app's own.
    public func handle(_ event: ScreenMachine.Event) {
        if let logged = event.logged { events.record(logged) }
        for action in machine.handle(event) {
            switch action {
            case .cover: cover()
            case .uncover: uncover()
            case .warnOfScreenshot: screenshotTaken?()
            case .clearClipboard: PrivateClipboard.clear()
            case .withdrawNotices: withdrawNotices?()
            }
        }
        if event == .ownPromptEnded { lookAgain() }
    }

    // The focus comes back within a second (Apple's systems show the scene inactive for less than half of one), or the
    // person went somewhere else during the prompt.
    private func lookAgain() {
        Task { [weak self] in
            try? await Task.sleep(for: .seconds(1))
            guard let self, scene?.activationState == .foregroundInactive else { return }
            handle(.remainedInactive)
        }
    }

    private func cover() {
        guard window == nil, let scene else { return }
        let cover = UIWindow(windowScene: scene)
        cover.windowLevel = .alert + 1
        // A window, and the view of a controller, without a colour let through what lies below them.
        cover.backgroundColor = .systemBackground
        let controller = UIViewController()
        controller.view.addSubview(filling(view(), controller.view.bounds))
        cover.rootViewController = controller
        cover.isHidden = false
        window = cover
        hideOthers()
    }

    // Also those that the app shows while it is covered: they lie below the cover, and a screen reader would read them.
    private func hideOthers() {
        guard let cover = window, let scene else { return }
        for other in scene.windows where other !== cover && !other.isHidden {
            guard !hidden.contains(where: { $0 === other }) else { continue }
            hidden.append(other)
            other.accessibilityElementsHidden = true
            // The keyboard, with the words that it proposes, lies above every window of an app.
            _ = other.endEditing(true)
        }
    }

    private func filling(_ view: UIView, _ bounds: CGRect) -> UIView {
        view.frame = bounds
        view.autoresizingMask = [.flexibleWidth, .flexibleHeight]
        return view
    }

    private func uncover() {
        for other in hidden { other.accessibilityElementsHidden = false }
        hidden = []
        window?.isHidden = true
        window = nil
    }

    private func observe() {
        let ofScene: [(NSNotification.Name, ScreenMachine.Event)] = [
            (UIScene.didActivateNotification, .becameActive), (UIScene.willDeactivateNotification, .willResignActive),
            (UIScene.didEnterBackgroundNotification, .didEnterBackground),
            (UIScene.willEnterForegroundNotification, .willEnterForeground),
        ]
        let ofApp: [(NSNotification.Name, ScreenMachine.Event)] = [
            (UIApplication.userDidTakeScreenshotNotification, .screenshotTaken),
            (UIApplication.protectedDataWillBecomeUnavailableNotification, .dataBecameUnavailable),
            (UIApplication.protectedDataDidBecomeAvailableNotification, .dataBecameAvailable),
        ]
        for (name, event) in ofScene { observe(name, scene, event) }
        for (name, event) in ofApp { observe(name, nil, event) }
        observers.append(
            NotificationCenter.default.addObserver(
                forName: UIWindow.didBecomeVisibleNotification, object: nil, queue: nil
            ) { @Sendable [weak self] _ in MainActor.assumeIsolated { self?.hideOthers() } })
        _ = scene?.registerForTraitChanges([UITraitSceneCaptureState.self]) {
            @Sendable [weak self] (scene: UIWindowScene, _: UITraitCollection) in
            MainActor.assumeIsolated {
                self?.handle(scene.traitCollection.sceneCaptureState == .active ? .captureBegan : .captureEnded)
            }
        }
    }

    // UIKit posts these on the main thread: without a queue the block runs before the post returns, and the cover is
    // there before the picture.
    private func observe(_ name: NSNotification.Name, _ object: UIWindowScene?, _ event: ScreenMachine.Event) {
        observers.append(
            NotificationCenter.default.addObserver(forName: name, object: object, queue: nil) {
                @Sendable [weak self] _ in
                MainActor.assumeIsolated { self?.handle(event) }
            })
    }
}

/// The clipboard for what is private: on this device alone, and for a minute.
@MainActor public enum PrivateClipboard {
    private static var count: Int?

    /// Puts a text there. Other devices of the person do not get it, and the system forgets it after `seconds`.
    public static func put(_ text: String, seconds: Double = 60) {
        UIPasteboard.general.setItems(
            [[UIPasteboard.typeAutomatic: text]],
            options: [.localOnly: true, .expirationDate: Date(timeIntervalSinceNow: seconds)])
        count = UIPasteboard.general.changeCount
    }

    /// Empties it, when it still holds what ``put(_:seconds:)`` put there.
    public static func clear() {
        if UIPasteboard.general.changeCount == count { UIPasteboard.general.items = [] }
        count = nil
    }
}
#elseif os(macOS)
public import AppKit

/// Covers one window of a Mac app while it must not be seen (``ScreenMachine``), and keeps it out of pictures and
/// recordings of the screen as far as macOS honours that (`NSWindow.SharingType.none`; programs that capture through
/// ScreenCaptureKit see it all the same since macOS 15).
///
/// Compiled only: no Apple system has run it.
@MainActor public final class ScreenCover {
    /// Called when the app lock closes: take back the notices that are shown (`NoticeCenter.removeShown()`).
    public var withdrawNotices: (@MainActor () -> Void)?

    private var machine: ScreenMachine
    private weak var window: NSWindow?
    private let view: @MainActor () -> NSView
    private var shown: NSView?
    private weak var hidden: NSView?
    private var observers: [any NSObjectProtocol] = []

    /// Watches `window`, and covers it while it is not the key window.
    public init(_ window: NSWindow, isLocked: Bool = false, view: @escaping @MainActor () -> NSView) {
        machine = ScreenMachine(isLocked: isLocked)
        self.window = window
        self.view = view
        window.sharingType = .none
        observe(NSWindow.didBecomeKeyNotification, .becameActive)
        observe(NSWindow.didResignKeyNotification, .willResignActive)
        observe(NSWindow.didMiniaturizeNotification, .didEnterBackground)
        observe(NSWindow.didDeminiaturizeNotification, .willEnterForeground)
        // Posted for each event that the app gets, also while the window is not the key window.
        observers.append(
            NotificationCenter.default.addObserver(
                forName: NSWindow.didUpdateNotification, object: window, queue: nil
            ) { @Sendable [weak self] _ in MainActor.assumeIsolated { self?.coverOther() } })
        // A window that is the key window already tells so only after another one was.
        if window.isKeyWindow { handle(.becameActive) }
        if machine.isCovered { cover() }
    }

    isolated deinit {
        for observer in observers { NotificationCenter.default.removeObserver(observer) }
        uncover()
    }

    /// Takes an event that no notification tells: the app lock, a prompt of the app's own.
    public func handle(_ event: ScreenMachine.Event) {
        for action in machine.handle(event) {
            switch action {
            case .cover: cover()
            case .uncover: uncover()
            case .clearClipboard: PrivateClipboard.clear()
            case .withdrawNotices: withdrawNotices?()
            // A Mac tells nobody that a picture was taken.
            case .warnOfScreenshot: break
            }
        }
        if event == .ownPromptEnded { lookAgain() }
    }

    // The keyboard comes back within a second, or the person went somewhere else during the prompt.
    private func lookAgain() {
        Task { [weak self] in
            try? await Task.sleep(for: .seconds(1))
            guard let self, window?.isKeyWindow == false else { return }
            handle(.remainedInactive)
        }
    }

    private func cover() {
        guard shown == nil, let content = window?.contentView, let frame = content.superview else { return }
        let cover = view()
        cover.frame = frame.bounds
        cover.autoresizingMask = [.width, .height]
        // What is typed would go on into what nobody sees. A field that refuses an empty value is ended all the same.
        if window?.makeFirstResponder(nil) == false { window?.endEditing(for: nil) }
        content.isHidden = true
        hidden = content
        frame.addSubview(cover)
        shown = cover
    }

    // The app gave its window another content while it is covered: that one would be seen, above the cover or beside
    // it, and the one before would stay hidden wherever it is shown next.
    private func coverOther() {
        guard machine.isCovered, let content = window?.contentView, shown == nil || content !== hidden else { return }
        uncover()
        cover()
    }

    private func uncover() {
        shown?.removeFromSuperview()
        shown = nil
        hidden?.isHidden = false
        hidden = nil
    }

    private func observe(_ name: NSNotification.Name, _ event: ScreenMachine.Event) {
        observers.append(
            NotificationCenter.default.addObserver(forName: name, object: window, queue: nil) {
                @Sendable [weak self] _ in
                MainActor.assumeIsolated { self?.handle(event) }
            })
    }
}

/// The clipboard for what is private: on this Mac alone, and for a minute. A Mac has one clipboard for all programs,
/// and each can read it meanwhile.
@MainActor public enum PrivateClipboard {
    private static var count: Int?

    /// Puts a text there. Other devices of the person do not get it; it is emptied after `seconds`, while the program
    /// runs.
    public static func put(_ text: String, seconds: Double = 60) {
        NSPasteboard.general.prepareForNewContents(with: .currentHostOnly)
        NSPasteboard.general.setString(text, forType: .string)
        let own = NSPasteboard.general.changeCount
        count = own
        Task {
            try? await Task.sleep(for: .seconds(seconds))
            if count == own { clear() }
        }
    }

    /// Empties it, when it still holds what ``put(_:seconds:)`` put there.
    public static func clear() {
        if NSPasteboard.general.changeCount == count { NSPasteboard.general.clearContents() }
        count = nil
    }
}
#endif
