internal import PavisePrimitives
internal import PaviseSession
internal import PaviseTransport

extension HTTPResponse {
    /// How many seconds a busy server asks to be left alone (RFC 9110 §10.2.3), a day at most; `nil` where it does not
    /// say, or is not busy. A date counts by the server's own clock, where the answer tells it.
    var busySeconds: Int? {
        guard status == 429 || status == 503 else { return nil }
        let now = fields["Date"].flatMap(IMFFixdate.seconds) ?? TimeSource.system.wallSeconds
        return RetryAfter.seconds(fields["Retry-After"], wallSeconds: now).map { Int(min($0, 86_400)) }
    }
}

extension SyncFailure {
    /// How long a request waits for a busy server, in seconds; what asks for more ends the run.
    static let longestWait = 30

    /// Sends a request, up to four times where the server is busy for a moment: such an answer says that nothing was
    /// done.
    ///
    /// - Throws: ``SyncFailure/serverBusy(seconds:)`` where the server wants more time than that.
    static func waiting(
        _ sleep: (Duration) async -> Void, _ send: () async throws(SyncFailure) -> HTTPResponse
    ) async throws(SyncFailure) -> HTTPResponse {
        var count = 0
        while true {
            let answer = try await send()
            guard let seconds = answer.busySeconds else { return answer }
            count += 1
            guard count < 4, seconds <= longestWait else { throw .serverBusy(seconds: seconds) }
            await sleep(.seconds(max(1, seconds)))
        }
    }
}
