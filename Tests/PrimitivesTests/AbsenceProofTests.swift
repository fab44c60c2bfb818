import PavisePrimitives
import Testing

/// What "not found" is worth (AP-FD6).
@Suite struct AbsenceProofTests {
    private func status(_ first: Int32, looks: [Int32], make: Int32? = nil) -> Int32 {
        var looks = looks
        return AbsenceProof.status(first) {
            looks.isEmpty ? -1 : looks.removeFirst()
        } make: {
            guard let make else {
                Issue.record("nothing was to be made")
                return -1
            }
            return make
        }
    }

    @Test(arguments: [0, -25_308, -25_291, -34_018] as [Int32])
    func `every other answer is taken as it is, and nothing is looked up`(_ answer: Int32) {
        #expect(status(answer, looks: []) == answer)
    }

    @Test func `with the item seen that is there for sure, "not found" is true`() {
        #expect(status(-25_300, looks: [0]) == -25_300)
    }

    @Test func `the first time the item is made, and then seen`() {
        #expect(status(-25_300, looks: [-25_300, 0], make: 0) == -25_300)
        // Another program made it in between.
        #expect(status(-25_300, looks: [-25_300, 0], make: -25_299) == -25_300)
    }

    @Test func `an item that cannot be made again and is not seen either means locked`() {
        #expect(status(-25_300, looks: [-25_300, -25_300], make: -25_299) == -25_308)
        #expect(status(-25_300, looks: [-25_300, -25_300], make: 0) == -25_308)
    }

    @Test(arguments: [-25_308, -25_291, -34_018] as [Int32])
    func `where nobody can look or make, the reason is the answer`(_ reason: Int32) {
        #expect(status(-25_300, looks: [reason]) == reason)
        #expect(status(-25_300, looks: [-25_300], make: reason) == reason)
    }
}
