internal import PavisePrimitives
internal import Synchronization

/// Takes the addresses that the system delivers to an app, for the sign-in that waits for one of them.
///
/// ```swift
/// let receiver = RedirectReceiver(try RedirectAddress("https://app.example.org/signed-in"))
/// // Where the system hands the app an address, for example in `onOpenURL`:
/// if receiver.deliver(url) { return }
/// // Elsewhere:
/// try await connection.signIn(receiver: receiver)
/// ```
///
/// One sign-in waits at a time. An address that is not exactly the receiver's is ignored. The receiver's own address
/// ends the waiting sign-in, with success or with the ``CallbackProblem`` that was found.
public final class RedirectReceiver: Sendable {
    /// The app's address.
    public let address: RedirectAddress
    private let waiting = Mutex<AppCallback?>(nil)

    /// A receiver of what comes to `address`.
    public init(_ address: RedirectAddress) { self.address = address }

    /// Hands in an address that the system delivered.
    ///
    /// - Parameter address: As the system wrote it; on Apple's platforms `URL.absoluteString`. It holds a code: keep
    ///   and log it nowhere.
    /// - Returns: Whether it is this receiver's. Then it is dealt with, also if nobody waits.
    @discardableResult
    public func deliver(_ address: String) -> Bool {
        guard let query = self.address.query(of: address) else { return false }
        waiting.withLock { $0 }?.take(query)
        return true
    }

    /// Ends the sign-in that waits, if one does, as ``SignInFailure/cancelled``: the person has closed the page.
    public func cancel() { waiting.withLock { $0 }?.stop() }

    // What waits now: a page that is shown for it ends it, and nothing that waits later.
    var current: AppCallback? { waiting.withLock { $0 } }

    /// Begins to wait.
    ///
    /// - Throws: ``SignInFailure/redirectInUse`` where another sign-in does.
    func open() throws(SignInFailure) -> AppCallback {
        let callback = AppCallback(address) { [weak self] in self?.close($0) }
        let isFree = waiting.withLock { waiting in
            guard waiting == nil else { return false }
            waiting = callback
            return true
        }
        guard isFree else { throw .redirectInUse }
        return callback
    }

    private func close(_ callback: AppCallback) {
        waiting.withLock { waiting in if waiting === callback { waiting = nil } }
    }
}

/// One sign-in's wait at a ``RedirectReceiver``.
final class AppCallback: CallbackReceiver {
    let delivery = AuthorizationAttempt.Delivery.system
    let redirect: String
    private let judge = Mutex<LoopbackListener.Judge?>(nil)
    private let result = Race<Result<Void, LoopbackListener.Failure>>()
    private let timer = Mutex<Task<Void, Never>?>(nil)
    private let ending = Mutex<(isOver: Bool, action: (@Sendable () -> Void)?)>((false, nil))
    private let closed: @Sendable (AppCallback) -> Void

    init(_ address: RedirectAddress, closed: @escaping @Sendable (AppCallback) -> Void) {
        redirect = address.description
        self.closed = closed
    }

    func start(within limit: Duration, judge: @escaping LoopbackListener.Judge) {
        self.judge.withLock { $0 = judge }
        let timer = Task { [weak self] in
            guard (try? await Task.sleep(for: limit.bounded)) != nil else { return }
            self?.finish(.failure(.timeout))
        }
        self.timer.withLock { $0 = timer }
    }

    /// Before the browser was asked, nothing can be this sign-in's.
    func take(_ query: String) {
        if judge.withLock({ $0 })?(query) == true { finish(.success(())) }
    }

    func wait() async throws(LoopbackListener.Failure) {
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { self.result.wait($0) }
        } onCancel: {
            stop()
        }
        try (result ?? .failure(.stopped)).get()
    }

    /// Runs `action` once when this wait is over, however it ends, and at once where it is: the page that is shown for
    /// it has nothing to wait for any more.
    func whenOver(_ action: @escaping @Sendable () -> Void) {
        let isOver = ending.withLock { ending in
            if !ending.isOver { ending.action = action }
            return ending.isOver
        }
        if isOver { action() }
    }

    func stop() { finish(.failure(.stopped)) }
    func fail(_ reason: String) { finish(.failure(.browser(reason))) }

    private func finish(_ value: Result<Void, LoopbackListener.Failure>) {
        let action = ending.withLock { ending in
            let action = ending.action
            ending = (true, nil)
            return action
        }
        action?()
        result.finish(value)
        judge.withLock { $0 = nil }
        timer.withLock { $0 }?.cancel()
        closed(self)
    }
}
