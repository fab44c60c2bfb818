internal import PavisePrimitives

extension IntegritySurroundings {
    /// Looks for each file of the list. Names are compared whole; a missing file says nothing.
    package func files(_ list: [IndicatorFile]) -> IntegrityOutcome {
        var outcome = IntegrityOutcome()
        var unknown = 0
        for file in list {
            switch facts(file.path) {
            case .present(let found):
                guard !file.isLinkOnly else {
                    if found.kind == .link { outcome.add(.linkedFolder, file.strength, file.path) }
                    continue
                }
                let strength = isAnybodys(file.path) ? .hint : file.strength
                outcome.add(.suspiciousFile, strength, "\(file.path) (\(file.name))")
            case .absent: break
            case .unknown: unknown += 1
            }
        }
        // A folder that may not be searched is no sign, and what is in it could not be asked.
        if unknown > 0 { outcome.miss(.files, "\(unknown) of \(list.count) files could not be looked at.") }
        return outcome
    }

    // In /tmp each user of the machine could make such a file, and end everybody's apps with it.
    private func isAnybodys(_ path: String) -> Bool {
        guard case .present(let folder) = facts(DurableFile.directory(of: path)) else { return false }
        return folder.isOpenToAll
    }

    /// What the app itself has to call and did not, in sentences.
    var missingCalls: [String] {
        isMemoryProtected
            ? []
            : [
                "MemoryProtection.start() was not called: a core file, and the user's other programs, can have this "
                    + "process's memory."
            ]
    }

    /// Looks for images that change other programs. The name of the file counts and not its folders, and it counts
    /// whole: an app called “Shadow” is none of them.
    package func images(_ paths: [String]) -> IntegrityOutcome {
        var outcome = IntegrityOutcome()
        for path in paths where !isExpected(path) {
            let name = path.split(separator: "/").last.map(String.init) ?? path
            if IndicatorFile.images.contains(name) { outcome.add(.libraryKnown, .certain, path) }
        }
        return outcome
    }
}
