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
/// It forwards, and is compiled only: no Apple system has run it. What a sign means is decided by ``PhoneSign`` and
/// ``MacSign``; here stands the notification by which it comes. The blocks are called on the thread that posts, which
/// for scenes is the main thread: the cover is there before the system takes its picture.
final class LifecycleWatch: Sendable {
    private struct Token {
        let center: NotificationCenter
        let observer: any NSObjectProtocol
    }
    private let tokens = Mutex<[Token]>([])
    private let rules: ManagedWatch?
    private let paths: Task<Void, Never>
    #if os(macOS)
    private let screen = Mutex(MacScreen())
    #endif
    let problems: [String] = []

    init(
        managed: ManagedFile?, report: @escaping @Sendable (LifecycleEvent) -> Void,
        rulesChanged: @escaping @Sendable () -> Void
    ) {
        // UserDefaults tells of what this process changes, and of nothing else (documentation of its
        // didChangeNotification); a management server's rules come from another. So they are looked for as well.
        let rules = managed.map { ManagedWatch($0, every: .seconds(30), changed: rulesChanged) }
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
        #if os(iOS)
        for sign in PhoneSign.allCases { observe(Self.name(of: sign), .default) { report(sign.event(of: $0)) } }
        #else
        let workspace = NSWorkspace.shared.notificationCenter
        for sign in MacSign.allCases {
            observe(Self.name(of: sign), sign.isOfWorkspace ? workspace : .default) { [weak self] _ in
                guard let self, let event = screen.withLock({ $0.event(of: sign) }) else { return }
                report(event)
            }
        }
        #endif
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
    #if os(iOS)
    @MainActor private static func name(of sign: PhoneSign) -> Notification.Name {
        switch sign {
        case .sceneActivated: UIScene.didActivateNotification
        case .sceneWillDeactivate: UIScene.willDeactivateNotification
        case .sceneEnteredBackground: UIScene.didEnterBackgroundNotification
        case .sceneWillEnterForeground: UIScene.willEnterForegroundNotification
        case .sceneDisconnected: UIScene.didDisconnectNotification
        case .protectedDataLeaves: UIApplication.protectedDataWillBecomeUnavailableNotification
        case .protectedDataIsBack: UIApplication.protectedDataDidBecomeAvailableNotification
        }
    }
    #else
    @MainActor private static func name(of sign: MacSign) -> Notification.Name {
        switch sign {
        case .appActivated: NSApplication.didBecomeActiveNotification
        case .appResigned: NSApplication.didResignActiveNotification
        case .appHidden: NSApplication.didHideNotification
        case .appWillUnhide: NSApplication.willUnhideNotification
        case .sessionLeaves: NSWorkspace.sessionDidResignActiveNotification
        case .sessionIsBack: NSWorkspace.sessionDidBecomeActiveNotification
        case .screensSleep: NSWorkspace.screensDidSleepNotification
        case .screensWake: NSWorkspace.screensDidWakeNotification
        case .machineWillSleep: NSWorkspace.willSleepNotification
        case .machineWoke: NSWorkspace.didWakeNotification
        case .protectedDataLeaves: .NSApplicationProtectedDataWillBecomeUnavailable
        case .protectedDataIsBack: .NSApplicationProtectedDataDidBecomeAvailable
        }
    }
    #endif
}
#endif
