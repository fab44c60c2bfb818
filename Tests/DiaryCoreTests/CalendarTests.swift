import DiaryCore
import Foundation
import Testing

/// Days, weeks, and clocks that are set.
@Suite struct CalendarTests {
    @Test(arguments: [
        ("2026-10-24", 6, "2026-W43", "2026-10"), ("2024-02-29", 4, "2024-W09", "2024-02"),
        // Years whose first days belong to the last week of the year before, and the other way round (ISO 8601).
        ("2021-01-03", 7, "2020-W53", "2021-01"), ("2024-12-30", 1, "2025-W01", "2024-12"),
        ("1969-12-31", 3, "1970-W01", "1969-12"), ("2000-01-01", 6, "1999-W52", "2000-01"),
    ])
    func `a day knows its weekday, week and month`(_ text: String, _ weekday: Int, _ week: String, _ month: String)
        throws
    {
        let date = try #require(LocalDate(text))
        #expect(date.description == text && date.weekday == weekday && date.week == week && date.month == month)
        #expect(LocalDate(days: date.days) == date)
    }

    @Test func `every day of 150 years comes back, and the next one is later`() throws {
        var before: LocalDate?
        for days in -25_567...30_000 {
            let date = try #require(LocalDate(days: days))
            #expect(LocalDate(date.description) == date)
            if let before { #expect(before < date && before.weekday % 7 + 1 == date.weekday) }
            before = date
        }
    }

    @Test(arguments: [
        "", "2026-02-30", "2026-13-01", "2026-00-01", "2026-1-01", "26-01-01", "2026-01-01 ", "+026-01-01",
        "2025-02-29",
        "1899-12-31", "٢٠٢٦-٠١-٠١",
    ])
    func `no other text is a day`(_ text: String) { #expect(LocalDate(text) == nil) }

    private var berlin: TimeZone { get throws { try #require(TimeZone(identifier: "Europe/Berlin")) } }

    @Test func `the hour that is left out in spring has no moment, and the one that comes twice has two`() throws {
        let time = try #require(WallTime(2, 30))
        #expect(time.moments(on: try #require(LocalDate("2026-03-29")), in: try berlin) == [])
        let autumn = time.moments(on: try #require(LocalDate("2026-10-25")), in: try berlin)
        #expect(autumn.count == 2 && autumn[1].timeIntervalSince(autumn[0]) == 3_600)
        #expect(time.moments(on: try #require(LocalDate("2026-10-24")), in: try berlin).count == 1)
        #expect(WallTime(24, 0) == nil && WallTime(0, 60) == nil && WallTime(-1, 0) == nil)
    }

    @Test(arguments: [("2026-03-28", 420.0), ("2026-10-24", 540.0), ("2026-07-01", 480.0)])
    func `the night of a clock change has its hour less or more`(_ text: String, _ minutes: Double) throws {
        let (evening, zone) = (try #require(LocalDate(text)), try berlin)
        let morning = try #require(LocalDate(days: evening.days + 1))
        let bed = try #require(WallTime(23, 0)?.moments(on: evening, in: zone).first)
        let up = try #require(WallTime(7, 0)?.moments(on: morning, in: zone).first)
        let night = try Night(
            date: evening, toBed: bed, offsetToBed: zone.secondsFromGMT(for: bed) / 60, up: up,
            offsetUp: zone.secondsFromGMT(for: up) / 60, asleepAfter: 0, awake: 0)
        #expect(night.minutesInBed == minutes)
        #expect(night.offsetUp - night.offsetToBed == Int(480 - minutes))
    }
}
