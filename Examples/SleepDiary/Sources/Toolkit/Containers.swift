internal import CGtk

/// A window of the program.
@MainActor @safe
package final class Window: Widget {
    /// A window of this size, in points.
    package init(_ application: Application, _ title: String, width: Int32, height: Int32) {
        unsafe super.init(diary_window(application.raw, title, width, height))
    }

    /// What it shows.
    package func show(_ child: Widget) { unsafe diary_window_content(raw, child.raw) }
    /// What its title says.
    package func title(_ text: String) { unsafe diary_window_title(raw, text) }
    /// Comes to the front.
    package func present() { unsafe diary_present(raw) }
    /// Whether it has the keyboard.
    package var isActive: Bool { unsafe diary_is_active(raw) != 0 }
    /// Hears that it is to be closed.
    package func onClose(_ handler: @escaping @MainActor () -> Void) { on("close-request", handler) }
}

/// Room for one widget. What is put in takes the earlier one out of the window, for assistive technology too.
@MainActor @safe
package final class Slot: Widget {
    private var child: Widget?

    package init() { unsafe super.init(diary_bin()) }

    /// Shows this, and nothing else.
    package func show(_ widget: Widget) {
        unsafe diary_bin_child(raw, widget.raw)
        child = widget
    }
}

/// Widgets in a row or a column.
@MainActor @safe
package final class Stack: Widget {
    /// - Parameter spacing: Points between two.
    package init(vertical: Bool = true, spacing: Int32 = 0, _ children: [Widget] = []) {
        unsafe super.init(diary_box(vertical ? 1 : 0, spacing))
        for child in children { add(child) }
    }

    package func add(_ child: Widget) { unsafe diary_append(raw, child.raw) }
}

/// Keeps its child at a width that can be read.
@MainActor @safe
package final class Clamp: Widget {
    package init(_ child: Widget, width: Int32 = 560) { unsafe super.init(diary_clamp(child.raw, width)) }
}

/// A page that is longer than the window.
@MainActor @safe
package final class Scrolled: Widget {
    package init(_ child: Widget) { unsafe super.init(diary_scrolled(child.raw)) }
}

/// The bar at the top of a window.
@MainActor @safe
package final class Header: Widget {
    package init(title: String? = nil, start: [Widget] = [], end: [Widget] = []) {
        unsafe super.init(diary_header())
        if let title { unsafe diary_header_title(raw, diary_title(title)) }
        for widget in start { unsafe diary_header_start(raw, widget.raw) }
        for widget in end { unsafe diary_header_end(raw, widget.raw) }
    }

    /// Shows the names of pages in place of a title.
    package func title(_ switcher: Switcher) { unsafe diary_header_title(raw, switcher.raw) }
}

/// Pages, one at a time.
@MainActor @safe
package final class Pages: Widget {
    package init() { unsafe super.init(diary_stack()) }

    package func add(_ page: Widget, _ name: String, title: String, icon: String) {
        unsafe diary_stack_add(raw, page.raw, name, title, icon)
    }

    /// Hears that another page is shown.
    package func onChange(_ handler: @escaping @MainActor () -> Void) { on("notify::visible-child", handler) }

    /// The name of the page that is shown.
    package var shown: String {
        get {
            let name: UnsafePointer<CChar>? = unsafe diary_stack_name(raw)
            return unsafe name.map { unsafe String(cString: $0) } ?? ""
        }
        set { unsafe diary_stack_show(raw, newValue) }
    }
}

/// The names of pages, in the header where there is room.
@MainActor @safe
package final class Switcher: Widget {
    private let pages: Pages

    package init(_ pages: Pages, title: String) {
        self.pages = pages
        unsafe super.init(diary_switcher(pages.raw, title))
    }

    /// The same at the bottom, in a window that is too narrow.
    package func bar() -> Widget { unsafe Widget(diary_switcher_bar(pages.raw, raw)) }
}

/// Short messages over a page.
@MainActor @safe
package final class Toasts: Widget {
    package init(_ child: Widget) { unsafe super.init(diary_toasts(child.raw)) }

    package func show(_ text: String) { unsafe diary_toast(raw, text) }

    /// Takes all of them away, also those that wait: they lie above a cover.
    package func clear() { unsafe diary_toasts_end(raw) }
}

/// A page with an icon, a title and a sentence.
@MainActor @safe
package final class StatusPage: Widget {
    package init(icon: String, title: String, text: String, _ child: Widget? = nil) {
        unsafe super.init(diary_status(icon, title, text, child?.raw))
    }
}

/// Rows under a title.
@MainActor @safe
package final class RowGroup: Widget {
    package init(_ title: String = "", _ text: String = "", _ rows: [Widget] = []) {
        unsafe super.init(diary_group(title, text))
        for row in rows { add(row) }
    }

    package func add(_ row: Widget) { unsafe diary_group_add(raw, row.raw) }
}
