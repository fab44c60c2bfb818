#if canImport(Darwin)
internal import PavisePrimitives
internal import SecurityFramework

/// The keychain's item. It forwards.
struct PlatformBiometricItem: BiometricItem {
    private let bridge = BiometricBridge(name: "app")

    func check() -> BiometricCheck {
        switch bridge.check() {
        case .usable(let enrolment, let lacksPurpose): .usable(enrolment: enrolment, lacksPurpose: lacksPurpose)
        case .refused(let code): .refused(code)
        }
    }
    func add(_ key: borrowing SecretBytes) -> Int32 { bridge.add(key) }
    func read(reason: String) -> (status: Int32, key: SharedSecretBytes?) { bridge.read(reason: reason) }
    func remove() -> Int32 { bridge.remove() }
    func mark() -> (status: Int32, mark: [UInt8]?) { bridge.mark() }
    func setMark(_ mark: [UInt8]?) -> Int32 { bridge.setMark(mark) }
}
#endif
