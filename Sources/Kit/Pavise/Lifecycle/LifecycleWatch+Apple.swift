#if canImport(Darwin)
internal import Foundation
internal import Network
internal import PaviseManaged
internal import PaviseTransport
internal import Synchronization

#if os(iOS)
internal import UIKit
#elseif os(macOS)
internal import AppKit
#endif

/// What Apple's systems tell: scenes, windows, the screen, sleep, networks, and the managed configuration.
///
/// It forwards, and is compiled only: no Apple system has run it. The blocks are called on the thread that posts, which
/// for scenes is the main thread: the cover is there before the system takes its picture.
final class LifecycleWatch: Sendable {
    private struct Token {
        let center: NotificationCenter
        let observer: any NSObjectProtocol
    }
    private let tokens = Mutex<[Token]>([])
    private let rules: ManagedWatch?
    private let paths: Task<Void, Never>
    let problems: [String] = []

    init(
        managed: ManagedFile?, report: @escaping @Sendable (LifecycleEvent) -> Void,
        rulesChanged: @escaping @Sendable () -> Void
    ) {
        let rules = managed.map { ManagedWatch($0, every: nil, changed: rulesChanged) }
        self.rules = rules
        // It ends with the task; each new path is told, the first one at once.
        paths = Task.detached {
            for await path in NWPathMonitor() { report(.networkChanged(isUsable: path.status == .satisfied)) }
        }
        observe(UserDefaults.didChangeNotification, .default) { _ in rules?.look() }
        // The names belong to the main actor. An app that was told of no scene yet counts as being in front, so nothing
        // is missed.
        Task { @MainActor [weak self] in self?.observeApp(report) }
    }

    @MainActor private func observeApp(_ report: @escaping @Sendable (LifecycleEvent) -> Void) {
        for (name, event) in Self.events { observe(name, .default) { report(event($0)) } }
        for (name, event) in Self.workspaceEvents { observe(name, Self.workspace) { report(event($0)) } }
    }

    deinit {
        paths.cancel()
        for token in tokens.withLock({ $0 }) { token.center.removeObserver(token.observer) }
    }

    private func observe(
        _ name: Notification.Name, _ center: NotificationCenter, _ body: @escaping @Sendable (String) -> Void
    ) {
        // To observe calls nobody back.
        tokens.withLock { tokens in
            let observer = center.addObserver(forName: name, object: nil, queue: nil) { @Sendable notification in
                body(Self.scene(notification))
            }
            tokens.append(Token(center: center, observer: observer))
        }
    }

    // Tells one scene from another; what is about the whole app has no scene.
    private static func scene(_ notification: Notification) -> String {
        #if os(iOS)
        guard let scene = notification.object as? UIScene else { return LifecycleEvent.app }
        return "\(ObjectIdentifier(scene))"
        #else
        LifecycleEvent.app
        #endif
    }
}

extension LifecycleWatch {
    private typealias Event = @Sendable (String) -> LifecycleEvent

    #if os(iOS)
    @MainActor private static var workspace: NotificationCenter { .default }
    @MainActor private static var workspaceEvents: [(Notification.Name, Event)] { [] }

    // A device that is locked takes its protected files away.
    @MainActor private static var events: [(Notification.Name, Event)] {
        [
            (UIScene.didActivateNotification, { .becameActive(of: $0) }),
            (UIScene.willDeactivateNotification, { .willResignActive(of: $0) }),
            (UIScene.didEnterBackgroundNotification, { .enteredBackground(of: $0) }),
            (UIScene.willEnterForegroundNotification, { .willEnterForeground(of: $0) }),
            (UIScene.didDisconnectNotification, { .closed($0) }),
            (UIApplication.protectedDataWillBecomeUnavailableNotification, { _ in .screenLocked }),
            (UIApplication.protectedDataDidBecomeAvailableNotification, { _ in .screenUnlocked }),
        ]
    }
    #else
    @MainActor private static var workspace: NotificationCenter { NSWorkspace.shared.notificationCenter }

    @MainActor private static var events: [(Notification.Name, Event)] {
        [
            (NSApplication.didBecomeActiveNotification, { .becameActive(of: $0) }),
            (NSApplication.didResignActiveNotification, { .willResignActive(of: $0) }),
            (NSApplication.didHideNotification, { .enteredBackground(of: $0) }),
            (NSApplication.willUnhideNotification, { .willEnterForeground(of: $0) }),
        ]
    }

    // Another user in front, or a screen that is off: nobody sees this session.
    @MainActor private static var workspaceEvents: [(Notification.Name, Event)] {
        [
            (NSWorkspace.sessionDidResignActiveNotification, { _ in .screenLocked }),
            (NSWorkspace.sessionDidBecomeActiveNotification, { _ in .screenUnlocked }),
            (NSWorkspace.screensDidSleepNotification, { _ in .screenLocked }),
            (NSWorkspace.screensDidWakeNotification, { _ in .screenUnlocked }),
            (NSWorkspace.willSleepNotification, { _ in .willSleep }),
            (NSWorkspace.didWakeNotification, { _ in .woke }),
        ]
    }
    #endif
}
#endif
