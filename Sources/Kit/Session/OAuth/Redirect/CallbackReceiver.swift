/// Where a callback comes in.
protocol CallbackReceiver: Sendable {
    /// Who brings it.
    var delivery: AuthorizationAttempt.Delivery { get }
    /// The redirect address of the request.
    var redirect: String { get }

    /// Takes callbacks from now on, until `judge` says yes to one or the time passes. Call it once.
    func start(within limit: Duration, judge: @escaping LoopbackListener.Judge)

    /// Waits for the end of what ``start(within:judge:)`` began. A cancelled task stops it.
    func wait() async throws(LoopbackListener.Failure)

    /// Stops waiting.
    func stop()
}

extension LoopbackListener: CallbackReceiver {
    var delivery: AuthorizationAttempt.Delivery { .loopback }
}
