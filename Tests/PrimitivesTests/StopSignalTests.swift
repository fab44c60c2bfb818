import Foundation
import PavisePrimitives
import Testing

#if os(Linux)
/// Signals as an event. What is opened for them is the process's own: each test has a process.
@Suite struct StopSignalTests {
    // By what they are, and not by their numbers: others come and go in a process.
    private static func pipes() throws -> Set<String> {
        let links = try Folder.names(in: "/proc/self/fd").compactMap { name in
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + name)
        }
        return Set(links.filter { $0.hasPrefix("pipe:") })
    }

    @Test func `many threads that look for a signal first, at once, look at one pipe`() async {
        await #expect(processExitsWith: .success) {
            let before = try Self.pipes()
            let (ready, done) = (Monitor(0), Monitor(0))
            for _ in 0..<64 {
                try WorkerThread.start(stack: 1 << 18) {
                    ready.change { $0 += 1 }
                    // Together: nobody looks before all are there.
                    if ready.wait(within: 30_000, until: { $0 == 64 }), !StopSignal.hasCome {
                        done.change { $0 += 1 }
                    }
                }
            }
            let areDone = done.wait(within: 60_000) { $0 == 64 }
            let new = try Self.pipes().subtracting(before)
            try #require(areDone && new.count == 1)
        }
    }
}
#endif
