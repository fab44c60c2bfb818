internal import Foundation

/// A folder of a test's own, removed with the value.
public final class TemporaryFolder: Sendable {
    /// The folder's path.
    public let path: String

    /// Makes a fresh folder that only the owner can enter.
    public init() throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("pavise-test-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
