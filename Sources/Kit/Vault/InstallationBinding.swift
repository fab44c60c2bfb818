internal import PavisePrimitives

/// The half of a vault's secrets that lies in the app's own folder: 32 random bytes, made at the first sign-in.
///
/// A keychain outlives the app on Apple's systems, and a home folder can lose the one and keep the other. What a vault
/// with a half stores names that half inside the sealed packet, and it is there only as long as the same half is: after
/// a reinstallation nobody is signed in. No flag says so, and nothing is deleted when the half is missing, so a file
/// that cannot be read for a moment signs nobody out.
///
/// ```swift
/// let half = InstallationBinding(folder: container)
/// let vault = TokenVault(store: KeychainStore(), key: key).bound(to: half)
/// ```
public struct InstallationBinding: Hashable, Sendable {
    static let count = 32
    private let folder: String

    /// The half in `folder`, which belongs to the app and goes with it.
    public init(folder: String) { self.folder = folder }

    private var path: String { "\(folder)/installation" }

    /// The bytes; `nil` when there are none, and only then.
    ///
    /// - Throws: ``VaultFailure/system(status:)`` with the error number when the file cannot be read now, and
    ///   ``VaultFailure/corrupt(_:)`` when it is no half.
    func read() throws(VaultFailure) -> [UInt8]? {
        let bytes = try Self.attempt { () throws(SystemFailure) in
            try DurableFile.readIfPresent(path, limit: Self.count + 1)
        }
        guard let bytes else { return nil }
        guard bytes.count == Self.count else { throw .corrupt(.installation) }
        return bytes
    }

    /// The bytes; made and durable where there were none.
    func readOrMake() throws(VaultFailure) -> [UInt8] {
        if let bytes = try read() { return bytes }
        guard let fresh = try? Entropy.kernel.bytes(Self.count) else { throw .system(status: 0) }
        try Self.attempt { () throws(SystemFailure) in
            try DurableFile.makeDirectory(folder)
            try DurableFile.writeUnlessPresent(fresh, to: path)
        }
        // Somebody else may have been faster.
        guard let made = try read() else { throw .busy }
        return made
    }

    /// Makes one where there is none, and another one in place of something that is none.
    ///
    /// - Parameter wait: How long another process may take that replaces one.
    func prepare(wait: Duration = .seconds(10)) throws(VaultFailure) {
        guard try isCorrupt() else { return }
        try FileLock.holding(
            "\(path).lock", wait: wait, or: { $0.mapped(held: VaultFailure.busy) { .system(status: $0.code) } }
        ) { () throws(VaultFailure) in
            // Another process may have been here meanwhile: its half is a whole one, and items may name it already.
            guard try isCorrupt() else { return }
            try Self.attempt { () throws(SystemFailure) in try DurableFile.remove(path) }
            _ = try readOrMake()
        }
    }

    // Whether what is there is no half; where nothing was, one is there now.
    private func isCorrupt() throws(VaultFailure) -> Bool {
        do throws(VaultFailure) { _ = try readOrMake() } catch {
            guard error == .corrupt(.installation) else { throw error }
            return true
        }
        return false
    }

    private static func attempt<Value>(_ body: () throws(SystemFailure) -> Value) throws(VaultFailure) -> Value {
        do throws(SystemFailure) { return try body() } catch {
            // More bytes than a half has.
            throw error.isTooLarge ? .corrupt(.installation) : .system(status: error.code)
        }
    }
}
