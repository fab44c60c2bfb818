internal import PaviseArguments

extension Program {
    /// All commands with the words that name them, in the order of the help.
    static let actions: [(path: [String], action: Action)] = [
        (["connect"], ConnectCommand.action),
        (["connections"], ConnectionsCommand.action),
        (["fetch"], FetchCommand.action),
        (["disconnect"], DisconnectCommand.action),
        (["identity", "import"], IdentityCommands.take),
        (["identity", "request"], IdentityCommands.request),
        (["identity", "complete"], IdentityCommands.complete),
        (["identity", "list"], IdentityCommands.list),
        (["identity", "remove"], IdentityCommands.remove),
        (["keychain", "add"], KeychainCommands.add),
        (["keychain", "get"], KeychainCommands.get),
        (["keychain", "list"], KeychainCommands.list),
        (["keychain", "update"], KeychainCommands.update),
        (["keychain", "delete"], KeychainCommands.delete),
        (["keychain", "dump"], KeychainCommands.dump),
        (["keychain", "groups"], KeychainCommands.groups),
        (["keychain", "repair"], RepairCommand.action),
        (["files", "put"], FilesCommands.put),
        (["files", "get"], FilesCommands.get),
        (["files", "list"], FilesCommands.list),
        (["files", "remove"], FilesCommands.remove),
        (["files", "verify"], FilesCommands.verify),
        (["files", "renew-keys"], FilesCommands.renewKeys),
        (["database", "shell"], DatabaseCommands.shell),
        (["database", "dump"], DatabaseCommands.dump),
        (["database", "verify"], DatabaseCommands.verify),
        (["device", "init"], DeviceCommands.make),
        (["device", "status"], DeviceCommands.status),
        (["device", "passcode"], PasscodeCommand.action),
        (["device", "unlock"], DeviceCommands.unlock),
        (["device", "lock"], DeviceCommands.lock),
        (["device", "erase"], EraseCommand.action),
        (["device", "integrity"], IntegrityCommand.action),
        (["device", "attest"], AttestCommand.action),
        (["lock", "status"], LockCommands.status),
        (["lock", "set"], PINCommands.set),
        (["lock", "change"], PINCommands.change),
        (["lock", "unlock"], LockCommands.unlock),
        (["lock", "now"], LockCommands.lockNow),
        (["lock", "remove"], PINCommands.remove),
        (["lock", "orders"], OrderCommands.list),
        (["lock", "obey"], OrderCommands.obey),
        (["ats", "decide"], DecideCommand.action),
        (["ats", "diagnose"], DiagnoseCommand.action),
        (["ats", "lint"], LintCommand.action),
        (["certificate", "show"], CertificateCommand.show),
        (["trust", "evaluate"], TrustCommand.evaluate),
        (["pin"], PinCommand.action),
        (["policy", "show"], PolicyCommand.show),
        (["policy", "check"], PolicyCommand.check),
        (["storage", "check"], StorageCommand.check),
        (["build", "check"], BuildCommand.check),
        (["log", "check"], LogCheckCommand.check),
        (["log", "audit"], AuditCommands.audit),
        (["log", "export"], AuditCommands.export),
        (["document", "show"], DocumentCommands.show),
        (["document", "convert"], DocumentCommands.convert),
        (["sync", "run"], SyncCommands.run),
        (["sync", "status"], SyncCommands.status),
        (["sync", "conflicts"], SyncCommands.conflicts),
        (["sync", "close"], SyncCommands.close),
        (["sync", "recover"], SyncCommands.recover),
        (["backup"], BackupCommands.backup),
        (["restore"], BackupCommands.restore),
        (["doctor"], DoctorCommand.action),
        (["toolset"], ToolsetCommand.action),
    ]

    /// Commands that only group others.
    static let groups: [(name: String, abstract: String)] = [
        ("identity", "Certificates of yours, for servers that demand one."),
        ("keychain", "Keep small secrets: passwords, keys, tokens."),
        ("files", "Keep files that nobody else reads."),
        ("database", "Look into a protected database, and take your data out."),
        ("certificate", "Read certificates of files and servers."),
        ("trust", "Judge chains of certificates."),
        ("device", "Protect this device's secrets with a passcode."),
        ("policy", "What an administrator asks of connections, sessions and the lock."),
        ("lock", "Keep connections closed behind a PIN."),
        ("ats", "App Transport Security: decisions, exceptions, servers."),
        ("build", "What a program's file says about how it was built."),
        ("storage", "What lies outside protected storage."),
        ("document", "Read documents of anybody without running or fetching anything."),
        ("sync", "Keep a folder and a server's folder equal, without losing anything."),
        ("log", "What logs give away, and what is kept for later questions."),
    ]

    /// What was a part of this program once, and where it is now.
    static let elsewhere = ["lab": "pavise-lab", "demo": "pavise-lab demo"]

    /// The whole program as one command.
    static let root = Command(
        "pavise", abstract: "Keep secrets, and talk to servers with them.",
        discussion: """
            State lives in PAVISE_HOME, or else in XDG_DATA_HOME/pavise, or else in ~/.local/share/pavise.

            “pavise help environment” lists all variables. With --log, before or after a command, security events are \
            written to standard error.

            Exit status: 0 done, 1 failed, 2 usage, 3 refused by a rule, 4 sign-in needed, 5 locked, 6 a server could \
            not be reached (“ats diagnose” alone).
            """,
        subcommands: CommandSet.subcommands(of: actions, groups: groups)
            + AuditorTool.commands + [security, Command("help", abstract: "Say more about a command.")])

    /// All commands, and the way to each.
    static let commands = CommandSet(root: root, actions: actions)

    // Its words are read by rules of their own (SecurityTool); here it has its place in the help.
    private static let security = Command(
        "security", abstract: "Keep passwords with the words of macOS's tool of this name.",
        discussion: """
            Reads the words and letters of macOS's “security”, and ends with its exit statuses: 0 done, 1 refused, 2 \
            usage, 44 not found, 45 exists already, 36 locked, 51 wrong credential. Through a link named “security” \
            scripts run unchanged: ln -s "$(command -v pavise)" ~/bin/security

            “security -i” reads commands from standard input, one on a line: a password in them is not in an argument.

            It uses the access groups of this program; PAVISE_APP_ID names those of another.
            """,
        subcommands: SecurityCommand.all.map(\.command))
}
