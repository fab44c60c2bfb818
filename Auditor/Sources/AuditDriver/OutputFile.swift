internal import Foundation

/// Where a report goes: a file that is whole or not there; or a device or pipe, which is written to and never replaced.
package enum OutputFile {
    /// - Returns: Whether all of `text` was written.
    package static func write(_ text: String, to path: String) -> Bool {
        // A rename over `/dev/null` or a pipe would put a plain file into its place, for every program of the machine.
        guard isSpecial(path) else {
            return (try? text.write(toFile: path, atomically: true, encoding: .utf8)) != nil
        }
        guard let file = FileHandle(forWritingAtPath: path) else { return false }
        defer { try? file.close() }
        return (try? file.write(contentsOf: Data(text.utf8))) != nil
    }

    /// Whether `path` is a device, a pipe or a socket, or a link to one. A link to a file is replaced like the file: a
    /// shorter report would leave the tail of a longer one.
    package static func isSpecial(_ path: String) -> Bool {
        let files = FileManager.default
        func type(_ path: String) -> FileAttributeType? {
            try? files.attributesOfItem(atPath: path)[.type] as? FileAttributeType
        }
        guard let own = type(path) else { return false }
        guard own == .typeSymbolicLink else { return own != .typeRegular && own != .typeDirectory }
        // What a process has open is named by links too, of which `/dev/stdout` is one.
        if (try? files.destinationOfSymbolicLink(atPath: path))?.hasPrefix("/proc/") == true { return true }
        let end = type(URL(fileURLWithPath: path).resolvingSymlinksInPath().path)
        return end.map { $0 != .typeRegular && $0 != .typeDirectory && $0 != .typeSymbolicLink } ?? false
    }
}
