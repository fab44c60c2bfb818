internal import PaviseArguments
internal import PaviseDevice
internal import PavisePrimitives

extension Environment {
    // A person may mistype; a script may not.
    private static let tries = 3

    /// Gets the passcode and hands it to `body`; a person who typed a wrong one is asked again.
    func withPasscode(
        _ invocation: Invocation, _ reason: String, _ body: (BoxedSecret) throws(DeviceFailure) -> Void
    ) throws {
        if invocation[DeviceCommands.fromInput] { return try body(try secretFromInput(0, of: 1)) }
        try withAskedPasscode(reason, body)
    }

    /// Asks for the passcode and hands it to `body`; a person who typed a wrong one is asked again.
    func withAskedPasscode(_ reason: String, _ body: (BoxedSecret) throws(DeviceFailure) -> Void) throws {
        var question = PasscodeQuestion(reason: reason)
        for attempt in 1...Self.tries {
            let passcode = BoxedSecret(try asker.ask(question))
            do throws(DeviceFailure) {
                return try body(passcode)
            } catch {
                guard error == .wrongPasscode, attempt < Self.tries else { throw error }
                question.problem = "The passcode is wrong."
            }
        }
    }

    /// Asks for a new passcode twice.
    func newPasscode() throws -> BoxedSecret {
        var question = PasscodeQuestion(
            reason: "Choose a passcode. Nobody can restore what it protects when it is lost.", label: "New passcode")
        for _ in 0..<Self.tries {
            let first = BoxedSecret(try asker.ask(question))
            let second = BoxedSecret(
                try asker.ask(PasscodeQuestion(reason: "Type the new passcode again.", label: "New passcode")))
            if first.bytes.matches(second.bytes) { return first }
            question.problem = "The two were different."
        }
        throw CommandFailure(.failed, "The two passcodes were different. Nothing was changed.")
    }

    /// One of the lines of standard input.
    func secretFromInput(_ index: Int, of count: Int) throws -> BoxedSecret {
        let lines = try inputSecrets(count)
        guard lines.count == count, lines.indices.contains(index) else {
            throw CommandFailure(.usage, "Standard input has to give the passcode on its first line.")
        }
        return lines[index]
    }

    /// Several lines of standard input, each a secret.
    func inputSecrets(_ count: Int) throws -> [BoxedSecret] {
        if count == 1 {
            guard let secret = try person.secret("Passcode: ") else { return [] }
            return [BoxedSecret(secret)]
        }
        return try Terminal.readSecretsFromInput(count: count).map { BoxedSecret($0.bytes.duplicate()) }
    }
}
