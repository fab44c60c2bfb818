#if os(Linux)
internal import Foundation

/// What this process may do with the owner of a file.
public enum FileOwner {
    /// Whether a file can be given to another user: the administrator's right, which a container may lack.
    public static let canBeChanged: Bool = {
        guard let folder = try? TemporaryFolder() else { return false }
        let path = folder.path + "/given"
        guard FileManager.default.createFile(atPath: path, contents: nil) else { return false }
        return (try? FileManager.default.setAttributes([.ownerAccountID: 65_534], ofItemAtPath: path)) != nil
    }()
}
#endif
