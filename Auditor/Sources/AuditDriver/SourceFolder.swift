package import AuditCore
internal import Foundation

/// The Swift files, property lists, entitlements, privacy manifests, project files and resources below the given paths.
/// Links are not followed; build folders are left out.
package struct SourceFolder {
    package struct Failure: Error, CustomStringConvertible { package let description: String }
    package private(set) var files: [(path: String, size: Int)] = []
    package private(set) var root = ""
    /// Source files that no rule reads, by the ending of their name.
    package private(set) var otherLanguages: [String: Int] = [:]
    /// Files that cannot be given to a worker: their names hold a line break.
    package private(set) var refused: [FileReport] = []
    private static let others: Set = ["m", "mm", "c", "cc", "cpp", "h", "hpp", "storyboard", "xib", "kt", "js", "ts"]

    /// - Parameter isRead: Which files are taken; one at least has to be there.
    package init(paths: [String], only isRead: ((String) -> Bool)? = nil) throws(Failure) {
        let manager = FileManager.default
        for path in paths {
            var isFolder: ObjCBool = false
            guard unsafe manager.fileExists(atPath: path, isDirectory: &isFolder) else {
                throw Failure(description: "\(path) is not there")
            }
            if !isFolder.boolValue {
                add(path)
                continue
            }
            if root.isEmpty { root = path.hasSuffix("/") ? path : path + "/" }
            guard let all = manager.enumerator(atPath: path) else {
                throw Failure(description: "\(path) cannot be read")
            }
            while let name = all.nextObject() as? String {
                let last = name.split(separator: "/").last.map(String.init) ?? ""
                if [".build", ".git", "Pods", "Carthage", "DerivedData", "node_modules"].contains(last)
                    || last.hasSuffix(".xcassets")
                {
                    all.skipDescendants()
                }
                let full = (path.hasSuffix("/") ? path : path + "/") + name
                if last.hasPrefix("._"), Self.isAppleDouble(full) { continue }
                if FileKind(path: name) != nil {
                    if name.utf8.contains(10) {
                        refused.append(FileReport(file: full, notAnalysed: "UNREADABLE"))
                    } else {
                        add(full)
                    }
                } else if let ending = last.split(separator: ".").last.map(String.init), Self.others.contains(ending) {
                    otherLanguages[ending, default: 0] += 1
                }
            }
        }
        if let isRead {
            files = files.filter { isRead($0.path) }
            otherLanguages = [:]
            guard files.isEmpty else { return }
            throw Failure(description: "There is no file of the kind that is read; nothing was looked at.")
        }
        guard files.contains(where: { $0.path.hasSuffix(".swift") }) else {
            throw Failure(description: "There is no Swift file; nothing was looked at.")
        }
    }

    /// What macOS keeps beside a file on foreign disks (RFC 1740): no source, whatever its name ends with.
    private static func isAppleDouble(_ path: String) -> Bool {
        guard let file = FileHandle(forReadingAtPath: path) else { return false }
        defer { try? file.close() }
        return (try? file.read(upToCount: 4)).map { [UInt8]($0) == [0, 5, 0x16, 7] } ?? false
    }

    private mutating func add(_ path: String) {
        guard let facts = try? FileManager.default.attributesOfItem(atPath: path),
            facts[.type] as? FileAttributeType == .typeRegular
        else { return }
        files.append((path, facts[.size] as? Int ?? 0))
    }
}
