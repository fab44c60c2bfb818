package import PaviseDevice
package import PavisePrimitives

/// Gets from a person, or from the program's context, what a call needs.
package protocol AccessEvaluator: Sendable {
    /// A proof that the person is there.
    func presence(
        of home: PaviseHome, reason: String, context: (any AuthenticationContext)?
    ) throws(DeviceFailure) -> PresenceKey
    /// The application's own password.
    func password(reason: String) throws(DeviceFailure) -> SharedSecretBytes
}

/// Asks the way the process can; see ``SystemAsker``.
package struct SystemEvaluator: AccessEvaluator {
    private let asker: any PasscodeAsker

    /// Asks through `asker`.
    package init(_ asker: any PasscodeAsker = SystemAsker()) { self.asker = asker }

    /// See ``AccessEvaluator/presence(of:reason:context:)``.
    package func presence(
        of home: PaviseHome, reason: String, context: (any AuthenticationContext)?
    ) throws(DeviceFailure) -> PresenceKey {
        let device = try Device.of(home)
        if let context { return try context.presence(of: device, reason: reason) }
        return try device.askPresence(asker, reason: reason)
    }

    /// See ``AccessEvaluator/password(reason:)``.
    package func password(reason: String) throws(DeviceFailure) -> SharedSecretBytes {
        SharedSecretBytes(try asker.ask(PasscodeQuestion(reason: reason, label: "Password")))
    }
}
