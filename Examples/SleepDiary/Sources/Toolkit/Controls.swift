internal import CGtk

/// A text.
@MainActor @safe
package final class Label: Widget {
    package init(_ text: String, wraps: Bool = true) { unsafe super.init(diary_label(text, wraps ? 1 : 0)) }

    package var text = "" { didSet { unsafe diary_label_text(raw, text) } }

    @discardableResult
    package func inTheMiddle() -> Self {
        unsafe diary_label_centered(raw)
        return self
    }

    /// Its text can be selected, and read with the keyboard.
    @discardableResult
    package func selectable() -> Self {
        unsafe diary_label_selectable(raw)
        return self
    }
}

/// Something to press.
@MainActor @safe
package class Button: Widget {
    package init(_ text: String, _ pressed: @escaping @MainActor () -> Void) {
        unsafe super.init(diary_button(text))
        on("clicked", pressed)
    }

    /// With an icon, in a row whose title is its name.
    init(icon: String, _ pressed: @escaping @MainActor () -> Void) {
        unsafe super.init(diary_icon_button(icon))
        on("clicked", pressed)
    }

    /// With an icon, and a name that is read and shown at the pointer.
    package init(icon: String, name: String, _ pressed: @escaping @MainActor () -> Void) {
        unsafe super.init(diary_icon_button(icon))
        named(name)
        tip(name)
        on("clicked", pressed)
    }

    /// Around another widget.
    init(plain: UnsafeMutableRawPointer, _ child: Widget) {
        unsafe super.init(plain)
        unsafe diary_button_child(raw, child.raw)
    }
}

/// An icon.
@MainActor @safe
package final class Icon: Widget {
    package init(_ name: String, size: Int32 = 0) { unsafe super.init(diary_image(name, size)) }
}

/// Something is being done.
@MainActor @safe
package final class Spinner: Widget {
    package init() { unsafe super.init(diary_spinner()) }
}

/// How far one is, 0 to 1.
@MainActor @safe
package final class Progress: Widget {
    package init(_ part: Double) { unsafe super.init(diary_progress(part)) }
}

/// On or off.
@MainActor @safe
package final class Toggle: Widget {
    /// - Parameter changed: Is told of each change, also of one that ``isOn`` makes.
    package init(_ isOn: Bool, _ changed: @escaping @MainActor (Toggle, Bool) -> Void) {
        unsafe super.init(diary_switch(isOn ? 1 : 0))
        on("notify::active") { [weak self] in
            guard let self else { return }
            changed(self, self.isOn)
        }
    }

    package var isOn: Bool {
        get { unsafe diary_switch_state(raw) != 0 }
        set { unsafe diary_switch_turn(raw, newValue ? 1 : 0) }
    }
}

/// A row with a title and a subtitle; nothing in it is markup.
@MainActor @safe
package final class Row: Widget {
    private let extra: [Widget]

    package init(_ title: String, _ subtitle: String = "", icon: String? = nil, _ suffixes: [Widget] = []) {
        extra = suffixes
        unsafe super.init(diary_row(title, subtitle))
        if let icon { unsafe diary_row_prefix(raw, diary_image(icon, 0)) }
        for widget in suffixes { unsafe diary_row_suffix(raw, widget.raw) }
    }

    /// What stands below the title.
    package func subtitle(_ text: String) { unsafe diary_row_subtitle(raw, text) }

    /// Pressing the row presses its first widget, whose name is the row's title: another name would be read beside it.
    @discardableResult
    package func pressesFirst() -> Self {
        if let first = extra.first { unsafe diary_row_activates(raw, first.raw) }
        return self
    }

    /// Can be pressed, anywhere in it; a screen reader finds a button of the row's name.
    @discardableResult
    package func onPress(_ pressed: @escaping @MainActor () -> Void) -> Self {
        let button = Button(icon: "go-next-symbolic", pressed)
        button.styled("flat").centered()
        unsafe diary_row_suffix(raw, button.raw)
        unsafe diary_row_activates(raw, button.raw)
        return self
    }
}

/// A row to type into. What is typed can be read by assistive technology: no PIN and no password belongs here.
@MainActor @safe
package final class EntryRow: Widget {
    package init(_ title: String, _ text: String = "") { unsafe super.init(diary_entry(title, text)) }

    package var text: String {
        get { unsafe String(cString: diary_entry_text(raw)) }
        set { unsafe diary_entry_set(raw, newValue) }
    }

    /// Hears of Enter.
    package func onEnter(_ handler: @escaping @MainActor () -> Void) { on("entry-activated", handler) }

    /// Hears of another text that is to hold: it shows a button for it, and Enter does the same.
    package func onApply(_ handler: @escaping @MainActor () -> Void) {
        unsafe diary_entry_applies(raw)
        on("apply", handler)
    }
}

/// A row with one choice of a list.
@MainActor @safe
package final class ChoiceRow: Widget {
    package init(
        _ title: String, _ names: [String], selected: Int, _ changed: @escaping @MainActor (Int) -> Void
    ) {
        unsafe super.init(diary_choice(title))
        for name in names { unsafe diary_choice_add(raw, name) }
        unsafe diary_choice_select(raw, Int32(selected))
        on("notify::selected") { [weak self] in
            guard let self else { return }
            unsafe changed(Int(diary_choice_selected(self.raw)))
        }
    }
}
