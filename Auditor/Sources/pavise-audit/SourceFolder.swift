internal import Foundation

/// The Swift files below the given paths. Links are not followed; build folders are left out.
struct SourceFolder {
    struct Failure: Error, CustomStringConvertible { let description: String }
    private(set) var files: [(path: String, size: Int)] = []
    private(set) var root = ""

    init(paths: [String]) throws(Failure) {
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
                if name.hasSuffix(".swift"), !name.contains("\n") {
                    add((path.hasSuffix("/") ? path : path + "/") + name)
                }
            }
        }
        guard !files.isEmpty else { throw Failure(description: "There is no Swift file; nothing was looked at.") }
    }

    private mutating func add(_ path: String) {
        guard let facts = try? FileManager.default.attributesOfItem(atPath: path),
            facts[.type] as? FileAttributeType == .typeRegular
        else { return }
        files.append((path, facts[.size] as? Int ?? 0))
    }
}
