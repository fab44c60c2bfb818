internal import CPavisePlatform

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// Keys in the kernel's keyring of this user: in no file, shared by all processes of the user, gone with the boot
/// (keyrings(7)).
///
/// A refusal is an answer and never a trap: where the kernel has no keyring, or a container forbids it, every call says
/// so.
package enum KernelKeyring {
    /// Whose keyring it is.
    package enum Ring: String, Hashable, Sendable, CaseIterable {
        /// The user's: every process of the same user number in the same user namespace.
        case user
        /// The session's: processes of this container or service alone, where its runtime gives it a session keyring
        /// of its own (Podman, runc and systemd do). A session that shares the user's has none.
        case session
        /// None: nothing is kept in the kernel.
        case process

        /// What `PAVISE_KEYRING` asks for. Anything that is none of the names keeps nothing, for a slip must not
        /// share more.
        package static func named(_ text: String?) -> Ring { text.map { Ring(rawValue: $0) ?? .process } ?? .user }

        /// The one of this process.
        package static let current = named(PaviseHome.variable("PAVISE_KEYRING"))
    }

    /// A key, by the kernel's number.
    package struct Key: Hashable, Sendable {
        let number: Int32
    }

    /// Stores bytes (1 to 32,767) under a name, for all processes of the ring, for `seconds`.
    ///
    /// - Throws: What the kernel says, for example `ENOSYS`, `EPERM`, or `EDQUOT` when the user's quota is used up.
    package static func add(
        _ bytes: Span<UInt8>, _ name: String, seconds: UInt32, in ring: Ring = .user
    ) throws(SystemFailure) -> Key {
        guard ring != .process else { throw failure("add_key", name, ENOSYS) }
        let number = unsafe bytes.withUnsafeBytes {
            unsafe pavise_keyring_add(name, $0.baseAddress, $0.count, seconds, ring == .session ? 1 : 0)
        }
        guard number >= 0 else { throw failure("add_key", name, -number) }
        return Key(number: number)
    }

    /// The key of a name; `nil` when there is none that can be used.
    package static func find(_ name: String, in ring: Ring = .user) -> Key? {
        guard ring != .process else { return nil }
        let number = unsafe pavise_keyring_find(name, ring == .session ? 1 : 0)
        return number >= 0 ? Key(number: number) : nil
    }

    /// Whether a key is still there and readable.
    package static func holds(_ key: Key) -> Bool { pavise_keyring_read(key.number, nil, 0) >= 0 }

    /// Reads exactly `count` bytes; `nil` when the key is gone or has another length.
    package static func read(_ key: Key, count: Int) -> SecretBytes? {
        var length = -1
        let bytes = SecretBytes(count: count) { target in
            length = unsafe target.withUnsafeMutableBytes {
                unsafe pavise_keyring_read(key.number, $0.baseAddress, $0.count)
            }
        }
        guard length == count else { return nil }
        return bytes
    }

    /// Begins the key's time again.
    package static func renew(_ key: Key, seconds: UInt32) { _ = pavise_keyring_expire(key.number, seconds) }

    /// Removes a key at once, for every process.
    package static func invalidate(_ key: Key) { _ = pavise_keyring_invalidate(key.number) }

    /// Makes a key useless without removing it.
    package static func revoke(_ key: Key) { _ = pavise_keyring_revoke(key.number) }

    /// Gives the calling thread a session keyring of its own, as system services have.
    ///
    /// - Returns: Whether the kernel did.
    package static func joinNewSession() -> Bool { pavise_keyring_join_session() >= 0 }

    private static func failure(_ operation: String, _ name: String, _ code: Int32) -> SystemFailure {
        SystemFailure(operation: operation, path: name, code: code)
    }
}
