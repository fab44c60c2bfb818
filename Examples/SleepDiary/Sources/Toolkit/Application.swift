internal import CGtk
// libdispatch's main queue is linked with it.
internal import Dispatch
internal import Foundation

/// Begins the program once more where the C library and GLib were not told to overwrite or to give back each piece of
/// freed memory: they read that before `main`. The desktop file tells them, a terminal does not.
package func beginAnew() {
    guard unsafe diary_begin_anew(CommandLine.unsafeArgv) == 0 else {
        print("This program cannot begin anew with memory that is overwritten.")
        exit(1)
    }
}

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

    /// Whether one of its windows has the keyboard, also one of its own questions.
    package var hasKeyboard: Bool { diary_has_keyboard() != 0 }

    /// Hears whenever one of its windows gets the keyboard or loses it, for as long as the process runs.
    package func onKeyboard(_ handler: @escaping @MainActor () -> Void) {
        let box = unsafe Unmanaged.passRetained(Listener(handler)).toOpaque()
        unsafe diary_watch_keyboard(
            { data in
                guard let data = unsafe data else { return }
                let listener = unsafe Unmanaged<Listener>.fromOpaque(data).takeUnretainedValue()
                MainActor.assumeIsolated { listener.handler() }
            }, box)
    }

    private final class Listener: Sendable {
        let handler: @MainActor () -> Void
        init(_ handler: @escaping @MainActor () -> Void) { self.handler = handler }
    }

    /// Ends it.
    package func quit() { unsafe diary_quit(raw) }

    /// Shows a notice outside of the window, in the place of an earlier one of this name.
    package func notify(_ name: String, title: String, body: String) { unsafe diary_notify(raw, name, title, body) }

    /// Takes a notice back.
    package func withdraw(_ name: String) { unsafe diary_withdraw(raw, name) }

    /// Empties the clipboard, and what is selected, where this program has filled them; what others copied stays.
    package func clearClipboard() { diary_clear_clipboard() }

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
