import DiaryCore
import Foundation
import Pavise
import PavisePrivacy
import Testing

/// What a person types, when they are reminded, and what they are told.
@Suite struct FormTests {
    private var berlin: TimeZone { get throws { try #require(TimeZone(identifier: "Europe/Berlin")) } }

    private func form(_ change: (inout NightForm) -> Void = { _ in }) throws -> NightForm {
        var form = NightForm(evening: try #require(LocalDate("2026-11-24")))
        change(&form)
        return form
    }

    @Test func `a form becomes a night, and the night becomes the form again`() throws {
        let zone = try berlin
        let form = try form {
            $0.toBed = "0:30"
            $0.note = "tea"
        }
        let night = try form.night(in: zone)
        #expect(night.date == "2026-11-24" && night.minutesInBed == 390 && night.version == 1)
        var expected = form
        expected.toBed = "00:30"
        #expect(NightForm(night) == expected)
        #expect(try NightForm(night).night(in: zone, replacing: night).version == 2)
        #expect(try form.night(in: zone, replacing: night).id == night.id)
    }

    @Test func `a form that is saved twice is one night, and two forms are two`() throws {
        let zone = try berlin
        var form = try form()
        let first = try form.night(in: zone)
        form.note = "tea"
        #expect(try form.night(in: zone).id == first.id && first.id == form.id)
        #expect(try self.form().night(in: zone).id != first.id)
    }

    @Test func `whoever changes a note in another zone moves no night, and a time that was left stays that moment`()
        throws
    {
        let (zone, far) = (try berlin, try #require(TimeZone(identifier: "America/New_York")))
        let night = try form().night(in: zone)
        var edited = NightForm(night)
        edited.note = "rain"
        edited.awake = "30"
        let changed = try edited.night(in: far, replacing: night)
        #expect(changed.toBed == night.toBed && changed.up == night.up && changed.awake == 30)
        #expect(changed.offsetToBed == 60 && changed.offsetUp == 60 && changed.note == "rain")
        // 02:30 comes twice: at UTC+2, and an hour later at UTC+1.
        let up = Date(timeIntervalSince1970: 1_792_891_800)
        let late = try Night(
            date: try #require(LocalDate("2026-10-24")), toBed: up.addingTimeInterval(-18_000), offsetToBed: 120,
            up: up, offsetUp: 60, asleepAfter: 1, awake: 1)
        #expect(NightForm(late).up == "02:30")
        #expect(try NightForm(late).night(in: zone, replacing: late).up == up)
        // Another time is one of where the person is.
        edited.up = "06:00"
        #expect(try edited.night(in: far, replacing: night).offsetUp == -300)
    }

    @Test(arguments: [
        ("", "23:00", "07:00", "1", "1", NightForm.Problem.date), ("2026-02-30", "23:00", "07:00", "1", "1", .date),
        ("2026-11-24", "24:00", "07:00", "1", "1", .toBed), ("2026-11-24", "23", "07:00", "1", "1", .toBed),
        ("2026-11-24", "23:00", "7:5", "1", "1", .up), ("2026-11-24", "23:00", "٠٧:٠٠", "1", "1", .up),
        ("2026-11-24", "23:00", "07:00", "-1", "1", .minutes), ("2026-11-24", "23:00", "07:00", "1", "", .minutes),
        ("2026-11-24", "23:00", "07:00", "1", "99999", .minutes),
        ("2026-11-24", "23:00", "07:00", "400", "400", .night(.awake)),
        // The hour that the clock leaves out.
        ("2026-03-28", "02:30", "07:00", "1", "1", .toBed),
    ])
    func `what does not fit together is no night, and the form says what to mend`(
        _ date: String, _ bed: String, _ up: String, _ asleep: String, _ awake: String, _ problem: NightForm.Problem
    ) throws {
        let form = try form {
            ($0.date, $0.toBed, $0.up, $0.asleepAfter, $0.awake) = (date, bed, up, asleep, awake)
        }
        let zone = try berlin
        #expect(throws: problem) { try form.night(in: zone) }
    }

    @Test func `a note of few characters and many marks is refused, which no record of the account could have`()
        throws
    {
        let zone = try berlin
        let marks = try form { $0.note = "e" + String(repeating: "\u{301}", count: 65_536) }
        #expect(marks.note.count == 1)
        #expect(throws: NightForm.Problem.night(.note)) { try marks.night(in: zone) }
        // As long as a person writes, with the longest emoji.
        let long = try form { $0.note = String(repeating: "👨‍👩‍👧‍👦", count: 4_000) }
        #expect(try long.night(in: zone).note == long.note)
    }

    @Test(arguments: [
        // 00:30 after the day of 23 hours, 23:30 on the day of 25, midnight, noon: all in Berlin's clock.
        (1_774_823_400.0, "2026-03-29"), (1_792_967_400.0, "2026-10-24"), (1_795_561_200.0, "2026-11-24"),
        (1_795_604_400.0, "2026-11-24"),
    ])
    func `a new form is of last evening, also where the day was shorter or longer`(
        _ now: Double, _ evening: String
    ) throws {
        let date = LocalDate(eveningBefore: Date(timeIntervalSince1970: now), in: try berlin)
        #expect(date?.description == evening)
    }

    @Test(arguments: [
        // Now, time, kept evenings, next: all in Berlin's clock.
        ("2026-11-24 07:00", 8, 30, [], "2026-11-24 08:30"), ("2026-11-24 08:30", 8, 30, [], "2026-11-25 08:30"),
        ("2026-11-24 07:00", 8, 30, ["2026-11-23"], "2026-11-25 08:30"),
        ("2026-11-24 07:00", 8, 30, ["2026-11-23", "2026-11-24"], "2026-11-26 08:30"),
        ("2026-11-24 09:00", 8, 30, ["2026-11-24", "2026-11-25", "2026-11-26"], "2026-11-28 08:30"),
        // The clock leaves out 02:30, and has it twice.
        ("2026-03-29 00:00", 2, 30, [], "2026-03-29 03:30"), ("2026-10-25 00:00", 2, 30, [], "2026-10-25 02:30"),
    ])
    func `a reminder comes at its time, to whoever has not told about the night`(
        _ now: String, _ hour: Int, _ minute: Int, _ kept: [String], _ next: String
    ) throws {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        let zone = try berlin
        formatter.timeZone = zone
        formatter.dateFormat = "yyyy-MM-dd HH:mm"
        let reminder = Reminder(at: try #require(WallTime(hour, minute)))
        let moment = reminder.next(
            after: try #require(formatter.date(from: now)), in: zone,
            kept: Set(kept.compactMap { LocalDate($0) }))
        #expect(formatter.string(from: try #require(moment)) == next)
    }

    @Test func `a notice outside of the window has a time in it and no word`() throws {
        let notice = DiaryNotice.reminder(try #require(TimeOfDay(hour: 8, minute: 5))).notice
        #expect(notice.parameters.map(\.text) == ["08:05"] && notice.key == "notice.reminder")
    }

    @Test func `the chart keeps its nights in its frame, and a day without a night stays empty`() throws {
        let last = try #require(LocalDate("2026-11-24"))
        let nights = try SampleMonth.nights(through: last)
        let trend = Trend(nights, days: 14, through: last)
        #expect(trend.bars.count == 13 && trend.width == 1 / 14)
        for bar in trend.bars {
            #expect((0...1).contains(bar.x) && bar.inBed <= 1 && bar.asleep <= bar.inBed && bar.asleep > 0)
        }
        #expect(Trend([], days: 0, through: last).bars.isEmpty && Trend([], days: 0, through: last).hours == 1)
    }

    @Test func `no sentence is missing in a language, and each takes the same values`() throws {
        let (english, german) = (DiaryPhrases.of(.english), DiaryPhrases.of(.german))
        func texts(_ phrases: DiaryPhrases) -> [(String, String)] {
            Mirror(reflecting: phrases).children.flatMap { child -> [(String, String)] in
                let name = child.label ?? ""
                if let text = child.value as? String { return [(name, text)] }
                if let list = child.value as? [String] { return list.map { (name, $0) } }
                return []
            }
        }
        let pairs = zip(texts(english), texts(german))
        #expect(texts(english).count == texts(german).count && texts(english).count > 140)
        var same: [String] = []
        for ((name, one), (other, two)) in pairs {
            #expect(name == other && !one.isEmpty && !two.isEmpty)
            #expect(one.components(separatedBy: "%@").count == two.components(separatedBy: "%@").count, "\(name)")
            if one == two { same.append(name) }
        }
        // What is called the same in both.
        #expect(Set(same).isSubset(of: ["pin", "isi", "account", "general"]), "\(same)")
        for failure in TrustFailure.allCases {
            #expect(english.failure(failure).hasSuffix(".") && english.failure(failure) != german.failure(failure))
        }
        let severities: [Questionnaire.Severity] = [
            .notSignificant, .subthreshold, .moderate, .severe, .minimal, .mild, .moderatelySevere,
        ]
        for severity in severities where severity != .minimal {
            #expect(english.severity(severity) != german.severity(severity))
        }
        #expect(DiaryPhrases.fill("%@ to %@", "a%@", "b") == "a%@ to b" && DiaryPhrases.fill("x", "y") == "x")
        #expect(english.isiItems.count == 7 && english.phq9Items.count == 9)
        #expect(english.isiOptions.count == 5 && english.phq9Options.count == 4)
    }
}
