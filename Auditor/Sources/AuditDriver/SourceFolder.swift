internal import AuditCore
internal import Foundation

/// The Swift files, property lists, entitlements and privacy manifests below the given paths. Links are not followed; build folders are left out.
package struct SourceFolder {
    package struct Failure: Error, CustomStringConvertible { package let description: String }
    package private(set) var files: [(path: String, size: Int)] = []
    package private(set) var root = ""

    package init(paths: [String]) throws(Failure) {
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
                if [".build", ".git", "Pods", "Carthage", "DerivedData", "node_modules"].contains(last) {
                    all.skipDescendants()
                }
                if FileKind(path: name) != nil, !name.contains("\n") {
                    add((path.hasSuffix("/") ? path : path + "/") + name)
                }
            }
        }
        guard files.contains(where: { $0.path.hasSuffix(".swift") }) else {
            throw Failure(description: "There is no Swift file; nothing was looked at.")
        }
    }

    private mutating func add(_ path: String) {
        guard let facts = try? FileManager.default.attributesOfItem(atPath: path),
            facts[.type] as? FileAttributeType == .typeRegular
        else { return }
        files.append((path, facts[.size] as? Int ?? 0))
    }
}
