/// Questions and answers on a terminal that must not stay there: the scene that ``ScreenMachine`` covers, as text.
///
/// ```swift
/// var scene = TerminalScene(rows: 24, columns: 80, cover: "Diary")
/// write(scene.show("Slept 7 hours.\n") + scene.ask("> "))
/// write(scene.take(typed).shown)  // after ESC [ O, the report of a lost focus: the cover
/// ```
///
/// Pure: whoever owns the terminal writes ``TerminalScreen/enter``, what comes from here, and ``TerminalScreen/leave``,
/// and gives what was typed, without the terminal's own echo. A terminal that tells nothing of focus is covered by a
/// stop alone.
public struct TerminalScene: Sendable {
    /// What follows from what was typed.
    public struct Step: Hashable, Sendable {
        /// To be written to the terminal.
        public var shown = ""
        /// A line that is whole. Ask for the next one with ``TerminalScene/ask(_:)`` and call
        /// ``TerminalScene/take(_:)`` with nothing: more may have been typed.
        public var line: String?
        /// The person wants to end: Ctrl-D on an empty line.
        public var isOver = false
    }

    /// The longest line that is taken, in bytes; what is typed behind that is dropped.
    public static let lineLimit = 1 << 16
    /// How many rows of earlier answers are kept, in memory alone, to be looked at again.
    public static let rowLimit = 10_000

    private var machine = ScreenMachine()
    private var rows: Int
    private var columns: Int
    private let cover: String
    private var text: [String] = []
    private var last = ""
    private var prompt = ""
    private var line = ""
    private var isAsking = false
    // How many rows the person looks back.
    private var back = 0
    // The columns of what is asked and typed.
    private var used = 0
    // Whether the keys of one call want the whole screen drawn: once, at its end.
    private var wantsDrawing = false
    private var pending: ArraySlice<UInt8> = []

    /// A scene that is shown: whoever starts it looks at it.
    ///
    /// - Parameters:
    ///   - rows: The terminal's rows.
    ///   - columns: The terminal's columns.
    ///   - cover: What is shown instead of the content.
    public init(rows: Int, columns: Int, cover: String) {
        self.rows = max(2, rows)
        self.columns = max(2, columns)
        self.cover = cover
        _ = machine.handle(.becameActive)
    }

    /// Whether the content is covered.
    public var isCovered: Bool { machine.isCovered }

    /// Adds to what is shown. Control characters but line ends become U+FFFD.
    public mutating func show(_ added: String) -> String {
        for scalar in added.unicodeScalars {
            if scalar == "\n" {
                text += Self.wrapped(last, columns)
                last = ""
            } else {
                last.unicodeScalars.append(Self.isShown(scalar) ? scalar : "\u{FFFD}")
            }
        }
        if text.count > Self.rowLimit { text.removeFirst(text.count - Self.rowLimit) }
        back = 0
        return isCovered ? "" : drawn()
    }

    /// Asks for a line.
    public mutating func ask(_ prompt: String) -> String {
        self.prompt = prompt
        isAsking = true
        used = Self.width(last + prompt + line)
        return isCovered ? "" : drawn()
    }

    /// Takes what was typed, up to the first whole line.
    public mutating func take(_ typed: [UInt8]) -> Step {
        pending += typed
        var step = Step()
        while let key = nextKey() {
            take(key, &step)
            if step.line != nil || step.isOver { break }
        }
        if wantsDrawing { step.shown = drawn() }
        wantsDrawing = false
        return step
    }

    /// The screen was left because the program was stopped, and is entered again.
    public mutating func continued(rows: Int, columns: Int) -> String {
        self.rows = max(2, rows)
        self.columns = max(2, columns)
        for event in [ScreenMachine.Event.didEnterBackground, .willEnterForeground, .becameActive] {
            _ = machine.handle(event)
        }
        return drawn()
    }

    // MARK: Keys

    private enum Key {
        case character(Character)
        case event(ScreenMachine.Event)
        case enter, erase, clear, end, pageUp, pageDown, up, down, draw, other
    }

    /// The next whole key: a part of a character or of a sequence waits for the rest.
    private mutating func nextKey() -> Key? {
        guard let first = pending.first else { return nil }
        var count = 1
        let key: Key
        switch first {
        case 0x1B:
            guard let found = sequence() else { return nil }
            count = found.count
            key = found.key
        case 0x0A, 0x0D: key = .enter
        case 0x04: key = .end
        case 0x08, 0x7F: key = .erase
        case 0x0C: key = .draw
        case 0x15: key = .clear
        case 0x09: key = .character(" ")
        case 0..<0x20: key = .other
        default:
            count = first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
            guard pending.count >= count else { return nil }
            let character = String(decoding: pending.prefix(count), as: UTF8.self).first ?? "\u{FFFD}"
            key = character.unicodeScalars.allSatisfy(Self.isShown) ? .character(character) : .other
        }
        pending = pending.dropFirst(count)
        return key
    }

    /// A control sequence (ECMA-48, 5.4), a string that a terminal sent, or a key with Alt: `nil` while its end is
    /// missing, and no end is waited for beyond 4 kB. Where an escape follows, another one begins: behind the key of
    /// that name, and behind Alt with a bracket, the lost focus is told all the same.
    private func sequence() -> (count: Int, key: Key)? {
        let rest = pending.dropFirst()
        guard let second = rest.first else { return nil }
        switch second {
        case 0x1B: return (1, .other)
        case UInt8(ascii: "]"): return string()
        case UInt8(ascii: "O"): return keyOfApplication()
        case UInt8(ascii: "["): break
        default: return (2, .other)
        }
        let inside = rest.dropFirst()
        guard let end = inside.firstIndex(where: { ($0 >= 0x40 && $0 <= 0x7E) || $0 == 0x1B }) else {
            return pending.count < 64 ? nil : (pending.count, .other)
        }
        guard pending[end] != 0x1B else { return (end - pending.startIndex, .other) }
        let key: Key =
            switch String(decoding: inside[...end], as: UTF8.self) {
            case "I": .event(.becameActive)
            case "O": .event(.willResignActive)
            case "A": .up
            case "B": .down
            case "5~": .pageUp
            case "6~": .pageDown
            default: .other
            }
        return (end + 1 - pending.startIndex, key)
    }

    /// A string of the terminal (OSC): it ends with BEL or with the String Terminator, ESC \ (ECMA-48, 8.3.143), and
    /// is given up at CAN and SUB.
    private func string() -> (count: Int, key: Key)? {
        guard let end = pending.dropFirst(2).firstIndex(where: { [7, 0x18, 0x1A, 0x1B].contains($0) }) else {
            return pending.count < 4096 ? nil : (pending.count, .other)
        }
        let count = end - pending.startIndex
        guard pending[end] == 0x1B else { return (count + 1, .other) }
        guard end + 1 < pending.endIndex else { return nil }
        return (pending[end + 1] == UInt8(ascii: "\\") ? count + 2 : count, .other)
    }

    /// F1 to F4, and the keys of the cursor while a program before this one left them switched (SS3): three bytes.
    private func keyOfApplication() -> (count: Int, key: Key)? {
        guard let third = pending.dropFirst(2).first else { return nil }
        switch third {
        case UInt8(ascii: "A"): return (3, .up)
        case UInt8(ascii: "B"): return (3, .down)
        case UInt8(ascii: "C"), UInt8(ascii: "D"), UInt8(ascii: "F"), UInt8(ascii: "H"), 0x50...0x53: return (3, .other)
        default: return (2, .other)
        }
    }

    private mutating func take(_ key: Key, _ step: inout Step) {
        if case .event(let event) = key { return perform(event) }
        if case .other = key { return }
        // Who types has the focus, also where the terminal did not tell.
        perform(.becameActive)
        switch key {
        case .pageUp: look(back + rows - 2)
        case .pageDown: look(back - rows + 2)
        case .up: look(back + 1)
        case .down: look(back - 1)
        case .draw: wantsDrawing = true
        default: edit(key, &step)
        }
    }

    private mutating func edit(_ key: Key, _ step: inout Step) {
        let isEcho = back == 0
        back = 0
        wantsDrawing = wantsDrawing || !isEcho
        switch key {
        case .character(let character):
            guard line.utf8.count < Self.lineLimit else { return }
            line.append(character)
            used += Self.width(of: character)
            step.shown.append(character)
            wantsDrawing = wantsDrawing || used >= columns
        case .erase where !line.isEmpty: change(to: String(line.dropLast()))
        case .clear: change(to: "")
        case .enter:
            step.line = line
            _ = show(prompt + line + "\n")
            prompt = ""
            isAsking = false
            change(to: "")
        case .end: step.isOver = line.isEmpty
        default: break
        }
    }

    private mutating func change(to line: String) {
        self.line = line
        used = Self.width(last + prompt + line)
        wantsDrawing = true
    }

    private mutating func look(_ rows: Int) {
        back = max(0, min(rows, text.count - self.rows + 2))
        wantsDrawing = true
    }

    // The clipboard is emptied with the screen: a focus that moves on is no reason.
    private mutating func perform(_ event: ScreenMachine.Event) {
        if !machine.handle(event).isEmpty { wantsDrawing = true }
    }

    private static func isShown(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.generalCategory != .control }

    // MARK: Drawing

    /// The whole screen. Of the alternate screen nothing is scrolled into what the terminal keeps, since no more rows
    /// are drawn than there are.
    private func drawn() -> String {
        let clear = "\u{1B}[2J\u{1B}[H"
        guard !isCovered else { return clear + cover }
        var shown = text.dropLast(min(back, text.count))
        let asked = isAsking && back == 0 ? prompt + line : ""
        shown += Self.wrapped(last + asked, columns)
        return clear + shown.suffix(rows).joined(separator: "\r\n")
    }

    /// A line as rows of the terminal.
    private static func wrapped(_ line: String, _ columns: Int) -> [String] {
        var rows = [""]
        var used = 0
        for character in line {
            let width = width(of: character)
            if used + width > columns {
                rows.append("")
                used = 0
            }
            rows[rows.count - 1].append(character)
            used += width
        }
        return rows
    }

    private static func width(_ text: String) -> Int { text.reduce(0) { $0 + width(of: $1) } }

    /// The columns of a character: two of East Asia's and of pictures, as most terminals have them.
    private static func width(of character: Character) -> Int {
        guard let first = character.unicodeScalars.first else { return 0 }
        switch first.value {
        case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
            0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
            return 2
        default: return 1
        }
    }
}
