internal import PavisePrimitives
internal import SecurityFramework

/// What firmware and boot loader say they measured: the crypto-agile log of the TCG's PC Client Platform Firmware
/// Profile, §10. Only the registers of a quote say whether it is true.
package struct TPMEventLog: Hashable, Sendable {
    /// One measurement.
    package struct Event: Hashable, Sendable {
        package let register: Int
        package let type: UInt32
        /// The SHA-256 digest that was extended.
        package let digest: [UInt8]
        /// The size of what the digest is said to be of, or to describe.
        package let size: Int
    }

    /// All that were extended into the SHA-256 bank, in their order.
    package let events: [Event]
    /// The locality of the start-up (§10.4.5.3), with which register 0 begins; 0 unless the log says otherwise.
    package let startLocality: UInt8

    /// The largest log that is read, in bytes.
    package static let limit = 1 << 20
    private static let mostEvents = 16_384
    private static let noAction: UInt32 = 3

    /// Reads a whole log.
    package init(_ bytes: [UInt8]) throws(TPMAttestationFailure) {
        guard bytes.count <= Self.limit else { throw .malformed }
        var log = Reader(reader: ByteReader(bytes))
        let sizes = try log.head()
        var events: [Event] = []
        var locality: UInt8 = 0
        while !log.reader.isAtEnd {
            guard events.count < Self.mostEvents else { throw .malformed }
            let (event, content) = try log.event(sizes)
            // Nothing is extended for these (§10.4.1).
            guard event.type == Self.noAction else {
                events.append(event)
                continue
            }
            if event.register == 0, content.count == 17, content.starts(with: Array("StartupLocality\0".utf8)) {
                locality = content[16]
            }
        }
        self.events = events
        startLocality = locality
    }

    /// The registers that the log speaks of, by its own word. Registers 17 to 22 begin otherwise and are left out.
    package func replayed() -> [Int: [UInt8]] {
        var registers: [Int: [UInt8]] = [:]
        for event in events where !(17...22).contains(event.register) {
            var start = [UInt8](repeating: 0, count: 32)
            if event.register == 0 { start[31] = startLocality }
            registers[event.register] = MessageDigest.of(
                (registers[event.register] ?? start) + event.digest, .sha256)
        }
        return registers
    }

    // Little-endian, as the firmware of such machines writes.
    private struct Reader {
        var reader: ByteReader

        mutating func number<Value: FixedWidthInteger>(_: Value.Type) throws(TPMAttestationFailure) -> Value {
            do throws(ByteReader.Truncated) { return try reader.integer(Value.self).byteSwapped } catch {
                throw .malformed
            }
        }

        mutating func bytes(_ count: Int) throws(TPMAttestationFailure) -> [UInt8] {
            do throws(ByteReader.Truncated) { return try reader.read(count) } catch { throw .malformed }
        }

        /// The first event, in the old form: it says which digests follow (TCG_EfiSpecIdEvent, §10.4.5.1).
        mutating func head() throws(TPMAttestationFailure) -> [UInt16: Int] {
            guard try number(UInt32.self) == 0, try number(UInt32.self) == TPMEventLog.noAction else {
                throw .malformed
            }
            _ = try bytes(20)
            let size = Int(try number(UInt32.self))
            var inner = Reader(reader: ByteReader(try bytes(size)))
            guard try inner.bytes(16) == Array("Spec ID Event03\0".utf8) else { throw .malformed }
            _ = try inner.bytes(8)
            let count = try inner.number(UInt32.self)
            guard (1...8).contains(count) else { throw .malformed }
            var sizes: [UInt16: Int] = [:]
            for _ in 0..<count {
                let algorithm = try inner.number(UInt16.self)
                let size = Int(try inner.number(UInt16.self))
                guard (1...64).contains(size), sizes.updateValue(size, forKey: algorithm) == nil else {
                    throw .malformed
                }
            }
            let vendor = Int(try inner.number(UInt8.self))
            _ = try inner.bytes(vendor)
            guard inner.reader.isAtEnd, sizes[TPMAlgorithm.sha256] == 32 else { throw .malformed }
            return sizes
        }

        /// TCG_PCR_EVENT2 (§10.2.2): each digest that the head names, once.
        mutating func event(_ sizes: [UInt16: Int]) throws(TPMAttestationFailure) -> (Event, content: [UInt8]) {
            let register = try number(UInt32.self)
            let type = try number(UInt32.self)
            guard register < 24, Int(try number(UInt32.self)) == sizes.count else { throw .malformed }
            var digests: [UInt16: [UInt8]] = [:]
            for _ in 0..<sizes.count {
                let algorithm = try number(UInt16.self)
                guard let size = sizes[algorithm], digests.updateValue(try bytes(size), forKey: algorithm) == nil
                else { throw .malformed }
            }
            guard let digest = digests[TPMAlgorithm.sha256] else { throw .malformed }
            let content = try bytes(Int(try number(UInt32.self)))
            return (
                Event(register: Int(register), type: type, digest: digest, size: content.count), content
            )
        }
    }
}
