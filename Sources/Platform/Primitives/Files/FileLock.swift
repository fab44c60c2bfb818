#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// Lets one holder at a time into a part of the work, across processes and threads.
///
/// The kernel drops the lock when its holder dies, so a kill never leaves it behind. The file names the holder and
/// until when it means to hold the lock (its lease), so that another process can say who it waits for; ``LeaseLock``
/// holds it to that. A link, a pipe, and a file that others may open are refused: whoever can open a lock can keep it.
package struct FileLock: ~Copyable {
    /// Why a lock was not given.
    package enum Failure: Error, Hashable, Sendable {
        /// Another holder kept it for the whole wait. `owner` is what the lock file says of it.
        case held(owner: String)
        /// The lock file could not be opened or locked.
        case system(SystemFailure)

        /// The caller's own error for each of the two.
        package func mapped<Mapped>(held: Mapped, system: (SystemFailure) -> Mapped) -> Mapped {
            switch self {
            case .held: held
            case .system(let failure): system(failure)
            }
        }

        /// The same as a failure of the lock file at `path`, for whoever knows no other.
        package func asSystemFailure(_ path: String) -> SystemFailure {
            mapped(held: .held(path)) { $0 }
        }
    }

    private let file: FileDescriptor

    /// Tries once, without waiting.
    ///
    /// Whoever removes a lock file does so while holding it. What was opened before that is no lock any more: the next
    /// comer makes a file of the same name, and both would hold.
    ///
    /// - Returns: `nil` when another holder has it, or the file went away under each of a few attempts.
    package static func tryAcquire(
        _ path: String, lease: Duration = .seconds(60), time: TimeSource = .system
    ) throws(SystemFailure) -> FileLock? {
        for _ in 0..<Unfinished.tries {
            let file = try FileDescriptor.openOwn(path, O_RDWR | O_CREAT, isSecret: true)
            guard try lock(file.number, path) else { return nil }
            guard hasName(file.number, path) else { continue }
            let until = time.bootMilliseconds + lease.bounded.milliseconds
            let note = Array("pid \(getpid()) boot \(time.bootEpoch) until \(until)\n".utf8)
            // The note is for messages and for LeaseLock; the lock itself is the kernel's.
            _ = ftruncate(file.number, 0)
            _ = lseek(file.number, 0, SEEK_SET)
            try? file.write(note)
            return FileLock(file: file)
        }
        return nil
    }

    private static func lock(_ number: Int32, _ path: String) throws(SystemFailure) -> Bool {
        while flock(number, LOCK_EX | LOCK_NB) != 0 {
            switch errno {
            case EINTR: continue
            case EWOULDBLOCK: return false
            case let code: throw SystemFailure(operation: "lock", path: path, code: code)
            }
        }
        return true
    }

    // Whether the next comer opens this file, and no other.
    private static func hasName(_ number: Int32, _ path: String) -> Bool {
        guard let locked = FileIdentity(descriptor: number)?.place else { return false }
        return FileIdentity(path)?.place == locked
    }

    /// Waits at most `wait` for the lock without blocking a thread.
    package static func acquire(
        _ path: String, wait: Duration, lease: Duration = .seconds(60), time: TimeSource = .system
    ) async throws(Failure) -> FileLock {
        let clock = ContinuousClock()
        let deadline = clock.now + wait
        var pause = Duration.milliseconds(2)
        while true {
            do {
                if let lock = try tryAcquire(path, lease: lease, time: time) { return lock }
            } catch {
                throw .system(error)
            }
            guard clock.now < deadline, !Task.isCancelled else { throw .held(owner: owner(of: path)) }
            try? await Task.sleep(for: pause)
            pause = min(pause * 2, .milliseconds(50))
        }
    }

    /// Waits at most `wait` for the lock and blocks the thread meanwhile.
    package static func acquireBlocking(
        _ path: String, wait: Duration, lease: Duration = .seconds(60), time: TimeSource = .system
    ) throws(Failure) -> FileLock {
        let clock = ContinuousClock()
        let deadline = clock.now + wait
        while true {
            do {
                if let lock = try tryAcquire(path, lease: lease, time: time) { return lock }
            } catch {
                throw .system(error)
            }
            guard clock.now < deadline else { throw .held(owner: owner(of: path)) }
            usleep(2_000)
        }
    }

    /// Runs `body` while this holder alone has the lock, for which it waits at most `wait` and blocks the thread.
    ///
    /// - Parameter refusal: What the caller throws where the lock was not given.
    package static func holding<Value, Thrown: Error>(
        _ path: String, wait: Duration, or refusal: (Failure) -> Thrown, _ body: () throws(Thrown) -> Value
    ) throws(Thrown) -> Value {
        let lock: FileLock
        do throws(Failure) { lock = try acquireBlocking(path, wait: wait) } catch { throw refusal(error) }
        return try lock.holding(body)
    }

    /// Runs `body`, and gives the lock back when it returns or throws: for a lock that was waited for without blocking
    /// a thread.
    package consuming func holding<Value: ~Copyable, Thrown: Error>(
        _ body: () throws(Thrown) -> Value
    ) throws(Thrown) -> Value {
        let outcome = Result { () throws(Thrown) in try body() }
        // Kept until here: a value that is not used any more may go away earlier.
        _ = consume self
        return try outcome.get()
    }

    /// The holder's note: a line without its end.
    static func owner(of path: String) -> String {
        guard let bytes = try? DurableFile.read(path, limit: 512) else { return "unknown" }
        return String(decoding: bytes.prefix { $0 != 10 }, as: UTF8.self)
    }
}
