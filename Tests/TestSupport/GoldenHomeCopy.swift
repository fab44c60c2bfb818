internal import Foundation

extension TemporaryFolder {
    /// Copies the home `name` of Tests/GoldenHomes to `home` in this folder: whatever a test does to it, the next one
    /// finds it as it was made.
    ///
    /// - Returns: The copy's path.
    public func copyGoldenHome(_ name: String, file: String = #filePath) throws -> String {
        let tests = URL(fileURLWithPath: file).deletingLastPathComponent().deletingLastPathComponent()
        let source = tests.appendingPathComponent("GoldenHomes/\(name)")
        let path = self.path + "/home"
        try FileManager.default.copyItem(atPath: source.path, toPath: path)
        // Git keeps no modes.
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
        for name in try FileManager.default.subpathsOfDirectory(atPath: path) {
            let file = path + "/" + name
            var isFolder = ObjCBool(false)
            _ = unsafe FileManager.default.fileExists(atPath: file, isDirectory: &isFolder)
            try FileManager.default.setAttributes(
                [.posixPermissions: isFolder.boolValue ? 0o700 : 0o600], ofItemAtPath: file)
        }
        return path
    }
}
