internal import PaviseSession

/// One sign-in for a server's demand (RFC 9470), for all requests that met it at once. Another demand waits until that
/// one is over: the person sees one page at a time.
actor StepUp {
    private typealias Flight = Task<(any Error)?, Never>

    private var running: (demand: StepUpDemand, flight: Flight)?
    private var last: [StepUpDemand: Int] = [:]
    /// How many sign-ins have come to a good end.
    private(set) var count = 0

    /// Whether a sign-in for the same demand has ended well since ``count`` was `before`: a request that was sent then
    /// was only late, and its next try may do.
    func isSatisfied(_ demand: StepUpDemand, since before: Int) -> Bool { last[demand, default: 0] > before }

    func satisfy(_ demand: StepUpDemand, _ signIn: @escaping @Sendable () async throws -> Void) async throws {
        while let other = running, other.demand != demand { _ = await failure(of: other.flight) }
        let flight: Flight =
            running?.flight
            ?? Task {
                do {
                    try await signIn()
                    return nil
                } catch {
                    return error
                }
            }
        running = (demand, flight)
        if let failure = await failure(of: flight) { throw failure }
    }

    private func failure(of flight: Flight) async -> (any Error)? {
        let failure = await flight.value
        // The first of those that waited; another sign-in may run when the others come.
        if failure == nil, let running, running.flight == flight {
            count += 1
            last[running.demand] = count
        }
        // Whoever wakes later must not take the next flight away.
        if running?.flight == flight { running = nil }
        return failure
    }
}

/// The person signed in again, and the server wants something else still; or the app forbids to ask.
struct StepUpNotSatisfied: Error, Hashable, Sendable {
    let demand: StepUpDemand
}
