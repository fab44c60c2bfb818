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
/// Two files of half of `limit` take turns, so that the disk never fills; processes that share the folder write into
/// the same ones. Lines are masked before they get here; the
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

    /// Appends one entry. Where another process writes one at this moment, it waits for at most 20 ms.
    public func write(_ entry: LogEntry) -> Bool {
        state.withLock { state in
            do {
                try alone(.milliseconds(20)) { try append(Self.line(entry), &state) }
                return true
            } catch {
                return false
            }
        }
    }

    private func alone<Value>(_ wait: Duration, _ body: () throws -> Value) throws -> Value {
        let path = folder + "/lines.lock"
        return try FileLock.holding(path, wait: wait, or: { $0.asSystemFailure(path) as any Error }, body)
    }

    private func append(_ line: [UInt8], _ state: inout State) throws {
        var chain = try goingOn(state)
        guard var record = chain.chain.seal(line, key.bytes) else { throw SupportFailure.notSealed }
        if chain.size + record.count > limit / 2, chain.size > SealedRecords.headCount {
            chain = try begin()
            guard let again = chain.chain.seal(line, key.bytes) else { throw SupportFailure.notSealed }
            record = again
        }
        try AppendOnlyFile(current).append(record)
        state.chain = chain.chain
        state.size = chain.size + record.count
    }

    /// The chain at the end of the file: the one that is known, or, where another process wrote or this one has just
    /// started, what the file says.
    private func goingOn(_ state: State) throws -> (chain: SealedRecords, size: Int) {
        if let chain = state.chain, try isLast(chain.lastTag, at: state.size) { return (chain, state.size) }
        guard let bytes = try SealedRecords.bytes(of: current, limit: limit), !bytes.isEmpty else {
            return try begin(again: true)
        }
        let content = SealedRecords.read(bytes, key.bytes)
        // A kill, or a full disk, while the files took turns: what is in the older one stays.
        let isBegun = content.chain == nil && content.rest == .unfinished
        guard let chain = content.chain, content.rest != .damaged else { return try begin(again: isBegun) }
        if content.rest == .unfinished { try AppendOnlyFile(current).cut(to: content.goodBytes) }
        return (chain, content.goodBytes)
    }

    // The tag of the last record is the last thing in the file; it is like no other.
    private func isLast(_ tag: [UInt8], at size: Int) throws -> Bool {
        let file = try AppendOnlyFile(current)
        return try file.size() == size && file.last(tag.count) == tag
    }

    /// - Parameter isBegun: Whether the file was begun, and has no line yet.
    private func begin(again isBegun: Bool = false) throws -> (chain: SealedRecords, size: Int) {
        if isBegun {
            try AppendOnlyFile(current).cut(to: 0)
        } else if DurableFile.exists(current) {
            try DurableFile.move(current, to: earlier)
        }
        let chain = try SealedRecords(startingAt: 0, after: Array(repeating: 0, count: 16))
        try AppendOnlyFile(current).append(chain.head)
        return (chain, SealedRecords.headCount)
    }

    /// The lines in clear, oldest first, one on a line: what the person agreed to send.
    ///
    /// - Throws: `SystemFailure` where a file cannot be read, or its lock not be had within two seconds. What does not
    ///   open any more is left out; ``Exported/isWhole`` tells.
    public func export() throws -> Exported {
        try alone(.seconds(2)) {
            var exported = Exported(lines: [], isWhole: true)
            for path in [earlier, current] {
                guard let bytes = try SealedRecords.bytes(of: path, limit: limit) else { continue }
                let content = SealedRecords.read(bytes, key.bytes)
                exported.lines += content.records.map { String(decoding: $0.plain, as: UTF8.self) }
                if content.rest != .nothing { exported.isWhole = false }
            }
            return exported
        }
    }

    /// What ``export()`` gives of the log in `folder`. Looking makes neither a folder nor a key: where there never was
    /// a log there are no lines.
    package static func export(of folder: String, store: any SecretStore = KeychainStore()) throws -> Exported {
        guard DurableFile.exists(folder) else { return Exported(lines: [], isWhole: true) }
        return try SupportLog(folder: folder, store: store).export()
    }

    /// Removes all lines.
    public func erase() throws {
        try state.withLock { state in
            state = State()
            try alone(.seconds(2)) {
                try DurableFile.remove(current)
                try DurableFile.remove(earlier)
            }
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

/// Why a line could not be kept.
enum SupportFailure: Error, Hashable, Sendable {
    /// No random bytes, or a line of more than 16 KiB.
    case notSealed
}

/// A support log that is opened with its first entry: what is not asked for costs nothing, and makes no file and no
/// key.
package final class LazySupportLog: LogSink {
    private let folder: String
    private let store: any SecretStore
    private let log = Mutex<SupportLog?>(nil)

    /// The log in `folder`, in the keychain of this user.
    package init(folder: String, store: any SecretStore = KeychainStore()) {
        self.folder = folder
        self.store = store
    }

    /// Opens the log where it is not open, and appends the entry. An entry for which it cannot be opened (the keychain
    /// is locked) is lost.
    package func write(_ entry: LogEntry) -> Bool {
        let log = log.withLock { log in
            if log == nil { log = try? SupportLog(folder: folder, store: store) }
            return log
        }
        return log?.write(entry) ?? false
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
