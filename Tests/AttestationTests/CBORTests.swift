import PaviseAttestation
import PavisePrimitives
import Testing

/// What a stranger may send in place of CBOR (IN14, Documentation/Controls/Integrity.md).
@Suite struct CBORTests {
    private func read(_ hex: String) -> CBORValue? { Hex.decode(hex).flatMap { try? CBORValue($0) } }

    // RFC 8949, appendix A.
    @Test(
        arguments: [
            ("00", .unsigned(0)), ("17", .unsigned(23)), ("1818", .unsigned(24)), ("1903e8", .unsigned(1000)),
            ("1bffffffffffffffff", .unsigned(.max)), ("20", .negative(0)), ("3903e7", .negative(999)),
            ("4401020304", .bytes([1, 2, 3, 4])), ("6449455446", .text("IETF")), ("f4", .bool(false)),
            ("f5", .bool(true)), ("f6", .null), ("83010203", .array([.unsigned(1), .unsigned(2), .unsigned(3)])),
            ("a26161016162820203", .map(["a": .unsigned(1), "b": .array([.unsigned(2), .unsigned(3)])])),
        ] as [(String, CBORValue)])
    func `the examples of RFC 8949 are read`(_ hex: String, _ value: CBORValue) { #expect(read(hex) == value) }

    @Test(
        arguments: [
            "", "18", "19ff", "1c", "1f", "5f4101ff", "7f6161ff", "9f01ff", "bf616101ff", "c000", "f0", "f7", "f90000",
            "fb3ff199999999999a", "44010203", "61ff", "82", "8201", "a1", "a16161", "a10101", "a2616101616102", "0000",
            "9b7fffffffffffffff", "5b7fffffffffffffff", "bb7fffffffffffffff", "ff",
            String(repeating: "81", count: 9) + "00", String(repeating: "81", count: 20_000) + "00",
            "9a00000401" + String(repeating: "00", count: 1025),
        ])
    func `everything else is refused: other kinds, cut, twice, too deep, too many`(_ hex: String) {
        #expect(read(hex) == nil)
    }

    @Test func `more than 65,536 bytes are not looked at`() {
        #expect((try? CBORValue([0x5A, 0, 0, 0xFF, 0xFB] + [UInt8](repeating: 0, count: 65_531))) != nil)
        #expect((try? CBORValue([0x5A, 0, 0, 0xFF, 0xFC] + [UInt8](repeating: 0, count: 65_532))) == nil)
    }
}
