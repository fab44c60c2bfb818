import DiaryCore
import Foundation
import Testing

/// Questionnaires and figures, against what their authors publish.
@Suite struct ScoreTests {
    private let date = LocalDate(days: 20_000)

    private func answers(_ questionnaire: Questionnaire, _ values: [Int?]) throws -> Answers {
        try Answers(questionnaire, edition: "en-1", date: try #require(date), values)
    }

    @Test(arguments: [
        (Questionnaire.isi, 0, Questionnaire.Severity.notSignificant), (.isi, 7, .notSignificant),
        (.isi, 8, .subthreshold), (.isi, 14, .subthreshold), (.isi, 15, .moderate), (.isi, 21, .moderate),
        (.isi, 22, .severe), (.isi, 28, .severe), (.phq9, 4, .minimal), (.phq9, 5, .mild), (.phq9, 9, .mild),
        (.phq9, 10, .moderate), (.phq9, 14, .moderate), (.phq9, 15, .moderatelySevere), (.phq9, 19, .moderatelySevere),
        (.phq9, 20, .severe), (.phq9, 27, .severe),
    ])
    func `each sum has the meaning that its authors gave it`(
        _ questionnaire: Questionnaire, _ total: Int, _ severity: Questionnaire.Severity
    ) throws {
        var (values, rest) = ([Int?](), total)
        for _ in 0..<questionnaire.items {
            let value = min(rest, questionnaire.range.upperBound)
            values.append(value)
            rest -= value
        }
        #expect(try answers(questionnaire, values).score == .complete(total: total, severity))
    }

    @Test func `an item that was left out is no 0`() throws {
        #expect(try answers(.isi, [0, nil, 0, 0, 0, nil, 0]).score == .incomplete(missing: [2, 6]))
        #expect(try answers(.isi, [0, 0, 0, 0, 0, 0, 0]).score == .complete(total: 0, .notSignificant))
    }

    @Test func `what a questionnaire does not offer is refused`() throws {
        #expect(throws: Answers.Problem.count) { try answers(.isi, [0]) }
        #expect(throws: Answers.Problem.item(7)) { try answers(.isi, [0, 0, 0, 0, 0, 0, 5]) }
        #expect(throws: Answers.Problem.item(1)) { try answers(.phq9, [4, 0, 0, 0, 0, 0, 0, 0, 0]) }
        #expect(throws: Answers.Problem.item(1)) { try answers(.phq9, [-1, 0, 0, 0, 0, 0, 0, 0, 0]) }
        #expect(throws: Answers.Problem.edition) {
            try Answers(.isi, edition: "", date: try #require(date), [0, 0, 0, 0, 0, 0, 0])
        }
    }

    @Test func `the last item of PHQ-9 asks for help whatever the sum is`() throws {
        #expect(try answers(.phq9, [0, 0, 0, 0, 0, 0, 0, 0, 1]).needsHelp)
        #expect(try !answers(.phq9, [3, 3, 3, 3, 3, 3, 3, 3, 0]).needsHelp)
        #expect(try !answers(.phq9, [3, 3, 3, 3, 3, 3, 3, 3, nil]).needsHelp)
        #expect(try !answers(.isi, [4, 4, 4, 4, 4, 4, 4]).needsHelp)
    }

    @Test func `a questionnaire asks one item after the other, and who presses twice at the end answers once`() throws {
        var form = AnswersForm(.isi)
        let day = try #require(date)
        for item in 0..<7 {
            #expect(form.item == item)
            #expect(throws: Answers.Problem.count) { try form.answers(on: day) }
            let isTaken = form.take(item == 2 ? nil : 1)
            #expect(isTaken)
        }
        // While the answers are being kept the last item is on the screen still.
        var isTaken = form.take(4)
        #expect(form.item == nil && !isTaken)
        #expect(try form.answers(on: day).values == [1, 1, nil, 1, 1, 1, 1])
        // They could not be kept: the last item is asked again, and the others are there.
        form.askAgain()
        #expect(form.item == 6)
        isTaken = form.take(3)
        #expect(isTaken)
        #expect(try form.answers(on: day).values == [1, 1, nil, 1, 1, 1, 3])
        #expect(try form.answers(on: day).edition == Questionnaire.edition)
    }

    private func night(
        _ date: String, hours: Double = 8, asleepAfter: Int = 0, awake: Int = 0, note: String = "", offset: Int = 0
    ) throws -> Night {
        let day = try #require(LocalDate(date))
        let bed = Date(timeIntervalSince1970: Double(day.days) * 86_400 + 79_200)
        return try Night(
            date: day, toBed: bed, offsetToBed: offset, up: bed.addingTimeInterval(hours * 3_600), offsetUp: offset,
            asleepAfter: asleepAfter, awake: awake, note: note)
    }

    @Test func `what does not fit together is no night`() throws {
        for hours in [0.0, -1, 24.5] { #expect(throws: Night.Problem.order) { try night("2026-01-01", hours: hours) } }
        #expect(throws: Night.Problem.awake) { try night("2026-01-01", hours: 1, asleepAfter: 30, awake: 31) }
        #expect(throws: Night.Problem.awake) { try night("2026-01-01", awake: -1) }
        #expect(throws: Night.Problem.offset) { try night("2026-01-01", offset: 841) }
        #expect(throws: Night.Problem.note) { try night("2026-01-01", note: String(repeating: "a", count: 4_001)) }
        #expect(try night("2026-01-01", hours: 24, asleepAfter: 700, awake: 740).minutesAsleep == 0)
    }

    @Test(arguments: [
        ("date", "\"2026-02-30\""), ("date", "\"\""), ("up", "0"), ("up", "1e300"), ("toBed", "1e17"),
        ("toBed", "-1e300"), ("awake", "-1"), ("awake", "1441"), ("asleepAfter", "9223372036854775807"),
        ("offsetUp", "841"), ("version", "0"), ("version", "9223372036854775807"), ("note", "null"),
    ])
    func `what does not fit together is not read as a night either`(_ key: String, _ value: String) throws {
        var members = [
            "id": "\"5A3B1E00-0000-4000-8000-000000000001\"", "date": "\"2026-01-01\"", "toBed": "789000000",
            "offsetToBed": "60", "up": "789028800", "offsetUp": "60", "asleepAfter": "10", "awake": "20",
            "note": "\"tea\"", "version": "1",
        ]
        func read() throws -> Night {
            let text = "{" + members.map { "\"\($0)\": \($1)" }.joined(separator: ", ") + "}"
            return try JSONDecoder().decode(Night.self, from: Data(text.utf8))
        }
        #expect(try read().minutesAsleep == 450)
        members[key] = value
        #expect(throws: DecodingError.self) { try read() }
    }

    @Test func `a moment that no calendar has is none of a night, and the others are whole milliseconds`() throws {
        let date = try #require(date)
        for seconds in [1e17, -1e17, .infinity, .nan] {
            let bed = Date(timeIntervalSince1970: seconds)
            #expect(throws: Night.Problem.order) {
                try Night(
                    date: date, toBed: bed, offsetToBed: 0, up: bed.addingTimeInterval(28_800), offsetUp: 0,
                    asleepAfter: 1, awake: 1)
            }
        }
        let bed = Date(timeIntervalSince1970: 1_767_305_000.000_4)
        let night = try Night(
            date: date, toBed: bed, offsetToBed: 0, up: bed.addingTimeInterval(60), offsetUp: 0, asleepAfter: 1,
            awake: 0)
        #expect(night.toBed == Date(timeIntervalSince1970: 1_767_305_000) && night.minutesAsleep == 0)
        #expect(try JSONDecoder().decode(Night.self, from: JSONEncoder().encode(night)) == night)
        #expect(NightRecord(night).night(version: 1) == night)
    }

    @Test func `weeks and months are summed by time and not by night`() throws {
        // Sunday and Monday are of two weeks; 31 January and 1 February of two months.
        let nights = [
            try night("2026-01-31", hours: 10, asleepAfter: 60, awake: 240), try night("2026-02-01", hours: 5),
            try night("2026-02-02", hours: 8, awake: 240),
        ]
        let weeks = SleepSummary.of(nights, by: .week)
        #expect(weeks.map(\.period) == ["2026-W05", "2026-W06"] && weeks.map(\.nights) == [2, 1])
        #expect(weeks[0].minutesInBed == 450 && weeks[0].minutesAsleep == 300)
        #expect(abs(weeks[0].efficiency - 600.0 / 900) < 1e-12 && weeks[1].efficiency == 0.5)
        #expect(SleepSummary.of(nights, by: .month).map(\.period) == ["2026-01", "2026-02"])
        #expect(SleepSummary.of([], by: .week) == [])
    }
}
