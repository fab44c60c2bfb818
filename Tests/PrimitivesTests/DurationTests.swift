import PavisePrimitives
import Testing

@Suite struct DurationTests {
    @Test(
        "a time that 64 bits do not hold in milliseconds is the longest that they do",
        arguments: [
            (.zero, 0), (.milliseconds(1), 1), (.microseconds(1999), 1), (.milliseconds(-5), -5), (.seconds(3), 3000),
            (.seconds(Int64.max), .max), (.seconds(Int64.max / 1000 + 1), .max), (.seconds(Int64.min), .min),
            (.seconds(Int64.max / 1000) + .milliseconds(999), .max),
        ] as [(Duration, Int64)])
    func milliseconds(_ duration: Duration, _ expected: Int64) { #expect(duration.milliseconds == expected) }

    @Test(
        "what a clock is set to is nothing to a century",
        arguments: [
            (.seconds(-1), .zero), (.seconds(Int64.min), .zero), (.zero, .zero), (.milliseconds(7), .milliseconds(7)),
            (.seconds(36_525 * 86_400 + 1), .seconds(36_525 * 86_400)),
            (.seconds(Int64.max), .seconds(36_525 * 86_400)),
        ] as [(Duration, Duration)])
    func bounded(_ duration: Duration, _ expected: Duration) { #expect(duration.bounded == expected) }
}
