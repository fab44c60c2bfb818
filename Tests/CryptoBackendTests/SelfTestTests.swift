import PaviseCrypto
import Testing

/// Known answers at the start (ST1, Documentation/Controls/Integrity.md).
@Suite struct SelfTestTests {
    @Test func `ST1: every primitive gives its known answer`() {
        #expect(CryptoSelfTest.run() == nil)
        #expect(CryptoSelfTest.failure == nil)
    }

    @Test(arguments: CryptoSelfTest.Primitive.allCases)
    func `ST1: one that does not is named`(_ primitive: CryptoSelfTest.Primitive) {
        #expect(CryptoSelfTest.run(broken: primitive) == primitive)
    }
}
