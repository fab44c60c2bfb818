#if os(Linux)
internal import PavisePrimitives

/// Linux has no path from a fingerprint reader to a key (AL12).
struct PlatformBiometricItem: BiometricItem {
    private static let notFound: Int32 = -25_300
    private static let unavailable: Int32 = -25_291

    func check() -> BiometricCheck { .absent("Biometrics are not available on this platform. Use the PIN.") }
    func add(_ key: borrowing SecretBytes) -> Int32 { Self.unavailable }
    func read(reason: String) -> (status: Int32, key: SharedSecretBytes?) { (Self.unavailable, nil) }
    func remove() -> Int32 { Self.notFound }
    func mark() -> (status: Int32, mark: [UInt8]?) { (Self.notFound, nil) }
    func setMark(_ mark: [UInt8]?) -> Int32 { Self.notFound }
}
#endif
