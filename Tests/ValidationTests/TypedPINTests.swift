import PavisePrimitives
import PaviseValidation
import Testing

/// A PIN that is typed.
@Suite struct TypedPINTests {
    private func text(_ secret: borrowing SecretBytes) -> String {
        secret.withBytes { span in String(decoding: span.indices.map { span[$0] }, as: UTF8.self) }
    }

    private func taken(_ typed: TypedPIN) -> String? {
        guard let secret = typed.take() else { return nil }
        return text(secret)
    }

    @Test func `digits come out in their order, once`() {
        let typed = TypedPIN()
        for digit in [7, 3, 0, 4, 6, 9] { #expect(typed.append(digit)) }
        #expect(typed.count == 6)
        #expect(taken(typed) == "730469")
        #expect(typed.count == 0 && taken(typed) == nil)
    }

    @Test func `what is taken back or given up does not come out`() {
        let typed = TypedPIN()
        typed.removeLast()
        for digit in [1, 2, 3] { typed.append(digit) }
        typed.removeLast()
        typed.append(9)
        #expect(taken(typed) == "129")
        typed.append(5)
        typed.clear()
        #expect(typed.count == 0 && taken(typed) == nil)
    }

    @Test(arguments: [-1, 10, 48, Int.max, Int.min])
    func `what is no digit is passed over`(_ digit: Int) {
        let typed = TypedPIN()
        #expect(!typed.append(digit) && typed.count == 0)
    }

    // An administrator may ask for more digits than the usual rule has, and a PIN may be older than the rule.
    @Test func `each PIN that may be set can be typed where no rule is given`() {
        let typed = TypedPIN()
        for digit in 0..<20 { #expect(typed.append(digit % 10) == (digit < 16)) }
        #expect(typed.limit == PINRule.possible.upperBound && taken(typed)?.count == 16)
    }

    @Test func `no more digits are taken than the rule allows`() throws {
        let rule = try #require(PINRule(length: 4...5))
        let typed = TypedPIN(rule)
        for digit in 0..<9 { #expect(typed.append(digit) == (digit < 5)) }
        #expect(typed.limit == 5 && taken(typed) == "01234")
    }
}
