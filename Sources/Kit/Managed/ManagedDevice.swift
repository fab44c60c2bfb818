/// What an administrator says about the device: the section `device`. The rule takes effect where a device is made or
/// opened, in every program and under every home.
///
/// ```json
/// { "device": { "hardware": "required" } }
/// ```
public struct ManagedDevice: Hashable, Sendable {
    /// Whether a TPM 2.0 has to protect the keys of a home. A home without one is neither made nor opened then.
    public var requiresHardware: Bool

    /// Whether findings about the device close or end every app, as in a release for people, whatever the app says.
    public var enforcesIntegrity: Bool

    /// No rule, or what is given.
    public init(requiresHardware: Bool = false, enforcesIntegrity: Bool = false) {
        self.requiresHardware = requiresHardware
        self.enforcesIntegrity = enforcesIntegrity
    }
}
