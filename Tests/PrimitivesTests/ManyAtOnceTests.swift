import PavisePrimitives
import Synchronization
import Testing

@Suite struct `Work on a long list` {
    private struct Refused: Error, Equatable { let element: Int }

    @Test(arguments: [0, 1, 511, 512, 513, 10_000])
    func `keeps the order of its elements`(count: Int) throws {
        #expect(try ManyAtOnce.map(Array(0..<count)) { "\($0)" } == (0..<count).map { "\($0)" })
    }

    @Test(arguments: [100, 10_000])
    func `fails with what the earliest element failed with`(count: Int) {
        #expect(throws: Refused(element: 17)) {
            try ManyAtOnce.map(Array(0..<count)) { element in
                guard element % 20 != 17 else { throw Refused(element: element) }
            }
        }
    }

    @Test func `takes each element once`() throws {
        let seen = Mutex<[Int: Int]>([:])
        _ = try ManyAtOnce.map(Array(0..<3000)) { element in seen.withLock { $0[element, default: 0] += 1 } }
        #expect(seen.withLock { $0.count } == 3000)
        #expect(seen.withLock { $0.values.allSatisfy { $0 == 1 } })
    }
}
