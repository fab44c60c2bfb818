#if !canImport(DeviceCheck)
/// There is no App Attest on Linux, and nothing is simulated.
enum PlatformAppAttest {
    static var service: (any AppAttestService)? { nil }
}
#endif
