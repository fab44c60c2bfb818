import PavisePrimitives
import Testing

@testable import PaviseTransport

@Suite struct DownloadDigestTests {
    private static let block = DownloadDigest.blockSize
    private static let bytes = (0..<(3 * block + 5)).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }

    // Made with Python's cryptography from the description of DownloadDigest, key 00 to 1f.
    @Test(arguments: [
        (1, "c02b97359cb9818b21e109f7ae8f1f60"), (block, "ae4f919cf6158217a10bcf14be6aefd6"),
        (block + 1, "1515dc4074aa1cff75f0efe1ad704027"), (3 * block + 5, "e7d018259ab92232a9854215c4fe6a97"),
    ])
    func `a tag is the one that another maker's library gives`(_ count: Int, _ tag: String) {
        var digest = DownloadDigest(key: Array(0..<32))
        digest.add(Array(Self.bytes.prefix(count)))
        #expect(digest.count == count && digest.value.map { Hex.encode($0) } == tag)
    }

    @Test func `the tag is the same however the bytes came, and asking for it changes nothing`() {
        var whole = DownloadDigest(key: Array(0..<32))
        whole.add(Self.bytes)
        var pieces = DownloadDigest(key: Array(0..<32))
        var rest = Self.bytes[...]
        for size in [1, 0, Self.block - 1, Self.block, 7, Self.block] {
            pieces.add(Array(rest.prefix(size)))
            _ = pieces.value
            rest = rest.dropFirst(size)
        }
        pieces.add(Array(rest))
        #expect(pieces.value == whole.value && pieces.count == whole.count)
    }

    @Test func `each beginning has a key of its own, and without a key nothing is vouched for`() {
        #expect(DownloadDigest().key != DownloadDigest().key && DownloadDigest().value != nil)
        var none = DownloadDigest(key: [])
        none.add(Self.bytes)
        #expect(none.value == nil && none.count == Self.bytes.count)
    }
}
