#if os(Linux)
public import Foundation
internal import Glibc
internal import Synchronization

/// A file at a place that a person chose: what leaves the app in clear. On Apple's systems the system writes it.
public enum ChosenFile {
    /// The place cannot be written to: what was there is there still.
    public struct NotWritten: Error, Hashable, Sendable {}

    /// Writes it, for its owner alone from the first byte on.
    ///
    /// - Returns: Whether it is there.
    public static func write(_ contents: Data, to path: String) async -> Bool {
        (try? await write(to: path) { write in try write(contents) }) != nil
    }

    /// Writes it piece by piece, for its owner alone from the first byte on. What was there goes when the new one is
    /// whole, and stays where that cannot be written; a folder stays.
    ///
    /// - Parameters:
    ///   - path: The place.
    ///   - pieces: Gives the pieces to the function that it gets, in their order. When it throws, nothing is there.
    /// - Returns: What `pieces` returned.
    /// - Throws: ``NotWritten``, and what `pieces` throws.
    @concurrent
    public static func write<Value: Sendable>(
        to path: String, pieces: @Sendable (_ write: @escaping @Sendable (Data) throws -> Void) async throws -> Value
    ) async throws -> Value {
        let files = FileManager.default
        let old = try? files.attributesOfItem(atPath: path)[.type] as? FileAttributeType
        guard old != .typeDirectory else { throw NotWritten() }
        // In sight: what a kill leaves of it is the person's to find.
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        let fresh = folder.appendingPathComponent("sleep-diary-\(UUID().uuidString).part").path
        let value: Value
        do {
            guard files.createFile(atPath: fresh, contents: nil, attributes: [.posixPermissions: 0o600]) else {
                throw NotWritten()
            }
            let file = Mutex(FileHandle(forWritingAtPath: fresh))
            guard file.withLock({ $0 != nil }) else { throw NotWritten() }
            value = try await pieces { piece in
                do { _ = try file.withLock { try $0?.write(contentsOf: piece) } } catch { throw NotWritten() }
            }
            do {
                _ = try file.withLock { try $0?.synchronize() }
                _ = try file.withLock { try $0?.close() }
            } catch {
                throw NotWritten()
            }
            // One step: at each instant the old one or the new one has the name. Foundation has none that does this.
            guard unsafe rename(fresh, path) == 0 else { throw NotWritten() }
        } catch {
            try? files.removeItem(atPath: fresh)
            throw error
        }
        return value
    }
}
#endif
