internal import Pavise
internal import PaviseArguments
internal import PaviseCommands
internal import PavisePrimitives
internal import PaviseTransport

/// `pavise-lab callers`: a session under the load that loses sessions elsewhere.
enum CallersCommand {
    static let action = Action(
        Command(
            "callers", abstract: "Let many callers share a session.",
            discussion: """
                Sends one request for each caller with the connection's credential, their starts spread over a time in \
                which access tokens end, and counts answers and failures. All callers share one session: an authority \
                should see one refresh for each token that ends, however many wait for it.

                The status is 1 when a caller got no answer below 400.
                """,
            parameters: [FetchOptions.name, FetchOptions.path, callers, seconds, Shared.json],
            examples: [
                .init("pavise-lab callers lab /api/me --over 8", "Against “pavise-lab authority --access-lifetime 2”.")
            ])
    ) { invocation, environment in
        try environment.checkManagement()
        try await environment.checkLock()
        let connection = try FetchCommand.connection(invocation[FetchOptions.name], in: environment.connections)
        let url = try FetchCommand.address(try invocation.value(FetchOptions.path), connection)
        let tally = await play(
            invocation[callers] ?? 1000, over: invocation[seconds] ?? 10, HTTPRequest("GET", url), by: connection)
        await connection.session?.settle()
        try environment.show(tally.report, for: invocation)
        guard tally.isGood else {
            var failure = CommandFailure(.failed, "Not every caller got an answer below 400.")
            failure.isReported = true
            throw failure
        }
    }

    private static let callers = Option(
        "callers", value: "NUMBER", help: "How many, up to 100000; 1000 unless given.",
        parse: { (text) throws(Parameter.Invalid) in try number(text, 100_000) })
    private static let seconds = Option(
        "over", value: "SECONDS", help: "In what time they start, up to 3600; 10 unless given.",
        parse: { (text) throws(Parameter.Invalid) in try number(text, 3600) })

    private static func number(_ text: String, _ most: Int) throws(Parameter.Invalid) -> Int {
        guard let number = Int(text), (1...most).contains(number) else {
            throw Parameter.Invalid("takes a number from 1 to \(most)")
        }
        return number
    }

    private static func play(
        _ count: Int, over seconds: Int, _ request: HTTPRequest, by connection: Connection
    ) async -> CallerTally {
        let pause = Duration.seconds(seconds) / count
        return await withTaskGroup(of: Result<Int, SessionFailure>.self) { group in
            for number in 0..<count {
                group.addTask {
                    try? await Task.sleep(for: pause * number)
                    do throws(SessionFailure) { return .success(try await connection.send(request).status) } catch {
                        return .failure(error)
                    }
                }
            }
            return await group.reduce(into: CallerTally(callers: count)) { $0.add($1) }
        }
    }
}

/// What the callers got.
private struct CallerTally: Sendable {
    let callers: Int
    /// How many of each status.
    var answers: [String: Int] = [:]
    /// How many of each reason.
    var failures: [String: Int] = [:]

    init(callers: Int) { self.callers = callers }

    mutating func add(_ end: Result<Int, SessionFailure>) {
        switch end {
        case .success(let status): answers["\(status)", default: 0] += 1
        case .failure(let failure): failures["\(failure)", default: 0] += 1
        }
    }

    var isGood: Bool { failures.isEmpty && answers.allSatisfy { $0.key < "4" } }

    var report: Report {
        var report = Report(
            data: .fields([
                "callers": .integer(Int64(callers)), "answers": Self.data(answers), "failures": Self.data(failures),
            ]))
        for (status, count) in answers.sorted(by: { $0.key < $1.key }) {
            report.add(.line("\(count) answers with status \(status)."))
        }
        for (reason, count) in failures.sorted(by: { $0.key < $1.key }) {
            report.add(.line("\(count) without an answer: \(Printable.text(reason))"))
        }
        return report
    }

    private static func data(_ counts: [String: Int]) -> JSONValue {
        .object(counts.sorted { $0.key < $1.key }.map { .init($0.key, .integer($0.value)) })
    }
}
