internal import Pavise
internal import PaviseAppLock
internal import PaviseArguments
internal import PaviseDevice
internal import PavisePrimitives
internal import PaviseTransport

extension Environment {
    // A person may mistype; a script may not.
    private static let tries = 3

    /// The program's lock, with the figures that an administrator asks for now.
    func requireLock() throws -> AppLock {
        guard let appLock else { throw CommandFailure(.failed, "There is no app lock here.") }
        if let rules = try managed.read()?.appLock { appLock.follow(AppLockTightening(rules)) }
        return appLock
    }

    /// Stops a command that needs the lock open, and counts as use where it is.
    package func checkLock() async throws {
        guard appLock != nil else { return }
        let appLock = try requireLock()
        if let demand = try connections.lockDemand() { throw failure(demand, appLock) }
        guard appLock.state != .unset else { return }
        appLock.used()
        try await finishSealing()
    }

    private func failure(_ demand: LockDemand, _ lock: AppLock) -> any Error {
        switch demand {
        case .set(let code):
            CommandFailure(
                .refused,
                "The administrator asks for a \(code.word). Set one with “pavise lock set”. Nothing was sent.",
                rule: "managed-lock")
        case .replace(let code):
            CommandFailure(
                .refused,
                "The rules want a \(code.word) now. Change to one with “pavise lock change”. Nothing was sent.",
                rule: "managed-lock")
        case .unlock(let reason):
            CommandFailure(
                .locked,
                """
                Locked. \(reason.words) “pavise lock unlock” asks for the \((lock.code ?? .pin).word). Nothing was sent.
                """
            )
        case .unreadable(let damage): AppLockFailure.unreadable(damage)
        case .ended(let action): AppLockFailure.ended(action)
        }
    }

    /// Goes on where setting or removing a PIN was interrupted, and where an earlier version set it without new keys.
    func finishSealing() async throws {
        guard try connections.needsSealing() else { return }
        try await connections.sealAgain()
    }

    /// Gets the PIN or passphrase that is set and hands it to `body`; a person who typed a wrong one is asked again,
    /// while that is allowed at once.
    func withPIN(
        _ invocation: Invocation, _ reason: String, _ body: (SharedSecretBytes) throws -> Void
    ) throws {
        let code = appLock?.code ?? .pin
        if invocation[LockCommands.fromInput] {
            guard let pin = try person.secret("\(code.title): ") else {
                throw CommandFailure(.usage, "Standard input has to give the \(code.word) on its first line.")
            }
            return try body(SharedSecretBytes(pin))
        }
        var problem: String?
        for attempt in 1...Self.tries {
            let pin = try asked(reason, problem: problem, label: code.title)
            do {
                return try body(pin)
            } catch let failure as AppLockFailure {
                guard attempt < Self.tries, failure.allowsNextTry else { throw failure }
                problem = failure.description
            }
        }
    }

    /// A new PIN or passphrase, typed twice.
    func newCode(_ code: LockCode) throws -> SharedSecretBytes {
        var problem: String?
        for _ in 0..<Self.tries {
            let first = try asked(
                "Choose a \(code.word). It is asked for before anything of this program is used.", problem: problem,
                label: "New \(code.word)")
            let second = try asked("Type the new \(code.word) again.", problem: nil, label: "New \(code.word)")
            if first.bytes.matches(second.bytes) { return first }
            problem = "The two were different."
        }
        throw CommandFailure(.failed, "The two were different. Nothing was changed.")
    }

    private func asked(_ reason: String, problem: String?, label: String) throws -> SharedSecretBytes {
        do throws(DeviceFailure) {
            return SharedSecretBytes(try asker.ask(PasscodeQuestion(reason: reason, label: label, problem: problem)))
        } catch {
            switch error {
            case .cancelled: throw CommandFailure(.failed, "The question was stopped.")
            case .notInteractive:
                // Where a new one is chosen nothing is locked.
                let isNew = label.hasPrefix("New")
                throw CommandFailure(
                    isNew ? .usage : .locked,
                    """
                    \(isNew ? "A new PIN or passphrase" : "The \(label)") is needed, and nobody can be asked for it \
                    here. Give it with --pin-stdin or PAVISE_ASKPASS.
                    """
                )
            default: throw error
            }
        }
    }
}

extension AppLockFailure {
    /// Whether a person may type again at once.
    fileprivate var allowsNextTry: Bool {
        switch self {
        case .wrongPIN(let left): left.wait == 0
        case .pin, .passphrase: true
        default: false
        }
    }
}

extension LockCode {
    /// Its name at the beginning of a line.
    var title: String {
        switch self {
        case .pin: "PIN"
        case .passphrase: "Passphrase"
        }
    }
}
