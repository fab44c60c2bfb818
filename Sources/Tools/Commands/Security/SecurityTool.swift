internal import PaviseArguments
internal import PavisePrimitives

/// `pavise security …`, and the program itself when it is called through a link named `security`: the words, letters
/// and exit statuses of macOS's tool of that name, over this keychain.
package enum SecurityTool {
    /// The words behind `security`, when `words` (the program's name first) call it.
    package static func words(in words: [String]) -> ArraySlice<String>? {
        if words.first?.split(separator: "/").last == "security" { return words.dropFirst() }
        return words.dropFirst().first == "security" ? words.dropFirst(2) : nil
    }

    /// Runs one command.
    ///
    /// - Returns: The exit status: 0 done, 2 usage, 1 refused, else the low byte of the keychain's status (44 not found,
    ///   45 exists already, 36 locked, 51 wrong credential).
    package static func run(_ words: ArraySlice<String>, in environment: Environment) -> Int32 {
        var rest = words
        while let word = rest.first, ["-q", "-v", "-l"].contains(word) { rest.removeFirst() }
        let isQuiet = words.prefix(words.count - rest.count).contains("-q")
        do {
            try perform(rest, environment)
            return 0
        } catch {
            let failure = SecurityFailure(describing: error)
            if !isQuiet { environment.console.tell(.line("security: \(failure.message)")) }
            return failure.exitStatus
        }
    }

    private static func perform(_ words: ArraySlice<String>, _ environment: Environment) throws {
        guard let name = words.first, !["help", "-h", "--help"].contains(name) else {
            return try help(words.dropFirst().first, environment)
        }
        guard let command = SecurityCommand.named(name) else { throw unknown(name) }
        let rest = words.dropFirst()
        guard rest.first != "-h", rest.first != "--help" else { return try help(name, environment) }
        do {
            try command.run(try SecurityWords(rest, options: command.options), environment)
        } catch let failure as SecurityFailure where failure.exitStatus == 2 {
            throw SecurityFailure.usage("\(name): \(failure.message)\n\(SecurityHelp(command).usage)")
        }
    }

    private static func help(_ name: String?, _ environment: Environment) throws {
        guard let name else { return try environment.console.show(text: Program.help(for: ["security"])) }
        guard let command = SecurityCommand.named(name) else { throw unknown(name) }
        try environment.console.show(text: SecurityHelp(command).text)
    }

    private static func unknown(_ name: String) -> SecurityFailure {
        guard !elsewhere.contains(name) else {
            return .refused("\(name): not here: Pavise has one keychain of passwords, keys and certificates")
        }
        let word = UsageError(
            .unknownCommand(name, nearest: Spelling.nearest(to: name, among: SecurityCommand.all.map(\.name))), path: [])
        return .usage(word.message(program: "security"))
    }

    // Commands of the tool on macOS that have no meaning for this keychain, or none yet.
    private static let elsewhere: Set<String> = [
        "login-keychain", "create-keychain", "delete-keychain", "set-keychain-settings", "set-keychain-password",
        "add-certificates", "find-certificate", "find-identity", "delete-certificate", "delete-identity",
        "set-identity-preference", "get-identity-preference", "create-db", "export", "import", "cms", "install-mds",
        "add-trusted-cert", "remove-trusted-cert", "dump-trust-settings", "user-trust-settings-enable",
        "trust-settings-export", "trust-settings-import", "verify-cert", "authorize", "authorizationdb",
        "execute-with-privileges", "leaks", "smartcards", "translocate-policy-check", "list-smartcards",
        "export-smartcard", "set-generic-password-partition-list", "set-internet-password-partition-list",
        "set-key-partition-list", "find-key", "create-keypair", "csr", "requirement-evaluate", "filevault",
    ]
}

extension SecurityFailure {
    /// A failure for anything that a command may throw.
    init(describing error: any Error) {
        if let failure = error as? SecurityFailure {
            self = failure
            return
        }
        self.init(exitStatus: 1, message: CommandFailure(describing: error).message)
    }
}
