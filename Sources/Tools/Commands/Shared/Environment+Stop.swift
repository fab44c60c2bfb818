internal import PavisePrimitives
internal import PaviseSession

extension Environment {
    /// Stops between two pieces of a file that is being written, when somebody wants the program to stop (Ctrl-C): what
    /// was written so far goes with its stream. After ``listen``.
    func checkStop() throws(CommandFailure) {
        guard isStopped() else { return }
        throw CommandFailure(.failed, "Stopped before the end. A file appears only when it is whole.")
    }

    /// Runs `body`, and cancels it when somebody wants the program to stop (Ctrl-C): it cleans up, and so may the
    /// caller.
    ///
    /// - Throws: What `body` throws; `stopped` when it failed after the stop.
    func untilStopped<Value: Sendable>(
        orThrow stopped: any Error = SignInFailure.cancelled, _ body: @Sendable @escaping () async throws -> Value
    ) async throws -> Value {
        // Before the work, which may show something: a person who sees it may stop it at once.
        try listen()
        let work = Task { try await body() }
        let watch = Task { [stop] in
            guard (try? await stop()) != nil, !Task.isCancelled else { return }
            work.cancel()
        }
        defer { watch.cancel() }
        do {
            return try await work.value
        } catch {
            guard !work.isCancelled else { throw stopped }
            throw error
        }
    }
}
