internal import PaviseArguments

/// A command of `security`: its words, its letters, and what it does.
struct SecurityCommand: Sendable {
    let name: String
    let abstract: String
    let options: [SecurityOption]
    /// What may follow the options.
    let operands: String
    /// What a person should know beyond the options.
    let discussion: String
    let examples: [Command.Example]
    let run: @Sendable (SecurityArguments, Environment) throws -> Void

    init(
        _ name: String, _ abstract: String, options: [SecurityOption] = [], operands: String = "[KEYCHAIN…]",
        discussion: String = "", examples: [Command.Example] = [],
        run: @escaping @Sendable (SecurityArguments, Environment) throws -> Void
    ) {
        self.name = name
        self.abstract = abstract
        self.options = options
        self.operands = operands
        self.discussion = discussion
        self.examples = examples
        self.run = run
    }

    /// The command as the help of groups shows it.
    var command: Command { Command(name, abstract: abstract) }

    /// All commands in the order of the help.
    static let all: [SecurityCommand] =
        PasswordClass.allCases.map(addPassword) + PasswordClass.allCases.map(findPassword)
        + PasswordClass.allCases.map(deletePassword) + [
            dumpKeychain, listKeychains, defaultKeychain, showKeychainInfo, unlockKeychain, lockKeychain, error,
        ]

    /// The command called `name`.
    static func named(_ name: String) -> SecurityCommand? { all.first { $0.name == name } }
}
