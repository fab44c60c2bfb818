internal import PaviseArguments
internal import PaviseDevice
internal import PavisePrimitives

extension Environment {
    // A person may mistype; a script may not.
    private static let tries = 3

    /// Gets the passcode and hands it to `body`; a person who typed a wrong one is asked again.
    func withPasscode(
        _ invocation: Invocation, _ reason: String, _ body: (SharedSecretBytes) throws(DeviceFailure) -> Void
    ) throws {
        if invocation[DeviceCommands.fromInput] { return try body(try passcodeFromInput()) }
        try withAskedPasscode(reason, body)
    }

    /// Asks for the passcode and hands it to `body`; a person who typed a wrong one is asked again.
    ///
    /// - Returns: The passcode that `body` took.
    @discardableResult
    func withAskedPasscode(
        _ reason: String, _ body: (SharedSecretBytes) throws(DeviceFailure) -> Void
    ) throws -> SharedSecretBytes {
        var question = PasscodeQuestion(reason: reason)
        for attempt in 1...Self.tries {
            let passcode = SharedSecretBytes(try asker.ask(question))
            do throws(DeviceFailure) {
                try body(passcode)
                return passcode
            } catch {
                guard error == .wrongPasscode, attempt < Self.tries else { throw error }
                question.problem = "The passcode is wrong."
            }
        }
        throw DeviceFailure.wrongPasscode
    }

    /// Asks for a new passcode twice.
    func newPasscode() throws -> SharedSecretBytes {
        var question = PasscodeQuestion(
            reason: "Choose a passcode. Nobody can restore what it protects when it is lost.", label: "New passcode")
        for _ in 0..<Self.tries {
            let first = SharedSecretBytes(try asker.ask(question))
            let second = SharedSecretBytes(
                try asker.ask(PasscodeQuestion(reason: "Type the new passcode again.", label: "New passcode")))
            if first.bytes.matches(second.bytes) { return first }
            question.problem = "The two were different."
        }
        throw CommandFailure(.failed, "The two passcodes were different. Nothing was changed.")
    }

    /// The passcode as the only line of standard input.
    func passcodeFromInput() throws -> SharedSecretBytes {
        guard let passcode = try person.secret("Passcode: ") else {
            throw CommandFailure(.usage, "Standard input has to give the passcode on its first line.")
        }
        return SharedSecretBytes(passcode)
    }

    /// The old passcode and the new one, the first two lines of standard input.
    func passcodesFromInput() throws -> (old: SharedSecretBytes, new: SharedSecretBytes) {
        let lines = try person.secrets(["Old passcode: ", "New passcode: "])
        guard lines.count == 2 else {
            throw CommandFailure(.usage, "Standard input has to give the old passcode and the new one, a line each.")
        }
        return (lines[0], lines[1])
    }
}
