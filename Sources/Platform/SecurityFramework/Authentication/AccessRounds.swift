internal import Foundation
internal import PaviseDevice
internal import PavisePrimitives

/// Makes a call again after what it needs was shown: at most 20 times, then -25293.
enum AccessRounds {
    private static let most = 20

    static func run<Result>(_ environment: SecurityEnvironment, _ body: () throws -> Result) throws -> Result {
        var needed: AuthenticationNeeded
        do {
            return try body()
        } catch let first as AuthenticationNeeded {
            needed = first
        }
        let credentials = AccessCredentials()
        for _ in 0..<most {
            try show(needed, credentials, environment)
            do {
                return try AccessCredentials.$current.withValue(credentials) { try body() }
            } catch let again as AuthenticationNeeded {
                needed = again
            }
        }
        throw StatusFailure(errSecAuthFailed)
    }

    /// Gets one proof.
    ///
    /// - Throws: -25308 when nobody may be asked; -128 when the person stops; -25293 for a wrong passcode, none set, or
    ///   a context that was invalidated.
    static func show(
        _ needed: AuthenticationNeeded, _ credentials: AccessCredentials, _ environment: SecurityEnvironment
    ) throws {
        let interaction = needed.interaction
        let reason = interaction.prompt ?? "\(ProcessInfo.processInfo.processName) wants to use a protected item."
        switch needed.proof {
        case .presence:
            // A context that was evaluated before answers without asking.
            guard interaction.mayAsk || interaction.context != nil else {
                throw StatusFailure(errSecInteractionNotAllowed)
            }
            let context = interaction.context.map { ContextInCall($0, mayInteract: interaction.mayAsk) }
            credentials.show(
                try environment.evaluator.presence(of: environment.home, reason: reason, context: context))
        case .password, .newPassword:
            // The password of a context that was ended is wiped. That is no reason to ask for it.
            guard interaction.context?.isInvalid != true else { throw DeviceFailure.contextInvalid }
            if let password = interaction.context?.applicationPassword {
                return credentials.show(password, for: needed.proof)
            }
            guard interaction.mayAsk else { throw StatusFailure(errSecInteractionNotAllowed) }
            credentials.show(try environment.evaluator.password(reason: reason), for: needed.proof)
        }
    }
}
