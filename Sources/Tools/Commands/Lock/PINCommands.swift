internal import Pavise
internal import PaviseAppLock
internal import PaviseArguments
internal import PavisePrimitives
internal import PaviseStorage
internal import PaviseTransport

/// `pavise lock set|change|remove`: the PIN or passphrase itself.
enum PINCommands {
    static let passphrase = Flag("passphrase", help: "Choose a passphrase in place of a PIN.")
    static let pin = Flag("pin", help: "Choose a PIN in place of a passphrase.")

    static let set = Action(
        Command(
            "set", abstract: "Set a PIN or a passphrase: connections are used only while the lock is open.",
            discussion: """
                A PIN has 4 to 6 digits, a passphrase at least 8 characters with letters among them; neither is one of \
                those that are tried first. It is stored nowhere: it opens a key together with the secure element, and \
                the connections' secrets are sealed with that key. A lost one cannot be restored; disconnect, and sign \
                in again.
                """,
            parameters: [passphrase, LockCommands.fromInput, Shared.json],
            examples: [
                .init("pavise lock set", "Choose a PIN; it is typed twice."),
                .init("pavise lock set --passphrase", "Choose a passphrase; 15 characters are better than 8."),
            ])
    ) { invocation, environment in
        let lock = try environment.requireLock()
        guard case .unset = lock.state else { throw AppLockFailure.alreadySet }
        let isInput = invocation[LockCommands.fromInput]
        let code = invocation[passphrase] ? .passphrase : lock.usualCode
        let typed = try isInput ? fromInput(["New \(code.word): "], environment)[0] : environment.newCode(code)
        let (isShared, damaged) = try await environment.connections.setCode(typed.bytes, as: code)
        var report = Report(
            data: .fields(["set": true, "shared": .bool(isShared), "damaged": names(damaged)]))
        report.add(.success("The \(code.word) is set. The lock is open until “pavise lock now”."))
        if !isShared { report.add(.line(LockCommands.notShared)) }
        for id in damaged { report.add(.failure(asItWas(id))) }
        try environment.show(report, for: invocation)
    }

    static let change = Action(
        Command(
            "change", abstract: "Change the PIN or passphrase.",
            discussion: """
                The old one is asked for first, and a wrong one counts as with “pavise lock unlock”. The new one is of \
                the same kind, unless a flag or an administrator wants the other. With --pin-stdin, standard input \
                gives the old one on its first line and the new one on the second.
                """,
            parameters: [passphrase, pin, LockCommands.fromInput, Shared.json],
            examples: [
                .init("pavise lock change", "Ask for the old one, then twice for the new one."),
                .init("pavise lock change --passphrase", "Have a passphrase from now on."),
            ])
    ) { invocation, environment in
        let lock = try environment.requireLock()
        if case .unset = lock.state { throw AppLockFailure.notSet }
        let code = try newKind(invocation, lock)
        if invocation[LockCommands.fromInput] {
            let old = (lock.code ?? .pin).word
            let lines = try fromInput(["Old \(old): ", "New \(code.word): "], environment)
            try lock.change(lines[0].bytes, to: lines[1].bytes, as: code)
        } else {
            let wasOpen = if case .unlocked = lock.state { true } else { false }
            var old: SharedSecretBytes?
            try environment.withPIN(invocation, "The old \((lock.code ?? .pin).word) changes itself.") {
                try lock.unlock($0.bytes)
                old = $0
            }
            guard let old else { return }
            do {
                try lock.change(old.bytes, to: environment.newCode(code).bytes, as: code)
            } catch {
                // What was closed before is closed again: nothing was changed.
                if !wasOpen { lock.lock() }
                throw error
            }
        }
        let report = Report(data: .fields(["changed": true, "code": .string(code.rawValue)]))
            .adding(.success("The \(code.word) is changed."))
        try environment.show(report, for: invocation)
    }

    private static let damaged = Flag(
        "damaged", help: "Start over where the lock's record is damaged, gone or an older copy.")
    private static let isSure = Flag("yes", help: "With --damaged: do not ask.")

    static let remove = Action(
        Command(
            "remove", abstract: "Remove the PIN or passphrase: go on without a lock.",
            discussion: """
                The connections stay; their secrets are sealed by the device alone from then on.

                A lock whose record is damaged, gone or an older copy takes no PIN. With --damaged it is given up, and \
                every connection with it: nothing is opened, and you sign in again.
                """,
            parameters: [LockCommands.fromInput, damaged, isSure, Shared.json],
            examples: [
                .init("pavise lock remove", "Ask for it, and remove it."),
                .init("pavise lock remove --damaged", "Wipe what a damaged lock protects."),
            ])
    ) { invocation, environment in
        let lock = try environment.requireLock()
        if invocation[damaged] { return try startOver(lock, invocation, environment) }
        if case .unset = lock.state { throw AppLockFailure.notSet }
        guard try environment.managed.read()?.appLock.isRequired != true else {
            throw CommandFailure(
                .refused, "The administrator asks for a \(lock.usualCode.word). Change it with “pavise lock change”.",
                rule: "managed-lock")
        }
        var known: SharedSecretBytes?
        let code = lock.code ?? .pin
        try environment.withPIN(invocation, "The \(code.word) removes itself.") {
            try lock.unlock($0.bytes)
            known = $0
        }
        guard let known else { return }
        let damaged = try await environment.connections.removeCode(known.bytes)
        var report = Report(data: .fields(["removed": true, "damaged": names(damaged)]))
        report.add(.success("The \(code.word) is removed."))
        for id in damaged { report.add(.failure(asItWas(id))) }
        try environment.show(report, for: invocation)
    }

    private static func startOver(_ lock: AppLock, _ invocation: Invocation, _ environment: Environment) throws {
        if !invocation[isSure] {
            let answer = try environment.person.answer(to: "Give up the lock, and wipe every connection? Type “wipe”: ")
            guard answer == "wipe" else {
                throw CommandFailure(.failed, "Nothing was wiped. Type “wipe”, or write --yes.")
            }
        }
        try lock.startOver()
        let report = Report(data: .fields(["removed": true, "wiped": true]))
            .adding(
                .success("The damaged lock is gone, and every connection with it. Sign in again, and set a new PIN."))
        try environment.show(report, for: invocation)
    }

    private static func names(_ ids: [ConnectionID]) -> JSONValue { .array(ids.map { .string($0.text) }) }

    private static func asItWas(_ id: ConnectionID) -> String {
        "The connection \(id) is damaged, and its secrets stay as they were. Nobody can use it; disconnect it."
    }

    // What the person asks for; else the same as before, or what the rules take.
    private static func newKind(_ invocation: Invocation, _ lock: AppLock) throws -> LockCode {
        guard !invocation[passphrase] || !invocation[pin] else {
            throw CommandFailure(.usage, "Choose one of --passphrase and --pin.")
        }
        if invocation[passphrase] { return .passphrase }
        if invocation[pin] { return .pin }
        return lock.mustReplace ? lock.usualCode : lock.code ?? lock.usualCode
    }

    private static func fromInput(_ prompts: [String], _ environment: Environment) throws -> [SharedSecretBytes] {
        let lines = try environment.person.secrets(prompts)
        guard lines.count == prompts.count else {
            let words = prompts.count == 1 ? "it on its first line" : "the old one and the new one, a line each"
            throw CommandFailure(.usage, "Standard input has to give \(words).")
        }
        return lines
    }
}
