#if os(Linux)
internal import PavisePrimitives
internal import Synchronization

/// Shows notices through the desktop's notification daemon.
///
/// ```swift
/// let center = NoticeCenter(named: "Diary") { key in texts[key] ?? "" }
/// try await center.show(DiaryNotice.newMessages(NoticeCount(3)))
/// await center.removeAll()
/// ```
///
/// The words come from the app's own table (`KEY.title`, `KEY.body`); a notice adds counts, times and durations and no
/// text. Everybody on the session's bus can read a notice (`dbus-monitor`), and many daemons keep what they showed:
/// that is why there is nothing personal in one. Source: Desktop Notifications Specification 1.2, freedesktop.org.
public final class NoticeCenter: Sendable {
    private let app: String
    private let texts: @Sendable (String) -> String
    private let desktop: DesktopNotices
    private let shown = Mutex<[UInt32]>([])

    /// The daemon of the person's desktop.
    ///
    /// - Parameters:
    ///   - app: The app's name, which stands above a notice.
    ///   - texts: The app's own words for a key, in the person's language.
    public convenience init(named app: String, texts: @escaping @Sendable (_ key: String) -> String) {
        self.init(named: app, on: nil, texts: texts)
    }

    package init(named app: String, on address: String?, texts: @escaping @Sendable (_ key: String) -> String) {
        self.app = app
        self.texts = texts
        desktop = DesktopNotices(address: address)
    }

    /// Why a notice was not shown.
    public enum Failure: Error, Hashable, Sendable, CustomStringConvertible {
        /// There is no daemon, no bus, or no library to reach it.
        case unreachable

        /// One sentence for a person.
        public var description: String { "This desktop shows no notices: its notification service does not answer." }
    }

    /// Shows a notice.
    ///
    /// - Throws: ``Failure``; the app goes on without it.
    public func show(_ kind: some NoticeKind) async throws {
        let words = kind.notice.words(texts)
        let (desktop, app) = (desktop, app)
        let result: Result<UInt32, SystemFailure> = try await WorkerThread.run {
            do throws(SystemFailure) {
                return .success(try desktop.show(app: app, title: words.title, body: words.body))
            } catch {
                return .failure(error)
            }
        }
        guard case .success(let number) = result else { throw Failure.unreachable }
        shown.withLock { $0.append(number) }
    }

    /// Takes all back that this value showed: at a sign-out (``PushTokenMachine/Action/removeNotices``). A daemon that
    /// does not answer keeps them; they say nothing about the person.
    public func removeAll() async {
        let numbers = shown.withLock { shown in
            defer { shown = [] }
            return shown
        }
        let desktop = desktop
        try? await WorkerThread.run { for number in numbers { try? desktop.close(number) } }
    }

    /// The same when the app lock closes (``ScreenMachine/Action/withdrawNotices``). On Linux no notice waits for its
    /// time.
    public func removeShown() async { await removeAll() }
}
#endif
