/// One place of an administrator's rules that cannot be used. It holds no value that stands there.
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

/// What became of an administrator's rules, for whoever wrote them. It names places and codes, and no values.
///
/// ```swift
/// let report = ManagedReport(await connections.applyRules(to: lock))
/// for problem in report.problems { log.error("\(problem.code.rawValue) at \(problem.path)") }
/// ```
///
/// On Apple's systems `Connections.applyRules(to:)` leaves it under the key `pavise` of the app's feedback dictionary
/// (`com.apple.feedback.managed`), where a management server reads it: `status`, and `problems` with `code`, `path` and
/// `words`.
public struct ManagedReport: Hashable, Sendable {
    /// What became of them.
    public enum Status: String, Hashable, Sendable, CaseIterable {
        /// There are none.
        case unmanaged
        /// They hold, apart from keys that are not known.
        case used
        /// They cannot be used: nothing is sent.
        case refused
    }

    /// The most problems that are told: a management server keeps what an app writes there.
    public static let limit = 64

    /// What became of them.
    public let status: Status
    /// What is wrong, at most ``limit``.
    public let problems: [ManagedProblem]

    /// Reports what reading the rules gave.
    public init(_ outcome: Result<ManagedConfiguration?, ManagedFile.Failure>) {
        switch outcome {
        case .success(nil):
            status = .unmanaged
            problems = []
        case .success(let rules?):
            status = .used
            problems = Array(rules.unknownKeys.map(\.problem).prefix(Self.limit))
        case .failure(.content(_, let failure)):
            status = .refused
            problems = Array(failure.problems.prefix(Self.limit))
        case .failure(let failure):
            status = .refused
            problems = [ManagedProblem(.inaccessible, "", failure.description)]
        }
    }

    /// The same as a property list.
    package var propertyList: [String: Any] {
        [
            "status": status.rawValue,
            "problems": problems.map { ["code": $0.code.rawValue, "path": $0.path, "words": $0.words] },
        ]
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
