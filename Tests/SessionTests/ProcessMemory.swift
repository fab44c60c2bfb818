import Foundation
import PaviseLab
import PavisePrimitives

/// The memory of another process of this user, as a debugger or a core file would show it.
///
/// The process stands still meanwhile: one that goes on frees and moves what is being read, and a search that misses
/// it proves nothing. What is there and cannot be read is a failure, and never “nothing was found”.
struct ProcessMemory {
    private static let piece = 4 << 20
    // What begins in a piece and ends in the next one is found all the same.
    private static let overlap = 8_192

    let process: Int32

    /// Every place of the writable areas (heap, stacks, data, anonymous maps, shared memory) that holds one of
    /// `canaries` or `keys`, as its index and its form, and how many bytes were read.
    ///
    /// - Throws: Where a part of an area could not be read, or the process did not stand still.
    func search(
        _ canaries: [String], keys: [[UInt8]], also extra: Range<UInt64>? = nil
    ) throws -> (found: [CanarySearch.Finding], bytes: Int) {
        try stop()
        defer { _ = kill(process, SIGCONT) }
        let memory = try FileReader("/proc/\(process)/mem")
        var found: [CanarySearch.Finding] = []
        var bytes = 0
        for area in try areas() + (extra.map { [Area($0)] } ?? []) {
            for start in stride(from: area.start, to: area.end, by: Self.piece) {
                let count = Int(min(area.end, start + UInt64(Self.piece + Self.overlap)) - start)
                guard let read = memory.read(count, at: start) else {
                    throw LabFailure.request("\(area.name) at \(start) cannot be read: error \(errno)")
                }
                bytes += min(read.count, Self.piece)
                // What begins in the overlap belongs to the next piece.
                found += CanarySearch.find(canaries, keys: keys, in: read, named: area.name)
                    .filter { $0.offset ?? 0 < Self.piece }
            }
        }
        return (found, bytes)
    }

    /// Its writable areas, in their order.
    func areas() throws -> [Area] {
        // Not by Foundation: it ends a file of the kernel at the first page, and half a list is a search of half the
        // memory.
        let map = String(decoding: try InputFile.read("/proc/\(process)/maps", limit: 1 << 24), as: UTF8.self)
        return map.split(separator: "\n").compactMap { Area($0) }
    }

    // Returns when each thread of it stands still.
    private func stop() throws {
        guard kill(process, SIGSTOP) == 0 else { throw LabFailure.request("\(process) cannot be stopped") }
        for _ in 0..<30_000 {
            let threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")
            if try threads.allSatisfy({ try state(of: $0) == "T" }) { return }
            usleep(1_000)
        }
        _ = kill(process, SIGCONT)
        throw LabFailure.request("\(process) does not stand still")
    }

    // "number (name) state …"; the name may hold anything.
    private func state(of thread: String) throws -> Character? {
        let text = String(
            decoding: try InputFile.read("/proc/\(process)/task/\(thread)/stat", limit: 1 << 16), as: UTF8.self)
        return text[text.index(after: text.lastIndex(of: ")") ?? text.startIndex)...].first { $0 != " " }
    }

    struct Area {
        let start: UInt64
        let end: UInt64
        let name: String

        init(_ range: Range<UInt64>) {
            start = range.lowerBound
            end = range.upperBound
            name = "a test's own"
        }

        // "start-end rw-p offset device inode name"
        init?(_ line: Substring) {
            let parts = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
            let edges = parts[0].split(separator: "-").compactMap { UInt64($0, radix: 16) }
            guard parts.count >= 5, edges.count == 2, parts[1].hasPrefix("rw") else { return nil }
            let name = parts.count > 5 ? parts[5].trimmingCharacters(in: .whitespaces) : "anonymous"
            // Devices are no memory of the process.
            guard !name.hasPrefix("/dev/") || name.hasPrefix("/dev/shm/") || name.hasPrefix("/dev/zero") else {
                return nil
            }
            start = edges[0]
            end = edges[1]
            self.name = name
        }
    }
}

/// Reads at any place of a file, whole or not at all.
private final class FileReader {
    private let descriptor: Int32

    init(_ path: String) throws {
        descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw LabFailure.request("\(path) cannot be opened") }
    }

    deinit { close(descriptor) }

    /// `count` bytes at `offset`; `nil`, and `errno`, where not all of them can be read.
    func read(_ count: Int, at offset: UInt64) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let got = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe pread(
                    descriptor, buffer.baseAddress?.advanced(by: done), count - done,
                    off_t(offset) + off_t(done))
            }
            if got < 0, errno == EINTR { continue }
            guard got > 0 else { return nil }
            done += got
        }
        return bytes
    }
}
