// Notices that say nothing about a person, and a cover over what she wrote.
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

#if os(iOS)
import SwiftUI
import UIKit

@MainActor func cover(_ scene: UIWindowScene) -> ScreenCover {
    let cover = ScreenCover(scene) { UIView() }
    cover.screenshotTaken = { print("A picture of the screen was taken.") }
    return cover
}

@MainActor func covered(isLocked: Bool) -> some View {
    Text("Slept well").paviseCover(isLocked: isLocked) { Text("Diary") }
}

@MainActor func show(_ page: DocumentPage, in window: UIWindow) async throws {
    let view = try await DocumentView.show(page)
    window.addSubview(view.webView)
}
#endif

try await tell()
