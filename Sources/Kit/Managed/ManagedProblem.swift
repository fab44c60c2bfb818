/// One entry of an administrator's rules that cannot be used. It names the entry, and does not hold its value.
public struct ManagedProblem: Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, by a word that stays the same from version to version.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// The value is of another type, or out of its range.
        case unusableValue = "value"
        /// The key is not known. The rest holds where nothing else is wrong.
        case unknownKey = "key"
        /// The key is not known, and it may have been meant for a list of what is allowed.
        case misspelt = "misspelt"
        /// The rules are no document that can be read: no JSON, no dictionary, too large, a member that comes twice.
        case unreadable = "document"
        /// The rules cannot be had: the file system, its rights, or a value that no administrator set.
        case inaccessible = "access"
    }

    /// What is wrong.
    public let code: Code
    /// Where, for example `session.maximumSeconds`; empty for the whole.
    public let path: String
    /// What is expected there, or what is wrong, in words.
    public let words: String

    package init(_ code: Code, _ path: String, _ words: String) {
        self.code = code
        self.path = path
        self.words = words
    }

    /// One sentence with its place.
    public var description: String {
        switch code {
        case .unusableValue: "\(path): expected \(words)."
        case .misspelt: "\(path): not known. Write \(words), or without it all would be allowed."
        case .unknownKey, .unreadable, .inaccessible: words
        }
    }
}

extension ManagedConfiguration.UnknownKey {
    /// The same as a problem.
    package var problem: ManagedProblem { ManagedProblem(.unknownKey, path, description) }
}

extension ManagedConfiguration.Failure {
    /// The places that are wrong; one without a place where the whole cannot be read.
    public var problems: [ManagedProblem] {
        switch self {
        case .unusable(let problems): problems
        case .noObject, .malformed, .tooLarge, .repeated: [ManagedProblem(.unreadable, "", description)]
        }
    }
}

extension ManagedConfiguration.Failure {
    /// A number and a text for a management server that knows numbers (Documentation/Managed.md). The text names places
    /// and no value, and has at most 1,000 characters.
    package var report: (code: Int, message: String) {
        let codes = Set(problems.map(\.code))
        let worst = ManagedProblem.Code.allCases.first { $0 != .unknownKey && codes.contains($0) } ?? .unreadable
        return (worst.number, String(description.prefix(1_000)))
    }
}

extension ManagedProblem.Code {
    /// Its number in reports. They stay the same from version to version.
    package var number: Int {
        switch self {
        case .unusableValue: 100
        case .unknownKey: 101
        case .misspelt: 102
        case .unreadable: 103
        case .inaccessible: 104
        }
    }
}
