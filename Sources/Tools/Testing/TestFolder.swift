internal import Foundation

/// A folder of one world's own, in memory where the system has such a place; it goes with the value.
final class TestFolder: Sendable {
    let path: String

    init() throws {
        let base = FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm" : NSTemporaryDirectory()
        path = URL(fileURLWithPath: base).appendingPathComponent("pavise-world-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Whether anything lies there.
    func isThere(_ name: String) -> Bool { FileManager.default.fileExists(atPath: "\(path)/\(name)") }

    func copy(_ name: String, to other: String) throws {
        try FileManager.default.createDirectory(
            atPath: URL(fileURLWithPath: "\(path)/\(other)").deletingLastPathComponent().path,
            withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try FileManager.default.copyItem(atPath: "\(path)/\(name)", toPath: "\(path)/\(other)")
    }

    func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: "\(path)/\(name)") }
}
