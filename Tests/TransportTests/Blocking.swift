#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Lets a server's thread, or the caller of a synchronous closure, take its time. No test decides by how long it took.
enum Blocking {
    static func pause(milliseconds: UInt32) { _ = usleep(milliseconds * 1000) }
}
