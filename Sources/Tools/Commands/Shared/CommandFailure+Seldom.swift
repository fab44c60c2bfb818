internal import Pavise
internal import PaviseAppLock
internal import PaviseBuildCheck
internal import PaviseCrypto
internal import PaviseDevice
internal import PaviseJWT
internal import PaviseManaged
internal import PavisePrimitives
internal import PaviseSession
internal import PaviseStorage
internal import PaviseTransport
internal import SecurityFramework

/// Errors that are usually part of another one, and get a sentence of their own all the same: nobody can do anything
/// with the name of a type.
extension CommandFailure {
    /// Words and status; `nil` for an error that is not known here either.
    init?(seldom error: any Error) {
        if let failure = Self.ofFiles(error) ?? Self.ofConnections(error) ?? Self.ofKeys(error) ?? Self.described(error)
        {
            self = failure
            return
        }
        return nil
    }

    private static func ofFiles(_ error: any Error) -> CommandFailure? {
        switch error {
        case let failure as HomeBackupFailure: CommandFailure(.failed, failure.explanation)
        case FileLock.Failure.held(let owner):
            CommandFailure(
                .failed,
                "Another process works with the same files (\(Printable.text(owner))). Try again when it has ended."
            )
        case FileLock.Failure.system(let failure): CommandFailure(.failed, failure.description)
        case let failure as EntropyFailure:
            CommandFailure(
                .failed, "The kernel gave no random bytes (error \(failure.code)). Nothing was changed; try again.")
        case let problem as ValueProblem: CommandFailure(.usage, problem.sentence)
        case is ByteReader.Truncated:
            CommandFailure(.failed, "A file ends too early. Nothing was changed; put a backup back (“pavise restore”).")
        case JSONFailure.duplicateMember(let name):
            CommandFailure(.failed, "The JSON has two members “\(Printable.text(name))” in one object. Take one away.")
        case JSONFailure.malformed(let offset):
            CommandFailure(.failed, "This is no JSON from byte \(offset) on. Mend that place.")
        case is JSONFailure: CommandFailure(.failed, "The JSON is larger or deeper than any that is read.")
        default: nil
        }
    }

    private static func ofConnections(_ error: any Error) -> CommandFailure? {
        switch error {
        case let failed as RolledBack:
            unfinished(CommandFailure(describing: failed.reason))
        case let refusal as MethodRefusal: CommandFailure(refusal)
        case let failure as ServersFailure: CommandFailure(ConnectionFailure.servers(failure))
        case let problem as RegistrationProblem: CommandFailure(SignInFailure.registration(problem))
        case let problem as CallbackProblem: CommandFailure(SignInFailure.callback(problem))
        case let problem as IDTokenProblem: CommandFailure(SignInFailure.identity(problem))
        case let failure as BrowserFailure: CommandFailure(SignInFailure.browser(failure.reason))
        case let refusal as CertificateRefusal: CommandFailure(TransportFailure.untrusted(refusal))
        case let refusal as ATSRefusal: CommandFailure(TransportFailure.refusedByATS(refusal))
        case LoopbackListener.Failure.system(let failure): CommandFailure(SignInFailure.listener(failure))
        case LoopbackListener.Failure.timeout: CommandFailure(SignInFailure.timeout)
        case LoopbackListener.Failure.stopped: CommandFailure(SignInFailure.cancelled)
        case LoopbackListener.Failure.browser(let reason): CommandFailure(SignInFailure.browser(reason))
        case DPoPProofWriter.Failure.key(let failure): CommandFailure(describing: failure)
        case DPoPProofWriter.Failure.entropy(let failure): CommandFailure(describing: failure)
        case let damage as ConnectionFileDamage: files(damage.words)
        case let damage as DescriptorDamage: files(damage.words)
        case ConnectionProblem.damaged(let damage): files(damage.words)
        case ConnectionProblem.keychain(let failure): CommandFailure(describing: failure)
        case ConnectionProblem.otherProgram(let owner):
            CommandFailure(
                .refused,
                "The connection was made by \(owner.map { "“\(Printable.text($0))”" } ?? "another program"). Use it.",
                rule: "other-program")
        case ConnectionFileFailure.damaged(let damage): files(damage.words)
        case ConnectionFileFailure.keychain(let failure): CommandFailure(describing: failure)
        case ConnectionFileFailure.system(let failure): CommandFailure(.failed, failure.description)
        case ConnectionFileFailure.entropy(let failure): CommandFailure(describing: failure)
        case ConnectionFileFailure.busy: CommandFailure(ConnectionsFailure.busy)
        case ConnectionFileFailure.withoutKey, ConnectionFileFailure.unauthenticated:
            files("are not this program's, or of an older Pavise")
        case let failure as UserInfoFailure:
            CommandFailure(
                .failed, "The authority did not say who signed in (\(Printable.text("\(failure)"))). Try again later.")
        case let failure as SettingsFailure:
            CommandFailure(
                .failed, "The settings cannot be used (\(Printable.text("\(failure)"))). Set the value anew.")
        case let problem as RedirectAddress.Problem:
            CommandFailure(
                .usage, "The redirect address cannot be used (\(problem)). Write it like org.example.app:/callback.")
        case let problem as ClientCertificate.Problem: CommandFailure(problem)
        case let problem as LogoutTokenProblem:
            CommandFailure(
                .refused, "The logout token counts for nothing (\(problem)). No session ended.", rule: "logout-token")
        case is LockDemand:
            CommandFailure(.locked, "The app lock stands before it. “pavise lock status” says what it wants.")
        case let problem as PinSet.Problem:
            CommandFailure(
                .usage, "The pins cannot be used (\(Printable.text("\(problem)"))). Give a host, a pin and a spare one."
            )
        default: nil
        }
    }

    private static func unfinished(_ reason: CommandFailure) -> CommandFailure {
        CommandFailure(
            reason.status, "\(reason.message) Not all of it could be taken back; the next start goes on with that.",
            rule: reason.rule, facts: reason.facts)
    }

    private static func files(_ words: String) -> CommandFailure {
        CommandFailure(
            .failed,
            "The files of a connection cannot be used: \(words)\(words.hasSuffix(".") ? "" : ".") Nothing was changed; "
                + "“pavise connections” shows which one.")
    }

    private static func ofKeys(_ error: any Error) -> CommandFailure? {
        switch error {
        case is KeyFileFailure, is PKCS12Failure:
            CommandFailure(
                .failed,
                "The key file cannot be read (\(error)). Check its passphrase, and that it is a key file at all.")
        case is X509Failure, is DERFailure:
            CommandFailure(.failed, "The bytes are no certificate that can be read. Check the file.")
        case is JSONWebKeyProblem, is TokenProblem:
            CommandFailure(.failed, "The key or token cannot be used (\(Printable.text("\(error)"))). Ask who made it.")
        case is CryptoFailure:
            CommandFailure(
                .failed, "A cryptographic operation failed (\(Printable.text("\(error)"))). Nothing was changed.")
        case is TLSFailure:
            CommandFailure(
                .refused, "The TLS connection failed (\(Printable.text("\(error)"))). Nothing was sent.", rule: "tls")
        case let failure as TPMFailure:
            CommandFailure(
                .failed,
                "The TPM did not do it (\(failure.kind.rawValue)). “pavise device status” says what it is like.")
        case let failure as KeychainRepair.Failure: CommandFailure(.failed, failure.explanation)
        case let failure as StatusFailure:
            CommandFailure(
                .failed, "The keychain answered with \(failure.status). “pavise keychain list” says more.")
        case is MarkBridge.Failure, is PINKeyDerivationBridge.Failure:
            CommandFailure(
                .failed,
                "What the app lock keeps is unusable (\(Printable.text("\(error)"))). “pavise lock status” says more."
            )
        case let refusal as BiometricRefusal:
            CommandFailure(.locked, "Biometrics did not unlock it (\(Printable.text("\(refusal)"))). Type the PIN.")
        default: nil
        }
    }

    // Those that describe themselves, in sentences for a person.
    private static func described(_ error: any Error) -> CommandFailure? {
        switch error {
        case let problem as BuildPolicy.Problem: CommandFailure(.failed, problem.description)
        case let problem as ProgramProblem: CommandFailure(.failed, problem.description)
        case let problem as WebURL.Problem: CommandFailure(.usage, problem.description)
        case let failure as ManagedConfiguration.Failure: CommandFailure(.refused, failure.description, rule: "managed")
        case let failure as ATSReadingFailure: CommandFailure(.failed, failure.description)
        case let failure as TransparencyPolicy.ReadingFailure: CommandFailure(.failed, failure.description)
        case let failure as LogListFailure: CommandFailure(.failed, failure.description)
        case let failure as PropertyListFailure: CommandFailure(.failed, failure.description)
        case let problem as AppLockPolicy.Problem: CommandFailure(.usage, problem.description)
        case let problem as OrderRules.Problem: CommandFailure(.usage, problem.description)
        default: nil
        }
    }
}
