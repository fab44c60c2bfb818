import PavisePrimitives
import Testing

@Suite struct PipedProcessTests {
    @Test(arguments: ["exec sleep 60", "trap '' TERM; while :; do sleep 0.1; done"])
    func `a child that does not end with its conversation is ended`(_ script: String) throws {
        let start = ContinuousClock.now
        var child = try PipedProcess.start("/bin/sh", ["-c", script], showsErrors: false)
        let status = child.finish(within: .milliseconds(300))
        #expect(status == -1)
        #expect(ContinuousClock.now - start < .seconds(30))
    }

    @Test func `a child that ends by itself says how`() throws {
        var child = try PipedProcess.start("/bin/sh", ["-c", "read line; exit 7"], showsErrors: false)
        let status = child.finish()
        #expect(status == 7)
    }
}
