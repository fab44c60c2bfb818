internal import CPavisePlatform
internal import Synchronization

/// What systemd-logind says about the session of this process, and about the machine.
package enum LoginEvent: Hashable, Sendable {
    /// The desktop is asked to lock; whether it does, another word says.
    case lockAsked
    /// The screen was locked.
    case locked
    /// It is unlocked, or is to be.
    case unlocked
    /// The machine is about to sleep.
    case willSleep
}

/// A signal of the system's bus, whoever sent it. Pure.
package struct LoginSignal: Hashable, Sendable {
    package let sender, path, interface, member: String
    /// What it says, where it says yes or no.
    package let flag: Bool?

    /// A signal from its parts.
    package init(sender: String, path: String, interface: String, member: String, flag: Bool? = nil) {
        (self.sender, self.path, self.interface, self.member) = (sender, path, interface, member)
        self.flag = flag
    }

    /// What it means; `nil` for a stranger's, for that of another session, and for what says nothing here.
    ///
    /// - Parameters:
    ///   - owner: The unique name of systemd-logind. A match of the bus does not hold back what a stranger sends to
    ///     this connection alone.
    ///   - session: The object of the own session.
    package func meaning(from owner: String, session: String) -> LoginEvent? {
        guard sender == owner else { return nil }
        switch (interface, member, flag) {
        case ("org.freedesktop.login1.Manager", "PrepareForSleep", true?): return .willSleep
        case _ where path != session: return nil
        case ("org.freedesktop.login1.Session", "Lock", _): return .lockAsked
        case ("org.freedesktop.login1.Session", "Unlock", _): return .unlocked
        case ("org.freedesktop.DBus.Properties", "PropertiesChanged", let isLocked?):
            return isLocked ? .locked : .unlocked
        default: return nil
        }
    }
}

/// Tells what systemd-logind says, for as long as it lives. Linux only: Apple's systems say it themselves.
///
/// One thread waits for the bus; libsystemd is loaded with the first watch.
package final class LoginWatch: Sendable {
    private let inner: Waiting

    /// Begins. Both are called on a thread of the watch's own, one call at a time, and must not wait for long.
    ///
    /// - Parameters:
    ///   - address: Where the bus is; `nil` for the machine's.
    ///   - failed: Hears once why nothing is heard (any more): there is no bus, no systemd-logind or no libsystemd.
    ///   - tell: Hears each event, and first that the screen is locked where it is when the watch begins.
    package init(
        address: String? = nil, failed: @escaping @Sendable (SystemFailure) -> Void,
        _ tell: @escaping @Sendable (LoginEvent) -> Void
    ) throws(SystemFailure) {
        let inner = try Waiting(failed, tell)
        self.inner = inner
        try WorkerThread.start { inner.run(address) }
    }

    deinit { inner.stop() }
}

/// What the thread holds. It outlives the watch until the thread has seen that it is over.
private final class Waiting: Sendable {
    private let poll: EventPoll
    private let isOver = Atomic(false)
    private let failed: @Sendable (SystemFailure) -> Void
    private let tell: @Sendable (LoginEvent) -> Void

    init(
        _ failed: @escaping @Sendable (SystemFailure) -> Void, _ tell: @escaping @Sendable (LoginEvent) -> Void
    ) throws(SystemFailure) {
        poll = try EventPoll()
        (self.failed, self.tell) = (failed, tell)
    }

    func stop() {
        isOver.store(true, ordering: .releasing)
        poll.wake()
    }

    func run(_ address: String?) {
        var code: Int32 = 0
        guard let watch = unsafe pavise_login_open(address, &code) else { return fail(code) }
        defer { unsafe pavise_login_close(watch) }
        // Of a program that starts under a locked screen nobody says it again.
        if unsafe pavise_login_locked(watch) == 1 { tell(.locked) }
        let descriptor = unsafe pavise_login_descriptor(watch)
        do throws(SystemFailure) {
            try poll.watch(descriptor, for: .read, key: 1, isNew: true)
        } catch {
            return failed(error)
        }
        while !isOver.load(ordering: .acquiring) {
            // What came with an earlier message lies in this process, and wakes nobody.
            let code = unsafe readAll(watch)
            guard code == 0 else { return fail(-code) }
            poll.wait(milliseconds: -1) { _, _ in }
        }
    }

    private func fail(_ code: Int32) {
        failed(SystemFailure(operation: "login1", path: "system bus", code: code))
    }

    @unsafe
    private func readAll(_ watch: UnsafeMutableRawPointer) -> Int32 {
        var signal = unsafe pavise_login_signal()
        while true {
            let code = unsafe pavise_login_next(watch, &signal)
            guard code > 0 else { return code }
            let said = unsafe LoginSignal(
                sender: String(cString: signal.sender), path: String(cString: signal.path),
                interface: String(cString: signal.interface), member: String(cString: signal.member),
                flag: signal.flag < 0 ? nil : signal.flag != 0)
            let (owner, session) = unsafe (
                String(cString: pavise_login_owner(watch)), String(cString: pavise_login_session(watch))
            )
            if let event = said.meaning(from: owner, session: session) { tell(event) }
        }
    }
}
