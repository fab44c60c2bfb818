internal import PaviseArguments
internal import PavisePrimitives
internal import PaviseVault

/// `pavise keychain add|get|list|update|delete|dump|groups`. A value never comes from an argument: other users can see
/// those.
enum KeychainCommands {
    static let service = Argument(
        "SERVICE", help: "What the secret is for, for example a host name.", parse: name)
    static let account = Argument("ACCOUNT", help: "Whose it is, for example a user name.", parse: name)
    private static let onlyService = OptionalArgument("SERVICE", help: "Only the items of this service.", parse: name)
    private static let isReplacing = Flag("replace", help: "Replace the item if it exists.")

    static let add = Action(
        Command(
            "add", abstract: "Store a secret.",
            discussion: """
                The value is asked for at the terminal without showing it, or read from standard input to its end: one \
                line of text without its line end, anything else (several lines, other bytes) to the last byte, up to \
                64 KiB. It is never taken from an argument, because other users of the machine can see those.
                """,
            parameters: [service, account, isReplacing, Shared.json],
            examples: [
                .init("pavise keychain add mail.example ada", "Ask for ada's password and store it."),
                .init(
                    "printf '%s' \"$TOKEN\" | pavise keychain add api.example ci", "Store what another program gives."),
                .init("pavise keychain add tls.example key < key.pem", "Store a file as it is."),
            ])
    ) { invocation, environment in
        let entry = try entry(of: invocation)
        let value = try secretValue(from: environment.person)
        if invocation[isReplacing] {
            try environment.keychain.replace(value, as: entry)
        } else {
            try addNew(value, as: entry, to: environment.keychain)
        }
        let report = Report(data: entry.fields).adding(.success("Stored \(entry.account) of \(entry.service)."))
        try environment.show(report, for: invocation)
    }

    static let get = Action(
        Command(
            "get", abstract: "Print a secret.",
            discussion: "The value goes to standard output exactly as it was stored; at a terminal a line end follows.",
            parameters: [service, account, Shared.json],
            examples: [.init("pavise keychain get mail.example ada", "Print ada's password.")])
    ) { invocation, environment in
        let entry = try entry(of: invocation)
        switch try environment.keychain.read(entry) {
        case .absent: throw missing(entry)
        case .found(let value): try show(value, of: entry, for: invocation, in: environment)
        }
    }

    static let list = Action(
        Command(
            "list", abstract: "List the items, without their values.", parameters: [onlyService, Shared.json],
            examples: [.init("pavise keychain list --json", "Give all items to a program.")])
    ) { invocation, environment in
        try OwnNames.check(invocation[onlyService])
        let entries = try environment.keychain.list(service: invocation[onlyService])
        let others = entries.isEmpty ? environment.keychain.itemsOfOtherPrograms : [:]
        let counts = others.sorted { $0.key < $1.key }.map { JSONValue.Member($0.key, .integer(Int64($0.value))) }
        var report = Report(
            data: .fields([
                "items": .array(entries.map(\.fields)), "otherPrograms": counts.isEmpty ? nil : .object(counts),
            ]))
        report.add(
            entries.isEmpty
                ? .line("There are no items.")
                : .table([["SERVICE", "ACCOUNT"]] + entries.map { [$0.service, $0.account] }))
        if let note = environment.keychain.noteOfOtherPrograms(others) { report.add(.line(note)) }
        try environment.show(report, for: invocation)
    }

    static let delete = Action(
        Command(
            "delete", abstract: "Remove a secret.", parameters: [service, account, Shared.json],
            examples: [.init("pavise keychain delete mail.example ada", "Remove ada's password.")])
    ) { invocation, environment in
        let entry = try entry(of: invocation)
        guard try environment.keychain.remove(entry) else { throw missing(entry) }
        let report = Report(data: entry.fields).adding(.success("Removed \(entry.account) of \(entry.service)."))
        try environment.show(report, for: invocation)
    }

    static func entry(of invocation: Invocation) throws -> KeychainEntry {
        let entry = KeychainEntry(service: try invocation.value(service), account: try invocation.value(account))
        try OwnNames.check(entry.service)
        return entry
    }

    static func name(_ text: String) throws(Parameter.Invalid) -> String {
        guard (1...256).contains(text.utf8.count), Printable.text(text) == text else {
            throw Parameter.Invalid("takes 1 to 256 bytes without control characters")
        }
        return text
    }
}
