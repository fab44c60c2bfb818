import PaviseValidation
import Testing

@Suite struct DurationTextTests {
    private func problem(_ text: String) -> DurationProblem? {
        do throws(DurationProblem) {
            _ = try DurationText(text)
            return nil
        } catch {
            return error
        }
    }

    @Test(
        arguments: [
            ("0", 0), ("90", 90), ("30s", 30), ("15m", 900), ("15 min", 900), ("4h", 14_400), ("1h30m", 5400),
            ("1 h 30 min 5 s", 5405), ("2 Hours", 7200), ("01:30", 5400), ("24:00", 86_400), ("24h", 86_400),
            ("86400", 86_400),
        ] as [(String, Int64)])
    func `times are read`(_ text: String, _ seconds: Int64) throws {
        #expect(try DurationText(text).duration == .seconds(seconds))
    }

    @Test(
        arguments: [
            ("", .empty), ("-1", .form), ("1.5h", .form), ("h", .form), ("4", nil), ("4x", .form), ("1h 1h", .form),
            ("30m1h", .form), ("١٥m", .form), ("1:30", .form), ("01:60", .form), ("01:30:00", .form),
            ("24:01", .tooLong),
            ("86401", .tooLong), ("25h", .tooLong), ("999999h", .tooLong), ("9999999", .form), ("4h\n", .form),
            ("+4h", .form),
            ("0x10", .form), ("1e3", .form), ("4 hh", .form), (" ", .form),
        ] as [(String, DurationProblem?)])
    func `anything else is refused`(_ text: String, _ reason: DurationProblem?) { #expect(problem(text) == reason) }

    @Test func `numbers are bounded as texts are`() throws {
        #expect(try DurationText(seconds: 86_400).duration == DurationText.most)
        #expect(throws: DurationProblem.tooLong) { try DurationText(seconds: 86_401) }
        #expect(throws: DurationProblem.form) { try DurationText(seconds: -1) }
    }
}
