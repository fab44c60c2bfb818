import Foundation
import PaviseCommands
import PavisePrimitives
import Testing

/// The program where its standard streams are closed (`<&-`, `>&-`, `2>&-`), or are no files.
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

    @Test(
        .enabled(if: PaviseProcess.program != nil, "the program is not beside the tests"),
        arguments: ["--version", "--version --verbose", "help", "help environment"])
    func `a text that a full disk does not take ends with 1, and why is said`(_ words: String) throws {
        let result = try PaviseProcess().shellLine("pavise \(words) >/dev/full")
        #expect(result.status == 1 && result.messages.contains("No space left"), "\(result.messages)")
    }

    @Test(.enabled(if: PaviseProcess.program != nil, "the program is not beside the tests"))
    func `CL6: commands on standard input are read up to their limit, and no further`() throws {
        let line = "(head -c 8000000 /dev/zero && echo all was read >&2) | pavise security -i"
        let result = try PaviseProcess().shellLine(line)
        #expect(result.status == 2)
        #expect(result.messages.contains("longer than 1048576 bytes"))
        #expect(!result.messages.contains("all was read"))
    }

    @Test(.enabled(if: PaviseProcess.program != nil, "the program is not beside the tests"))
    func `CL3: a socket is read where “-” asks for standard input`() throws {
        let program = try PaviseProcess()
        // What comes is no key file; the passphrase behind it is the empty one.
        let result = try program.run(["identity", "import", "work", "-"], throughSocket: "no key file")
        #expect(result.status == 1)
        #expect(result.messages.contains("holds no certificate"), "\(result.messages)")
    }
}
