internal import PavisePrimitives

/// Standard output or standard error of this process.
final class StandardStream: ByteSink {
    let isTerminal: Bool
    private let descriptor: FileDescriptor

    init(_ stream: Terminal.Stream) {
        isTerminal = Terminal.isInteractive(stream)
        descriptor = FileDescriptor(
            owning: stream.rawValue, path: stream == .output ? "standard output" : "standard error")
    }

    func write(_ bytes: [UInt8]) throws(SystemFailure) { try descriptor.write(bytes.span) }
}
