package import PavisePrimitives
package import SecurityFramework

/// Turns a PIN into the key that unwraps the lock's key, with the secure element's help. A test counts its uses.
package protocol PINKeyDerivation: Sendable {
    /// Makes what belongs to a new PIN.
    ///
    /// - Returns: The bytes to store, and the key of 32 bytes that the PIN gives from now on.
    func make(
        _ pin: borrowing SecretBytes, label: [UInt8]
    ) throws(PINKeyDerivationBridge.Failure) -> (record: [UInt8], key: SharedSecretBytes)

    /// The key that a PIN gives: another one for a wrong PIN, unless the element refuses it.
    func key(
        _ pin: borrowing SecretBytes, record: [UInt8], label: [UInt8]
    ) throws(PINKeyDerivationBridge.Failure) -> SharedSecretBytes

    /// Destroys what the element keeps of a PIN. Twice is fine.
    func destroy(_ record: [UInt8]) throws(PINKeyDerivationBridge.Failure)
}

/// The platform's stretching and its secure element.
package struct PlatformPINKeyDerivation: PINKeyDerivation {
    /// What a guess has to take at least, in milliseconds of this machine's processor (app-lock AL3).
    package static let leastMilliseconds = 250.0
    /// What the cost is chosen for when it is measured. It is higher than ``leastMilliseconds``, because a measurement
    /// is only right within a quarter, and a processor that virtual machines share can be much faster an hour later
    /// (Documentation/Benchmarks.md).
    package static let wantedMilliseconds = 480.0

    private let price: PINKeyDerivationBridge.KDFCost?

    /// A guard.
    ///
    /// - Parameter price: The price of a guess; `nil` measures what takes ``leastMilliseconds`` here. A test's is
    ///   small.
    package init(price: PINKeyDerivationBridge.KDFCost? = nil) { self.price = price }

    /// See ``PINKeyDerivation/make(_:label:)``.
    package func make(
        _ pin: borrowing SecretBytes, label: [UInt8]
    ) throws(PINKeyDerivationBridge.Failure) -> (record: [UInt8], key: SharedSecretBytes) {
        let price = price ?? PINKeyDerivationBridge.price(milliseconds: Self.wantedMilliseconds)
        return try pin.withBytes { pin throws(PINKeyDerivationBridge.Failure) in
            try PINKeyDerivationBridge.make(pin, price: price, label: label)
        }
    }

    /// See ``PINKeyDerivation/key(_:record:label:)``.
    package func key(
        _ pin: borrowing SecretBytes, record: [UInt8], label: [UInt8]
    ) throws(PINKeyDerivationBridge.Failure) -> SharedSecretBytes {
        try pin.withBytes { pin throws(PINKeyDerivationBridge.Failure) in
            SharedSecretBytes(try PINKeyDerivationBridge.key(pin, record: record, label: label))
        }
    }

    /// See ``PINKeyDerivation/destroy(_:)``.
    package func destroy(_ record: [UInt8]) throws(PINKeyDerivationBridge.Failure) {
        try PINKeyDerivationBridge.destroy(record)
    }
}
