/// Looks at every file and folder of a home, as far as the system lets it, and changes none.
package struct HomeInspection: Hashable, Sendable {
    /// One thing that is not as Pavise makes it.
    package struct Finding: Hashable, Sendable {
        /// Where.
        package let path: String
        /// What is wrong; `nil` when the system did not say.
        package let problem: FileProblem?
    }

    /// How many files and folders were looked at.
    package private(set) var looked = 0
    /// What is wrong, in the order of the names.
    package private(set) var findings: [Finding] = []
    /// Whether there was more than is looked at.
    package private(set) var isCut = false
    /// The latest time of change of a file, in seconds since 1970; 0 without one.
    package private(set) var latestChange: Int64 = 0

    private static let most = 100_000
    private static let depth = 32

    /// Looks at what lies below the home. The way to it is ``PaviseHome/check(_:)``'s.
    package init(_ home: PaviseHome) { look(into: home.path, Self.depth) }

    private mutating func look(into path: String, _ depth: Int) {
        guard depth > 0 else {
            isCut = true
            return
        }
        guard let folder = try? OpenFolder.open(path), let names = try? folder.names() else {
            findings.append(Finding(path: path, problem: nil))
            return
        }
        for name in names {
            guard looked < Self.most else {
                isCut = true
                return
            }
            look(at: "\(path)/\(name)", in: folder, name, depth)
        }
    }

    private mutating func look(at path: String, in folder: borrowing OpenFolder, _ name: String, _ depth: Int) {
        looked += 1
        guard let facts = try? FileFacts(of: path), let status = try? folder.status(of: name) else {
            // One that went away meanwhile is nothing to tell.
            if DurableFile.exists(path) { findings.append(Finding(path: path, problem: nil)) }
            return
        }
        latestChange = max(latestChange, status.change / 1_000_000_000)
        let problem = facts.kind == .folder ? facts.problemAsOwnFolder : facts.problem(asOwnFile: true)
        if let problem { findings.append(Finding(path: path, problem: problem)) }
        if facts.kind == .folder { look(into: path, depth - 1) }
    }
}
