internal import Foundation

/// Where a report goes: a file that is whole or not there; or a device or pipe, which is written to and never replaced.
package enum OutputFile {
    /// - Returns: Whether all of `text` was written.
    package static func write(_ text: String, to path: String) -> Bool {
        let type = try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
        guard let type, type != .typeRegular else {
            return (try? text.write(toFile: path, atomically: true, encoding: .utf8)) != nil
        }
        // A rename over `/dev/null` or a pipe would put a plain file into its place, for every program of the machine.
        guard type != .typeDirectory, let file = FileHandle(forWritingAtPath: path) else { return false }
        defer { try? file.close() }
        return (try? file.write(contentsOf: Data(text.utf8))) != nil
    }
}
