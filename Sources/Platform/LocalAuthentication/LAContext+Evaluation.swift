public import Foundation
internal import PaviseDevice
internal import PavisePrimitives
public import SecurityFramework
internal import Synchronization

extension LAContext {
    /// Whether a policy could be evaluated now. Nobody is asked.
    ///
    /// - Parameters:
    ///   - policy: What would be asked for.
    ///   - error: Why not: ``LAError/Code/passcodeNotSet``, ``LAError/Code/biometryNotAvailable``,
    ///     ``LAError/Code/watchNotAvailable`` or ``LAError/Code/invalidContext``.
    public func canEvaluatePolicy(_ policy: LAPolicy, error: UnsafeMutablePointer<NSError?>?) -> Bool {
        guard let problem = obstacle(policy) else { return true }
        if let error = unsafe error { unsafe error.pointee = problem._nsError }
        return false
    }

    /// Asks the owner, on another thread, and answers on it.
    ///
    /// - Parameters:
    ///   - policy: What is asked for.
    ///   - localizedReason: Why, in a sentence for the person. Without one nobody is asked, and the answer is
    ///     ``LAError/Code/notInteractive``; Apple's systems end the program (`NSInvalidArgumentException`).
    ///   - reply: Gets `true`, or `false` and an ``LAError``. Called exactly once.
    public func evaluatePolicy(
        _ policy: LAPolicy, localizedReason: String, reply: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        let environment = SecurityEnvironment.current
        DispatchQueue.global().async {
            SecurityEnvironment.$override.withValue(environment) {
                self.answer(reply) { () throws(LAError) in try self.evaluate(policy, localizedReason) }
            }
        }
    }

    /// Asks the owner.
    ///
    /// - Returns: `true`.
    /// - Throws: ``LAError``.
    @discardableResult
    public func evaluatePolicy(_ policy: LAPolicy, localizedReason: String) async throws -> Bool {
        try await withCheckedThrowingContinuation { continuation in
            evaluatePolicy(policy, localizedReason: localizedReason) { isDone, error in
                continuation.resume(with: error.map { .failure($0) } ?? .success(isDone))
            }
        }
    }

    /// Shows what an access control asks for, so that the keychain need not ask.
    ///
    /// - Parameters:
    ///   - accessControl: The rules.
    ///   - operation: What for; all are treated alike.
    ///   - localizedReason: Why, in a sentence for the person. Without one nobody is asked, and the answer is
    ///     ``LAError/Code/notInteractive``; Apple's systems end the program (`NSInvalidArgumentException`).
    ///   - reply: Gets `true`, or `false` and an ``LAError``. Called exactly once.
    public func evaluateAccessControl(
        _ accessControl: SecAccessControl, operation: LAAccessControlOperation, localizedReason: String,
        reply: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        let environment = SecurityEnvironment.current
        DispatchQueue.global().async {
            SecurityEnvironment.$override.withValue(environment) {
                self.answer(reply) { () throws(LAError) in try self.evaluate(accessControl, localizedReason) }
            }
        }
    }

    /// Shows what an access control asks for, so that the keychain need not ask.
    ///
    /// - Returns: `true`.
    /// - Throws: ``LAError``.
    @discardableResult
    public func evaluateAccessControl(
        _ accessControl: SecAccessControl, operation: LAAccessControlOperation, localizedReason: String
    ) async throws -> Bool {
        try await withCheckedThrowingContinuation { continuation in
            evaluateAccessControl(accessControl, operation: operation, localizedReason: localizedReason) {
                isDone, error in continuation.resume(with: error.map { .failure($0) } ?? .success(isDone))
            }
        }
    }

    private func answer(_ reply: (Bool, (any Error)?) -> Void, _ body: () throws(LAError) -> Void) {
        do throws(LAError) {
            try body()
        } catch {
            return reply(false, error)
        }
        reply(true, nil)
    }

    private func evaluate(_ policy: LAPolicy, _ reason: String) throws(LAError) {
        try check(reason)
        if let problem = obstacle(policy) { throw problem }
        try asking {
            let environment = SecurityEnvironment.current
            let device = try Device.of(environment.home)
            let key: PresenceKey
            if let known = box.state.withLock({ $0.presence }) {
                key = known
            } else {
                guard mayInteract else { throw DeviceFailure.notInteractive }
                key = try environment.evaluator.presence(of: device.home, reason: reason, context: nil)
            }
            _ = try keep(key)
        }
    }

    private func evaluate(_ control: SecAccessControl, _ reason: String) throws(LAError) {
        try check(reason)
        guard !isInvalid else { throw LAError(.invalidContext) }
        guard control.isSatisfiable else { throw LAError(.biometryNotAvailable) }
        if control.needsPresence { try evaluate(.deviceOwnerAuthentication, reason) }
        guard control.needsPassword, !isCredentialSet(.applicationPassword) else { return }
        guard mayInteract else { throw LAError(.notInteractive) }
        try asking {
            let password = try SecurityEnvironment.current.evaluator.password(reason: reason)
            let isEnded = box.state.withLock { state in
                if !state.isInvalid { state.password = password }
                return state.isInvalid
            }
            // Invalidated while the person was typing.
            guard !isEnded else { throw DeviceFailure.contextInvalid }
        }
    }

    // An error, and not the end of the program as on Apple's systems: the text may come from a catalogue of the app's.
    private func check(_ reason: String) throws(LAError) {
        guard !reason.isEmpty else { throw LAError(.notInteractive, "A person is asked with a reason: it is empty.") }
    }

    // A question that is asked when the context ends was stopped by the program (documentation of
    // LAContext.invalidate()); a context that was ended before is told as one.
    private func asking(_ body: () throws -> Void) throws(LAError) {
        do throws(LAError) { try LAError.reporting(body) } catch { throw isInvalid ? LAError(.appCancel) : error }
    }

    private func obstacle(_ policy: LAPolicy) -> LAError? {
        if box.state.withLock({ $0.isInvalid }) { return LAError(.invalidContext) }
        switch policy {
        case .deviceOwnerAuthenticationWithBiometrics, .deviceOwnerAuthenticationWithBiometricsOrWatch:
            return LAError(.biometryNotAvailable)
        case .deviceOwnerAuthenticationWithWatch: return LAError(.watchNotAvailable)
        case .deviceOwnerAuthentication: break
        }
        do throws(LAError) {
            let hasPasscode = try LAError.reporting { try Device.of(SecurityEnvironment.current.home).hasPasscode() }
            return hasPasscode ? nil : LAError(.passcodeNotSet)
        } catch {
            return error
        }
    }
}

extension LAError {
    /// Runs `body` and says its failure in Apple's codes.
    static func reporting<Result>(_ body: () throws -> Result) throws(LAError) -> Result {
        do {
            return try body()
        } catch let error as LAError {
            throw error
        } catch let failure as DeviceFailure {
            throw LAError(code(failure), failure.explanation)
        } catch {
            throw LAError(.systemCancel)
        }
    }

    private static func code(_ failure: DeviceFailure) -> Code {
        switch failure {
        case .wrongPasscode, .passcodeBlocked, .tryLater, .erased: .authenticationFailed
        case .cancelled: .userCancel
        case .notInteractive: .notInteractive
        case .noPasscode: .passcodeNotSet
        case .contextInvalid: .invalidContext
        default: .systemCancel
        }
    }
}
