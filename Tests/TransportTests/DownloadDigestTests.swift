import PavisePrimitives
import Testing

@testable import PaviseTransport

@Suite struct DownloadDigestTests {
    private static let block = DownloadDigest.blockSize
    private static let bytes = (0..<(3 * block + 5)).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }

    // Made with Python's cryptography from the description of DownloadDigest, key 00 to 1f.
    @Test(arguments: [
        (1, "f55bddd50906ca45b1fe2f02a0fe11cd"), (block, "9c41620148943541bbd6576596016c5e"),
        (block + 1, "bd4cadd329f0550a87cdf6559f8278dd"), (3 * block + 5, "6737b9b3f8060833daf7f4b1a5fd9d4c"),
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
