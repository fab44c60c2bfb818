#if os(Linux)
public import Foundation

/// A file at a place that a person chose: what leaves the app in clear. On Apple's systems the system writes it.
public enum ChosenFile {
    /// Writes it, for its owner alone from the first byte on. What was there goes when the new one is whole, and stays
    /// where that cannot be written; a folder stays.
    ///
    /// - Returns: Whether it is there.
    @concurrent
    public static func write(_ contents: Data, to path: String) async -> Bool {
        let files = FileManager.default
        let old = try? files.attributesOfItem(atPath: path)[.type] as? FileAttributeType
        guard old != .typeDirectory else { return false }
        // In sight: what a kill leaves of it is the person's to find.
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        let fresh = folder.appendingPathComponent("sleep-diary-\(UUID().uuidString).part").path
        func giveUp() -> Bool {
            try? files.removeItem(atPath: fresh)
            return false
        }
        guard files.createFile(atPath: fresh, contents: contents, attributes: [.posixPermissions: 0o600]) else {
            return giveUp()
        }
        if old != nil, (try? files.removeItem(atPath: path)) == nil { return giveUp() }
        // The old one is gone: what cannot take its place stays beside it.
        return (try? files.moveItem(atPath: fresh, toPath: path)) != nil
    }
}
#endif
