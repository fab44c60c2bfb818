package import PavisePrimitives

/// Asks with the desktop's pinentry program: the Assuan protocol over its standard input and output.
package struct PinentryAsker: PasscodeAsker {
    private let program: String
    // Assuan allows lines of 1,000 bytes; what is longer is no pinentry.
    private static let longestLine = 2048
    // Room for the data of a few lines, taken at once: an array that grows leaves copies of what it had.
    private static let longestAnswer = 4 * longestLine

    /// Asks through `program`, a path or a name in PATH.
    package init(_ program: String) { self.program = program }

    /// See ``PasscodeAsker/ask(_:)``.
    package func ask(_ question: PasscodeQuestion) throws(DeviceFailure) -> SecretBytes {
        var answer = PinentryResponse.nothing
        defer { answer.wipe() }
        try DeviceFailure.reporting {
            var child = try PipedProcess.start(program, [], showsErrors: false)
            answer = try Self.talk(&child, question)
            _ = child.finish()
        }
        switch answer {
        case .secret(let bytes) where !bytes.isEmpty: return SecretBytes(copying: bytes.span)
        case .secret, .stopped: throw .cancelled
        case .nothing, .done, .failed: throw .notInteractive
        }
    }

    private static func talk(
        _ child: inout PipedProcess, _ question: PasscodeQuestion
    ) throws -> PinentryResponse {
        guard case .done = try reply(&child) else { return .failed }
        for (command, isNeeded) in commands(question) {
            try child.send(command)
            let reply = try reply(&child)
            if case .done = reply { continue }
            // An option that this flavour does not know is no reason to stop.
            if isNeeded { return .failed }
        }
        try child.send("GETPIN")
        let answer = try reply(&child)
        try? child.send("BYE")
        if case .done = answer { return .stopped }
        return answer
    }

    private static func commands(_ question: PasscodeQuestion) -> [(String, Bool)] {
        var commands: [(String, Bool)] = []
        if DurableFile.exists("/dev/tty") { commands.append(("OPTION ttyname=/dev/tty", false)) }
        for (option, name) in [("ttytype", "TERM"), ("display", "DISPLAY"), ("lc-ctype", "LANG")] {
            if let value = PaviseHome.variable(name) { commands.append(("OPTION \(option)=\(escaped(value))", false)) }
        }
        commands.append(("SETTITLE Pavise", false))
        commands.append(("SETDESC \(escaped(question.reason))", true))
        commands.append(("SETPROMPT \(escaped(question.label)):", true))
        if let problem = question.problem { commands.append(("SETERROR \(escaped(problem))", false)) }
        return commands
    }

    private static func escaped(_ text: String) -> String {
        var bytes: [UInt8] = []
        for byte in text.prefix(300).utf8 {
            let isPlain = byte >= 32 && byte != 37 && byte != 127
            bytes += isPlain ? [byte] : Array("%\(Hex.encode([byte]).uppercased())".utf8)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    // The data of one command, which may come in several lines, and how it ended.
    private static func reply(_ child: inout PipedProcess) throws -> PinentryResponse {
        var secret: [UInt8] = []
        secret.reserveCapacity(longestAnswer)
        var isGiven = false
        var hasData = false
        defer { if !isGiven { Wipe.bytes(&secret) } }
        for _ in 0..<64 {
            guard var line = try child.line(limit: longestLine, within: -1) else { return .failed }
            defer { Wipe.bytes(&line) }
            var parsed = PinentryLine(line)
            defer { parsed.wipe() }
            switch parsed {
            case .data(let bytes):
                guard secret.count + bytes.count <= longestAnswer else { return .failed }
                secret += bytes
                hasData = true
            case .ok:
                isGiven = hasData
                return hasData ? .secret(secret) : .done
            case .error(let code): return [99, 114, 198].contains(code & 0xFFFF) ? .stopped : .failed
            case .other: continue
            }
        }
        return .failed
    }
}

/// How a command of the conversation ended.
enum PinentryResponse {
    case nothing
    /// The command is done, without data.
    case done
    case secret([UInt8])
    /// The person stopped.
    case stopped
    case failed

    mutating func wipe() {
        guard case .secret(var bytes) = self else { return }
        self = .nothing
        Wipe.bytes(&bytes)
    }
}

/// One line of a pinentry. Anything that is no known line is `other`.
enum PinentryLine: Hashable {
    case ok
    /// Percent signs are resolved.
    case data([UInt8])
    /// The number after `ERR`; the low 16 bits say why.
    case error(Int)
    case other

    init(_ line: [UInt8]) {
        if line == Array("OK".utf8) || line.starts(with: "OK ".utf8) {
            self = .ok
        } else if line.starts(with: "D ".utf8), let bytes = Self.resolved(line.dropFirst(2)) {
            self = .data(bytes)
        } else if line.starts(with: "ERR ".utf8) {
            self = .error(Int(String(decoding: line.dropFirst(4).prefix { $0 != 32 }, as: UTF8.self)) ?? 0)
        } else {
            self = .other
        }
    }

    /// Overwrites the data of a line, which is a passcode.
    mutating func wipe() {
        guard case .data(var bytes) = self else { return }
        self = .other
        Wipe.bytes(&bytes)
    }

    // `nil` when a percent sign is followed by anything but two hexadecimal digits.
    private static func resolved(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        // At once, so that the array never moves and leaves a copy.
        bytes.reserveCapacity(text.count)
        var index = text.startIndex
        while index < text.endIndex {
            guard text[index] == 37 else {
                bytes.append(text[index])
                index += 1
                continue
            }
            guard index + 2 < text.endIndex, text[index + 1] != 43,
                let value = UInt8(String(decoding: text[index + 1...index + 2], as: UTF8.self), radix: 16)
            else {
                Wipe.bytes(&bytes)
                return nil
            }
            bytes.append(value)
            index += 3
        }
        return bytes
    }
}
