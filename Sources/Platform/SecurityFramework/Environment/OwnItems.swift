/// Pavise's own items: the lock's record, orders, sessions and the connections' keys.
///
/// Their names begin with `org.pavise.`, and they lie in an access group of their own, which no program can name, gets
/// by default, or reaches with a query that names none. Each default group of programs has its own such group, so that
/// two programs in one home stay apart, and programs that share their first group share the connections.
package enum OwnItems {
    /// What the service of a password, or the application tag of a key, of Pavise's own begins with.
    package static let prefix = "org.pavise."

    /// What the access groups of own items begin with. No configuration can name one.
    static let groupPrefix = "org.pavise.internal."

    /// The own passwords that have the same name in every home: the lock's record and its orders. One whose attributes
    /// are damaged is looked for by the digests of its name.
    static let fixedNames: [(service: String, account: String)] = [
        ("org.pavise.applock", "app"), ("org.pavise.applock", "orders"),
    ]

    /// Whether a service or an application tag is Pavise's own. Compared byte by byte.
    package static func owns(_ name: String) -> Bool { name.utf8.starts(with: prefix.utf8) }

    /// Whether an access group is one of those that no program can name.
    package static func isReserved(group: String) -> Bool { group.utf8.starts(with: groupPrefix.utf8) }

    /// The group of the own items of a program whose default group is `first`.
    static func group(beside first: String) -> String { groupPrefix + first }

    /// The program's group that an item's group belongs to: itself, or the one beside which Pavise keeps its own.
    static func program(of group: String) -> String {
        isReserved(group: group) ? String(group.dropFirst(groupPrefix.count)) : group
    }

    /// Runs keychain calls for items of this name: in Pavise's own group where the name is its own, else in the
    /// program's groups.
    package static func run<Result>(for name: String, _ body: () -> Result) -> Result {
        guard owns(name), let own = SecurityEnvironment.current.ofOwnItems else { return body() }
        return SecurityEnvironment.$override.withValue(own) { body() }
    }

    /// A step of the take-over of items that an older version left in the program's own group. A test stops the process
    /// there.
    package enum Step: String, Hashable, Sendable, CaseIterable {
        /// One more item lies in the own group, not durably.
        case moved
        /// The mark is written beside them, not durably.
        case marked
        /// All of it is durable.
        case committed

        /// What a test does after a step.
        @TaskLocal package static var observer: (@Sendable (Step) -> Void)?

        func reached() { Self.observer?(self) }
    }
}

extension SecurityEnvironment {
    /// The same surroundings for calls about own items; `nil` without an access group, where every call is refused.
    fileprivate var ofOwnItems: SecurityEnvironment? {
        guard ownerGroup == nil else { return self }
        guard let first = accessGroups.first else { return nil }
        var own = self
        own.ownerGroup = first
        own.accessGroups = [OwnItems.group(beside: first)]
        return own
    }
}
