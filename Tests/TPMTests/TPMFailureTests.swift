import TestSupport
import Testing

@testable import PaviseDevice

/// What codes mean, and which addresses are taken.
@Suite struct TPMFailureTests {
    @Test(arguments: [
        (0x98e as UInt32, TPMFailure.Kind.wrongAuthorization), (0x9a2, .wrongAuthorization), (0x921, .lockout),
        (0x12f, .authorizationBlocked), (0x126, .policy), (0x99d, .policy), (0x1df, .anotherTPM), (0x1e7, .point),
        (0x902, .memoryFull), (0x903, .memoryFull), (0x905, .memoryFull), (0x14b, .storageFull),
        (0x14c, .alreadyDefined),
        (0x18b, .unknownHandle), (0x918, .unknownHandle), (0x100, .notStarted), (0x101, .selfTest), (0x922, .busy),
        (0x920, .busy), (0x143, .unsupported), (0xb0143, .unsupported), (0xa000a, .absent), (0xa0008, .absent),
        (0x70007, .other), (0x1d5, .other), (0xffff_ffff, .other),
    ])
    func `each code has its meaning and an explanation`(_ code: UInt32, _ kind: TPMFailure.Kind) {
        let failure = TPMFailure(code: code)
        #expect(failure.kind == kind)
        #expect(failure.explanation.hasSuffix("."))
    }

    @Test func `what the calls in C had of a secret is overwritten`() {
        var bytes = [UInt8](repeating: 0xA5, count: 200)
        TPMContext.wipe(&bytes)
        #expect(bytes == [UInt8](repeating: 0, count: 200))
        bytes = []
        TPMContext.wipe(&bytes)
        #expect(bytes.isEmpty)
    }

    @Test(arguments: [
        "device:/dev/tpmrm0", "device:/dev/tpm0", "swtpm:host=127.0.0.1,port=2321", "mssim:", "swtpm", "tabrmd",
    ])
    func `an address names a known transport`(_ text: String) throws {
        #expect(try #require(TPMAddress(text)).isExclusive == !["device:/dev/tpmrm0", "tabrmd"].contains(text))
    }

    @Test(arguments: [
        "", ":", "cmd:sh -c id", "/tmp/evil.so:x", "libtss2-tcti-device.so", "pcap:device", "Device:/dev/tpmrm0",
        "swtpm:host=a b",
        "swtpm:\u{0}", "device:/dev/tpm\u{e9}", "device:" + String(repeating: "x", count: 250),
    ])
    func `anything else is no address`(_ text: String) { #expect(TPMAddress(text) == nil) }

    @Test func `the element's file is read whole or not at all`() {
        var state = TPMState(
            vendor: 1, counter: 2, counterValue: [UInt8](repeating: 3, count: 16), epoch: 4, primary: [5],
            sealed: TPMObject(area: [6], hidden: [7]))
        state.guards = [8, 9]
        state.leftOver = [10]
        state.nonce = [UInt8](repeating: 11, count: 12)
        state.table = [12]
        let bytes = state.encoded
        #expect(TPMState(bytes) == state)
        for count in 0..<bytes.count { #expect(TPMState(Array(bytes.prefix(count))) == nil) }
        #expect(TPMState(bytes + [0]) == nil)
        for index in bytes.indices {
            for bit in 0..<8 {
                var changed = bytes
                changed[index] ^= 1 << UInt8(bit)
                if let read = TPMState(changed) { #expect(read.encoded == changed) }
            }
        }
    }
}
