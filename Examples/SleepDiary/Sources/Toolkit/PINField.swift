internal import CGtk
package import PaviseValidation

/// Digits that are typed and not shown: no text widget, which would tell them to every program that reads the
/// accessibility bus, and no input method.
@MainActor @safe
package final class PINField: Button {
    /// What was typed: whoever takes it wipes it here.
    package let typed = TypedPIN()
    private let dots: Label
    private let keys: Widget
    private let name: String
    private let counted: (Int) -> String
    /// Called when the person presses Enter after a digit at least. What is not taken then is wiped.
    package var submitted: @MainActor () -> Void = {}

    /// - Parameters:
    ///   - name: What a screen reader calls it.
    ///   - counted: What it says about so many digits.
    package init(_ name: String, counted: @escaping (Int) -> String) {
        self.name = name
        self.counted = counted
        let dots = Label("", wraps: false)
        dots.inTheMiddle()
        self.dots = dots
        let plain: UnsafeMutableRawPointer = unsafe diary_plain_button()
        unsafe keys = Widget(diary_keys(plain))
        unsafe super.init(plain: plain, dots)
        styled("pin")
        size(220, 56)
        keys.on("key-pressed") { [weak self] key, _ in self?.take(key) ?? false }
        show()
    }

    /// A digit of a keypad, 0 to 9.
    package func type(_ digit: Int) { _ = take(0x30 + digit) }
    /// Takes the last digit back.
    package func takeBack() { _ = take(0xFF08) }

    /// Ends the PIN.
    package func submit() {
        guard typed.count > 0 else { return }
        submitted()
        typed.clear()
        show()
    }

    // Key values of X11 (keysymdef.h): digits, those of the keypad, BackSpace, Escape, Return, Enter of the keypad.
    private func take(_ key: Int) -> Bool {
        switch key {
        case 0x30...0x39, 0xFFB0...0xFFB9: typed.append(key % 16)
        case 0xFF08 where typed.count > 0: typed.removeLast()
        case 0xFF1B where typed.count > 0: typed.clear()
        case 0xFF0D, 0xFF8D:
            submit()
            return true
        default: return false
        }
        show()
        return true
    }

    private func show() {
        // As many places as the usual PIN has, and more where an administrator wanted a longer one.
        let places = max(PINRule.standard.length.upperBound, typed.count)
        dots.text = (0..<places).map { $0 < typed.count ? "●" : "○" }.joined(separator: " ")
        named(name, counted(typed.count))
    }
}
