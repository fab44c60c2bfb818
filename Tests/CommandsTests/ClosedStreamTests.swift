import Foundation
import PaviseCommands
import PavisePrimitives
import Testing

/// The program where a shell closed its standard streams: `<&-`, `>&-`, `2>&-`.
@Suite struct ClosedStreamTests {
    @Test func `CL1: the number of a closed stream is no file's, and the stream itself fails`() async {
        await #expect(processExitsWith: .exitCode(7)) {
            for number in Int32(0)...2 { close(number) }
            let status = await Environment.start(selfTest: { nil }) { environment in
                guard let file = try? FileDescriptor.open("/proc/self/exe", O_RDONLY), file.number > 2 else { return 1 }
                guard (try? environment.console.output.write([10])) == nil else { return 2 }
                guard (try? FileDescriptor(owning: 0, path: "input").readChunk(upTo: 1)) == nil else { return 3 }
                return 7
            }
            CurrentExecutable.end(status)
        }
    }
}
