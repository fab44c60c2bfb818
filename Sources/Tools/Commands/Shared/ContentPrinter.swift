internal import PavisePrimitives

/// Prints content piece by piece: to a pipe or a file as it is, to a terminal without what a terminal obeys.
struct ContentPrinter {
    private let output: any ByteSink
    private var decoder = TextDecoder()
    // A return, which may be half of a line's end.
    private var held = ""

    init(_ output: any ByteSink) { self.output = output }

    /// Prints one more piece. At a terminal a character or a line's end that it cuts waits for its rest.
    mutating func write(_ bytes: [UInt8]) throws(SystemFailure) {
        guard output.isTerminal else { return try output.write(bytes) }
        var text = held + decoder.take(bytes)
        held = text.unicodeScalars.last == "\r" ? "\r" : ""
        if !held.isEmpty { text.unicodeScalars.removeLast() }
        try output.write(Printable.body(Array(text.utf8)))
    }

    /// Prints what still waits.
    mutating func finish() throws(SystemFailure) {
        guard output.isTerminal else { return }
        let rest = held + decoder.finish()
        held = ""
        if !rest.isEmpty { try output.write(Printable.body(Array(rest.utf8))) }
    }
}
