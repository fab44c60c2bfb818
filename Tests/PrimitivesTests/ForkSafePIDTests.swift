#if canImport(Glibc)
import Glibc
import PavisePrimitives
import Testing

@Suite struct ForkSafePIDTests {
    @Test func `the mark is the process's number, and a child after fork has its own`() throws {
        #expect(ForkSafePID.current == getpid())
        // Swift does not import fork: the child may do no more than look and end.
        let symbol = try unsafe #require(unsafe dlsym(nil, "fork"))
        let fork = unsafe unsafeBitCast(symbol, to: (@convention(c) () -> Int32).self)
        let child = fork()
        if child == 0 { _exit(ForkSafePID.current == getpid() ? 7 : 8) }
        var status: Int32 = 0
        #expect(unsafe waitpid(child, &status, 0) == child)
        #expect(status >> 8 & 255 == 7)
    }
}
#endif
