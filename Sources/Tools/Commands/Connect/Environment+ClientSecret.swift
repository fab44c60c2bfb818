internal import Pavise
internal import PaviseDevice
internal import PavisePrimitives

extension Environment {
    /// The secret of a confidential client: from the program PAVISE_ASKPASS, else typed, else the first line of
    /// standard input.
    func clientSecret() throws -> SharedSecretBytes {
        if PaviseHome.variable("PAVISE_ASKPASS") != nil {
            let question = PasscodeQuestion(
                reason: "The authority demands the secret of this client.", label: "Client secret")
            return SharedSecretBytes(try asker.ask(question))
        }
        guard let secret = try person.secret("Client secret: ") else {
            throw CommandFailure(
                .usage, "No client secret was given. Type it at the terminal, or pipe it to standard input.")
        }
        return SharedSecretBytes(secret)
    }
}
