internal import PaviseDevice
package import PavisePrimitives

/// Short codes (an app's PIN) entangled with the secure element, and keys wrapped by what comes out, for the Kit.
package enum PINKeyDerivationBridge {
    /// Why a code gave no key.
    package enum Failure: Error, Hashable, Sendable {
        /// The code is wrong.
        case wrong
        /// The element refuses further tries for good, also for the right code.
        case blocked
        /// The element does not know what belongs to the code: destroyed, altered, or of another device.
        case lost
        /// The stored bytes are not what was stored.
        case damaged
        /// The element or the library refused; in words, without secrets.
        case unavailable(String)
    }

    /// The price of one guess, in the terms of this platform's stretching: KiB of memory and passes of Argon2id (RFC
    /// 9106).
    package struct KDFCost: Hashable, Sendable {
        /// Memory in KiB.
        package let kibibytes: UInt32
        /// Passes over the memory.
        package let passes: UInt32

        /// A price of the caller's choice; a test's is small.
        package init(kibibytes: UInt32, passes: UInt32) {
            self.kibibytes = kibibytes
            self.passes = passes
        }

        /// For a status, for example `Argon2id, 64 MiB, 4 passes`.
        package var words: String { "Argon2id, \(kibibytes / 1024) MiB, \(passes) passes" }

        var cost: Argon2Cost { Argon2Cost(kibibytes: kibibytes, passes: passes) }

        init(_ cost: Argon2Cost) { self.init(kibibytes: cost.kibibytes, passes: cost.passes) }
    }

    /// The price that takes this many milliseconds of this machine's processor, within a quarter. Blocks about ten
    /// times as long.
    package static func price(milliseconds: Double) -> KDFCost { KDFCost(.calibrated(to: milliseconds)) }

    /// Makes the record of a new code, at most 4,096 bytes, and the key of 32 bytes that it gives.
    ///
    /// Blocks for twice the price.
    /// - Parameter label: Binds the key to its use.
    package static func make(
        _ code: Span<UInt8>, price: KDFCost, label: [UInt8]
    ) throws(Failure) -> (record: [UInt8], key: SharedSecretBytes) {
        do throws(DeviceFailure) {
            let (made, key) = try PINKeyDerivationRecord.make(
                code, cost: price.cost, label: label, with: Device.current().element)
            return (made.encoded, key)
        } catch {
            throw Failure(error)
        }
    }

    /// The key that a code gives. A wrong one gives another key, unless the element judges by itself.
    ///
    /// Blocks for the price of a guess and one use of the element.
    package static func key(_ code: Span<UInt8>, record: [UInt8], label: [UInt8]) throws(Failure) -> SecretBytes {
        guard let known = PINKeyDerivationRecord(record) else { throw .damaged }
        do throws(DeviceFailure) {
            return try known.key(code, label: label, with: Device.current().element)
        } catch {
            throw Failure(error)
        }
    }

    /// Destroys what the element keeps of a code: it opens nothing any more. Twice is fine.
    package static func destroy(_ record: [UInt8]) throws(Failure) {
        guard let known = PINKeyDerivationRecord(record) else { return }
        do throws(DeviceFailure) { try known.destroy(with: Device.current().element) } catch {
            guard error != .unknownKey else { return }
            throw Failure(error)
        }
    }

    /// The price that was paid for a record; `nil` for bytes that are none.
    package static func price(of record: [UInt8]) -> KDFCost? {
        PINKeyDerivationRecord(record).map { KDFCost($0.cost) }
    }

    /// What keeps the element's root, in one sentence; `nil` when the element is not there. No device is made.
    package static var protection: String? { device?.status.meaning }

    /// Whether the element is hardware. No device is made.
    package static var isHardware: Bool { (device?.status.hardware ?? "none") != "none" }

    private static var device: Device? {
        guard (try? Device.exists(in: SecurityEnvironment.current.home)) == true else { return nil }
        return try? Device.current()
    }
}

extension PINKeyDerivationBridge.Failure {
    init(_ failure: DeviceFailure) {
        switch failure {
        case .wrongPasscode: self = .wrong
        case .passcodeBlocked: self = .blocked
        case .unknownKey: self = .lost
        case .damaged: self = .damaged
        default: self = .unavailable(failure.explanation)
        }
    }
}
