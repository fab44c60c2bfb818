import PavisePrimitives
import Testing

#if canImport(Glibc)
import Glibc
#endif

@Suite struct PipedProcessTests {
    @Test(arguments: ["exec sleep 60", "trap '' TERM; while :; do sleep 0.1; done"])
    func `a child that does not end with its conversation is ended`(_ script: String) throws {
        let start = ContinuousClock.now
        var child = try PipedProcess.start("/bin/sh", ["-c", script], showsErrors: false)
        let status = child.finish(within: .milliseconds(300))
        #expect(status == -1)
        #expect(ContinuousClock.now - start < .seconds(30))
    }

    #if os(Linux)
    @Test(arguments: [true, false])
    func `UC-176: a child inherits nothing that another part of the app has open`(_ showsErrors: Bool) throws {
        // As a library opens it: not closed at the start of a program.
        let own = try FileDescriptor.open("/dev/null", 0)
        let given = dup(own.number)
        defer { close(given) }
        try #require(given > 2)
        let look = "for number in 0 1 2 \(given); do if test -e /proc/self/fd/$number; then echo $number; fi; done"
        var child = try PipedProcess.start("/bin/sh", ["-c", look], showsErrors: showsErrors)
        var seen: [String] = []
        while let line = try child.line(limit: 100, within: 30_000) {
            seen.append(String(decoding: line, as: UTF8.self))
        }
        let status = child.finish()
        #expect(status == 0 && seen == ["0", "1", "2"])
        _ = consume own
    }

    @Test func `UC-176: a program in this one's place inherits the streams and nothing else`() throws {
        let own = try FileDescriptor.open("/dev/null", 0)
        let given = dup(own.number)
        defer { close(given) }
        try #require(given > 2)
        let look = "for n in 0 1 2; do test -e /proc/self/fd/$n || exit 3; done; ! test -e /proc/self/fd/\(given)"
        let status = try ForegroundProcess.run("/bin/sh", ["-c", look], environment: [:])
        #expect(status == 0)
        _ = consume own
    }
    #endif

    @Test func `a child that ends by itself says how`() throws {
        var child = try PipedProcess.start("/bin/sh", ["-c", "read line; exit 7"], showsErrors: false)
        let status = child.finish()
        #expect(status == 7)
    }
}
