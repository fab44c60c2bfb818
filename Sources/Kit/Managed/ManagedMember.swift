internal import PavisePrimitives
internal import PaviseTransport

/// The member of a dictionary under which the rules lie: beside it stand settings of the app's own.
enum ManagedMember {
    static let key = "pavise"

    /// What a place may hold.
    static let expected = "a text, a number, true or false, a list or a dictionary"

    /// The rules in a dictionary: the value of ``key``, a dictionary or JSON as text.
    ///
    /// - Returns: `nil` where the key is missing.
    /// - Throws: Also for a key that is spelled almost so: rules must not disappear because of a slip.
    static func rules(in value: JSONValue) throws(ManagedConfiguration.Failure) -> JSONValue? {
        guard let members = value.members else { throw .noObject }
        switch members.last(where: { $0.name == key })?.value {
        case nil:
            try refuseSlips(members.map(\.name))
            return nil
        case .string(let text)?: return try ManagedConfiguration.parsed(Array(text.utf8))
        case .object(let found)?: return .object(found)
        default: throw unusable
        }
    }

    static var unusable: ManagedConfiguration.Failure {
        .unusable([ManagedProblem(.unusableValue, key, "a dictionary, or JSON as text")])
    }

    static func refuseSlips(_ names: [String]) throws(ManagedConfiguration.Failure) {
        let slips = names.filter { ATSKey.nearest(to: $0, among: [key]) != nil || $0.lowercased().hasPrefix(key) }
        guard slips.isEmpty else { throw .unusable(slips.map { ManagedProblem(.misspelt, $0, key) }) }
    }
}
