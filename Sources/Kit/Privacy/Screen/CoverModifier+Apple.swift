#if os(iOS) || os(macOS)
public import PaviseLog
public import SwiftUI

#if os(iOS)
internal import UIKit
#endif

extension View {
    /// Covers this view with `cover` while its scene is not active, while the app lock is closed, and on iOS while the
    /// screen is recorded or mirrored or the device's data is locked.
    ///
    /// ```swift
    /// Text("Slept well").paviseCover(isLocked: isLocked) { Text("Diary") }
    /// ```
    ///
    /// The content keeps its state, is not drawn, not read by assistive technology, and gets no input: a field loses
    /// the focus, and with it the keyboard. Compiled only: no Apple system has run it. A sheet of the app lies over
    /// it; put the modifier on the sheet's content too. A prompt of the app's own is not told apart from leaving the
    /// app: ``ScreenCover`` takes `ownPromptBegan` and `ownPromptEnded`. A Mac tells no app of recordings and pictures.
    ///
    /// - Parameters:
    ///   - isLocked: Whether the app lock is closed.
    ///   - events: Is told of each picture of the screen (`AuditEvent.Name.screenshotTaken`).
    ///   - screenshotTaken: Called once when a picture of the screen was taken. It cannot be undone; tell the person.
    ///   - withdrawNotices: Called when the app lock closes: take back the notices that are shown
    ///   (`NoticeCenter.removeShown()`).
    ///   - cover: What is shown instead: a logo, never content.
    public func paviseCover<Cover: View>(
        isLocked: Bool = false, events: any AuditRecorder = EventLog(.standard),
        screenshotTaken: (@MainActor () -> Void)? = nil, withdrawNotices: (@MainActor () -> Void)? = nil,
        @ViewBuilder cover: @escaping @MainActor () -> Cover
    ) -> some View {
        modifier(
            CoverModifier(
                isLocked: isLocked, events: events, screenshotTaken: screenshotTaken,
                withdrawNotices: withdrawNotices, cover: cover))
    }
}

private struct CoverModifier<Cover: View>: ViewModifier {
    let isLocked: Bool
    let events: any AuditRecorder
    let screenshotTaken: (@MainActor () -> Void)?
    let withdrawNotices: (@MainActor () -> Void)?
    let cover: @MainActor () -> Cover
    @Environment(\.scenePhase) private var phase
    @State private var machine = ScreenMachine()
    #if os(iOS)
    @Environment(\.isSceneCaptured) private var isCaptured
    @State private var system = SystemEvents()
    #endif

    func body(content: Content) -> some View {
        let isCovered = machine.isCovered || isLocked
        let covered =
            content
            .opacity(isCovered ? 0 : 1)
            .accessibilityHidden(isCovered)
            .allowsHitTesting(!isCovered)
            // Takes the focus away, and with it the keyboard, which the system draws over everything.
            .disabled(isCovered)
            .overlay { if isCovered { cover() } }
            .onChange(of: phase, initial: true) { _, phase in
                for event in Self.events(phase) { take(event) }
            }
            .onChange(of: isLocked, initial: true) { _, isLocked in take(isLocked ? .appLocked : .appUnlocked) }
        #if os(iOS)
        covered
            .onChange(of: isCaptured, initial: true) { _, isCaptured in
                take(isCaptured ? .captureBegan : .captureEnded)
            }
            .onAppear { system.begin(take) }
        #else
        covered
        #endif
    }

    private func take(_ event: ScreenMachine.Event) {
        if let logged = event.logged { events.record(logged) }
        for action in machine.handle(event) {
            switch action {
            // What the machine says of the cover is in `body`.
            case .cover, .uncover: break
            case .warnOfScreenshot: screenshotTaken?()
            case .clearClipboard: PrivateClipboard.clear()
            case .withdrawNotices: withdrawNotices?()
            }
        }
    }

    private static func events(_ phase: ScenePhase) -> [ScreenMachine.Event] {
        switch phase {
        case .active: [.willEnterForeground, .becameActive]
        case .background: [.willResignActive, .didEnterBackground]
        // Inactive, and what a later system adds: not to be seen.
        default: [.willResignActive]
        }
    }
}

#if os(iOS)
/// What UIKit tells the app and no phase of a scene does.
@MainActor private final class SystemEvents {
    private var observers: [any NSObjectProtocol] = []

    /// Hears from now on. UIKit posts these on the main thread.
    func begin(_ take: @escaping @MainActor (ScreenMachine.Event) -> Void) {
        guard observers.isEmpty else { return }
        let names: [(NSNotification.Name, ScreenMachine.Event)] = [
            (UIApplication.userDidTakeScreenshotNotification, .screenshotTaken),
            (UIApplication.protectedDataWillBecomeUnavailableNotification, .dataBecameUnavailable),
            (UIApplication.protectedDataDidBecomeAvailableNotification, .dataBecameAvailable),
        ]
        for (name, event) in names {
            observers.append(
                NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { @Sendable _ in
                    MainActor.assumeIsolated { take(event) }
                })
        }
    }

    isolated deinit {
        for observer in observers { NotificationCenter.default.removeObserver(observer) }
    }
}
#endif
#endif
