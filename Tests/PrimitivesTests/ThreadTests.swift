import PavisePrimitives
import Testing

@Suite struct ThreadTests {
    @Test func `a thread runs its work and gives the result back`() async throws {
        #expect(try await WorkerThread.run { 6 * 7 } == 42)
    }

    @Test func `changes from many threads are all kept`() async throws {
        let monitor = Monitor(0)
        for _ in 0..<20 {
            try WorkerThread.start { for _ in 0..<500 { monitor.change { $0 += 1 } } }
        }
        let done = try await WorkerThread.run { monitor.wait(within: 30_000) { $0 == 10_000 } }
        #expect(done)
        #expect(monitor.value == 10_000)
    }

    @Test func `waiting ends when its time is over`() {
        let monitor = Monitor("x")
        #expect(!monitor.wait(within: 1) { $0 == "y" })
        #expect(!monitor.wait(within: -5) { $0 == "y" })
        #expect(monitor.wait(within: 0) { $0 == "x" })
    }

    @Test func `a change gives its result`() {
        let monitor = Monitor([1, 2])
        #expect(monitor.change { $0.removeLast() } == 2)
        #expect(monitor.value == [1])
    }
}
