internal import PavisePrimitives
internal import PaviseTransport
internal import Synchronization

extension SignIn {
    /// Opens the browser and waits for the callback of this attempt.
    func code(
        at server: AuthorizationServer, _ request: Request
    ) async throws(SignInFailure) -> (AuthorizationAttempt.Code, nonce: String?) {
        let receiver: any CallbackReceiver =
            if let receiver = request.receiver { try receiver.open() } else { try listen(on: request.port) }
        defer { receiver.stop() }
        let attempt = try attempt(at: server, request, redirect: receiver.redirect)
        let address = try await address(of: attempt, at: server, request)
        let inbox = CallbackInbox(attempt, from: receiver.delivery)
        // The receiver is open before the browser is asked: it may come back at once.
        receiver.start(within: min(request.patience, .seconds(600)), judge: inbox.judge)
        do throws(BrowserFailure) {
            try await browser.open(address)
        } catch {
            attempt.abandon()
            throw .browser(error.reason)
        }
        defer { attempt.abandon() }
        do throws(LoopbackListener.Failure) { try await receiver.wait() } catch {
            throw inbox.explains(error).map { .callback($0) } ?? SignInFailure(error)
        }
        return (try inbox.result(), attempt.nonce)
    }

    private func address(
        of attempt: AuthorizationAttempt, at server: AuthorizationServer, _ request: Request
    ) async throws(SignInFailure) -> WebURL {
        guard request.demandsPushedRequest || server.demandsPushedRequests else { return attempt.url }
        return try await PushedRequest(client: client, attester: environment.attester).address(
            for: attempt, at: server, clientID: request.clientID, try server.authentication(with: request.clientSecret))
    }

    // RFC 8707 §2.1, OpenID Connect Core §3.1.2.1, RFC 9449 §10.
    private func extensions(_ request: Request) -> [(String, String)] {
        var pairs = request.resourceIndicators.map { ("resource", $0.description) }
        if let age = request.maximumAge { pairs.append(("max_age", String(max(0, age.components.seconds)))) }
        if !request.authenticationLevels.isEmpty {
            pairs.append(("acr_values", request.authenticationLevels.joined(separator: " ")))
        }
        if let binding { pairs.append(("dpop_jkt", binding.thumbprint)) }
        return pairs
    }

    private func listen(on port: UInt16) throws(SignInFailure) -> LoopbackListener {
        #if os(iOS)
        // The system suspends the app while the browser is shown: nobody would listen.
        throw .browser("on iOS a sign-in needs a redirect address of the app's own: set a receiver")
        #else
        do throws(SystemFailure) {
            return try LoopbackListener(port: port)
        } catch {
            throw .listener(error)
        }
        #endif
    }

    private func attempt(
        at server: AuthorizationServer, _ request: Request, redirect: String
    ) throws(SignInFailure) -> AuthorizationAttempt {
        do throws(EntropyFailure) {
            return try AuthorizationAttempt(
                at: server, clientID: request.clientID, redirect: redirect, scopes: request.scopes,
                extra: extensions(request), entropy: environment.entropy)
        } catch {
            throw .entropy(error)
        }
    }
}

/// Where the receiver leaves what the right callback said.
///
/// On loopback a wrong one never ends the attempt: any local program could end every sign-in so. One that the system
/// delivers ends it. Guessing is no way either, since a state has 256 random bits, and each try costs the same little.
private final class CallbackInbox: Sendable {
    /// From so many wrong callbacks on, they are what a person is told when the right one did not come.
    private static let suspicious = 20

    private struct State {
        var result: Result<AuthorizationAttempt.Code, CallbackProblem>?
        var wrong = 0
        var lastWrong: CallbackProblem?
    }
    private let attempt: AuthorizationAttempt
    private let delivery: AuthorizationAttempt.Delivery
    private let state = Mutex(State())

    init(_ attempt: AuthorizationAttempt, from delivery: AuthorizationAttempt.Delivery) {
        self.attempt = attempt
        self.delivery = delivery
    }

    /// Whether waiting is over: the right callback came, or the system delivered a wrong one.
    func judge(_ query: String) -> Bool {
        let answer = Result { () throws(CallbackProblem) in try attempt.accept(query, from: delivery) }
        return state.withLock { state in
            switch answer {
            case .failure(let problem) where [.otherState, .malformed].contains(problem) && delivery == .loopback:
                state.wrong += 1
                state.lastWrong = problem
                return false
            case .failure(.alreadyUsed): return false
            default: state.result = answer
            }
            return true
        }
    }

    /// What kept coming while the right callback did not.
    func explains(_ failure: LoopbackListener.Failure) -> CallbackProblem? {
        guard failure == .timeout else { return nil }
        return state.withLock { $0.wrong >= Self.suspicious ? $0.lastWrong : nil }
    }

    func result() throws(SignInFailure) -> AuthorizationAttempt.Code {
        let result = state.withLock { $0.result } ?? .failure(.codeMissing)
        do throws(CallbackProblem) { return try result.get() } catch { throw .callback(error) }
    }
}

extension SignInFailure {
    fileprivate init(_ failure: LoopbackListener.Failure) {
        self =
            switch failure {
            case .timeout: .timeout
            case .stopped: .cancelled
            case .system(let failure): .listener(failure)
            case .browser(let reason): .browser(reason)
            }
    }
}
