internal import Foundation
internal import Pavise

/// Callers that ask for the protected resource, spread over some milliseconds.
enum Crowd {
    /// How it ended for the callers.
    struct Result: Sendable {
        var answered = 0
        var cancelled = 0
        var failures: [String] = []

        static func + (one: Result, other: Result) -> Result {
            Result(
                answered: one.answered + other.answered, cancelled: one.cancelled + other.cancelled,
                failures: one.failures + other.failures)
        }
    }

    /// `count` callers, each starting within `spread`; every `cancelling`-th is cancelled a moment later.
    static func ask(
        _ connection: Connection, _ count: Int, spread: Duration, cancelling: Int? = nil
    ) async throws -> Result {
        let request = HTTPRequest("GET", try connection.url("/api/me"))
        let total = Int(spread / .microseconds(1))
        return await withTaskGroup(of: Result.self) { group in
            for number in 0..<count {
                let delay = Int.random(in: 0...max(1, total))
                let isCancelled = cancelling.map { number % $0 == 0 } ?? false
                group.addTask {
                    try? await Task.sleep(for: .microseconds(delay))
                    let caller = Task { await one(request, connection) }
                    if isCancelled {
                        try? await Task.sleep(for: .microseconds(Int.random(in: 0...total / 2 + 1)))
                        caller.cancel()
                    }
                    let result = await caller.value
                    // Whoever goes on waiting gets an answer, whatever becomes of the others.
                    guard !isCancelled, result.cancelled > 0 else { return result }
                    return Result(failures: ["cancelled, and nobody had cancelled it"])
                }
            }
            return await group.reduce(Result(), +)
        }
    }

    private static func one(_ request: HTTPRequest, _ connection: Connection) async -> Result {
        do throws(SessionFailure) {
            let status = try await connection.send(request).status
            return status == 200 ? Result(answered: 1) : Result(failures: ["status \(status)"])
        } catch {
            switch error {
            case .cancelled, .transport(.cancelled): return Result(cancelled: 1)
            default: return Result(failures: ["\(error)"])
            }
        }
    }
}
