package import Pavise
internal import PaviseArguments
internal import PavisePrimitives

/// `pavise fetch`: one request with the connection's credential, which goes to the connection's server and nowhere
/// else.
package enum FetchCommand {
    static let action = Action(
        Command(
            "fetch", abstract: "Send a request with a connection's credential.",
            discussion: """
                The token goes to the connection's server over TLS and nowhere else. It is refreshed ahead of its end \
                and after a 401. Redirects are reported and not followed. The body is written as it comes.

                A server that shows another certificate than before is asked about as with “pavise connect”.

                The status is 1 for an answer of 400 and above, 3 for a redirect to another server and for a server \
                that is not trusted.
                """,
            parameters: [
                FetchOptions.name, FetchOptions.path, FetchOptions.method, FetchOptions.data, FetchOptions.header,
                FetchOptions.file, FetchOptions.showsHead, Shared.json,
            ],
            examples: [
                .init("pavise fetch /api/me", "Ask the only connection."),
                .init(
                    "pavise fetch work /files/report.pdf -o report.pdf", "Write a file, which appears when it is whole."
                ),
                .init("pavise fetch work /notes -H 'Content-Type: application/json' -d @note.json", "Send a file."),
            ])
    ) { invocation, environment in
        guard invocation[FetchOptions.file] != nil else { return try await fetch(invocation, environment) }
        // Ctrl-C would leave the piece that came so far.
        let stopped = CommandFailure(.failed, "Stopped before the end. A file appears only when it is whole.")
        try await environment.untilStopped(orThrow: stopped) { try await fetch(invocation, environment) }
    }

    private static func fetch(_ invocation: Invocation, _ environment: Environment) async throws {
        try environment.checkManagement()
        try await environment.checkLock()
        let found = try connection(invocation[FetchOptions.name], in: environment.connections)
        let sent = Progress(console: environment.console, isWanted: true)
        let request = try FetchOptions.request(
            invocation, to: address(try invocation.value(FetchOptions.path), found), progress: sent)
        let writer = AnswerWriter(
            to: target(invocation), console: environment.console, showsHead: invocation[FetchOptions.showsHead])
        let answer = try await asking(about: found, in: environment, isSilent: invocation[Shared.json]) { connection in
            let answer = try await send(request, sent, by: connection, to: writer)
            await connection.session?.settle()
            return answer
        }
        try writer.finish()
        var failure = FetchReport.failure(of: answer)
        if invocation[Shared.json] {
            let report = FetchReport.make(answer, writer, file: file(invocation), failure: failure)
            try environment.show(report, for: invocation)
            failure?.isReported = true
        }
        await environment.connections.finishRevocations()
        if let failure { throw failure }
    }

    /// The connection of this name, or the only one.
    package static func connection(_ name: String?, in connections: Connections) throws -> Connection {
        if let name { return try connections.open(name) }
        // One that cannot be used counts too: opening it says why, and “there are none” would be false.
        let names = try connections.list().filter { !$0.isAnotherProgram }.map { row in
            (try? row.descriptor.get().name) ?? row.unproven?.name ?? "\(row.id)"
        }
        guard let only = names.first, names.count == 1 else {
            let advice =
                names.isEmpty
                ? "There are no connections. “pavise connect URL” makes one."
                : "Say which connection: \(names.joined(separator: ", "))."
            throw CommandFailure(names.isEmpty ? .signInNeeded : .usage, advice)
        }
        return try connections.open(only)
    }

    /// A path at the connection's server, or an address of it.
    package static func address(_ text: String, _ connection: Connection) throws -> WebURL {
        do throws(WebURL.Problem) {
            return try text.contains("://") ? WebURL(text) : connection.url(text)
        } catch {
            throw CommandFailure(.usage, "PATH cannot be used: \(error.description)")
        }
    }

    // The file that is written; “-” is standard output, as without the option.
    private static func file(_ invocation: Invocation) -> String? {
        invocation[FetchOptions.file].flatMap { $0 == "-" ? nil : $0 }
    }

    private static func target(_ invocation: Invocation) -> AnswerWriter.Target {
        if let file = file(invocation) { return .file(file) }
        return invocation[Shared.json] ? .json : .output
    }

    // The writer's own failure says more than the transport's "the receiver threw".
    private static func send(
        _ request: HTTPRequest, _ sent: Progress, by connection: Connection, to writer: AnswerWriter
    ) async throws -> HTTPResponse {
        let begin: @Sendable (HTTPResponse) throws -> Bool = { answer in
            // What follows may be the body, on the same terminal.
            sent.end()
            return try writer.begin(answer)
        }
        do throws(SessionFailure) {
            return try await connection.access.stream(request, head: begin, receive: writer.receive)
        } catch {
            sent.end()
            if let cause = writer.failure { throw cause }
            throw error
        }
    }
}
