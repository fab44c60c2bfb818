#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// The program that runs.
package enum CurrentExecutable {
    /// The path of its file; `nil` where the system does not tell, and always on Apple's systems, which read the
    /// property list of an app themselves.
    package static var path: String? {
        #if canImport(Glibc)
        var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe bytes.withUnsafeMutableBytes { buffer in
            guard let start = buffer.baseAddress else { return 0 }
            return unsafe readlink("/proc/self/exe", start.assumingMemoryBound(to: CChar.self), buffer.count)
        }
        guard count > 0, count < bytes.count else { return nil }
        return path(in: String(decoding: bytes.prefix(count), as: UTF8.self))
        #else
        return nil
        #endif
    }

    /// The path in what the kernel says: behind that of a file which is gone, or which an update has replaced, it
    /// writes ` (deleted)` (proc(5)).
    package static func path(in link: String) -> String {
        let mark = " (deleted)"
        guard link.hasSuffix(mark), !DurableFile.exists(link) else { return link }
        return String(link.dropLast(mark.count))
    }

    /// Where Foundation looks for the property list of the program at `path`, in this order:
    /// `NAME.resources/Info.plist` beside it, `Info.plist`, and `../share/NAME.resources/Info.plist`.
    package static func propertyLists(for path: String) -> [String] {
        let folder = DurableFile.directory(of: path)
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return [
            "\(folder)/\(name).resources/Info.plist", "\(folder)/Info.plist",
            "\(DurableFile.directory(of: folder))/share/\(name).resources/Info.plist",
        ]
    }

    /// Whether it may have a property list.
    package static var mayHavePropertyList: Bool {
        guard let path else { return true }
        return propertyLists(for: path).contains(where: DurableFile.exists)
    }

    /// Ends the process at once. Libraries do not take their tables apart first, which takes longer than much of what a
    /// program does; what was written and not handed to the system is lost.
    package static func end(_ status: Int32) -> Never { _exit(status) }
}
