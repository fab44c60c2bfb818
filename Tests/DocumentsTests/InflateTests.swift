import PavisePrimitives
import Testing

@testable import PaviseDocuments

/// DEFLATE as zlib 1.2.13 writes it.
enum InflateVectors {
    /// 2 MiB of zeros.
    static let zeros: [UInt8] = [
        (0xED, 1), (0xC1, 1), (0x31, 1), (0x01, 1), (0x00, 3), (0xC2, 1), (0xA0, 1), (0xF5, 1), (0x4F, 1), (0x6D, 1),
        (0x0C, 1), (0x1F, 1), (0xA0, 1), (0x00, 2032), (0xBE, 1), (0x06, 1),
    ].flatMap { Array(repeating: UInt8($0.0), count: $0.1) }

    /// "Pavise writes a document anew. ", forty times: fixed codes.
    static let fixed = "0b482ccb2c4e55282fca2c492d56485448c94f2ecd4dcd2b5148cc4b2dd7530818951e951e951e951e6ad200"
    /// 600 letters without a pattern: codes of their own.
    static let dynamic =
        "1d91c98145210804ef44416a088f4d44f23f7d67ce6243577d1c72fb96c9a53ad4e1824404547668bc2ff876efa403a2"
        + "2938672cf34eadeb7574c3e61ed1a97de9ae2cd5713200afd9bbe3e5cc376067dd0d36e7eeb309009b5c411962315353"
        + "7888ee64d5188d6cbc57280b8f85c4bc4b9cea5bda73c0a77de83dadfc6c2573a69ef80896b5ce2adb62c7ae54ce25ac"
        + "2435fcfe830a36bc3abcf853050b9cd888927e3f105c87ebfb508adf48ec04e99095447c64991f95565739050971510c"
        + "175162171633b684c1ddf172d37c7370337ae542c574146077f2e280d79772dffbc9208feadb9932afcb070bc1340fe8"
        + "f2f7ff404043bfaa1a970eadfd7d5f4495b25fd2c107c21f283f08e18b67eb9f9a84adcd32a55f1c5bb7768dc29ae739"
        + "f8e37ed64ab1bf6b72e0488617904d1379bceddf0393d10afb1eb1b2141282fc5e7c9ed98324dd8f4ee1435c06f4f43c"
        + "2df9dcd87e5e4e215f4ffa01"
    static let letters = 2_500_610_709 as UInt32
    /// 333 bytes in a block of short codes, a flush, and 40 bytes that do not get smaller.
    static let flushed =
        "8c8fb90d0000080267e5f61fc2d81a5428217c52033dc0510c09e32109457bfc31836cbb7173df6352645d050000ffff"
        + "0b2d970fbf31a3ba89a9786158ca6ed97a9bf331091a4b9d2b4275be6d35fcebbc56e984c759bfc4881300"
    static let flushedSum = 0x8264_4061 as UInt32
    /// "aa", with codes of one bit.
    static let short = "05c0210900000000a0adfe3f2104"
    /// The same, where the last repetition gives more lengths than there are codes.
    static let overlong = "05c0210900000000a0adfe3f6120"
    /// "stored", as it is.
    static let stored = "010600f9ff73746f726564"
}

@Suite struct InflateTests {
    private func unpacked(_ hex: String, limit: Int = 1 << 20) throws -> [UInt8]? {
        Inflate.unpack(try #require(Hex.decode(hex))[...], limit: limit)
    }

    @Test func `the three kinds of blocks are read`() throws {
        let text = Array(String(repeating: "Pavise writes a document anew. ", count: 40).utf8)
        #expect(try unpacked(InflateVectors.fixed) == text)
        #expect(try unpacked(InflateVectors.stored) == Array("stored".utf8))
        let letters = try #require(try unpacked(InflateVectors.dynamic))
        #expect(letters.count == 600)
        #expect(Checksum.of(letters) == InflateVectors.letters)
        #expect(Inflate.unpack(InflateVectors.zeros[...], limit: 2 << 20)?.count == 2 << 20)
    }

    @Test func `a stored block begins at the next byte, however far the codes before it were read ahead`() throws {
        let bytes = try #require(try unpacked(InflateVectors.flushed))
        #expect(bytes.count == 373)
        #expect(Checksum.of(bytes) == InflateVectors.flushedSum)
    }

    // RFC 1951 §3.2.7; zlib says “invalid bit length repeat”.
    @Test func `a repetition beyond the last code is refused`() throws {
        #expect(try unpacked(InflateVectors.short) == Array("aa".utf8))
        #expect(try unpacked(InflateVectors.overlong) == nil)
    }

    @Test func `a limit holds to the byte`() throws {
        #expect(try unpacked(InflateVectors.fixed, limit: 1239) == nil)
        #expect(try unpacked(InflateVectors.stored, limit: 5) == nil)
        #expect(Inflate.unpack(InflateVectors.zeros[...], limit: 2 << 20 - 1) == nil)
    }

    @Test func `what is cut or changed ends, and never with more than the limit`() throws {
        let whole = try #require(Hex.decode(InflateVectors.dynamic))
        for count in whole.indices { #expect(Inflate.unpack(whole[..<count], limit: 1000) == nil) }
        for place in whole.indices {
            for bit in 0..<8 {
                var bytes = whole
                bytes[place] ^= 1 << bit
                if let found = Inflate.unpack(bytes[...], limit: 1000) { #expect(found.count <= 1000) }
            }
        }
    }
}
