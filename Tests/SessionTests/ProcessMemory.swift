import Foundation
import PaviseLab

/// The memory of another process of this user, as a debugger or a core file would show it.
struct ProcessMemory {
    private static let piece = 4 << 20

    let process: Int32

    /// Every place of the writable private areas (heap, stacks, data, anonymous maps) that holds one of `canaries` or `keys`, as its index
    /// and its form, and how many bytes were read.
    func search(_ canaries: [String], keys: [[UInt8]]) throws -> (found: [CanarySearch.Finding], bytes: Int) {
        let map = try String(contentsOfFile: "/proc/\(process)/maps", encoding: .utf8)
        guard let memory = FileHandle(forReadingAtPath: "/proc/\(process)/mem") else {
            throw LabFailure.request("the memory of \(process) cannot be opened")
        }
        var found: [CanarySearch.Finding] = []
        var bytes = 0
        for line in map.split(separator: "\n") {
            guard let area = Area(line) else { continue }
            for start in stride(from: area.start, to: area.end, by: Self.piece) {
                // Pieces overlap, so that nothing hides on an edge.
                let count = Int(min(area.end, start + UInt64(Self.piece) + 8192) - start)
                guard (try? memory.seek(toOffset: start)) != nil, let read = try? memory.read(upToCount: count) else {
                    continue
                }
                bytes += min(read.count, Self.piece)
                // What begins in the overlap belongs to the next piece.
                found += CanarySearch.find(canaries, keys: keys, in: [UInt8](read), named: area.name)
                    .filter { $0.offset ?? 0 < Self.piece }
            }
        }
        return (found, bytes)
    }

    private struct Area {
        let start: UInt64
        let end: UInt64
        let name: String

        // "start-end rw-p offset device inode name"
        init?(_ line: Substring) {
            let parts = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
            let edges = parts[0].split(separator: "-").compactMap { UInt64($0, radix: 16) }
            guard parts.count >= 5, edges.count == 2, parts[1].hasPrefix("rw"), parts[1].hasSuffix("p") else {
                return nil
            }
            let name = parts.count > 5 ? parts[5].trimmingCharacters(in: .whitespaces) : "anonymous"
            guard name != "[vvar]", name != "[vsyscall]" else { return nil }
            start = edges[0]
            end = edges[1]
            self.name = name
        }
    }
}
