package import PavisePrimitives

/// Short codes (an app's PIN) entangled with the Secure Enclave, for the Kit: see `PINKeyDerivationBridge+Key.swift`.
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

    /// The price of one guess: rounds of PBKDF2 with HMAC-SHA-256 (SP 800-132). Apple's systems bring no Argon2id.
    package struct KDFCost: Hashable, Sendable {
        /// Rounds.
        package let rounds: UInt32

        /// A price of the caller's choice.
        package init(rounds: UInt32) { self.rounds = rounds }

        /// For a status.
        package var words: String { "PBKDF2-HMAC-SHA-256, \(rounds) rounds" }
    }

    /// What keeps the element's root, in one sentence.
    package static var protection: String? { "The Secure Enclave of this device." }

    /// Whether the element is hardware.
    package static var isHardware: Bool { true }

    /// What is stored of a code.
    struct Record {
        var rounds: UInt32
        var salt: [UInt8]
        var tag: [UInt8]
        var packet: [UInt8]

        init(rounds: UInt32, salt: [UInt8], tag: [UInt8], packet: [UInt8]) {
            self.rounds = rounds
            self.salt = salt
            self.tag = tag
            self.packet = packet
        }

        var encoded: [UInt8] {
            var writer = ByteWriter()
            writer.raw([2])
            writer.integer(rounds)
            for block in [salt, tag, packet] { writer.block(block) }
            return writer.bytes
        }

        init?(_ bytes: [UInt8]) {
            var reader = ByteReader(bytes)
            do throws(ByteReader.Truncated) {
                guard try reader.integer(UInt8.self) == 2 else { return nil }
                rounds = try reader.integer()
                salt = try reader.block(limit: 16)
                tag = try reader.block(limit: 64)
                packet = try reader.block(limit: 256)
            } catch {
                return nil
            }
            guard reader.isAtEnd, (1...50_000_000).contains(rounds), salt.count == 16, tag.count == 16 else {
                return nil
            }
        }
    }

    /// The price that was paid for a record; `nil` for bytes that are none.
    package static func price(of record: [UInt8]) -> KDFCost? { Record(record).map { KDFCost(rounds: $0.rounds) } }
}
