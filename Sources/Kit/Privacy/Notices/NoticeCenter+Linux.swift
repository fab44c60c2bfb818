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
    private struct State {
        var shown: [UInt32] = []
        /// How often all were taken back.
        var removals = 0
        /// How many are on their way to the daemon, by the removals before them.
        var underWay: [Int: Int] = [:]

        var isAnyOverdue: Bool { underWay.keys.contains { $0 < removals } }
    }
    private let texts: @Sendable (String) -> String
    // Shows a title and a body, and gives the notice's number.
    private let deliver: @Sendable (_ title: String, _ body: String) throws -> UInt32
    private let withdraw: @Sendable (_ number: UInt32) throws -> Void
    private let state = Mutex(State())

    /// The daemon of the person's desktop.
    ///
    /// - Parameters:
    ///   - app: The app's name, which stands above a notice.
    ///   - texts: The app's own words for a key, in the person's language.
    public convenience init(named app: String, texts: @escaping @Sendable (_ key: String) -> String) {
        self.init(named: app, on: nil, texts: texts)
    }

    package convenience init(
        named app: String, on address: String?, texts: @escaping @Sendable (_ key: String) -> String
    ) {
        let desktop = DesktopNotices(address: address)
        self.init(
            texts: texts,
            show: { title, body in try desktop.show(app: app, title: title, body: body) },
            close: { number in try desktop.close(number) })
    }

    /// One over a test's own daemon.
    package init(
        texts: @escaping @Sendable (_ key: String) -> String,
        show: @escaping @Sendable (_ title: String, _ body: String) throws -> UInt32,
        close: @escaping @Sendable (_ number: UInt32) throws -> Void
    ) {
        self.texts = texts
        deliver = show
        withdraw = close
    }

    /// Why a notice was not shown.
    public enum Failure: Error, Hashable, Sendable, CustomStringConvertible {
        /// There is no daemon, no bus, or no library to reach it.
        case unreachable

        /// One sentence for a person.
        public var description: String { "This desktop shows no notices: its notification service does not answer." }
    }

    /// Shows a notice. One that ``removeAll()`` overtakes is taken back as soon as the daemon has it.
    ///
    /// - Throws: ``Failure``; the app goes on without it.
    public func show(_ kind: some NoticeKind) async throws {
        let words = kind.notice.words(texts)
        let before = state.withLock { state in
            state.underWay[state.removals, default: 0] += 1
            return state.removals
        }
        defer { end(before) }
        let (deliver, withdraw) = (deliver, withdraw)
        let shown = try await WorkerThread.run { try? deliver(words.title, words.body) }
        guard let number = shown else { throw Failure.unreachable }
        let isOver = state.withLock { state in
            guard state.removals == before else { return true }
            state.shown.append(number)
            return false
        }
        if isOver { try? await WorkerThread.run { _ = try? withdraw(number) } }
    }

    private func end(_ removals: Int) {
        state.withLock { state in
            let left = (state.underWay[removals] ?? 1) - 1
            state.underWay[removals] = left == 0 ? nil : left
        }
    }

    /// Takes all back that this value showed, and what it is about to show: at a sign-out
    /// (``PushTokenMachine/Action/removeNotices``). What is on its way to the daemon is waited for, a second at the
    /// longest, and is taken back after that too. A daemon that does not answer keeps them; they say nothing about the
    /// person.
    public func removeAll() async {
        let numbers = state.withLock { state in
            defer { state.shown = [] }
            state.removals += 1
            return state.shown
        }
        let withdraw = withdraw
        try? await WorkerThread.run { for number in numbers { try? withdraw(number) } }
        for _ in 0..<50 {
            guard state.withLock({ $0.isAnyOverdue }) else { return }
            try? await Task.sleep(for: .milliseconds(20))
        }
    }

    /// The same when the app lock closes (``ScreenMachine/Action/withdrawNotices``). On Linux no notice waits for its
    /// time.
    public func removeShown() async { await removeAll() }
}
#endif
