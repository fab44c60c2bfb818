import Foundation

/// Two named pipes between a test and its child: lines go up, one word comes down.
struct ChildPipe: Sendable {
    let folder: String

    /// Makes the pipes. Call it in the parent.
    func make() throws {
        for name in ["up", "down"] where unsafe mkfifo("\(folder)/\(name)", 0o600) != 0 {
            throw CocoaError(.fileWriteUnknown)
        }
    }

    /// Tells the parent a line.
    func tell(_ line: String) throws { try write(line, to: "up") }

    /// Waits for the parent's word.
    func wait() throws { _ = try read(from: "down", line: { _ in true }) }

    /// Lets the child go on.
    func release() throws { try write("go", to: "down") }

    /// Calls `line` with each line of the child until it returns `true`. Blocks.
    func listen(_ line: (String) throws -> Bool) throws { _ = try read(from: "up", line: line) }

    // Opened for both directions: opening blocks nobody, and a pipe whose other end went away does not end.
    private func write(_ line: String, to name: String) throws {
        guard let pipe = FileHandle(forUpdatingAtPath: "\(folder)/\(name)") else { throw CocoaError(.fileNoSuchFile) }
        try pipe.write(contentsOf: Data((line + "\n").utf8))
    }

    private func read(from name: String, line: (String) throws -> Bool) throws {
        guard let pipe = FileHandle(forUpdatingAtPath: "\(folder)/\(name)") else { throw CocoaError(.fileNoSuchFile) }
        var text: [UInt8] = []
        while let byte = try pipe.read(upToCount: 1)?.first {
            guard byte == 0x0A else {
                text.append(byte)
                continue
            }
            if try line(String(decoding: text, as: UTF8.self)) { return }
            text = []
        }
    }
}
