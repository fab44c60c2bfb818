/// The control sequences of a terminal that shows what must not stay on it (xterm, ECMA-48), and what its input
/// tells about focus.
///
/// The content is shown on the alternate screen, which is left and cleared at the end, when the program is stopped
/// (SIGTSTP) and when it loses the terminal (SIGHUP). A terminal, a multiplexer or a screen recorder can keep what
/// was shown: this cannot be prevented.
public enum TerminalScreen {
    /// Enters the alternate screen, clears it, and asks for reports of focus.
    public static let enter = "\u{1B}[?1049h\u{1B}[2J\u{1B}[H\u{1B}[?1004h"
    /// Clears the alternate screen and the clipboard, leaves the screen, and ends the reports.
    public static let leave = "\u{1B}[?1004l\u{1B}[2J\u{1B}[H" + clearClipboard + "\u{1B}[?1049l"
    /// Clears the screen and the lines that were scrolled away.
    public static let erase = "\u{1B}[2J\u{1B}[3J\u{1B}[H"
    /// Empties the clipboard of a terminal that lets programs write it (OSC 52); others ignore it.
    public static let clearClipboard = "\u{1B}]52;c;!\u{7}"

    /// What the machine's actions are on a terminal.
    public static func sequence(for action: ScreenMachine.Action) -> String {
        switch action {
        case .cover: erase
        case .uncover: ""
        case .warnOfScreenshot, .withdrawNotices: ""
        case .clearClipboard: clearClipboard
        }
    }

    /// Takes the reports of focus out of what was typed.
    ///
    /// - Returns: What was typed without the reports, and the events in order.
    public static func events(in typed: [UInt8]) -> (rest: [UInt8], events: [ScreenMachine.Event]) {
        var rest: [UInt8] = []
        var events: [ScreenMachine.Event] = []
        var index = 0
        while index < typed.count {
            if index + 2 < typed.count, typed[index] == 0x1B, typed[index + 1] == UInt8(ascii: "["),
                typed[index + 2] == UInt8(ascii: "I") || typed[index + 2] == UInt8(ascii: "O")
            {
                events.append(typed[index + 2] == UInt8(ascii: "I") ? .becameActive : .willResignActive)
                index += 3
            } else {
                rest.append(typed[index])
                index += 1
            }
        }
        return (rest, events)
    }
}
