import Foundation
import Testing

/// A shell at a terminal of its own, and somebody who types into it and looks at what it shows.
final class TerminalShell {
    private let process: Process
    private let keys: FileHandle
    private let terminal: FileHandle
    /// All that was written to the terminal.
    private(set) var said: [UInt8] = []

    init(_ process: Process) throws {
        var controller: Int32 = 0
        var side: Int32 = 0
        var size = winsize(ws_row: 12, ws_col: 60, ws_xpixel: 0, ws_ypixel: 0)
        try #require(unsafe openpty(&controller, &side, nil, nil, &size) == 0)
        self.process = process
        terminal = FileHandle(fileDescriptor: side, closeOnDealloc: true)
        keys = FileHandle(fileDescriptor: controller, closeOnDealloc: true)
        (process.standardInput, process.standardOutput, process.standardError) = (terminal, terminal, terminal)
        try process.run()
    }

    /// Types, and waits until `word` was said after that.
    ///
    /// - Returns: What was said in between, the word with it.
    @discardableResult
    func type(_ text: String, until word: String) throws -> String {
        let start = said.count
        keys.write(Data(text.utf8))
        return try wait(for: word, after: start)
    }

    /// Waits until each of `words`, behind the one before, was said behind the first `start` bytes. Gives up after a
    /// minute without a byte.
    @discardableResult
    func wait(for words: String..., after start: Int = 0) throws -> String {
        while !Self.holds(said[start...], words) {
            var waiting = pollfd(fd: keys.fileDescriptor, events: Int16(POLLIN), revents: 0)
            let isThere = unsafe poll(&waiting, 1, 60_000) == 1
            let more = isThere ? keys.availableData : Data()
            guard !more.isEmpty else {
                Issue.record("\(words) were not said, but “\(String(decoding: said[start...], as: UTF8.self))”")
                throw CancellationError()
            }
            said += more
        }
        return String(decoding: said[start...], as: UTF8.self)
    }

    /// What lay on the terminal outside of the alternate screen: it stays when the program is gone.
    var kept: String { parts.kept }
    /// What lay on the alternate screen.
    var alternate: String { parts.alternate }

    private var parts: (kept: String, alternate: String) {
        let text = String(decoding: said, as: UTF8.self)
        let pieces = text.components(separatedBy: "\u{1B}[?1049h")
        let split = pieces.dropFirst().map { $0.components(separatedBy: "\u{1B}[?1049l") }
        return (
            pieces[0] + split.flatMap { $0.dropFirst() }.joined(), split.map { $0[0] }.joined()
        )
    }

    private static func holds(_ bytes: ArraySlice<UInt8>, _ words: [String]) -> Bool {
        var rest = bytes
        for word in words.map({ Array($0.utf8) }) {
            guard let place = rest.indices.first(where: { rest[$0...].starts(with: word) }) else { return false }
            rest = rest[(place + word.count)...]
        }
        return true
    }

    /// The process that has the terminal, found by its words.
    func program(_ words: String) throws -> Int32 {
        for name in try FileManager.default.contentsOfDirectory(atPath: "/proc") {
            guard let number = Int32(name), let line = FileManager.default.contents(atPath: "/proc/\(name)/cmdline"),
                String(decoding: line, as: UTF8.self).split(separator: "\0").joined(separator: " ").contains(words),
                isDescendant(number)
            else { continue }
            return number
        }
        throw CancellationError()
    }

    private func isDescendant(_ number: Int32) -> Bool {
        guard let status = FileManager.default.contents(atPath: "/proc/\(number)/stat") else { return false }
        let fields = String(decoding: status, as: UTF8.self).split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 1, let parent = Int32(fields[1]), parent > 1 else { return false }
        return parent == process.processIdentifier || isDescendant(parent)
    }

    /// Ends the shell.
    func end() {
        keys.write(Data("exit\n".utf8))
        process.waitUntilExit()
    }

    deinit { if process.isRunning { process.terminate() } }
}
