internal import Foundation
internal import PaviseArguments
internal import PavisePrimitives
internal import PaviseVault
internal import SecurityFramework

/// `pavise keychain dump`: everything that is written beside the secrets, in all five classes.
extension KeychainCommands {
    private static let onlyClass = Option(
        "class", value: "CLASS", help: "Only generic, internet, certificate, key or identity.", parse: itemClass)
    private static let hasValues = Flag("values", help: "Show the passwords too, in the clear.")

    static let dump = Action(
        Command(
            "dump", abstract: "Show all items with all their attributes.",
            discussion: """
                Passwords are not shown without --values; with it, whoever sees the output has them. Keys never leave \
                the keychain this way. An identity is a certificate together with its key, so both are listed too.
                """,
            parameters: [onlyClass, hasValues, Shared.json],
            examples: [
                .init("pavise keychain dump", "Show everything but the passwords."),
                .init(
                    "pavise keychain dump --class internet --json",
                    "Give a program the internet passwords, without values."),
            ])
    ) { invocation, environment in
        let classes = invocation[onlyClass].map { [$0] } ?? DumpedItem.classes
        if invocation[hasValues] {
            environment.console.tell(.line("Warning: the passwords follow in the clear."))
        }
        let items = try classes.flatMap { try dumped($0, values: invocation[hasValues]) }
        var report = Report(data: .fields(["items": .array(items.map(\.data))]))
        if items.isEmpty { report.add(.line("There are no items.")) }
        for item in items {
            report.add(.heading(item.title))
            for fact in item.facts { report.add(.fact(fact)) }
        }
        try environment.show(report, for: invocation)
    }

    private static func dumped(_ itemClass: DumpedItem.Class, values: Bool) throws -> [DumpedItem] {
        let query: [String: Any] = [
            kSecClass as String: itemClass.code, kSecReturnPersistentRef as String: true,
            kSecAttrSynchronizable as String: kSecAttrSynchronizableAny,
        ]
        let (status, items) = KeychainBridge.attributes(query)
        if let failure = VaultFailure(status: status) { throw failure }
        return try items.map { item in
            DumpedItem(itemClass, item, value: values && itemClass.isPassword ? try value(of: item) : nil)
        }.filter { !$0.isOwn }
    }

    private static func value(of item: [String: Any]) throws -> Data? {
        let query: [String: Any] = [
            kSecValuePersistentRef as String: item[kSecValuePersistentRef as String] ?? Data(),
            kSecReturnData as String: true,
        ]
        let (status, data) = KeychainBridge.data(query)
        if status != errSecItemNotFound, let failure = VaultFailure(status: status) { throw failure }
        return data
    }

    private static func itemClass(_ text: String) throws(Parameter.Invalid) -> DumpedItem.Class {
        guard let found = DumpedItem.classes.first(where: { $0.name == text }) else {
            throw Parameter.Invalid("is one of generic, internet, certificate, key and identity")
        }
        return found
    }
}
