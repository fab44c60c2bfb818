package import PavisePrimitives
internal import Synchronization

/// Class keys in the memory of this process, where the kernel has no keyring or refuses it. Other processes stay
/// locked.
package struct ProcessKeys: UnlockedKeys {
    private struct Kept {
        let key: SharedSecretBytes
        let seconds: UInt32
        var deadline: Int64
    }

    private final class Memory: Sendable {
        let kept = Mutex<[String: Kept]>([:])
    }

    private let memory = Memory()
    private let time: TimeSource

    /// An empty memory; a test gives a clock of its own.
    package init(time: TimeSource = .system) { self.time = time }

    /// The memory that all devices of the process share.
    package static let ofProcess = ProcessKeys()

    /// See ``UnlockedKeys/isShared``.
    package var isShared: Bool { false }

    /// See ``UnlockedKeys/keep(_:_:seconds:)``.
    package func keep(_ key: borrowing SecretBytes, _ name: String, seconds: UInt32) -> Bool {
        let copy = SharedSecretBytes(key.withBytes { SecretBytes(copying: $0) })
        let deadline = time.bootMilliseconds + Int64(seconds) * 1000
        memory.kept.withLock { $0[name] = Kept(key: copy, seconds: seconds, deadline: deadline) }
        return true
    }

    /// See ``UnlockedKeys/has(_:)``.
    package func has(_ name: String) -> Bool { use(name) != nil }

    /// See ``UnlockedKeys/isKept(_:)``.
    package func isKept(_ name: String) -> Bool {
        let now = time.bootMilliseconds
        return memory.kept.withLock { kept in kept[name].map { now < $0.deadline } ?? false }
    }

    /// See ``UnlockedKeys/read(_:)``.
    package func read(_ name: String) -> SecretBytes? {
        guard let key = use(name) else { return nil }
        return key.bytes.withBytes { SecretBytes(copying: $0) }
    }

    /// See ``UnlockedKeys/forget(_:)``.
    package func forget(_ name: String) { memory.kept.withLock { $0[name] = nil } }

    private func use(_ name: String) -> SharedSecretBytes? {
        let now = time.bootMilliseconds
        return memory.kept.withLock { kept in
            guard var found = kept[name] else { return nil }
            guard now < found.deadline else {
                kept[name] = nil
                return nil
            }
            found.deadline = now + Int64(found.seconds) * 1000
            kept[name] = found
            return found.key
        }
    }
}
