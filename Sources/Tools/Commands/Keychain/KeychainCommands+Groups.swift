internal import PaviseArguments
internal import PavisePrimitives
internal import SecurityFramework

/// `pavise keychain groups`: which programs keep items in this home.
extension KeychainCommands {
    static let groups = Action(
        Command(
            "groups", abstract: "List the access groups, and how many items each has.",
            discussion: """
                Each program sees the items of its own access groups alone: by default those of one group, which \
                has the name of the program's file. PAVISE_ACCESS_GROUPS names others; they separate programs that \
                mean well, and hide nothing from other programs of the same user.
                """,
            parameters: [Shared.json],
            examples: [
                .init("pavise keychain groups", "Find the items that another program stored."),
                .init("PAVISE_ACCESS_GROUPS=notes pavise keychain list", "List the items of the group “notes”."),
            ])
    ) { invocation, environment in
        let groups = try found(in: environment)
        let rows = groups.map { group in
            JSONValue.fields([
                "group": .string(group.name), "items": .integer(Int64(group.items)), "own": .bool(group.isOwn),
            ])
        }
        var report = Report(data: .fields(["groups": .array(rows)]))
        let table = groups.map { [Printable.text($0.name), "\($0.items)", $0.isOwn ? "this program's" : ""] }
        report.add(groups.isEmpty ? .line("There are no items.") : .table([["GROUP", "ITEMS", ""]] + table))
        try environment.show(report, for: invocation)
    }

    private static func found(in environment: Environment) throws -> [KeychainDiagnostics.Group] {
        do throws(KeychainDiagnostics.Unreadable) {
            return try KeychainDiagnostics.groups(environment.home)
        } catch {
            throw CommandFailure(.failed, error.explanation)
        }
    }
}
