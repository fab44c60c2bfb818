internal import PaviseArguments
internal import PavisePrimitives

/// A command together with what it does.
struct Action: Sendable {
    let command: Command
    let run: @Sendable (Invocation, Environment) async throws -> Void

    init(_ command: Command, _ run: @escaping @Sendable (Invocation, Environment) async throws -> Void) {
        self.command = command
        self.run = run
    }
}

/// Flags that several commands share.
enum Shared {
    static let json = Flag("json", help: "Print JSON instead of text.")
}

extension Environment {
    /// Prints a result as the person asked for it.
    func show(_ report: Report, for invocation: Invocation) throws(SystemFailure) {
        try console.show(report, asJSON: invocation[Shared.json])
    }
}
