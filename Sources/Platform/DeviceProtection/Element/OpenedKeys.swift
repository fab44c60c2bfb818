internal import PaviseCrypto
internal import PavisePrimitives
internal import Synchronization

/// The keys of a software element that this process used last.
///
/// To open one takes as long as to use it. It adds nothing to what lies in memory anyway: the root that opens them all.
/// A key counts for as long as the file with its salt is the one that it was opened with, so that a destroyed key is
/// refused at once.
final class OpenedKeys: Sendable {
    private struct Entry {
        let blob: [UInt8]
        let salt: FileIdentity
        let key: ECPrivateKey
    }

    private static let mostKept = 8
    private let entries = Mutex<[Entry]>([])

    /// The key behind `blob`, whose salt lies at `path`; `open` is asked for one that is not known.
    func key(_ blob: [UInt8], salt path: String, open: () throws -> ECPrivateKey) throws -> ECPrivateKey {
        // Looked at before the key is opened: a file that changes meanwhile has another stamp the next time.
        guard let salt = FileIdentity(path) else {
            forget(blob)
            // That a key was destroyed is said only when it is certain.
            if case .unknown(let failure) = DurableFile.presence(of: path) { throw failure }
            throw DeviceFailure.unknownKey
        }
        if let known = entries.withLock({ $0.first { $0.blob == blob && $0.salt == salt } }) { return known.key }
        let key = try open()
        entries.withLock { entries in
            entries.removeAll { $0.blob == blob }
            if entries.count >= Self.mostKept { entries.removeFirst() }
            entries.append(Entry(blob: blob, salt: salt, key: key))
        }
        return key
    }

    /// Forgets a key that was destroyed.
    func forget(_ blob: [UInt8]) { entries.withLock { $0.removeAll { $0.blob == blob } } }

    /// Forgets all keys.
    func forgetAll() { entries.withLock { $0 = [] } }
}
