internal import PaviseArguments
internal import PavisePrimitives
internal import PaviseVault

extension KeychainCommands {
    /// The value to store, which is neither empty nor cut short.
    static func secretValue(from person: any Person) throws -> SecretBytes {
        let value: SecretBytes?
        do throws(ValueProblem) { value = try person.limitedValue("Value: ") } catch {
            if case .system(let failure) = error { throw failure }
            throw CommandFailure(.usage, error.sentence)
        }
        guard let value, value.count > 0 else {
            throw CommandFailure(.usage, "No value was given. Type it at the terminal, or pipe it to standard input.")
        }
        return value
    }

    static func addNew(
        _ value: borrowing SecretBytes, as entry: KeychainEntry, to keychain: any Keychain
    ) throws {
        do throws(VaultFailure) {
            try keychain.add(value, as: entry)
        } catch .duplicate {
            throw CommandFailure(
                .failed,
                """
                \(entry.account) of \(entry.service) exists already, and was not changed. Write --replace to replace it.
                """
            )
        }
    }

    static func missing(_ entry: KeychainEntry) -> CommandFailure {
        CommandFailure(
            .failed, "There is no \(entry.account) of \(entry.service). “pavise keychain list” shows what there is.")
    }

    /// Prints a value. It has to become ordinary bytes here: printing it is what was asked for.
    static func show(
        _ value: borrowing SecretBytes, of entry: KeychainEntry, for invocation: Invocation, in environment: Environment
    ) throws {
        var bytes = value.withBytes { span in Array(span) }
        defer { Wipe.bytes(&bytes) }
        guard invocation[Shared.json] else {
            let output = environment.console.output
            return try output.write(output.isTerminal ? Printable.body(bytes) + [10] : bytes)
        }
        let text = String(validating: bytes, as: UTF8.self)
        let data = JSONValue.fields([
            "service": .string(entry.service), "account": .string(entry.account),
            "encoding": text == nil ? "base64" : "utf8", "value": .string(text ?? Base64.encode(bytes)),
        ])
        try environment.console.show(Report(data: data), asJSON: true)
    }
}

extension KeychainEntry {
    /// The names as JSON.
    var fields: JSONValue { .fields(["service": .string(service), "account": .string(account)]) }
}
