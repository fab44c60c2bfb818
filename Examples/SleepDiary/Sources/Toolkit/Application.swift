internal import CGtk
// libdispatch's main queue is linked with it.
internal import Dispatch

/// The program as the desktop knows it: one process, started a second time it comes to the front.
@MainActor @safe
package final class Application: Widget {
    /// An application.
    ///
    /// - Parameter identifier: Its name on the session bus, and that of its desktop file.
    package init(_ identifier: String) {
        diary_begin_process()
        unsafe super.init(diary_application(identifier))
    }

    /// Serves the window system, and Swift's main actor, until ``quit()``.
    ///
    /// - Parameter activated: Called at the start, and whenever the program is started again.
    /// - Returns: The process's status.
    package func run(_ activated: @escaping @MainActor () -> Void) -> Int32 {
        on("activate", activated)
        diary_serve_main_queue()
        return unsafe diary_run(raw)
    }

    /// Ends it.
    package func quit() { unsafe diary_quit(raw) }

    /// Shows a notice outside of the window, in the place of an earlier one of this name.
    package func notify(_ name: String, title: String, body: String) { unsafe diary_notify(raw, name, title, body) }

    /// Takes a notice back.
    package func withdraw(_ name: String) { unsafe diary_withdraw(raw, name) }

    /// Light, dark, or as the system has it.
    package func look(_ scheme: ColorScheme) { diary_appearance(scheme.rawValue) }

    /// Adds rules of style.
    package func style(_ sheet: String) { unsafe diary_style(sheet) }

    /// Where icons of its own lie.
    package func icons(in folder: String) { unsafe diary_icon_folder(folder) }
}

/// Light or dark.
package enum ColorScheme: Int32 {
    case system, light, dark
}

/// What the session of this person on the machine does, as systemd-logind tells.
package enum SessionEvent: Int32, Sendable {
    case locked = 1
    case unlocked, willSleep

    /// Listens for as long as the process runs. Without a system bus nothing is heard.
    @MainActor
    package static func watch(_ handler: @escaping @MainActor (SessionEvent) -> Void) {
        let box = unsafe Unmanaged.passRetained(Listener(handler)).toOpaque()
        unsafe diary_watch_session(
            { data, event in
                guard let data = unsafe data, let event = SessionEvent(rawValue: event) else { return }
                let listener = unsafe Unmanaged<Listener>.fromOpaque(data).takeUnretainedValue()
                MainActor.assumeIsolated { listener.handler(event) }
            }, box)
    }

    private final class Listener: Sendable {
        let handler: @MainActor (SessionEvent) -> Void
        init(_ handler: @escaping @MainActor (SessionEvent) -> Void) { self.handler = handler }
    }
}
