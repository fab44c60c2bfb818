import Glibc

/// Ends a process, and lets the caller of a synchronous closure take its time: what a server could not write shows in
/// no other way. No test decides by how long it took.
enum Blocking {
    static func kill(_ process: Int32) { _ = Glibc.kill(process, SIGKILL) }

    static func pause(milliseconds: UInt32) { _ = usleep(milliseconds * 1000) }
}
