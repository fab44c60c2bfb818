internal import Pavise
internal import PaviseArguments
internal import PavisePrimitives

/// `pavise disconnect`: the wipe first, the server second.
enum DisconnectCommand {
    private static let name = Argument("NAME", help: "The connection, as “pavise connections” shows it.")

    static let action = Action(
        Command(
            "disconnect", abstract: "Wipe a connection and revoke its tokens.",
            discussion: """
                Tokens, keys and the connection's folder are removed from this device first, durably. Then the server \
                is asked to revoke the tokens, for at most 5 seconds. Where it is not reached, what is needed to ask \
                again is kept, sealed, for at most 14 days: the next “connect”, “fetch” or “disconnect” asks. Tokens \
                that are bound to a key need no second try: the key is destroyed.

                A connection whose files were changed on the disk is wiped, and nothing is sent. One that another \
                program made is refused (status 3): nothing of it could be wiped here, and nothing revoked. Sign out \
                with that program.
                """,
            parameters: [name, Shared.json],
            examples: [.init("pavise disconnect cloud.example.org", "Sign out and forget.")])
    ) { invocation, environment in
        let name = try invocation.value(name)
        try environment.connections.finishRemovals()
        let removal = try await remove(name, from: environment.connections)
        if let failure = removal.localFailures.first {
            let cause = CommandFailure(describing: failure)
            throw CommandFailure(
                cause.status, "Not everything of “\(name)” could be wiped: \(cause.message) Run the command again.")
        }
        let data = JSONValue.fields([
            "name": .string(name), "wiped": true, "revocation": .string("\(removal.revocation)"),
            "deregistered": removal.deregistered.map { .bool($0) },
        ])
        var report = Report(data: data).adding(.success("Wiped “\(name)” from this device."))
        report.add(.line(removal.revocation.sentence))
        if let isGone = removal.deregistered {
            report.add(
                .line(
                    isGone
                        ? "The authority has deleted the client that was registered for it."
                        : "The authority did not confirm that it deleted the client that was registered for it."))
        }
        try environment.show(report, for: invocation)
        await environment.connections.finishRevocations()
    }

    private static func remove(_ name: String, from connections: Connections) async throws -> RemovalReport {
        do throws(ConnectionFailure) {
            return try await connections.remove(name)
        } catch .connections(.damaged(let id, let damage)) {
            // What cannot be read now may be whole, and the server would be told nothing: only who names it by its
            // identifier wants that.
            if case .system = damage, name != id.text { throw ConnectionFailure.connections(.damaged(id, damage)) }
            return try connections.remove(damaged: id)
        }
    }
}

extension SignOutReport.Revocation {
    /// What became of the tokens at the server.
    var sentence: String {
        switch self {
        case .done: "The server has revoked the tokens."
        case .nothing: "There was nothing to revoke at the server."
        case .notOffered: "The server offers no revocation; the tokens end by their own time."
        case .queued:
            "The server was not reached; what is needed to revoke the tokens is kept, sealed, and tried again."
        case .failed: "The server did not confirm the revocation; the tokens end by their own time."
        }
    }
}
