import Foundation

/// Two named pipes between a test and its child: lines go up, one word comes down. This is the child's end.
///
/// What is written to a named pipe is gone when nobody has it open any more. So the test holds both open from before
/// the child starts until it has ended: see ``TestPipe``.
struct ChildPipe: Sendable {
    let folder: String

    /// Tells the test a line.
    func tell(_ line: String) throws { try PipeEnd(folder, "up").write(line) }

    /// Waits for the test's word.
    func wait() throws { try PipeEnd(folder, "down").read { _ in true } }
}

/// The test's end: it makes the pipes, and holds them as long as it lives.
final class TestPipe: Sendable {
    private let up: PipeEnd
    private let down: PipeEnd

    init(folder: String) throws {
        for name in ["up", "down"] where unsafe mkfifo("\(folder)/\(name)", 0o600) != 0 {
            throw CocoaError(.fileWriteUnknown)
        }
        up = try PipeEnd(folder, "up")
        down = try PipeEnd(folder, "down")
    }

    /// Lets the child go on.
    func release() throws { try down.write("go") }

    /// Ends ``listen(_:)`` where the child said nothing.
    func end() throws { try up.write("over") }

    /// Calls `line` with each line of the child until it returns `true`. Blocks.
    func listen(_ line: (String) throws -> Bool) throws { try up.read(line) }
}

/// One named pipe, open for both directions: opening blocks nobody, and a pipe whose other end went away does not end.
private final class PipeEnd: Sendable {
    private let descriptor: Int32

    init(_ folder: String, _ name: String) throws {
        descriptor = unsafe open("\(folder)/\(name)", O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { throw CocoaError(.fileNoSuchFile) }
    }

    deinit { close(descriptor) }

    // A line is shorter than PIPE_BUF: it goes whole.
    func write(_ line: String) throws {
        let bytes = Array((line + "\n").utf8)
        while unsafe Glibc.write(descriptor, bytes, bytes.count) != bytes.count {
            guard errno == EINTR else { throw CocoaError(.fileWriteUnknown) }
        }
    }

    func read(_ line: (String) throws -> Bool) throws {
        var text: [UInt8] = []
        while true {
            var byte: UInt8 = 0
            guard unsafe Glibc.read(descriptor, &byte, 1) == 1 else {
                guard errno == EINTR else { throw CocoaError(.fileReadUnknown) }
                continue
            }
            guard byte == 0x0A else {
                text.append(byte)
                continue
            }
            if try line(String(decoding: text, as: UTF8.self)) { return }
            text = []
        }
    }
}
