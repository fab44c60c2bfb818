internal import PaviseAppLock
internal import PaviseManaged
internal import PavisePrimitives
internal import PaviseProtectedStorage
internal import PaviseSession
internal import PaviseStorage
package import PaviseTransport
internal import PaviseVault

/// An error of a module above this one, which says itself what it means for an app.
package protocol AppFailure: Error {
    /// A code of the catalogue, and what helps.
    var appMeaning: (code: PaviseError.Code, recovery: PaviseError.Recovery) { get }
    /// An error of a module below that says more, and whose meaning counts in place of ``appMeaning``.
    var appCause: (any Error)? { get }
}

extension AppFailure {
    /// Nothing below says more.
    package var appCause: (any Error)? { nil }
}

extension PaviseError {
    /// Makes an app's error of a typed one, for example of what a file or a database threw. The one place where they
    /// become codes.
    public init(_ error: any Error) {
        // Before the switch: as a case of it, Swift 6.3's compiler for Apple's systems crashes.
        self = Self.meant(error) ?? Self.written(error) ?? PaviseError(known: error)
    }

    // What an app's own values were made of, which it may catch by itself.
    private static func written(_ error: any Error) -> PaviseError? {
        if let error = error as? SettingsFailure { return PaviseError(error) }
        if error is BrowserFailure { return PaviseError(.signInFailed, .signIn, error) }
        let isInput =
            error is WebURL.Problem || error is RedirectAddress.Problem || error is PinSet.Problem
            || error is AppLockPolicy.Problem
        return isInput ? PaviseError(.invalidInput, .correct, error) : nil
    }

    private init(_ error: SettingsFailure) {
        switch error {
        case .unusableName, .secretName, .unusableValue: self.init(.invalidInput, .correct, error)
        case .unusableStoredValue, .damaged: self.init(.damaged, .askForHelp, error)
        case .busy: self.init(.busy, .retry(after: 1), error)
        case .system(let failure): self.init(failure)
        }
    }

    private init(known error: any Error) {
        switch error {
        case let error as PaviseError: self = error
        case let error as SessionFailure: self.init(error)
        case let error as SignInFailure: self.init(error)
        case let error as DiscoveryFailure: self.init(error)
        case let error as TransportFailure: self.init(error)
        case let error as ConnectionFailure: self.init(error)
        case let error as ConnectionsFailure: self.init(error)
        case let error as BasicAccess.Problem: self.init(error)
        case let error as AppLockFailure: self.init(error)
        case let error as VaultFailure: self.init(error)
        case let error as SystemFailure: self.init(error)
        case let error as StorageFailure: self.init(error)
        case let error as ProtectedDatabaseError: self.init(error)
        case is DeviceNotCleared: self.init(.deviceFindings, .askForHelp, isSecurityEvent: true, error)
        case is VersionNotPermitted: self.init(.managed, .askForHelp, error)
        case let error as LockDemand: self.init(error)
        case is AppStorageLocked: self.init(.appLocked, .unlock, error)
        case is StepUpNotSatisfied: self.init(.strongerSignInNeeded, .signIn, error)
        case let error as ConnectRefusal: self.init(error)
        case let error as RolledBack:
            self.init(error.reason)
            hasLeftovers = true
        case let error as AnswerUnreadable: self.init(error)
        case is ManagedFile.Failure: self.init(.managedUnusable, .askForHelp, error)
        case ServerTrustDamage.newer: self.init(.newerVersion, .askForHelp, error)
        case is ServerTrustDamage: self.init(.damaged, .askForHelp, isSecurityEvent: true, error)
        case is EntropyFailure: self.init(.storage, .retry(after: 0), error)
        case let error as ClientCertificate.Problem: self.init(error)
        case let error as LogoutTokenProblem: self.init(error)
        case let error as UserInfoFailure: self.init(error)
        case let error as PinListFailure: self.init(error)
        case is AppSecurityProblem: self.init(.invalidInput, .correct, error)
        case is ATSReadingFailure: self.init(.invalidInput, .correct, error)
        case is CancellationError: self.init(.cancelled, .none, error)
        default: self.init(.unknown, .askForHelp, error)
        }
    }

    private static func meant(_ error: any Error) -> PaviseError? {
        guard let failure = error as? any AppFailure else { return nil }
        if let cause = failure.appCause { return PaviseError(cause) }
        let meaning = failure.appMeaning
        return PaviseError(meaning.code, meaning.recovery, error)
    }

    private init(_ error: LockDemand) {
        switch error {
        case .set: self.init(.noPIN, .correct, error)
        case .replace: self.init(.weakPIN, .correct, error)
        default: self.init(.appLocked, .unlock, error)
        }
    }

    private init(_ error: PinListFailure) {
        switch error {
        case .token, .older: self.init(.forged, .none, isSecurityEvent: true, error)
        case .nobodyMay, .unusableKeys, .lifetime, .content: self.init(.invalidInput, .correct, error)
        }
    }

    private init(_ error: LogoutTokenProblem) {
        switch error {
        case .token(.keysUnavailable): self.init(.network, .retry(after: 0), error)
        case .token(.keysUntrusted): self.init(.certificateRefused, .askForHelp, isSecurityEvent: true, error)
        default: self.init(.forged, .none, isSecurityEvent: true, error)
        }
    }

    private init(_ error: UserInfoFailure) {
        switch error {
        case .authority(let failure): self.init(failure)
        case .session(let failure): self.init(failure)
        case .otherAuthority, .otherSubject: self.init(.forged, .askForHelp, isSecurityEvent: true, error)
        case .withoutIdentity: self.init(.signInNeeded, .signIn, error)
        case .wrongMethod: self.init(.invalidInput, .correct, error)
        case .status(let status):
            let told = PaviseError(AnswerUnreadable.status(status))
            self.init(told.code, told.recovery, error)
        case .notOffered, .notClaims, .signed: self.init(.server, .askForHelp, error)
        }
    }

    /// An address that is none.
    package static func invalidAddress(_ problem: WebURL.Problem) -> PaviseError {
        PaviseError(ConnectRefusal.address(problem.description))
    }

    /// The app lock is closed.
    package static var appLocked: PaviseError { PaviseError(AppStorageLocked()) }

    init(_ error: ClientCertificate.Problem) {
        switch error {
        case .unusableName, .unusableSubject, .unreadableFile, .wrongPassphrase, .otherKey, .notValid, .notRequested,
            .tooMany:
            self.init(.invalidInput, .correct, error)
        case .busy: self.init(.busy, .retry(after: 0), error)
        case .damaged: self.init(.damaged, .askForHelp, isSecurityEvent: true, error)
        case .newer: self.init(.newerVersion, .askForHelp, error)
        case .noTLS: self.init(.unsafeConnection, .correct, error)
        case .notFound, .asksPerson, .unknownName, .keyLost:
            self.init(.identityUnusable, .askForHelp, error)
        }
    }

    private init(_ error: SessionFailure) {
        switch error {
        case .locked: self.init(.appLocked, .unlock, error)
        case .signedOut: self.init(.signedOut, .signIn, error)
        case .reloginNeeded(let reason):
            self.init(.signInNeeded, .signIn, isSecurityEvent: reason == .identityMismatch, error)
        case .sessionChanged: self.init(.busy, .retry(after: 0), error)
        case .unavailable(.trust, _): self.init(.certificateRefused, .askForHelp, isSecurityEvent: true, error)
        case .unavailable(.network, let seconds): self.init(.network, .retry(after: seconds), error)
        case .unavailable(.storage, let seconds): self.init(.storage, .retry(after: seconds), error)
        case .unavailable(_, let seconds): self.init(.server, .retry(after: seconds), error)
        case .store(let failure): self.init(failure)
        case .tooManyRefreshes: self.init(.server, .retry(after: 30), error)
        case .foreignOrigin: self.init(.foreignAddress, .none, isSecurityEvent: true, error)
        case .transport(let failure): self.init(failure)
        case .cancelled: self.init(.cancelled, .none, error)
        }
    }

    private init(_ error: SignInFailure) {
        switch error {
        case .discovery(let failure): self.init(failure)
        case .callback(.refused), .refused: self.init(.signInFailed, .signIn, error)
        case .callback(.alreadyUsed), .callback(.malformed), .callback(.codeMissing):
            self.init(.signInFailed, .signIn, error)
        // Nothing was judged: the keys, or the server, could not be asked.
        case .identity(.keysUnavailable), .unavailable(.network), .registration(.unavailable(.network)):
            self.init(.network, .retry(after: 0), error)
        case .identity(.keysUntrusted), .unavailable(.trust), .registration(.unavailable(.trust)):
            self.init(.certificateRefused, .askForHelp, isSecurityEvent: true, error)
        case .callback, .identity, .tokenType: self.init(.forged, .askForHelp, isSecurityEvent: true, error)
        case .otherUser: self.init(.otherUser, .signIn, error)
        case .store(let failure): self.init(failure)
        case .cancelled: self.init(.cancelled, .none, error)
        case .timeout, .browser, .listener, .redirectInUse: self.init(.signInFailed, .signIn, error)
        case .unusableClientSecret: self.init(.invalidInput, .correct, error)
        case .entropy: self.init(.storage, .retry(after: 0), error)
        default: self.init(.signInFailed, .askForHelp, error)
        }
    }

    private init(_ error: DiscoveryFailure) {
        switch error {
        case .unusableIssuer: self.init(.invalidInput, .correct, error)
        case .otherIssuer, .otherAuthority, .redirected: self.init(.forged, .askForHelp, isSecurityEvent: true, error)
        case .withoutTLS: self.init(.unsafeConnection, .askForHelp, error)
        case .otherServers: self.init(.consentNeeded, .approve, error)
        case .transport(let failure): self.init(failure)
        case .notFound, .notMetadata, .missing, .unusable: self.init(.server, .askForHelp, error)
        }
    }

    private init(_ error: TransportFailure) {
        switch error {
        case .refusedByATS, .tls: self.init(.unsafeConnection, .askForHelp, error)
        case .untrusted(let refusal) where refusal.isUnlisted: self.init(.managed, .askForHelp, error)
        case .untrusted(let refusal):
            let mayApprove = refusal.canBeApproved
            self.init(
                mayApprove ? .approvalNeeded : .certificateRefused, mayApprove ? .approve : .askForHelp,
                isSecurityEvent: true, error)
        case .credentialRefused: self.init(.foreignAddress, .none, isSecurityEvent: true, error)
        case .unusableRequest: self.init(.invalidInput, .correct, error)
        case .network, .timeout: self.init(.network, .retry(after: 0), error)
        case .managed: self.init(.managed, .askForHelp, error)
        case .cancelled: self.init(.cancelled, .none, error)
        case .bodyTooLarge: self.init(.tooLarge, .none, error)
        case .malformed, .redirects: self.init(.server, .askForHelp, error)
        case .receiver: self.init(.storage, .retry(after: 0), error)
        }
    }

    private init(_ error: ConnectRefusal) {
        switch error {
        case .withoutTLS: self.init(.unsafeConnection, .correct, error)
        case .address: self.init(.invalidInput, .correct, error)
        case .certificate: self.init(.certificateRefused, .askForHelp, isSecurityEvent: true, error)
        case .approvalNeeded: self.init(.approvalNeeded, .approve, error)
        case .strangers: self.init(.consentNeeded, .approve, error)
        case .weakerMethod: self.init(.weakerSignIn, .askForHelp, isSecurityEvent: true, error)
        case .nameTaken, .otherIssuer, .otherProfile: self.init(.nameTaken, .correct, error)
        case .onlyPassword: self.init(.signInFailed, .correct, error)
        case .withoutOpenID: self.init(.managed, .askForHelp, error)
        }
    }

    private init(_ error: AnswerUnreadable) {
        switch error {
        case .status(401): self.init(.signInNeeded, .signIn, error)
        case .status(403): self.init(.forbidden, .askForHelp, error)
        case .status(404), .status(410): self.init(.notFound, .none, error)
        case .status(429), .status(503): self.init(.server, .retry(after: 30), error)
        case .status, .content: self.init(.server, .retry(after: 0), error)
        case .request: self.init(.invalidInput, .correct, error)
        }
    }
}

extension CertificateRefusal {
    // An administrator's list leaves the server out: no connection was made, and there is no certificate to speak of.
    fileprivate var isUnlisted: Bool { failures == [.denied] && summary == nil }
}
