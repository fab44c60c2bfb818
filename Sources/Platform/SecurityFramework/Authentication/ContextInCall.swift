internal import PaviseDevice
internal import PavisePrimitives

/// A context as one call may use it.
final class ContextInCall: AuthenticationContext {
    private let context: any AuthenticationContext
    let mayInteract: Bool

    init(_ context: any AuthenticationContext, mayInteract: Bool) {
        self.context = context
        self.mayInteract = mayInteract
    }

    func presence(of device: Device, reason: String?) throws(DeviceFailure) -> PresenceKey {
        try context.presence(of: device, reason: mayInteract ? reason : nil)
    }
    var isInvalid: Bool { context.isInvalid }
    var applicationPassword: SharedSecretBytes? { context.applicationPassword }
}
