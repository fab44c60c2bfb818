internal import CGtk

/// Digits that are typed and not shown: no text widget, which would tell them to every program that reads the
/// accessibility bus, and no input method. They lie in memory of their own, are lent once and wiped.
@MainActor @safe
package final class PINField: Button {
    /// The most digits that it takes.
    package static let limit = 6
    private let digits: UnsafeMutableBufferPointer<UInt8>
    private var count = 0
    private let dots: Label
    private let keys: Widget
    private let name: String
    private let counted: (Int) -> String
    /// Called with the digits when the person presses Enter; the digits are wiped afterwards.
    package var submitted: @MainActor (borrowing Span<UInt8>) -> Void = { _ in }

    /// - Parameters:
    ///   - name: What a screen reader calls it.
    ///   - counted: What it says about so many digits.
    package init(_ name: String, counted: @escaping (Int) -> String) {
        self.name = name
        self.counted = counted
        unsafe digits = .allocate(capacity: Self.limit)
        unsafe digits.initialize(repeating: 0)
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

    isolated deinit {
        wipe()
        unsafe digits.deallocate()
    }

    /// A digit of a keypad, 0 to 9.
    package func type(_ digit: Int) { _ = take(0x30 + digit) }
    /// Takes the last digit back.
    package func takeBack() { _ = take(0xFF08) }

    /// Lends the digits and wipes them.
    package func submit() {
        guard count > 0 else { return }
        unsafe submitted(UnsafeBufferPointer(rebasing: digits[..<count]).span)
        wipe()
        show()
    }

    /// Wipes what was typed.
    package func clear() {
        wipe()
        show()
    }

    // Key values of X11 (keysymdef.h): digits, those of the keypad, BackSpace, Escape, Return, Enter of the keypad.
    private func take(_ key: Int) -> Bool {
        switch key {
        case 0x30...0x39 where count < Self.limit, 0xFFB0...0xFFB9 where count < Self.limit:
            unsafe digits[count] = UInt8(0x30 + key % 16)
            count += 1
        case 0x30...0x39, 0xFFB0...0xFFB9: break
        case 0xFF08 where count > 0:
            count -= 1
            unsafe digits[count] = 0
        case 0xFF1B where count > 0: wipe()
        case 0xFF0D, 0xFF8D:
            submit()
            return true
        default: return false
        }
        show()
        return true
    }

    private func wipe() {
        for at in 0..<Self.limit { unsafe digits[at] = 0 }
        count = 0
    }

    private func show() {
        dots.text = (0..<Self.limit).map { $0 < count ? "●" : "○" }.joined(separator: " ")
        named(name, counted(count))
    }
}
