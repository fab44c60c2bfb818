internal import Foundation
internal import PaviseArguments
internal import PavisePrimitives
internal import PaviseVault
internal import SecurityFramework

/// `pavise keychain update`: changes what is written beside a secret, or the secret itself, in one step.
extension KeychainCommands {
    private static let isInternet = Flag("internet", help: "An internet password; SERVICE is its server.")
    private static let isValue = Flag("value", help: "Ask for a new value, or read it from standard input.")
    private static let label = Option("label", value: "TEXT", help: "The new label.", parse: name)
    private static let comment = Option("comment", value: "TEXT", help: "The new comment.", parse: name)
    private static let kind = Option("kind", value: "TEXT", help: "The new kind, for a person.", parse: name)
    private static let newService = Option("new-service", value: "SERVICE", help: "The new service.", parse: name)
    private static let newAccount = Option("new-account", value: "ACCOUNT", help: "The new account.", parse: name)

    static let update = Action(
        Command(
            "update", abstract: "Change a secret or what is written beside it.",
            discussion: """
                Everything changes in one step, or nothing does. A value is asked for like that of “pavise keychain \
                add”, and never taken from an argument. Where several internet passwords have the same server and \
                account, “pavise security” can tell them apart.
                """,
            parameters: [
                service, account, isInternet, isValue, label, comment, kind, newService, newAccount, Shared.json,
            ],
            examples: [
                .init("pavise keychain update mail.example ada --value", "Ask for a new password."),
                .init("pavise keychain update mail.example ada --label Mail", "Change the label alone."),
            ])
    ) { invocation, environment in
        let entry = try entry(of: invocation)
        try OwnNames.check(invocation[newService])
        let itemClass: PasswordClass = invocation[isInternet] ? .internet : .generic
        var changes = changes(in: invocation, itemClass)
        guard !changes.isEmpty || invocation[isValue] else {
            throw UsageError(.rule("Say what to change, for example with --value or --label."), path: invocation.path)
        }
        let item = try only(itemClass, entry)
        if invocation[isValue] {
            let value = try secretValue(from: environment.person)
            changes[kSecValueData as String] = value.withCopy { bytes in Data(bytes) }
        }
        try change(item, changes, entry)
        let now = KeychainEntry(
            service: invocation[newService] ?? entry.service, account: invocation[newAccount] ?? entry.account)
        let report = Report(data: now.fields).adding(.success("Changed \(now.account) of \(now.service)."))
        try environment.show(report, for: invocation)
    }

    private static func changes(in invocation: Invocation, _ itemClass: PasswordClass) -> [String: Any] {
        let given: [(String, String?)] = [
            (kSecAttrLabel as String, invocation[label]), (kSecAttrComment as String, invocation[comment]),
            (kSecAttrDescription as String, invocation[kind]), (itemClass.labelSource, invocation[newService]),
            (kSecAttrAccount as String, invocation[newAccount]),
        ]
        return Dictionary(uniqueKeysWithValues: given.compactMap { name, value in value.map { (name, $0) } })
    }

    private static func only(_ itemClass: PasswordClass, _ entry: KeychainEntry) throws -> [String: Any] {
        let query: [String: Any] = [
            kSecClass as String: itemClass.code, itemClass.labelSource: entry.service,
            kSecAttrAccount as String: entry.account, kSecReturnPersistentRef as String: true,
        ]
        let (status, items) = KeychainBridge.attributes(query)
        if let failure = VaultFailure(status: status) { throw failure }
        guard let item = items.first else { throw missing(entry) }
        guard items.count == 1 else {
            throw CommandFailure(
                .failed,
                "There are \(items.count) internet passwords of \(entry.account) at \(entry.service). Nothing "
                    + "was changed; "
                    + "“pavise security add-internet-password -U” changes one of them.")
        }
        return item
    }

    private static func change(_ item: [String: Any], _ changes: [String: Any], _ entry: KeychainEntry) throws {
        let reference = [kSecValuePersistentRef as String: item[kSecValuePersistentRef as String] ?? Data()]
        let status = KeychainBridge.update(reference, changes)
        guard status != errSecItemNotFound else { throw missing(entry) }
        guard status != errSecDuplicateItem else {
            throw CommandFailure(.failed, "An item of the new name exists already. Nothing was changed.")
        }
        if let failure = VaultFailure(status: status) { throw failure }
    }
}
