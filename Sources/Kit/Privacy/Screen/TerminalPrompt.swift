package import PavisePrimitives

/// A question for a secret at a terminal. Nothing of what is typed is shown, and the question itself is covered while
/// the terminal has no focus (``ScreenMachine``).
///
/// Pure, as ``TerminalScene`` is: whoever owns the terminal writes ``enter``, what comes from here, and ``leave``, and
/// gives what was typed, without the terminal's own echo. It stays on the usual screen, since a question is nothing
/// private, and leaves the clipboard alone: a person who pasted a password has one of their own there.
package struct TerminalPrompt: ~Copyable {
    /// Asks for reports of focus.
    package static let enter = "\u{1B}[?1004h"
    /// Clears the line of the question, and ends the reports.
    package static let leave = clear + "\u{1B}[?1004l"
    private static let clear = "\r\u{1B}[2K"

    private var machine = ScreenMachine()
    private let question: String
    private let cover: String?
    private let limit: Int
    private var line: [UInt8] = []
    // The beginning of a report of focus, whose end is still to come.
    private var begun: [UInt8] = []
    /// Whether the line has ended.
    package private(set) var isOver = false
    /// Whether the line is all: no longer than the limit, and nothing was typed behind its end.
    package private(set) var isWhole = true

    /// A question that nothing was answered to yet.
    ///
    /// - Parameters:
    ///   - question: What is asked; its last line is drawn again after a cover.
    ///   - cover: What is shown instead without the focus; `nil` for a terminal that knows no control sequences.
    ///   - limit: The most bytes that are kept of a line.
    package init(_ question: String, cover: String?, limit: Int) {
        self.question = question
        self.cover = cover
        self.limit = limit
        // Never moved while it grows: what was there before would not be wiped.
        line.reserveCapacity(limit)
        _ = machine.handle(.becameActive)
    }

    /// What is written first.
    package func started() -> String { question }

    /// The program was stopped and goes on: what was typed before is gone, and the question comes again.
    package mutating func continued() -> String {
        forget()
        for event in [ScreenMachine.Event.didEnterBackground, .willEnterForeground, .becameActive] {
            _ = machine.handle(event)
        }
        return drawn()
    }

    /// Takes what was typed.
    ///
    /// - Returns: What is to be written.
    package mutating func take(_ typed: [UInt8]) -> String {
        var shown = ""
        for byte in typed { shown += take(byte) }
        return shown
    }

    /// The line that was typed, without its end.
    package func secret() -> SecretBytes { SecretBytes(copying: line) }

    /// Wipes what was typed.
    package mutating func forget() {
        Wipe.bytes(&line)
        line.removeAll(keepingCapacity: true)
        begun = []
        isWhole = true
    }

    private mutating func take(_ byte: UInt8) -> String {
        if isOver {
            isWhole = false
            return ""
        }
        if cover != nil, let event = report(byte) { return event }
        let shown = perform(.becameActive)
        edit(byte)
        return isOver ? shown + "\n" : shown
    }

    // A report is three bytes (xterm, "FocusIn/FocusOut"). Whatever else begins as one belongs to what is typed.
    private mutating func report(_ byte: UInt8) -> String? {
        // No copy is made of what may be a part of the secret: nobody would wipe it.
        switch (begun.count, byte) {
        case (0, 0x1B), (1, UInt8(ascii: "[")):
            begun.append(byte)
            return ""
        case (2, UInt8(ascii: "I")), (2, UInt8(ascii: "O")):
            begun = []
            return perform(byte == UInt8(ascii: "I") ? .becameActive : .willResignActive)
        default:
            for held in begun { add(held) }
            begun = []
            // The key Escape, and then a report: what was typed ends here.
            guard byte == 0x1B else { return nil }
            begun.append(byte)
            return perform(.becameActive)
        }
    }

    // What a terminal does with a line that it puts together by itself (POSIX, canonical mode): the keys that end,
    // take back and empty it. Any other byte is a part of the secret.
    private mutating func edit(_ byte: UInt8) {
        switch byte {
        case 0x0A, 0x0D, 0x04: isOver = true
        case 0x08, 0x7F:
            // A character of UTF-8: the bytes that go on, and the one that begins it.
            while let last = line.last {
                line[line.count - 1] = 0
                line.removeLast()
                if last & 0xC0 != 0x80 { break }
            }
        case 0x15: forget()
        default: add(byte)
        }
    }

    private mutating func add(_ byte: UInt8) {
        guard line.count < limit else {
            isWhole = false
            return
        }
        line.append(byte)
    }

    private mutating func perform(_ event: ScreenMachine.Event) -> String {
        machine.handle(event).isEmpty ? "" : drawn()
    }

    private func drawn() -> String {
        let last = question.split(separator: "\n", omittingEmptySubsequences: false).last ?? ""
        guard let cover else { return "\n" + last }
        return Self.clear + (machine.isCovered ? cover : String(last))
    }
}
