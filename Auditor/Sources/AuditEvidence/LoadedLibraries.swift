internal import AuditCore
internal import AuditDriver
internal import CAuditSystem

/// The libraries of Swift that this process was loaded with: the parser is one of them.
enum LoadedLibraries {
    private static let beginnings = ["libswift", "libSwift", "lib_", "libFoundation", "libdispatch"]

    /// A digest of their names and bytes; empty where the loader does not tell.
    static var digest: String {
        var rows: [String] = []
        for path in paths {
            let name = path.split(separator: "/").last.map(String.init) ?? ""
            guard beginnings.contains(where: name.hasPrefix), name.contains(".so"),
                case .bytes(let data) = BoundedFile.read(path, limit: 1 << 28, followsLinks: true)
            else { continue }
            rows.append(name + " " + SHA256.hex([UInt8](data)))
        }
        return rows.isEmpty ? "" : CanonicalJSON.digest(rows.sorted())
    }

    /// What the loader says, under its own lock. The kernel's list in /proc/self/maps is read in pieces, and while another thread
    /// maps memory a line can be missing between two of them.
    static var paths: Set<String> {
        var found: Set<String> = []
        #if os(Linux)
        unsafe withUnsafeMutablePointer(to: &found) { found in
            _ = unsafe dl_iterate_phdr(
                { info, _, found in
                    guard let name = unsafe info.pointee.name else { return 0 }
                    let path = unsafe String(cString: name)
                    unsafe found.assumingMemoryBound(to: Set<String>.self).pointee.insert(path)
                    return 0
                }, found)
        }
        #endif
        return found
    }
}
