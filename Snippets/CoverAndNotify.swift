// Notices that say nothing about a person, and a cover over what she wrote.
import Pavise
import PaviseDocuments
import PavisePrivacy

enum DiaryNotice: NoticeKind {
    case newMessages(NoticeCount)

    var notice: Notice {
        switch self {
        case .newMessages(let count): Notice("notice.messages", .count(count))
        }
    }
}

func tell() async throws {
    let texts = ["notice.messages.title": "Diary", "notice.messages.body": "%@ new messages"]
    let center = NoticeCenter(named: "Diary") { key in texts[key] ?? "" }
    try await center.show(DiaryNotice.newMessages(NoticeCount(3)))
    await center.removeAll()
}

/// What the service extension shows for a push.
func shown(for packet: String, key: PushKey, texts: [String: String], now: Int) -> PushNotice.Shown {
    let reader = PushNotice.Reader(key: key, keys: ["notice.messages"]) { key in texts[key] ?? "" }
    let words = reader.shown(for: packet, at: now)
    return words
}

/// Push tokens of an app's accounts.
func push(
    _ security: AppSecurity, _ account: Account, token: [UInt8],
    services: @escaping @Sendable (_ account: String) -> any PushServices
) async throws -> Bool {
    // Once, at each start:
    try await security.followPush(services)
    // In didRegisterForRemoteNotificationsWithDeviceToken:
    try await security.pushRegistered(as: token)
    // In the handler of a switch:
    let isAllowed = try await account.wantPush(UserAction())
    return isAllowed
}

/// Questions and answers on a terminal: keys in, what to draw out.
func ask(_ typed: [UInt8], write: (String) -> Void) {
    var scene = TerminalScene(rows: 24, columns: 80, cover: "Diary")
    write(scene.show("Slept 7 hours.\n") + scene.ask("> "))
    write(scene.take(typed).shown)  // after ESC [ O, the report of a lost focus: the cover
}

#if os(iOS) || os(macOS)
final class NotificationService: NoticeService {
    override func makeReader() -> PushNotice.Reader {
        let texts = [
            "notice.messages.title": "Diary", "notice.messages.body": "%@ new messages",
            "notice.neutral.title": "Diary", "notice.neutral.body": "Something is new.",
        ]
        let key: PushKey?
        // Before the first unlock nobody can say: the notice stays neutral.
        do { key = try PushKey.find() } catch { key = nil }
        return PushNotice.Reader(key: key, keys: ["notice.messages"]) { texts[$0] ?? "" }
    }
}
#endif

#if os(iOS)
import SwiftUI
import UIKit

@MainActor func cover(_ scene: UIWindowScene) -> ScreenCover {
    let cover = ScreenCover(scene) { UIView() }
    cover.screenshotTaken = { print("A picture of the screen was taken.") }
    cover.withdrawNotices = { Task { await NoticeCenter(named: "Diary") { _ in "" }.removeShown() } }
    return cover
}

@MainActor func covered(isLocked: Bool) -> some View {
    Text("Slept well").paviseCover(isLocked: isLocked) { Text("Diary") }
}

struct NoteField: View {
    @State private var note = ""
    var body: some View {
        TextField("Note", text: $note).pavisePrivateText()
    }
}

@MainActor func show(_ page: DocumentPage, in window: UIWindow) async throws {
    let view = try await DocumentView.show(page)
    window.addSubview(view.webView)
}
#endif

try await tell()
