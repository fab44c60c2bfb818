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
    package static let key = "pavise"

    /// How it is called in messages.
    package let name: String
    private let ask: @Sendable () -> Push?
    private let write: @Sendable (ManagedReport) -> Void

    /// A source that asks each time.
    ///
    /// - Parameters:
    ///   - ask: `nil` where nobody gave the app a dictionary.
    ///   - write: Leaves a report where the administrator finds it.
    package init(
        _ name: String, ask: @escaping @Sendable () -> Push?, write: @escaping @Sendable (ManagedReport) -> Void
    ) {
        self.name = name
        self.ask = ask
        self.write = write
    }

    /// Reads the rules; `nil` where the app is not managed, or its dictionary says nothing about Pavise.
    package func read() throws(ManagedFile.Failure) -> ManagedConfiguration? {
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
            let slips = members.filter {
                ATSKey.nearest(to: $0.name, among: [key]) != nil || $0.name.lowercased().hasPrefix(key)
            }
            guard slips.isEmpty else {
                throw .unusable(slips.map { ManagedProblem(.misspelt, $0.name, key) })
            }
            return nil
        }
        if let text = found.string { return try ManagedConfiguration.parsed(Array(text.utf8)) }
        guard found.members != nil else {
            throw .unusable([ManagedProblem(.unusableValue, key, "a dictionary, or JSON as text")])
        }
        return try found.json(at: key, depth: 0)
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
            let expected = "a text, a number, true or false, a list or a dictionary"
            throw .unusable([ManagedProblem(.unusableValue, path, expected)])
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
