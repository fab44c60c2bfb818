package import AuditCore
internal import Foundation

/// The Swift files, property lists, entitlements, privacy manifests, project files and resources below the given paths.
/// Links are not followed; build folders are not read. What is there and is not read is told.
package struct SourceFolder {
    package struct Failure: Error, CustomStringConvertible { package let description: String }
    package private(set) var files: [(path: String, size: Int)] = []
    /// What names in reports are relative to: the given folder, or the one that holds all given folders.
    package private(set) var root = ""
    /// Source files that no rule reads, by the ending of their name.
    package private(set) var otherLanguages: [String: Int] = [:]
    /// Files and folders that cannot be given to a worker: a link out of the tree, or to what is not read in it (LINK),
    /// what cannot be opened or is no plain file, and names that no line can hold (UNREADABLE).
    package private(set) var refused: [FileReport] = []
    /// Folders of code that others publish, or that a build made, which are not looked into.
    package private(set) var skipped: [String] = []
    private var roots: [String] = []
    /// By their bytes: two spellings of one letter are one text of Swift, and two names of files.
    private var seen: Set<[UInt8]> = []
    private static let others: Set = ["m", "mm", "c", "cc", "cpp", "h", "hpp", "storyboard", "xib", "kt", "js", "ts"]
    // No module of an app lies below a name with a dot: what is made there anew says nothing. What a tool for packages
    // fetched is told, and so is a folder of Xcode's: its name is one that a folder of sources may have too.
    private static let hidden: Set = [".build", ".git"]
    private static let built = hidden.union(["DerivedData"])
    private static let told: Set = ["Pods", "Carthage", "node_modules", "SourcePackages", "DerivedData"]

    /// - Parameter isRead: Which files are taken; one at least has to be there.
    package init(paths: [String], only isRead: ((String) -> Bool)? = nil) throws(Failure) {
        for path in paths {
            var facts = stat()
            guard unsafe stat(path, &facts) == 0 else { throw Failure(description: "\(path) is not there") }
            guard facts.st_mode & S_IFMT == S_IFDIR else {
                add(path, Int(facts.st_size), facts.st_mode & S_IFMT == S_IFREG)
                continue
            }
            let folder = path.hasSuffix("/") ? path : path + "/"
            roots.append(folder)
            guard walk(folder, URL(fileURLWithPath: path).resolvingSymlinksInPath().path + "/") else {
                throw Failure(description: "\(path) cannot be read")
            }
        }
        root = Self.common(roots)
        if let isRead {
            files = files.filter { isRead($0.path) }
            // What has no kind is a folder, or leads to one: what lies in it may be of the kind that is read.
            refused = refused.filter { isRead($0.file) || FileKind(path: $0.file) == nil }
            otherLanguages = [:]
            guard files.isEmpty else { return }
            throw Failure(description: "There is no file of the kind that is read; nothing was looked at.")
        }
        guard files.contains(where: { $0.path.hasSuffix(".swift") }) else {
            throw Failure(description: "There is no Swift file; nothing was looked at.")
        }
    }

    /// Leaves out files that are no part of what is looked at, such as those that the same run writes.
    package mutating func leaveOut(_ paths: Set<String>) {
        files = files.filter { !paths.contains($0.path) }
    }

    /// The given folder that a file lies in: what lies above it says nothing about the file.
    package func root(of file: String) -> String {
        if let own = roots.filter(file.hasPrefix).max(by: { $0.utf8.count < $1.utf8.count }) { return own }
        return file.lastIndex(of: "/").map { String(file[...$0]) } ?? ""
    }

    /// The files, by the given folder that they lie in.
    package func groups(_ files: [(path: String, size: Int)]) -> [(root: String, files: [(path: String, size: Int)])] {
        Dictionary(grouping: files) { root(of: $0.path) }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// The longest folder that all of them lie in; empty where there is none.
    private static func common(_ roots: [String]) -> String {
        guard var parts = roots.first?.split(separator: "/", omittingEmptySubsequences: false).dropLast() else {
            return ""
        }
        for root in roots.dropFirst() {
            let other = root.split(separator: "/", omittingEmptySubsequences: false).dropLast()
            parts = parts.prefix(zip(parts, other).prefix { $0 == $1 }.count)
        }
        return parts.isEmpty ? "" : parts.joined(separator: "/") + "/"
    }

    /// - Returns: Whether the folder could be opened.
    private mutating func walk(_ folder: String, _ top: String) -> Bool {
        guard let names = Self.names(folder) else { return false }
        for (name, isText) in names {
            let path = folder + name
            var facts = stat()
            // A line to a worker cannot hold such a name, be it that of a file or of a folder.
            guard isText, !path.utf8.contains(10), unsafe lstat(path, &facts) == 0 else {
                refuse(path, "UNREADABLE")
                continue
            }
            switch facts.st_mode & S_IFMT {
            case S_IFDIR:
                if Self.hidden.contains(name) { continue }
                if Self.told.contains(name) {
                    skipped.append(path)
                } else if !walk(path + "/", top) {
                    refuse(path, "UNREADABLE")
                }
            case S_IFLNK: link(path, top)
            case S_IFREG: plain(path, name, Int(facts.st_size))
            default: if FileKind(path: path) != nil { refuse(path, "UNREADABLE") }
            }
        }
        return true
    }

    /// The names of a folder in the order of their bytes, and whether they are UTF-8; `nil` where it cannot be opened.
    private static func names(_ folder: String) -> [(name: String, isText: Bool)]? {
        guard let list = unsafe opendir(folder) else { return nil }
        defer { unsafe closedir(list) }
        var names: [(name: String, isText: Bool)] = []
        while let entry = unsafe readdir(list) {
            let bytes = unsafe withUnsafeBytes(of: entry.pointee.d_name) { unsafe Array($0.prefix { $0 != 0 }) }
            let name = String(validating: bytes, as: UTF8.self)
            if name == "." || name == ".." { continue }
            names.append((name ?? String(decoding: bytes, as: UTF8.self), name != nil))
        }
        return names.sorted { Array($0.name.utf8).lexicographicallyPrecedes(Array($1.name.utf8)) }
    }

    private mutating func plain(_ path: String, _ name: String, _ size: Int) {
        if name.hasPrefix("._"), Self.isAppleDouble(path) { return }
        if FileKind(path: path) != nil {
            add(path, size, true)
        } else if let ending = name.split(separator: ".").last.map(String.init), Self.others.contains(ending) {
            otherLanguages[ending, default: 0] += 1
        }
    }

    /// What a link leads to inside of the tree is read where it is, or told there. What leads out of it, into what a
    /// build makes, or to a file that its own name makes none of this kind, is told, if it may be source.
    private mutating func link(_ path: String, _ top: String) {
        let end = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        let isLeftOut = end.dropFirst(top.count).split(separator: "/").contains { Self.built.contains(String($0)) }
        if (end + "/").hasPrefix(top), !isLeftOut, FileKind(path: path) == FileKind(path: end) { return }
        var facts = stat()
        let isFolder = unsafe stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
        if isFolder || FileKind(path: path) != nil { refuse(path, "LINK") }
    }

    private mutating func refuse(_ path: String, _ reason: String) {
        refused.append(FileReport(file: path, notAnalysed: reason))
    }

    /// What macOS keeps beside a file on foreign disks (RFC 1740): no source, whatever its name ends with.
    private static func isAppleDouble(_ path: String) -> Bool {
        BoundedFile.start(path, count: 4) == [0, 5, 0x16, 7]
    }

    private mutating func add(_ path: String, _ size: Int, _ isPlain: Bool) {
        guard seen.insert(Array(path.utf8)).inserted else { return }
        if isPlain, !path.utf8.contains(10) {
            files.append((path, size))
        } else {
            refuse(path, "UNREADABLE")
        }
    }
}
