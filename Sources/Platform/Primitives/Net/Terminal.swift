internal import CPavisePlatform

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// The terminal, where there is one.
package enum Terminal {
    /// One of the three streams every program starts with.
    package enum Stream: Int32, Sendable {
        case input = 0
        case output = 1
        case error = 2
    }

    /// Whether a person sits at `stream`.
    package static func isInteractive(_ stream: Stream) -> Bool { isatty(stream.rawValue) == 1 }

    /// The longest line in bytes that a terminal gives whole; what is typed behind that is dropped.
    package static let lineLimit = 4094

    /// Asks on the terminal itself, without showing what is typed. `nil` when there is no terminal.
    package static func readSecret(prompt: String) throws(SystemFailure) -> SecretBytes? {
        guard let terminal = try? FileDescriptor.open("/dev/tty", O_RDWR) else { return nil }
        guard pavise_terminal_hide(terminal.number) == 0 else { return nil }
        defer { pavise_terminal_show() }
        try terminal.write(Array(prompt.utf8))
        var line = try terminal.readChunk(upTo: lineLimit + 2)
        defer { Wipe.bytes(&line) }
        try terminal.write([10])
        if line.last == 10 { line.removeLast() }
        return SecretBytes(copying: line)
    }

    /// Asks on the terminal itself and gives the line that was typed. `nil` when there is no terminal.
    package static func readAnswer(to question: String) throws(SystemFailure) -> String? {
        guard let terminal = try? FileDescriptor.open("/dev/tty", O_RDWR) else { return nil }
        try terminal.write(Array(question.utf8))
        // All of it: what is left of a line answers the next question, or is a command of the shell.
        let line = try terminal.readChunk(upTo: lineLimit + 2)
        return String(decoding: line.prefix { $0 != 10 && $0 != 13 }, as: UTF8.self)
    }

    /// Reads a secret from standard input to its end.
    ///
    /// - Parameter limit: The most bytes that are read.
    package static func readSecretInput(limit: Int) throws(SystemFailure) -> SecretBytes {
        var all: [UInt8] = []
        defer { Wipe.bytes(&all) }
        try read(into: &all, limit: limit) { _ in false }
        return SecretBytes(copying: all)
    }

    private static func read(
        into all: inout [UInt8], limit: Int, until isEnough: ([UInt8]) -> Bool
    ) throws(SystemFailure) {
        // Never moved while it grows: what was there before would not be wiped.
        all.reserveCapacity(limit)
        let input = FileDescriptor(owning: dup(0), path: "standard input")
        while all.count < limit, !isEnough(all) {
            var chunk = try input.readChunk(upTo: limit - all.count)
            guard !chunk.isEmpty else { return }
            all += chunk
            Wipe.bytes(&chunk)
        }
    }

    /// Reads a secret from standard input up to its first line end.
    package static func readSecretFromInput(limit: Int = 4096) throws(SystemFailure) -> SecretBytes {
        var all: [UInt8] = []
        defer { Wipe.bytes(&all) }
        try read(into: &all, limit: limit) { $0.contains(10) }
        let line = all.prefix { $0 != 10 && $0 != 13 }
        return SecretBytes(count: line.count) { span in
            for (index, byte) in line.enumerated() { span[index] = byte }
        }
    }

    /// Reads secrets from standard input, one on each line, until `count` are there or the input ends.
    ///
    /// - Parameter limit: The most bytes for all lines together; what is longer is not read.
    package static func readSecretsFromInput(count: Int, limit: Int = 8192) throws(SystemFailure) -> [SharedSecretLine]
    {
        var all: [UInt8] = []
        defer { Wipe.bytes(&all) }
        try read(into: &all, limit: limit) { read in read.count(where: { $0 == 10 }) >= count }
        let lines = all.split(separator: 10, omittingEmptySubsequences: false)
        return lines.prefix(count).map { line in
            let text = line.last == 13 ? line.dropLast() : line
            return SharedSecretLine(
                SecretBytes(count: text.count) { span in
                    for (index, byte) in text.enumerated() { span[index] = byte }
                })
        }.filter { $0.bytes.count > 0 }
    }
}

/// A line that was read as a secret.
package final class SharedSecretLine: Sendable {
    /// The bytes without the line end.
    package let bytes: SecretBytes
    init(_ bytes: consuming SecretBytes) { self.bytes = bytes }
}
