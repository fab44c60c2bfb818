internal import PavisePrimitives
public import PaviseVault
internal import SecurityFramework
internal import Synchronization

/// The last lines of an app, encrypted on the disk, for a report to whoever helps: they leave it only by
/// ``export()``.
///
/// ```swift
/// let support = try SupportLog(folder: folder)
/// let output = LogOutput(sinks: [SystemLog(), support])
/// Log(subsystem: "org.example.diary", category: "sync", output: output).error("upload failed")
/// share(try support.export())     // after the person has said yes
/// ```
///
/// Two files of half of `limit` take turns, so that the disk never fills. Lines are masked before they get here; the
/// key lies in the secret store. A line that cannot be written is lost and counted by ``LogOutput/losses``; nothing
/// waits for the disk to be synced, so the last lines before a loss of power may be gone.
public final class SupportLog: LogSink {
    private struct State {
        var chain: SealedRecords?
        var size = 0
    }
    private let folder: String
    private let key: SharedSecretBytes
    private let limit: Int
    private let state = Mutex(State())

    /// The log in `folder`, which is made where it is not there.
    ///
    /// - Parameters:
    ///   - folder: A folder for this alone.
    ///   - limit: The most bytes on the disk: 4 KiB at least.
    ///   - store: Keeps the key.
    /// - Throws: `VaultFailure` where the key cannot be had, `SystemFailure` where the folder cannot be made.
    public init(folder: String, limit: Int = 1 << 20, store: any SecretStore = KeychainStore()) throws {
        try DurableFile.makeDirectory(folder)
        self.folder = folder
        self.limit = max(4096, limit)
        key = SharedSecretBytes(try InstallationKey.find("org.pavise.log.support", in: store))
    }

    private var current: String { folder + "/lines" }
    private var earlier: String { folder + "/lines.old" }

    /// Appends one entry.
    public func write(_ entry: LogEntry) -> Bool {
        state.withLock { state in
            do {
                // One process writes: another one that finds a chain of this one goes on in a file of its own.
                if state.chain == nil { try start(&state) }
                guard var chain = state.chain, let record = chain.seal(Self.line(entry), key.bytes) else {
                    return false
                }
                if state.size + record.count > limit / 2, state.size > SealedRecords.headCount {
                    try start(&state)
                    return append(Self.line(entry), &state)
                }
                try AppendOnlyFile(current).append(record)
                state.size += record.count
                state.chain = chain
                return true
            } catch {
                return false
            }
        }
    }

    private func append(_ line: [UInt8], _ state: inout State) -> Bool {
        guard var chain = state.chain, let record = chain.seal(line, key.bytes) else { return false }
        do { try AppendOnlyFile(current).append(record) } catch { return false }
        state.size += record.count
        state.chain = chain
        return true
    }

    private func start(_ state: inout State) throws {
        state.chain = nil
        if DurableFile.exists(current) { try DurableFile.move(current, to: earlier) }
        let chain = try SealedRecords(startingAt: 0, after: Array(repeating: 0, count: 16))
        try AppendOnlyFile(current).append(chain.head)
        state = State(chain: chain, size: SealedRecords.headCount)
    }

    /// The lines in clear, oldest first, one on a line: what the person agreed to send.
    ///
    /// - Throws: `SystemFailure` where a file cannot be read. What does not open any more is left out;
    ///   ``Exported/isWhole`` tells.
    public func export() throws -> Exported {
        try state.withLock { _ in
            var exported = Exported(lines: [], isWhole: true)
            for path in [earlier, current] {
                guard let bytes = try DurableFile.readIfPresent(path, limit: limit * 2, isSecret: true) else {
                    continue
                }
                let content = SealedRecords.read(bytes, key.bytes)
                exported.lines += content.records.map { String(decoding: $0.plain, as: UTF8.self) }
                if content.rest != .nothing { exported.isWhole = false }
            }
            return exported
        }
    }

    /// Removes all lines.
    public func erase() throws {
        try state.withLock { state in
            state = State()
            try DurableFile.remove(current)
            try DurableFile.remove(earlier)
        }
    }

    /// What ``export()`` gives.
    public struct Exported: Hashable, Sendable {
        /// Time, level, part and text of each entry.
        public var lines: [String]
        /// Whether every byte of the files was a line.
        public var isWhole: Bool
    }

    private static func line(_ entry: LogEntry) -> [UInt8] {
        let time = LogTime.text(milliseconds: entry.milliseconds)
        return Array("\(time) \(entry.level) \(entry.subsystem) \(entry.category): ".utf8) + entry.text
    }
}

/// A time as RFC 3339 has it, in UTC.
package enum LogTime {
    /// For example `2026-11-24T22:40:00.123Z`.
    package static func text(milliseconds: Int64) -> String {
        let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        return "\(CivilTime(seconds: seconds).text).\(String(1000 + abs(rest)).dropFirst())Z"
    }
}
