import DiaryCore
import Foundation
import PavisePrivacy

#if os(iOS)
import UIKit
#else
import AppKit
#endif

/// What the system tells the app as a whole: the token of its push service, and which keyboards want to be used.
@MainActor
final class SystemEvents: NSObject {
    /// Who waits for a token.
    var tokenCame: ((Data) -> Void)?
}

#if os(iOS)
extension SystemEvents: UIApplicationDelegate {
    /// Keyboards of other makers read what is typed, and may send it: a note is health data.
    func application(
        _ application: UIApplication,
        shouldAllowExtensionPointIdentifier identifier: UIApplication.ExtensionPointIdentifier
    ) -> Bool { PrivateKeyboard.allows(identifier) }

    func application(
        _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) { tokenCame?(deviceToken) }
}
#else
extension SystemEvents: NSApplicationDelegate {
    func application(
        _ application: NSApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) { tokenCame?(deviceToken) }
}
#endif

/// The system's push service. Where it gives no token, nothing comes and nothing is lost: the next start asks again.
struct SystemPush: PushSystem {
    let appName: String

    private var center: NoticeCenter { NoticeCenter(named: appName) { _ in "" } }

    func askPermission(_ action: UserAction) async -> Bool { (try? await center.ask(action)) ?? false }

    func isAllowed() async -> Bool { await center.isAllowed() }

    func register() async { await Self.register() }

    func removeNotices() async { await center.removeAll() }

    @MainActor private static func register() {
        #if os(iOS)
        UIApplication.shared.registerForRemoteNotifications()
        #else
        NSApplication.shared.registerForRemoteNotifications()
        #endif
    }
}
