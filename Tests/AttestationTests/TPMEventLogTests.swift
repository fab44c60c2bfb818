import PaviseAttestation
import PaviseCrypto
import PavisePrimitives
import Testing

/// The log of firmware and boot loader, and what it is worth beside a quote (IN14).
@Suite struct TPMEventLogTests {
    private let one = [UInt8](repeating: 1, count: 32)
    private let two = [UInt8](repeating: 2, count: 32)

    private var honest: [UInt8] {
        EventLogPen.head() + EventLogPen.event(0, digest: one, content: [1, 2, 3])
            + EventLogPen.event(7, digest: two) + EventLogPen.event(0, digest: two)
    }

    @Test func `IN14: a log is replayed as the TPM extends`() throws {
        let log = try TPMEventLog(honest)
        #expect(log.events.map(\.register) == [0, 7, 0] && log.events[0].size == 3)
        #expect(log.replayed() == [0: EventLogPen.extended([one, two]), 7: EventLogPen.extended([two])])
    }

    @Test func `IN14: what says nothing was done extends nothing, and the locality of the start counts`() throws {
        let locality = EventLogPen.event(
            0, type: 3, digest: [UInt8](repeating: 0, count: 32), content: Array("StartupLocality\0".utf8) + [3])
        let log = try TPMEventLog(EventLogPen.head() + locality + EventLogPen.event(0, digest: one))
        var start = [UInt8](repeating: 0, count: 32)
        start[31] = 3
        #expect(log.startLocality == 3 && log.replayed() == [0: EventLogPen.extended([one], from: start)])
    }

    @Test func `IN14: a log that does not lead to the quote is refused by the register's number`() throws {
        let pen = try TPMPen()
        let key = try pen.key()
        func verify(_ log: [UInt8], zero: [UInt8], seven: [UInt8]) throws -> TPMQuoteReport {
            let evidence = try pen.evidence {
                $0.values[0] = zero
                $0.values[7] = seven
                $0.eventLog = log
            }
            return try pen.verifier.verify(
                evidence, nonce: TPMPen.nonce, by: key, TPMRegisterPolicy(needsEventLog: true))
        }
        let zero = EventLogPen.extended([one, two])
        let seven = EventLogPen.extended([two])
        let report = try verify(honest, zero: zero, seven: seven)
        #expect(report.explained == [0, 7] && report.eventCount == 3)
        #expect(throws: TPMAttestationFailure.eventLog(register: 7)) { try verify(honest, zero: zero, seven: zero) }
        #expect(throws: TPMAttestationFailure.eventLog(register: 0)) {
            try verify(honest + EventLogPen.event(0, digest: one), zero: zero, seven: seven)
        }
        #expect(throws: TPMAttestationFailure.malformed) {
            try verify(Array(honest.dropLast()), zero: zero, seven: seven)
        }
    }

    @Test func `IN14: no log can be cut within an event`() {
        var ends = [EventLogPen.head().count]
        for size in [3, 0, 0] { ends.append((ends.last ?? 0) + 12 + 2 + 20 + 2 + 32 + 4 + size) }
        for count in honest.indices where !ends.contains(count) {
            #expect(throws: TPMAttestationFailure.malformed, "\(count)") { try TPMEventLog(Array(honest[..<count])) }
        }
        #expect(ends.last == honest.count)
    }

    @Test func `IN14: other heads, digests twice or missing, registers that no TPM has are refused`() {
        let digest = one
        var twice = EventLogPen.event(0, digest: digest)
        twice.replaceSubrange(12..<14, with: EventLogPen.little(UInt16(0x000B)))
        let logs: [[UInt8]] = [
            [], Array(repeating: 0, count: 64), EventLogPen.head(signature: "Spec ID Event02\0"),
            EventLogPen.head(algorithms: []), EventLogPen.head(algorithms: [(0x0004, 20)]),
            EventLogPen.head(algorithms: [(0x000B, 32), (0x000B, 32)]), EventLogPen.head(algorithms: [(0x000B, 31)]),
            EventLogPen.head(algorithms: [(0x000B, 32), (0x0004, 0)]),
            EventLogPen.head() + EventLogPen.event(24, digest: digest), EventLogPen.head() + twice,
            [UInt8](repeating: 0, count: TPMEventLog.limit + 1),
        ]
        for log in logs { #expect(throws: TPMAttestationFailure.malformed) { try TPMEventLog(log) } }
        let start = EventLogPen.little(UInt32(0)) + EventLogPen.little(UInt32(8)) + EventLogPen.little(UInt32(1))
        let event = start + EventLogPen.little(UInt16(0x000B)) + digest + EventLogPen.little(UInt32(0))
        let many = EventLogPen.head(algorithms: [(0x000B, 32)]) + [[UInt8]](repeating: event, count: 16_385).joined()
        #expect(throws: TPMAttestationFailure.malformed) { try TPMEventLog(many) }
        #expect((try? TPMEventLog(Array(many.dropLast(50))))?.events.count == 16_384)
    }
}
