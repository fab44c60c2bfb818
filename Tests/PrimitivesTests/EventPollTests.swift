#if os(Linux)
import Foundation
import Glibc
import PavisePrimitives
import TestSupport
import Testing

@Suite struct EventPollTests {
    @Test func `what the kernel does not watch is said`() throws {
        let poll = try EventPoll()
        // epoll_ctl(2): a regular file is not watched (EPERM).
        let file = try #require(FileHandle(forReadingAtPath: "/proc/self/exe"))
        let failure = #expect(throws: SystemFailure.self) {
            try poll.watch(file.fileDescriptor, for: .read, key: 1, isNew: true)
        }
        #expect(failure?.code == EPERM && failure?.operation == "epoll_ctl")
    }

    @Test func `what is forgotten wakes nobody, and to forget it twice is no failure`() throws {
        let poll = try EventPoll()
        let pipe = Pipe()
        let reading = pipe.fileHandleForReading.fileDescriptor
        pipe.fileHandleForWriting.write(Data([1]))
        try poll.watch(reading, for: .read, key: 7, isNew: true)
        var keys: [UInt64] = []
        poll.wait(milliseconds: 0) { key, _ in keys.append(key) }
        #expect(keys == [7])
        poll.forget(reading)
        poll.forget(reading)
        let isReady = poll.wait(milliseconds: 0) { key, _ in keys.append(key) }
        #expect(!isReady && keys == [7])
    }
}
#endif
