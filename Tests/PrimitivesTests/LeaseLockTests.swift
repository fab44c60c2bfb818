import Foundation
import PavisePrimitives
import TestSupport
import Testing

/// A lock whose holder may hang (session SR19): the lease is what counts, and not whether its process lives.
@Suite struct LeaseLockTests {
    private let folder: TemporaryFolder
    private let time = ManualTime()

    init() throws { folder = try TemporaryFolder() }

    private var path: String { folder.path + "/lock" }

    private func acquire(_ wait: Duration) async throws(FileLock.Failure) -> LeaseLock {
        try await LeaseLock.acquire(path, wait: wait, lease: .seconds(60), time: time.source)
    }

    private func isHeld(_ wait: Duration = .seconds(3)) async throws -> Bool {
        do throws(FileLock.Failure) {
            _ = try await acquire(wait)
            return false
        } catch {
            guard case .held = error else { throw error }
            return true
        }
    }

    @Test func `whoever waits takes the place of a holder whose lease is over, and not before`() async throws {
        let first = try await acquire(.zero)
        let lease = first.lease
        #expect(!lease.isOver(at: time.source) && lease.left(at: time.source) == 60_000)
        time.advance(seconds: 59.9)
        #expect(try await isHeld())
        time.advance(seconds: 0.1)
        #expect(lease.isOver(at: time.source))
        let second = try await acquire(.seconds(30))
        let other = second.lease
        #expect(lease.isOver(at: time.source) && !other.isOver(at: time.source))
        // The end of the old holder frees nothing of the new one.
        _ = consume first
        #expect(try await isHeld(.milliseconds(100)))
        _ = consume second
        #expect(try await !isHeld())
    }

    @Test func `a lease that was over for a moment only is nobody's to take`() async throws {
        let first = try await acquire(.zero)
        time.advance(seconds: 61)
        #expect(try await isHeld(.seconds(1)))
        _ = consume first
    }

    @Test func `a note that says a time before all others is of a lease that is over, and ends nobody who waits`()
        async throws
    {
        let first = try await acquire(.zero)
        time.advance(seconds: 1)
        try AppendOnlyFile(path).cut(to: 0)
        try AppendOnlyFile(path).append(Array("pid 7 boot \(time.source.bootEpoch) until \(Int64.min)\n".utf8))
        #expect(try await isHeld(.milliseconds(100)))
        _ = consume first
    }

    @Test func `two who wait for the same holder do not both take its place`() async throws {
        let first = try await acquire(.zero)
        time.advance(seconds: 61)
        let taken = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<4 {
                group.addTask { [path, source = time.source] in
                    do throws(FileLock.Failure) {
                        let lock = try await LeaseLock.acquire(
                            path, wait: .seconds(5), lease: .seconds(60), time: source)
                        try? await Task.sleep(for: .seconds(6))
                        _ = consume lock
                        return 1
                    } catch {
                        return 0
                    }
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(taken == 1)
        _ = consume first
    }

    @Test func `a lease ends with the boot, and one of another boot is not replaced`() async throws {
        let first = try await acquire(.zero)
        let lease = first.lease
        time.reboot()
        #expect(lease.isOver(at: time.source))
        time.advance(seconds: 100_000)
        #expect(try await isHeld())
        _ = consume first
    }

    @Test(arguments: ["", "pid 1 boot manual-1 until", "pid 1 boot manual-1 until x", "manual-1 0"])
    func `a note that nobody can read is nobody's lease`(_ note: String) async throws {
        let first = try await acquire(.zero)
        try Data(note.utf8).write(to: URL(fileURLWithPath: path), options: [])
        time.advance(seconds: 100_000)
        #expect(try await isHeld())
        _ = consume first
    }

    @Test func `who hangs in the guard is waited for, and nobody is replaced`() async throws {
        let first = try await acquire(.zero)
        let turn = try FileLock.tryAcquire(path + ".guard")
        time.advance(seconds: 61)
        #expect(try await isHeld())
        _ = consume turn
        _ = try await acquire(.seconds(30))
        _ = consume first
    }

    @Test func `a killed holder is followed at once`() async throws {
        try Data("pid 1 boot manual-1 until 99999999999\n".utf8).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        #expect(try await !isHeld(.zero))
    }
}
