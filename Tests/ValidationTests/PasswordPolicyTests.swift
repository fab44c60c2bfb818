import PavisePrimitives
import PaviseValidation
import Testing

@Suite struct PasswordPolicyTests {
    private func problem(_ text: String, _ policy: PasswordPolicy = PasswordPolicy()) -> PasswordProblem? {
        do throws(PasswordProblem) {
            try policy.check(SecretBytes(utf8: text))
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [
        "staple horse battery", "мой любимый длинный пароль", "😀🐈🌍🎈🍎🚗🧩🎲🪁🧦🔔🪙🧊🎺🪕", "no capital, no digit at all",
        "tqvxbkzjwmhrydc", String(repeating: "abcdefgh ijk ", count: 19),
    ])
    func `long ones of any kind are taken: there are no rules of composition`(_ text: String) {
        #expect(problem(text) == nil)
    }

    @Test func `fifteen characters alone, eight beside a second factor`() {
        #expect(problem("tqvxbkzjwmhryd") == .tooShort(least: 15))
        let second = PasswordPolicy(isSecondFactorUsed: true)
        #expect(problem("tqvxbkzj", second) == nil)
        #expect(problem("tqvxbkz", second) == .tooShort(least: 8))
        #expect(problem("ééééxyzw", second) == nil)
    }

    @Test func `at least 64 characters are possible, and nothing is cut`() {
        let policy = PasswordPolicy(most: 10)
        let text = String("the quick brown fox jumps over the lazy dog, and then it sleeps until".prefix(64))
        #expect(problem(text, policy) == nil)
        #expect(problem(text + "x", policy) == .tooLong(most: 64))
        #expect(problem(String(repeating: "x", count: 5000)) == .tooLong(most: 256))
    }

    @Test(
        arguments: [
            ("aaaaaaaaaaaaaaa", .repetition), ("abcabcabcabcabc", .repetition), ("abcdefghijklmnop", .run),
            ("ponmlkjihgfedcba", .run), ("correcthorsebatterystaple", .known), ("CorrectHorseBatteryStaple", .known),
            ("administrator12", .known), ("Administrator!!", .known), ("qwertyuiop2024!", .known),
            ("a\u{0}bcdefghijklmno", .unreadable), ("line\nbreak in the middle", .unreadable),
        ] as [(String, PasswordProblem)])
    func `what thieves try first is refused`(_ text: String, _ reason: PasswordProblem) {
        #expect(problem(text) == reason)
    }

    @Test func `a blocklist of the product's and the person's own words count`() {
        let listed = PasswordPolicy(blocklist: { $0 == "our summer party 2024" }, words: ["Lovelace", "xy"])
        #expect(problem("Our Summer Party 2024", listed) == .known)
        #expect(problem("lovelace1234567", listed) == .personal)
        #expect(problem("lovelace and three other long words", listed) == nil)
        #expect(problem("xyxzqvwbkzjwmhr", listed) == nil)
    }

    @Test func `broken UTF-8 is refused`() {
        let bytes = [UInt8](repeating: 0xFF, count: 20)
        #expect(throws: PasswordProblem.unreadable) { try PasswordPolicy().check(SecretBytes(copying: bytes.span)) }
    }
}
