internal import PaviseAppLock
internal import PaviseArguments
internal import PaviseDevice
internal import PavisePrimitives
internal import PaviseValidation

/// `pavise backup` and `pavise restore`: a whole home in one sealed file.
enum BackupCommands {
    private static let fromInput = Flag("passphrase-stdin", help: "Read the passphrase from standard input.")
    private static let file = Argument("FILE", help: "The backup.")
    private static let isCheck = Flag("check", help: "Only say whether the backup is whole; put nothing back.")
    // The file is all that an attacker needs to try as fast as he can.
    static let rule = PassphraseRule(least: 12) ?? .standard

    static let backup = Action(
        Command(
            "backup", abstract: "Copy the whole home into one sealed file.",
            discussion: """
                The copy is of one moment, also while other programs work, and is encrypted under a passphrase of at \
                least 12 characters (Argon2id, AES-256-GCM). It appears when it is whole; a file that is there \
                already stays as it is.

                The lock of this program and the device have to be open (status 5): the wrong tries that were counted \
                lie in the home, and a copy that is put back elsewhere would give them again. Other programs with a \
                lock of their own in the home are named: nobody can ask whether theirs is open.

                A home on a TPM opens with that TPM alone: its backup helps after a damaged disk, not on another \
                machine. A home without one opens wherever the backup is put back; keep file and passphrase apart. \
                “pavise device erase” makes the backups of a TPM's home unreadable, and no others.
                """,
            parameters: [file, fromInput, Shared.json],
            examples: [.init("pavise backup /media/stick/pavise.backup", "Ask for a passphrase and write it.")])
    ) { invocation, environment in
        let path = try invocation.value(file)
        let device = try environment.openDevice()
        try environment.checkTries(device)
        let passphrase = try environment.backupPassphrase(invocation[fromInput], isNew: true)
        let others = environment.appLock?.lockedByOthers ?? []
        let report = try device.report()
        let summary = try HomeBackup.write(
            environment.home, to: path, passphrase: passphrase.bytes, cost: environment.device.backupCost,
            time: environment.time)
        var page = Report(
            data: data(
                summary, path,
                [
                    "element": .string(report.element.name),
                    "otherPrograms": .array(others.map { .string($0) }),
                ]))
        page.add(.success("Backed up \(words(summary)) to \(path)."))
        page.add(.line(limit(of: report.element)))
        if !others.isEmpty {
            let names = others.map { Printable.text($0) }.joined(separator: ", ")
            page.add(.line("The copy gives the tries again that the locks of other programs have counted: \(names)."))
        }
        try environment.show(page, for: invocation)
    }

    static let restore = Action(
        Command(
            "restore", abstract: "Put a backup back, or look whether it is whole.",
            discussion: """
                The home must not be there: a command never writes over one. Everything is read and authenticated \
                first, then the home appears at once. Items, files and connections are as they were at the time of \
                the backup. A server that renews tokens with each use may take an old one for a theft and end the \
                session: sign in again then. Approvals and locks that were changed since are the old ones again.

                Exit status: 0 restored and opened by this machine, 1 not restored, or restored and not opened here, \
                2 usage.
                """,
            parameters: [file, isCheck, fromInput, Shared.json],
            examples: [
                .init("pavise restore --check pavise.backup", "Read all of it, change nothing."),
                .init("pavise restore pavise.backup", "Put it where PAVISE_HOME is, or will be."),
            ])
    ) { invocation, environment in
        let path = try invocation.value(file)
        let passphrase = try environment.backupPassphrase(invocation[fromInput], isNew: false)
        guard !invocation[isCheck] else {
            let summary = try HomeBackup.verify(path, passphrase: passphrase.bytes)
            let page = Report(data: data(summary, path, ["restored": false]))
            let words = "The backup is whole: \(words(summary)), of \(time(summary)). Nothing was put back."
            return try environment.show(page.adding(.success(words)), for: invocation)
        }
        let summary = try HomeBackup.restore(path, passphrase: passphrase.bytes, to: environment.home)
        try tell(summary, path, invocation, environment)
    }

    // A home of another TPM is put back all the same: the machine may get that TPM again.
    private static func tell(
        _ summary: HomeBackup.Summary, _ path: String, _ invocation: Invocation, _ environment: Environment
    ) throws {
        let refusal: DeviceFailure?
        do throws(DeviceFailure) {
            _ = try Device.open(environment.home, environment.device)
            refusal = nil
        } catch {
            refusal = error
        }
        var page = Report(data: data(summary, path, ["restored": true, "opens": .bool(refusal == nil)]))
        page.add(.success("Restored \(words(summary)), of \(time(summary)), to \(environment.home.path)."))
        if let refusal { page.add(.failure("It does not open on this machine: \(refusal.explanation)")) }
        try environment.show(page, for: invocation)
        guard refusal == nil else { throw CommandFailure.reported(.failed) }
    }

    private static func data(
        _ summary: HomeBackup.Summary, _ path: String, _ more: KeyValuePairs<String, JSONValue>
    ) -> JSONValue {
        .object(
            [
                .init("file", .string(path)), .init("files", .integer(Int64(summary.files))),
                .init("bytes", .integer(Int64(summary.bytes))), .init("made", .integer(summary.made)),
            ] + more.map { .init($0.key, $0.value) })
    }

    private static func words(_ summary: HomeBackup.Summary) -> String {
        "\(summary.files.counting("file")) of \((summary.bytes + 1023) / 1024) KiB"
    }

    private static func time(_ summary: HomeBackup.Summary) -> String { CivilTime(seconds: summary.made).text + "Z" }

    private static func limit(of element: ElementKind) -> String {
        switch element {
        case .software: "It opens on every machine, for whoever has the passphrase."
        case .tpm: "It opens with the TPM of this machine alone: it is no way to another one."
        }
    }
}

extension Environment {
    /// Stops where the copy would give tries again that were counted: whoever makes one has opened the lock of this
    /// program and the device.
    fileprivate func checkTries(_ device: Device) throws {
        switch appLock?.state {
        case nil, .unset, .unlocked: break
        // No PIN opens these, so that nothing is there to be tried; the copy may be what mends them.
        case .locked(.unreadable(.missing)), .locked(.unreadable(.corrupt)), .locked(.unreadable(.olderCopy)): break
        case .locked(.unreadable(let damage)): throw AppLockFailure.unreadable(damage)
        case .ended(let action): throw AppLockFailure.ended(action)
        case .locked(let reason), .delayed(let reason, _):
            let code = (appLock?.code ?? .pin).word
            throw CommandFailure(
                .locked,
                "Locked. \(reason.words) “pavise lock unlock” asks for the \(code). Nothing was written.")
        }
        guard try device.lockState() == .unlocked else { throw DeviceFailure.locked }
    }

    /// The passphrase of a backup; a new one is asked for twice and judged.
    fileprivate func backupPassphrase(_ fromInput: Bool, isNew: Bool) throws -> SharedSecretBytes {
        if fromInput {
            guard let typed = try person.secret("Passphrase: ") else {
                throw CommandFailure(.usage, "Standard input has to give the passphrase on its first line.")
            }
            return try accepted(typed, isNew: isNew)
        }
        guard isNew else {
            let question = PasscodeQuestion(
                reason: "The passphrase of the backup opens it.", label: "Passphrase")
            return try accepted(asker.ask(question), isNew: false)
        }
        let question = PasscodeQuestion(
            reason: "Choose a passphrase for the backup. Nobody can open it when the passphrase is lost.",
            label: "New passphrase")
        let first = try accepted(asker.ask(question), isNew: true)
        let second = try asker.ask(
            PasscodeQuestion(reason: "Type the passphrase of the backup again.", label: "New passphrase"))
        guard try accepted(second, isNew: false).bytes.matches(first.bytes) else {
            throw CommandFailure(.failed, "The two passphrases were different. Nothing was written.")
        }
        return first
    }

    private func accepted(_ typed: borrowing SecretBytes, isNew: Bool) throws -> SharedSecretBytes {
        do throws(PassphraseProblem) {
            let text = try BackupCommands.rule.text(in: typed)
            if isNew { try BackupCommands.rule.checkNew(text) }
            return SharedSecretBytes(text)
        } catch {
            throw CommandFailure(.usage, "\(error.description) Nothing was changed.")
        }
    }
}
