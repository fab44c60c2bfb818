internal import PavisePrimitives

/// Prints content piece by piece: to a pipe or a file as it is, to a terminal without what a terminal obeys.
struct ContentPrinter {
    private let output: any ByteSink
    private var decoder = TextDecoder()

    init(_ output: any ByteSink) { self.output = output }

    /// Prints one more piece. At a terminal a character that it cuts waits for its rest.
    mutating func write(_ bytes: [UInt8]) throws(SystemFailure) {
        guard output.isTerminal else { return try output.write(bytes) }
        try output.write(Printable.body(Array(decoder.take(bytes).utf8)))
    }

    /// Prints what still waits.
    mutating func finish() throws(SystemFailure) {
        guard output.isTerminal else { return }
        try output.write(Printable.body(Array(decoder.finish().utf8)))
    }
}
