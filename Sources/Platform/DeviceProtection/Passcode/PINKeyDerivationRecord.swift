package import PavisePrimitives

/// What is kept of a short code that is no passcode of the device, for example an app's PIN: how it is stretched, and
/// the element's guard. The same construction as for the passcode; one guess costs one stretching and one use of the
/// element.
package struct PINKeyDerivationRecord: Hashable, Sendable {
    private let record: PasscodeRecord

    /// The price of one guess.
    package var cost: Argon2Cost { record.cost }

    /// Makes the record of a new code and the key of 32 bytes that both give.
    ///
    /// - Parameter label: Binds the key to its use; the same bytes are needed to open.
    package static func make(
        _ code: Span<UInt8>, cost: Argon2Cost, label: [UInt8], with element: any SecureElement
    ) throws(DeviceFailure) -> (code: PINKeyDerivationRecord, key: SharedSecretBytes) {
        let (record, key) = try PasscodeRecord.make(
            code, cost: cost, policy: ThrottlePolicy(), identity: label, with: element)
        return (PINKeyDerivationRecord(record: record), SharedSecretBytes(key.bytes.duplicate()))
    }

    /// The key that a code gives; a wrong one gives another key, or is refused by an element that judges by itself.
    package func key(
        _ code: Span<UInt8>, label: [UInt8], with element: any SecureElement
    ) throws(DeviceFailure) -> SecretBytes {
        try record.key(code, identity: label, with: element).bytes.duplicate()
    }

    /// Destroys the element's guard: the code opens nothing any more. Twice is fine.
    package func destroy(with element: any SecureElement) throws(DeviceFailure) {
        try element.destroyGuard(record.guardBlob)
    }

    /// The bytes to store. They hold no secret, and nothing that a code could be compared with.
    package var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.raw([1])
        writer.integer(record.cost.kibibytes)
        writer.integer(record.cost.passes)
        writer.block(record.salt)
        writer.block(record.guardBlob)
        return writer.bytes
    }

    /// Reads what ``encoded`` gave; `nil` for anything else.
    package init?(_ bytes: [UInt8]) {
        var reader = ByteReader(bytes)
        do throws(ByteReader.Truncated) {
            guard try reader.integer(UInt8.self) == 1 else { return nil }
            let cost = Argon2Cost(kibibytes: try reader.integer(), passes: try reader.integer())
            let salt = try reader.block(limit: 16)
            let blob = try reader.block(limit: longestGuard)
            guard reader.isAtEnd, cost.isSensible, salt.count == 16 else { return nil }
            record = PasscodeRecord(salt: salt, cost: cost, guardBlob: blob, policy: ThrottlePolicy())
        } catch {
            return nil
        }
    }

    private init(record: PasscodeRecord) { self.record = record }
}
