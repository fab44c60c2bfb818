#if os(iOS) || os(macOS)
internal import Foundation
public import UserNotifications

/// The app's service extension for push notices: opens what the server sealed, and shows neutral words of the app's
/// where it cannot (``PushNotice``).
///
/// ```swift
/// final class NotificationService: NoticeService {
///     override func makeReader() -> PushNotice.Reader {
///         let texts = [
///             "notice.messages.title": "Diary", "notice.messages.body": "%@ new messages",
///             "notice.neutral.title": "Diary", "notice.neutral.body": "Something is new.",
///         ]
///         let key: PushKey?
///         // Before the first unlock nobody can say: the notice stays neutral.
///         do { key = try PushKey.find() } catch { key = nil }
///         return PushNotice.Reader(key: key, keys: ["notice.messages"]) { texts[$0] ?? "" }
///     }
/// }
/// ```
///
/// Whatever text came with the push is replaced, also by the neutral words. Where the system does not run the
/// extension at all, it shows the payload as it came: that is why a server says nothing in it. Compiled only: no Apple
/// system has run it.
open class NoticeService: UNNotificationServiceExtension {
    /// Who opens packets. The class's own has no key: each notice is neutral, and has no words.
    open func makeReader() -> PushNotice.Reader { PushNotice.Reader(key: nil, keys: []) { _ in "" } }

    /// Replaces the words of a notice. Nothing is waited for, so that the time that the system gives does not run out.
    override open func didReceive(
        _ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        let packet = request.content.userInfo[PushNotice.member] as? String
        let words = makeReader().shown(for: packet, at: Int(Date().timeIntervalSince1970))
        let content = UNMutableNotificationContent()
        content.title = words.title
        content.body = words.body
        // The packet stays behind: the system keeps what was delivered.
        if let route = words.route { content.userInfo = ["route": route.text] }
        contentHandler(content)
    }
}
#endif
