import Foundation
import Testing

@testable import AuditEvidence

/// The same program over the same files gives the same evidence, whatever its other threads do.
@Suite struct `Libraries that the evidence names` {
    @Test func `are the same in each of a thousand looks while threads map and unmap memory`() async {
        let first = LoadedLibraries.paths
        #expect(first.contains { $0.contains("SwiftParser") || $0.contains("SwiftSyntax") })
        await withTaskGroup(of: Int.self) { group in
            for _ in 0..<3 {
                group.addTask { Self.mapAndUnmap() }
            }
            group.addTask { (0..<1_000).count { _ in LoadedLibraries.paths != first } }
            let different = await group.reduce(0, +)
            #expect(different == 0)
        }
    }

    @Test func `have one digest, whatever their order`() {
        let first = LoadedLibraries.digest
        #expect(!first.isEmpty && (0..<2).allSatisfy { _ in LoadedLibraries.digest == first })
    }

    /// Memory of many sizes, so that the kernel's list of mappings moves.
    private static func mapAndUnmap() -> Int {
        for round in 0..<4_000 {
            let pages = 1 + round % 64
            guard let place = unsafe mmap(nil, pages * 4_096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) else {
                continue
            }
            unsafe munmap(place, pages * 4_096)
        }
        return 0
    }
}
