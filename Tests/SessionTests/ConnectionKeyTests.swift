import PavisePrimitives
import PaviseVault
import Testing

@testable import PaviseStorage

/// The item of a connection's key, byte for byte: what is written today opens for good.
@Suite struct ConnectionKeyTests {
    private static let secret = [UInt8](0..<32)

    // Form, flags, then how often each file was written, eight bytes each, and the key.
    private static func item(_ form: UInt8, _ flags: UInt8) -> [UInt8] {
        [form, flags, 0, 0, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 0, 0, 0, 3] + secret
    }

    private static let kept: [(item: [UInt8], phase: ConnectionKey.Phase, isAdopted: Bool)] = [
        (item(1, 0), .made, false), (item(1, 1), .made, true), (item(2, 2), .making, false),
        (item(2, 4), .signingIn, false),
    ]

    @Test(arguments: kept.indices) func `what is kept of a connection's key opens, and is written the same`(
        _ index: Int
    ) throws {
        let (item, phase, isAdopted) = Self.kept[index]
        let key = try item.withSpan { bytes throws(VaultFailure) in
            try ConnectionKey(decoding: SecretBytes(copying: bytes))
        }
        #expect(key.phase == phase && key.isAdopted == isAdopted)
        #expect(key[.description] == 0x102 && key[.servers] == 3)
        let written = key.encoded().withBytes { bytes in bytes.indices.map { bytes[$0] } }
        #expect(written == item)
    }

    @Test(arguments: [item(1, 2), item(2, 0), item(2, 6), item(0, 0), [UInt8](item(1, 0).dropLast()), item(1, 0) + [0]])
    func `an item that no Pavise writes is damaged, and no guess`(_ item: [UInt8]) {
        #expect(throws: VaultFailure.corrupt(.content)) {
            try item.withSpan { bytes throws(VaultFailure) in
                _ = try ConnectionKey(decoding: SecretBytes(copying: bytes))
            }
        }
    }

    @Test func `an item of a later form is newer, and not damaged`() {
        #expect(throws: VaultFailure.newer) {
            try Self.item(3, 0).withSpan { bytes throws(VaultFailure) in
                _ = try ConnectionKey(decoding: SecretBytes(copying: bytes))
            }
        }
    }
}
