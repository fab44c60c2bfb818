internal import PaviseSession
internal import PaviseTransport

/// One sign-in for a server's demand (RFC 9470), for all requests that met it at once.
actor StepUp {
    private var running: [StepUpDemand: Task<Result<Void, PaviseError>, Never>] = [:]
    private var last: [StepUpDemand: Int] = [:]
    /// How many sign-ins have come to a good end.
    private(set) var count = 0

    /// Whether a sign-in for the same demand has ended well since ``count`` was `before`: a request that was sent then
    /// was only late, and its next try may do.
    func isSatisfied(_ demand: StepUpDemand, since before: Int) -> Bool { last[demand, default: 0] > before }

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
        // The first of those that waited; another sign-in may run when the others come.
        if running[demand] == task {
            running[demand] = nil
            if case .success = result {
                count += 1
                last[demand] = count
            }
        }
        try result.get()
    }
}

/// The person signed in again, and the server wants something else still; or the app forbids to ask.
struct StepUpNotSatisfied: Error, Hashable, Sendable {
    let demand: StepUpDemand
}
