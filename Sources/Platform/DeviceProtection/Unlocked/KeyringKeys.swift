package import PavisePrimitives
internal import Synchronization

/// Class keys in a keyring of the kernel: the user's, or where `PAVISE_KEYRING` says
/// `session` that of the container or service.
///
/// All processes of that keyring can read them while the device is unlocked: this is protection against the theft of
/// a disk and after a reboot, not against a program that runs as the same user.
package struct KeyringKeys: UnlockedKeys {
    private struct Known {
        let key: KernelKeyring.Key
        let seconds: UInt32
        var renewed: Int64
    }

    // A class, so that copies share what is known.
    private final class Memory: Sendable {
        let known = Mutex<[String: Known]>([:])
    }

    private let memory = Memory()
    private let ring: KernelKeyring.Ring
    // A use within this time does not begin the key's time again, in milliseconds.
    private static let pause: Int64 = 20_000

    /// The keyring that this process uses.
    package init(in ring: KernelKeyring.Ring = .current) { self.ring = ring }

    /// See ``UnlockedKeys/isShared``.
    package var isShared: Bool { true }

    /// See ``UnlockedKeys/keep(_:_:seconds:)``. A full quota, a missing system call or a forbidden one is `false`.
    package func keep(_ key: borrowing SecretBytes, _ name: String, seconds: UInt32) -> Bool {
        guard key.count == 32 else { return false }
        // The period goes with the key, so that every process begins it again with the same length.
        let payload = SecretBytes(count: 36) { target in
            key.withBytes { bytes in for index in 0..<32 { target[index] = bytes[index] } }
            for index in 0..<4 { target[32 + index] = UInt8(truncatingIfNeeded: seconds >> UInt32(24 - 8 * index)) }
        }
        memory.known.withLock { $0[name] = nil }
        return payload.withBytes { (try? KernelKeyring.add($0, name, seconds: seconds, in: ring)) != nil }
    }

    /// See ``UnlockedKeys/has(_:)``.
    package func has(_ name: String) -> Bool {
        let now = TimeSource.system.bootMilliseconds
        if let known = memory.known.withLock({ $0[name] }), KernelKeyring.holds(known.key) {
            if now - known.renewed > Self.pause { renew(name, known, now) }
            return true
        }
        return find(name, now) != nil
    }

    /// See ``UnlockedKeys/isKept(_:)``.
    package func isKept(_ name: String) -> Bool {
        if let known = memory.known.withLock({ $0[name] }), KernelKeyring.holds(known.key) { return true }
        guard let key = KernelKeyring.find(name, in: ring) else { return false }
        return KernelKeyring.holds(key)
    }

    /// See ``UnlockedKeys/read(_:)``.
    package func read(_ name: String) -> SecretBytes? {
        guard let key = find(name, TimeSource.system.bootMilliseconds) else { return nil }
        guard let payload = KernelKeyring.read(key, count: 36) else { return nil }
        return SecretBytes(count: 32) { target in
            payload.withBytes { bytes in for index in 0..<32 { target[index] = bytes[index] } }
        }
    }

    /// See ``UnlockedKeys/forget(_:)``.
    package func forget(_ name: String) {
        memory.known.withLock { $0[name] = nil }
        if let key = KernelKeyring.find(name, in: ring) { KernelKeyring.invalidate(key) }
    }

    private func find(_ name: String, _ now: Int64) -> KernelKeyring.Key? {
        guard let key = KernelKeyring.find(name, in: ring), let payload = KernelKeyring.read(key, count: 36) else {
            memory.known.withLock { $0[name] = nil }
            return nil
        }
        let seconds = payload.withBytes { bytes in (32..<36).reduce(UInt32(0)) { $0 << 8 | UInt32(bytes[$1]) } }
        renew(name, Known(key: key, seconds: seconds, renewed: now), now)
        return key
    }

    private func renew(_ name: String, _ known: Known, _ now: Int64) {
        KernelKeyring.renew(known.key, seconds: max(1, known.seconds))
        memory.known.withLock { $0[name] = Known(key: known.key, seconds: known.seconds, renewed: now) }
    }
}
