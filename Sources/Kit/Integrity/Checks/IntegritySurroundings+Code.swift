#if !canImport(Darwin)
internal import PavisePrimitives

// What is mapped as code into this process. Only the kernel's own list decides: a library can hide from the
// environment and from the loader, not from there.
extension IntegritySurroundings {
    // Where systems and packagers put libraries. Compared folder by folder: “/usr2” is not below “/usr/”.
    private static let libraryFolders = [
        "/usr/", "/lib/", "/lib64/", "/lib32/", "/opt/", "/nix/store/", "/snap/", "/app/",
    ]
    // The kernel's own code in every process.
    private static let kernels: Set = ["[vdso]", "[vsyscall]", "[uprobes]"]

    func code() -> IntegrityOutcome {
        guard let text = readText("/proc/self/maps"), let map = MemoryMap(text) else {
            return .notAsked(.code, "/proc/self/maps does not tell what is mapped into this process.")
        }
        var outcome = IntegrityOutcome()
        let known = loaded()
        if known == nil { outcome.miss(.code, "The loader does not tell what it loaded.") }
        var seen: Set<String> = []
        for mapping in map.mappings where mapping.isExecutable {
            guard !Self.kernels.contains(mapping.name), !isExpected(mapping.name) else { continue }
            let isNew = mapping.name.isEmpty || seen.insert(mapping.name).inserted
            judge(mapping, isNew, known, &outcome)
        }
        return outcome
    }

    private func judge(
        _ mapping: MemoryMap.Mapping, _ isNew: Bool, _ known: [LoadedCode.Range]?, _ outcome: inout IntegrityOutcome
    ) {
        let place = mapping.name.isEmpty ? "at \(String(mapping.start, radix: 16))" : mapping.name
        guard mapping.name.hasPrefix("/") else {
            return outcome.add(mapping.isWritable ? .codeWritable : .codeWithoutFile, .likely, place)
        }
        if mapping.isWritable { outcome.add(.codeWritable, .certain, place) }
        guard isNew else { return }
        if mapping.isMemoryFile { return outcome.add(.codeInMemoryFile, .certain, place) }
        if mapping.isDeleted {
            // An update replaces libraries of running programs.
            return outcome.add(.codeDeleted, isInSystemFolder(mapping.name) ? .hint : .certain, place)
        }
        if let known, !known.contains(where: { $0.start < mapping.end && mapping.start < $0.end }) {
            outcome.add(.codeOutsideLoader, .likely, place)
        }
        if mapping.name != program { library(mapping.name, &outcome) }
    }

    private func library(_ path: String, _ outcome: inout IntegrityOutcome) {
        if !isInSystemFolder(path), !isBesideProgram(path) { outcome.add(.libraryElsewhere, .likely, path) }
        guard case .present(let file) = facts(path) else {
            return outcome.miss(.code, "\(path) could not be looked at.")
        }
        if file.isOpenToAll {
            outcome.add(.libraryReplaceable, .certain, "\(path) has the mode \(String(file.mode, radix: 8))")
        } else if let open = openFolder(of: path) {
            outcome.add(.libraryReplaceable, .certain, "everybody may change \(open), in which \(path) lies")
        } else if !file.isOursOrTheSystems {
            outcome.add(.libraryReplaceable, .likely, "user \(file.owner) owns \(path)")
        }
    }

    private func isInSystemFolder(_ path: String) -> Bool {
        Self.libraryFolders.contains { path.hasPrefix($0) } && !path.hasPrefix("/usr/tmp/")
    }

    private func isBesideProgram(_ path: String) -> Bool {
        guard let program else { return false }
        return path.hasPrefix(DurableFile.directory(of: program) + "/")
    }

    /// The folder on the way to `path` that everybody may change. Where a folder has the sticky bit, as /tmp has,
    /// nobody can replace another's file in it; but everybody can put one there, so that it counts as the folder of a
    /// program or a library itself.
    func openFolder(of path: String) -> String? {
        var inner = path
        var isFirst = true
        while true {
            let folder = DurableFile.directory(of: inner)
            guard folder != inner else { return nil }
            if case .present(let facts) = facts(folder), facts.kind == .folder,
                isFirst ? facts.isOpenToAll : facts.letsAllReplace
            {
                return folder
            }
            inner = folder
            isFirst = false
        }
    }
}
#endif
