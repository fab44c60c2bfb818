internal import PavisePrimitives

extension FolderSync {
    /// A run now, and one after each change here, and after `interval` at the latest, for as long as the sequence is
    /// read. After a failure the next waits a second, then two, up to an hour, each up to half as long again by chance,
    /// and at least as long as a busy server asked for.
    ///
    /// - Parameters:
    ///   - interval: How long it waits at most after a run that came to its end.
    ///   - approved: Questions of an earlier report that a person has answered with yes, for the first run.
    public func reports(
        every interval: Duration = .seconds(60), approving approved: Set<SyncReport.Question> = []
    ) -> AsyncStream<SyncReport> {
        let (stream, continuation) = AsyncStream.makeStream(of: SyncReport.self, bufferingPolicy: .bufferingNewest(16))
        let task = Task {
            var (failures, approved) = (0, approved)
            while !Task.isCancelled {
                let changes = watch()
                let report = await run(approving: approved)
                approved = []
                continuation.yield(report)
                failures = report.failure == nil ? 0 : failures + 1
                let wait = failures == 0 ? interval : Self.pause(failures, after: report.failure)
                guard await Self.wait(wait, for: report.failure == nil ? changes : nil) else { break }
            }
            continuation.finish()
        }
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }

    // Waits for a fifth of a second at most, and says whether something changed here.
    private func watch() -> @Sendable () async -> Bool {
        if let sealed {
            let version = sealed.version
            return {
                if sealed.version == version { try? await Task.sleep(for: .milliseconds(200)) }
                return sealed.version != version
            }
        }
        let changes = FolderChanges(path)
        return { (try? await WorkerThread.run({ changes.wait(milliseconds: 200) })) == true }
    }

    /// How long the next run waits after so many failures, the last of which is given: at least as long as the server
    /// asked for.
    static func pause(_ failures: Int, after failure: SyncFailure?) -> Duration {
        let seconds = Double(min(3_600, 1 << min(failures - 1, 12)))
        let pause = Duration.milliseconds(Int64(seconds * 1_000 * Double.random(in: 1...1.5)))
        guard case .serverBusy(let asked) = failure else { return pause }
        return max(pause, .seconds(asked))
    }

    // In short pieces, so that a cancelled task ends soon.
    private static func wait(_ duration: Duration, for changes: (@Sendable () async -> Bool)?) async -> Bool {
        let end = ContinuousClock.now + duration
        while !Task.isCancelled, ContinuousClock.now < end {
            guard let changes else {
                try? await Task.sleep(for: .milliseconds(200))
                continue
            }
            // What is being written just now is given half a second.
            if await changes() {
                try? await Task.sleep(for: .milliseconds(500))
                break
            }
        }
        return !Task.isCancelled
    }
}
