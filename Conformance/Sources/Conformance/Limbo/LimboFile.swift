internal import Foundation

/// A file of cases, and where each begins in it.
struct LimboFile: Sendable {
    let bytes: [UInt8]
    /// The first byte of each case.
    let starts: [Int]

    static let limit = 1 << 29

    /// Reads a file; one that is compressed (`.xz`) through the program `xz`.
    init(_ path: String) throws {
        let isCompressed = path.hasSuffix(".xz")
        bytes = try isCompressed ? Self.expanded(path) : Array(Data(contentsOf: URL(fileURLWithPath: path)))
        guard bytes.count <= Self.limit else { throw LimboFailure.tooLarge }
        starts = try Self.starts(bytes)
    }

    private static func starts(_ bytes: [UInt8]) throws(LimboFailure) -> [Int] {
        var reader = LimboReader(bytes)
        var starts: [Int] = []
        try reader.object { name, reader throws(LimboFailure) in
            guard name == "testcases" else { return try reader.skip() }
            try reader.array { reader throws(LimboFailure) in
                _ = try reader.next()
                starts.append(reader.position)
                try reader.skip()
            }
        }
        return starts
    }

    private static func expanded(_ path: String) throws -> [UInt8] {
        guard FileManager.default.isReadableFile(atPath: path) else { throw LimboFailure.unreadable(path) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/xz")
        process.arguments = ["-dc", path]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw LimboFailure.unreadable(path) }
        return Array(data)
    }
}
