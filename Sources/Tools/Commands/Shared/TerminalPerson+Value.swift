package import PavisePrimitives

/// Why a value was not taken. Nothing of it is kept.
package enum ValueProblem: Error, Hashable {
    /// It has more bytes than are taken.
    case tooLong(limit: Int)
    /// More than one line was typed or pasted at the terminal, which gives one at a time.
    case severalLines
    /// Standard input or the terminal failed.
    case system(SystemFailure)

    /// What happened and what to do, for a person.
    var sentence: String {
        switch self {
        case .tooLong(let limit): "The value is longer than \(limit) bytes. Nothing was stored."
        case .severalLines:
            "More was typed or pasted than one line of at most \(Terminal.lineLimit) bytes. Nothing was stored; "
                + "pipe the value "
                + "to standard input, which is taken whole."
        case .system(let failure): failure.description
        }
    }
}

extension Person {
    /// A value of at most ``TerminalPerson/secretLimit`` bytes.
    func limitedValue(_ prompt: String) throws(ValueProblem) -> SecretBytes? {
        guard let value = try value(prompt) else { return nil }
        guard value.count <= TerminalPerson.secretLimit else { throw .tooLong(limit: TerminalPerson.secretLimit) }
        return value
    }
}

extension TerminalPerson {
    func value(_ prompt: String) throws(ValueProblem) -> SecretBytes? {
        try Terminal.isInteractive(.input) ? typed(prompt) : piped()
    }

    private func typed(_ prompt: String) throws(ValueProblem) -> SecretBytes? {
        let line: HiddenLine?
        do throws(SystemFailure) { line = try SecretPrompt.ask(prompt, looksBehind: true) } catch {
            throw .system(error)
        }
        guard let line else { return nil }
        guard line.isWhole else { throw .severalLines }
        return line.bytes.duplicate()
    }

    private func piped() throws(ValueProblem) -> SecretBytes? {
        let input: SecretBytes
        do throws(SystemFailure) {
            // More than is taken and a line end, so that a longer one is noticed and never cut short.
            input = try Terminal.readSecretInput(limit: Self.secretLimit + 3)
        } catch {
            throw .system(error)
        }
        let value = input.withBytes { bytes in SecretBytes(copying: bytes.extracting(first: Self.valueCount(of: bytes)))
        }
        guard value.count > 0 else { return nil }
        return value
    }

    /// How many of the bytes that were piped are the value: one line of text without its line end, and all of anything
    /// else.
    static func valueCount(of bytes: Span<UInt8>) -> Int {
        var count = bytes.count
        guard count > 0, bytes[count - 1] == 0x0A else { return bytes.count }
        count -= 1
        if count > 0, bytes[count - 1] == 0x0D { count -= 1 }
        let line = bytes.extracting(first: count)
        let hasControls = line.indices.contains { (line[$0] < 0x20 && line[$0] != 0x09) || line[$0] == 0x7F }
        return hasControls || (try? UTF8Span(validating: line)) == nil ? bytes.count : count
    }
}
