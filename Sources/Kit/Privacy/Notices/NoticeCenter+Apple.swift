#if os(iOS) || os(macOS)
public import Foundation
internal import Synchronization
internal import UserNotifications

/// Shows notices through the system's notification center.
///
/// ```swift
/// let center = NoticeCenter(named: "Diary") { key in texts[key] ?? "" }
/// try await center.show(DiaryNotice.newMessages(NoticeCount(3)))
/// await center.removeAll()
/// ```
///
/// The words come from the app's own table (`KEY.title`, `KEY.body`); a notice adds counts, times and durations and no
/// text. Compiled only: no Apple system has run it.
public struct NoticeCenter: Sendable {
    /// How often notices were taken back in this process: whatever value did it, the system has one center.
    private struct Removals {
        var ofAll = 0
        var ofShown = 0
    }
    private static let removals = Mutex(Removals())
    private let texts: @Sendable (String) -> String

    /// The center of this app.
    ///
    /// - Parameters:
    ///   - app: The app's name; the system writes its own.
    ///   - texts: The app's own words for a key, in the person's language.
    public init(named app: String, texts: @escaping @Sendable (_ key: String) -> String) {
        self.texts = texts
    }

    /// Asks the person, once, through the system.
    ///
    /// - Parameter action: What she did to be asked: a button made for it, never the start of the app.
    /// - Returns: Whether she allows notices.
    public func ask(_ action: UserAction) async throws -> Bool {
        try await UNUserNotificationCenter.current().requestAuthorization(options: [.alert, .sound, .badge])
    }

    /// Whether the person allows notices now. She may have changed it in the system's settings since she was asked.
    public func isAllowed() async -> Bool {
        let status = await UNUserNotificationCenter.current().notificationSettings().authorizationStatus
        return status == .authorized
    }

    /// Shows a notice. One that ``removeAll()`` or ``removeShown()`` overtakes is taken back as soon as the system has
    /// it.
    public func show(_ kind: some NoticeKind) async throws { try await add(kind, trigger: nil) }

    /// Shows a notice later, also while the app is not running.
    ///
    /// - Parameter moment: When; at once where it is over.
    public func show(_ kind: some NoticeKind, at moment: Date) async throws {
        // The system takes no interval of 0 (documentation of UNTimeIntervalNotificationTrigger).
        let seconds = max(1, moment.timeIntervalSinceNow)
        try await add(kind, trigger: UNTimeIntervalNotificationTrigger(timeInterval: seconds, repeats: false))
    }

    private func add(_ kind: some NoticeKind, trigger: sending UNNotificationTrigger?) async throws {
        let before = Self.removals.withLock { $0 }
        let isShownNow = trigger == nil
        let notice = kind.notice
        let words = notice.words(texts)
        let content = UNMutableNotificationContent()
        content.title = words.title
        content.body = words.body
        // What it leads to has a random name that means something to this app alone.
        if !notice.route.isEmpty { content.userInfo = ["route": notice.route] }
        let name = UUID().uuidString
        try await UNUserNotificationCenter.current().add(
            UNNotificationRequest(identifier: name, content: content, trigger: trigger))
        let now = Self.removals.withLock { $0 }
        guard now.ofAll != before.ofAll || isShownNow && now.ofShown != before.ofShown else { return }
        UNUserNotificationCenter.current().removePendingNotificationRequests(withIdentifiers: [name])
        UNUserNotificationCenter.current().removeDeliveredNotifications(withIdentifiers: [name])
    }

    /// Takes all back, and what is about to be shown: at a sign-out (``PushTokenMachine/Action/removeNotices``). It
    /// returns when the system has none left, and after a second at the latest.
    public func removeAll() async {
        Self.removals.withLock { $0.ofAll += 1 }
        UNUserNotificationCenter.current().removeAllDeliveredNotifications()
        UNUserNotificationCenter.current().removeAllPendingNotificationRequests()
        // Both return before it is done (their documentation): what is planned next could go with the rest, and a
        // process that ends could leave them.
        for _ in 0..<50 {
            guard await Self.hasAny() else { return }
            try? await Task.sleep(for: .milliseconds(20))
        }
    }

    /// Takes back those that are shown, and leaves those that wait for their time: when the app lock closes
    /// (``ScreenMachine/Action/withdrawNotices``).
    public func removeShown() async {
        Self.removals.withLock { $0.ofShown += 1 }
        UNUserNotificationCenter.current().removeAllDeliveredNotifications()
    }

    private static func hasAny() async -> Bool {
        guard await UNUserNotificationCenter.current().pendingNotificationRequests().isEmpty else { return true }
        return await !UNUserNotificationCenter.current().deliveredNotifications().isEmpty
    }
}
#endif
