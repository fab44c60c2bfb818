internal import CGtk

/// One object of GTK: as long as this value lives, so does the widget, and as long as GTK uses the widget, so does this
/// value. A handler lives as long as its widget, and takes `[weak self]` of whatever it calls.
@MainActor @safe
package class Widget {
    let raw: UnsafeMutableRawPointer

    /// Takes over what a constructor of GTK gave, floating or not.
    init(_ made: UnsafeMutableRawPointer) {
        unsafe raw = made
        // Retained while anybody beside this value has a reference: so far the one that keeping it takes and gives
        // back.
        let owner = unsafe Unmanaged.passRetained(self).toOpaque()
        unsafe diary_keep(made, owner, Self.toggled)
    }

    isolated deinit { unsafe diary_release(raw, Self.toggled) }

    private static let toggled: @convention(c) (UnsafeMutableRawPointer?, Int32) -> Void = { owner, isLast in
        guard let owner = unsafe owner else { return }
        let widget = unsafe Unmanaged<Widget>.fromOpaque(owner)
        if isLast != 0 { unsafe widget.release() } else { _ = unsafe widget.retain() }
    }

    /// Calls `handler` at each `signal` with the signal's first number and text.
    func on(_ signal: String, _ handler: @escaping @MainActor (Int, String?) -> Bool) {
        let box = unsafe Unmanaged.passRetained(Handler(handler)).toOpaque()
        unsafe diary_connect(raw, signal, Handler.call, Handler.end, box)
    }

    /// Calls `handler` at each `signal`.
    func on(_ signal: String, _ handler: @escaping @MainActor () -> Void) {
        on(signal) { _, _ in
            handler()
            return false
        }
    }

    /// A name and a description for screen readers; nothing secret belongs into them.
    @discardableResult
    package func named(_ name: String, _ text: String = "") -> Self {
        unsafe diary_accessible(raw, name, text)
        return self
    }

    /// Takes what it says, and what is in it, away from assistive technology, and gives it back.
    ///
    /// To be in no window is not enough: GTK tells each widget that was read once, as long as it lives.
    package func veil(_ isVeiled: Bool) {
        if isVeiled { unsafe diary_veil(raw) } else { unsafe diary_unveil(raw) }
    }

    /// Adds classes of the style sheet.
    @discardableResult
    package func styled(_ names: String...) -> Self {
        for name in names { unsafe diary_class(raw, name) }
        return self
    }

    /// Removes a class of the style sheet.
    package func unstyled(_ name: String) { unsafe diary_class_off(raw, name) }

    /// The same space on all sides, in points.
    @discardableResult
    package func margin(_ points: Int32) -> Self {
        unsafe diary_margin(raw, points)
        return self
    }

    /// At least this size, in points; -1 leaves it open.
    @discardableResult
    package func size(_ width: Int32, _ height: Int32) -> Self {
        unsafe diary_size(raw, width, height)
        return self
    }

    /// Takes the room that there is.
    @discardableResult
    package func expanded() -> Self {
        unsafe diary_expand(raw)
        return self
    }

    /// Stays in the middle.
    @discardableResult
    package func centered() -> Self {
        unsafe diary_center(raw)
        return self
    }

    /// What a pointer that rests on it is told.
    @discardableResult
    package func tip(_ text: String) -> Self {
        unsafe diary_tooltip(raw, text)
        return self
    }

    /// Whether it can be used.
    package var isEnabled = true { didSet { unsafe diary_sensitive(raw, isEnabled ? 1 : 0) } }
    /// Whether it is there.
    package var isVisible = true { didSet { unsafe diary_visible(raw, isVisible ? 1 : 0) } }

    /// Takes the keyboard.
    package func focus() { unsafe diary_focus(raw) }
}

/// A closure that GTK owns.
@safe
private final class Handler: Sendable {
    private let handler: @MainActor (Int, String?) -> Bool

    init(_ handler: @escaping @MainActor (Int, String?) -> Bool) { self.handler = handler }

    static let call: @convention(c) (UnsafeMutableRawPointer?, Int, UnsafePointer<CChar>?) -> Int32 = {
        data, number, text in
        guard let data = unsafe data else { return 0 }
        let handler = unsafe Unmanaged<Handler>.fromOpaque(data).takeUnretainedValue()
        let words = unsafe text.map { unsafe String(cString: $0) }
        // GTK calls on the thread of its loop, which is the main thread.
        return MainActor.assumeIsolated { handler.handler(number, words) ? 1 : 0 }
    }

    static let end: @convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> Void = { data, _ in
        guard let data = unsafe data else { return }
        unsafe Unmanaged<Handler>.fromOpaque(data).release()
    }
}
