package import PavisePrimitives

/// Rules that a system keeps for an administrator and gives to an app as a dictionary. A test has its own.
package final class ManagedSource: Hashable, Sendable {
    /// What the system gives.
    package struct Push: Hashable, Sendable {
        /// The whole dictionary as a property list, of which the value of ``ManagedSource/key`` is read.
        package let propertyList: [UInt8]
        /// Whether the system says that an administrator set it, and not somebody with the rights of the app.
        package let isForced: Bool

        package init(propertyList: [UInt8], isForced: Bool) {
            self.propertyList = propertyList
            self.isForced = isForced
        }
    }

    /// Where the rules lie in the dictionary: beside them stand settings of the app's own.
    package static var key: String { ManagedMember.key }

    /// How it is called in messages.
    package let name: String
    /// The newer channel beside the dictionary, where there is one.
    package let declarations: ManagedDeclarations?
    private let ask: @Sendable () -> Push?
    private let write: @Sendable (ManagedReport) -> Void

    /// A source that asks each time.
    ///
    /// - Parameters:
    ///   - declarations: What the newer channel says; where both hold rules, they have to be the same.
    ///   - ask: `nil` where nobody gave the app a dictionary.
    ///   - write: Leaves a report where the administrator finds it.
    package init(
        _ name: String, declarations: ManagedDeclarations? = nil, ask: @escaping @Sendable () -> Push?,
        write: @escaping @Sendable (ManagedReport) -> Void
    ) {
        self.name = name
        self.declarations = declarations
        self.ask = ask
        self.write = write
    }

    /// Reads the rules; `nil` where the app is not managed, or nothing is said about Pavise.
    package func read() throws(ManagedFile.Failure) -> ManagedConfiguration? {
        let own = try readDictionary()
        switch declarations?.standing {
        case nil, .awaited, .unmanaged: return own
        case .refused(let failure): throw .content(Self.declarationName, failure)
        case .rules(let declared):
            // Nobody could say which of the two an administrator means.
            guard own == nil || own == declared else {
                let problem = ManagedProblem(.unusableValue, Self.key, "the same rules in both channels, or in one")
                throw .content(Self.declarationName, .unusable([problem]))
            }
            return declared
        }
    }

    private static let declarationName = "com.apple.configuration.app.managed"

    private func readDictionary() throws(ManagedFile.Failure) -> ManagedConfiguration? {
        guard let push = ask() else { return nil }
        let value: JSONValue?
        do throws(ManagedConfiguration.Failure) {
            value = try Self.rules(in: push.propertyList)
            guard let value else { return nil }
            guard push.isForced else { throw ManagedConfiguration.Failure.noObject }
            return try ManagedConfiguration(value)
        } catch {
            throw push.isForced ? .content(name, error) : .notForced(name)
        }
    }

    package func tell(_ report: ManagedReport) { write(report) }

    package static func == (one: ManagedSource, other: ManagedSource) -> Bool { one === other }
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    /// The rules in a dictionary: the value of ``key``, a dictionary or JSON as text, for servers that can send nothing
    /// else.
    ///
    /// - Returns: `nil` where the key is missing.
    /// - Throws: Also for a key that is spelled almost so: rules must not disappear because of a slip.
    package static func rules(in bytes: [UInt8]) throws(ManagedConfiguration.Failure) -> JSONValue? {
        let list: PropertyListValue
        do throws(PropertyListFailure) { list = try PropertyListValue.parse(bytes) } catch { throw .noObject }
        guard let members = list.members else { throw .noObject }
        guard let found = members.last(where: { $0.name == key })?.value else {
            try ManagedMember.refuseSlips(members.map(\.name))
            return nil
        }
        if let text = found.string { return try ManagedConfiguration.parsed(Array(text.utf8)) }
        guard found.members != nil else { throw ManagedMember.unusable }
        return try found.json(at: key, depth: 0)
    }
}

/// The result of applying an administrator's rules, for the administrator. It names entries and error codes, and holds
/// no values.
///
/// ```swift
/// let report = ManagedReport(await connections.applyRules(to: lock))
/// for problem in report.problems { write("\(problem.code.rawValue) at \(problem.path)") }
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
            "problems": problems.map(Self.entry),
        ]
    }

    private static func entry(_ problem: ManagedProblem) -> [String: String] {
        ["code": problem.code.rawValue, "path": problem.path, "words": problem.words]
    }

    /// An app's answers to its administrator with this one among them; what others wrote there stays.
    ///
    /// - Parameter before: The dictionary in which the app answers.
    /// - Returns: `nil` where it says the same already. Each change of an app's preferences is told to it, that of an
    ///   answer too: to write the same again would never end.
    package func answers(after before: [String: Any]) -> [String: Any]? {
        if let said = before[ManagedSource.key] as? [String: Any], Set(said.keys) == ["status", "problems"],
            said["status"] as? String == status.rawValue,
            said["problems"] as? [[String: String]] == problems.map(Self.entry)
        {
            return nil
        }
        var after = before
        after[ManagedSource.key] = propertyList
        return after
    }
}

extension PropertyListValue {
    // As deep as JSON may be.
    private static let deepest = 16

    /// The same value as JSON.
    fileprivate func json(at path: String, depth: Int) throws(ManagedConfiguration.Failure) -> JSONValue {
        guard depth < Self.deepest else { throw .tooLarge }
        switch kind {
        case .string(let text): return .string(text)
        case .bool(let value): return .bool(value)
        case .integer(let value): return .integer(value)
        case .real(let value) where value.isFinite: return .number("\(value)")
        case .array(let elements):
            var values: [JSONValue] = []
            for (index, element) in elements.enumerated() {
                values.append(try element.json(at: "\(path)[\(index)]", depth: depth + 1))
            }
            return .array(values)
        case .dictionary(let members): return .object(try Self.members(members, at: path, depth))
        case .real, .date, .data, .reference, .other:
            throw .unusable([ManagedProblem(.unusableValue, path, ManagedMember.expected)])
        }
    }

    private static func members(
        _ members: [Member], at path: String, _ depth: Int
    ) throws(ManagedConfiguration.Failure) -> [JSONValue.Member] {
        var names: Set<String> = []
        var values: [JSONValue.Member] = []
        for member in members {
            guard names.insert(member.name).inserted else { throw .repeated(member.name) }
            values.append(.init(member.name, try member.value.json(at: "\(path).\(member.name)", depth: depth + 1)))
        }
        return values
    }
}
