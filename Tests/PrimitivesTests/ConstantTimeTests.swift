import PavisePrimitives
import Testing

@Suite struct ConstantTimeTests {
    @Test("UC-82: every byte is looked at, wherever the first difference is", arguments: [0, 1, 16, 31, nil])
    func every(_ first: Int?) {
        var looked: [Int] = []
        let difference = ConstantTime.difference(count: 32) { index in
            looked.append(index)
            return index == first ? 0x80 : 0
        }
        #expect(looked == Array(0..<32))
        #expect((difference == 0) == (first == nil))
    }

    @Test(arguments: [("", "", true), ("a", "a", true), ("a", "b", false), ("ab", "a", false), ("é", "é", true)])
    func `equal texts are equal, and no others`(_ one: String, _ other: String, _ areEqual: Bool) {
        #expect(ConstantTime.equal(one, other) == areEqual)
    }

    @Test func `one bit anywhere is a difference`() {
        let one = [UInt8](repeating: 0x5a, count: 33)
        for bit in 0..<33 * 8 {
            var other = one
            other[bit / 8] ^= 1 << UInt8(bit % 8)
            let areEqual = ConstantTime.equal(one, other)
            #expect(!areEqual)
        }
        let isItself = ConstantTime.equal(one, one)
        #expect(isItself)
    }
}
