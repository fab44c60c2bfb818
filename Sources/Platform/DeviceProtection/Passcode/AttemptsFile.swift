internal import PaviseCrypto
internal import PavisePrimitives

/// The durable record of wrong passcodes, authenticated by the element. Whoever changes it gets the longest delay.
///
/// An old copy that is put back is not noticed: only a counter in hardware is safe against that.
struct AttemptsFile: Sendable {
    let path: String
    private let purpose: String
    private let element: any SecureElement

    init(_ folder: String, identity: [UInt8], element: any SecureElement) {
        path = folder + "/attempts"
        purpose = "attempts of " + Hex.encode(identity)
        self.element = element
    }

    /// The record; when it is missing or altered, what the policy says of a lost one.
    ///
    /// - Parameter storesLost: Whether that is stored at once, so that its delay begins. Only ``Device/alone(_:)``.
    func read(
        _ policy: ThrottlePolicy, at now: ClockReading, storesLost: Bool = true
    ) throws(DeviceFailure) -> Attempts {
        let stored: [UInt8]?
        do throws(SystemFailure) {
            stored = try DurableFile.readIfPresent(path, limit: 512, isSecret: true)
        } catch {
            // One that is longer than any record was altered.
            guard error.isTooLarge else { throw .system(error) }
            stored = nil
        }
        if let stored, stored.count > 32, let attempts = Attempts(Array(stored.dropLast(32))) {
            let expected = try tag(of: Array(stored.dropLast(32)))
            let found = Array(stored.suffix(32))
            if ConstantTime.equal(expected.span, found.span) { return attempts }
        }
        let lost = Attempts.unknown(policy, at: now)
        if storesLost { try write(lost) }
        return lost
    }

    /// Stores the record; when this returns, it is on the disk.
    func write(_ attempts: Attempts) throws(DeviceFailure) {
        let body = attempts.encoded
        let bytes = try body + tag(of: body)
        try DeviceFailure.reporting { try DurableFile.write(bytes.span, to: path) }
    }

    private func tag(of body: [UInt8]) throws(DeviceFailure) -> [UInt8] {
        try element.derivedKey(purpose: purpose).withBytes { HMAC.sha256(key: $0, body) }
    }
}
