internal import PaviseSession
internal import PaviseTransport

/// One sign-in for a server's demand (RFC 9470), for all requests that met it at once.
actor StepUp {
    private var running: [StepUpDemand: Task<Result<Void, PaviseError>, Never>] = [:]

    func satisfy(
        _ demand: StepUpDemand, _ signIn: @escaping @Sendable () async throws(PaviseError) -> Void
    ) async throws(PaviseError) {
        let task =
            running[demand]
            ?? Task {
                do throws(PaviseError) {
                    try await signIn()
                    return .success(())
                } catch {
                    return .failure(error)
                }
            }
        running[demand] = task
        let result = await task.value
        running[demand] = nil
        try result.get()
    }
}

/// The person signed in again, and the server wants something else still; or the app forbids to ask.
struct StepUpNotSatisfied: Error, Hashable, Sendable {
    let demand: StepUpDemand
}
