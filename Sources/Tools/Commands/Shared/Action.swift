package import PaviseArguments
package import PavisePrimitives

/// A command together with what it does.
package struct Action: Sendable {
    package let command: Command
    package let run: @Sendable (Invocation, Environment) async throws -> Void

    package init(
        _ command: Command, _ run: @escaping @Sendable (Invocation, Environment) async throws -> Void
    ) {
        self.command = command
        self.run = run
    }
}

/// Flags that several commands share.
package enum Shared {
    package static let json = Flag("json", help: "Print JSON instead of text.")
}

extension Environment {
    /// Prints a result as the person asked for it.
    package func show(_ report: Report, for invocation: Invocation) throws(SystemFailure) {
        try console.show(report, asJSON: invocation[Shared.json])
    }
}
