import PavisePrimitives
import Synchronization
import Testing

@Suite struct `Work on a long list` {
    private struct Refused: Error, Equatable { let element: Int }

    @Test(arguments: [0, 1, 511, 512, 513, 10_000])
    func `keeps the order of its elements`(count: Int) throws {
        #expect(try ConcurrentMap.map(Array(0..<count)) { "\($0)" } == (0..<count).map { "\($0)" })
    }

    @Test(arguments: [100, 10_000])
    func `fails with what the earliest element failed with`(count: Int) {
        #expect(throws: Refused(element: 17)) {
            try ConcurrentMap.map(Array(0..<count)) { element in
                guard element % 20 != 17 else { throw Refused(element: element) }
            }
        }
    }

    @Test func `takes each element once`() throws {
        let calls = Atomic(0)
        _ = try ConcurrentMap.map(Array(0..<3000)) { _ in calls.add(1, ordering: .relaxed) }
        #expect(calls.load(ordering: .relaxed) == 3000)
    }
}
