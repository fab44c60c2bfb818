import PavisePrimitives
import Testing

@Suite struct CivilDateTests {
    @Test(arguments: [
        (0, 1970, 1, 1), (-1, 1969, 12, 31), (59, 1970, 3, 1), (11_016, 2000, 2, 29), (11_017, 2000, 3, 1),
        (20_782, 2026, 11, 25), (47_540, 2100, 2, 28), (47_541, 2100, 3, 1), (-719_468, 0, 3, 1),
        (-719_469, 0, 2, 29), (2_932_896, 9999, 12, 31), (-135_140, 1600, 1, 1),
    ])
    func `a day has one date, and a date one day`(_ days: Int, _ year: Int, _ month: Int, _ day: Int) {
        let date = CivilDate(year: year, month: month, day: day)
        #expect(CivilDate(daysSince1970: days) == date)
        #expect(date.daysSince1970 == days)
    }

    @Test func `each day of twelve hundred years follows the one before`() {
        var date = CivilDate(year: 1200, month: 1, day: 1)
        for days in date.daysSince1970..<CivilDate(year: 2400, month: 1, day: 1).daysSince1970 {
            #expect(CivilDate(daysSince1970: days) == date && date.daysSince1970 == days)
            let isLast = date.day == CivilDate.days(inMonth: date.month, of: date.year)
            let month = isLast ? date.month % 12 + 1 : date.month
            date = CivilDate(
                year: isLast && date.month == 12 ? date.year + 1 : date.year, month: month,
                day: isLast ? 1 : date.day + 1)
        }
    }

    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00"), (-1, "1969-12-31T23:59:59"), (1_795_586_400, "2026-11-25T06:00:00"),
            (951_868_799, "2000-02-29T23:59:59"), (-86_400, "1969-12-31T00:00:00"),
            (253_402_300_799, "9999-12-31T23:59:59"),
        ] as [(Int64, String)])
    func `a moment as RFC 3339 writes it`(_ seconds: Int64, _ text: String) {
        #expect(CivilTime(seconds: seconds).text == text)
    }

    @Test(arguments: [Int64.min, .max]) func `no number of seconds traps`(_ seconds: Int64) {
        #expect((0..<86_400).contains(CivilTime(seconds: seconds).secondOfDay))
    }
}

@Suite struct IMFFixdateTests {
    @Test(
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
            ("Tue, 29 Feb 2000 23:59:59 GMT", 951_868_799), ("Wed, 25 Nov 2026 06:00:00 GMT", 1_795_586_400),
            ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
        ] as [(String, Int64)])
    func `a date is read and written`(_ text: String, _ seconds: Int64) {
        #expect(IMFFixdate.seconds(text) == seconds)
        #expect(IMFFixdate.text(seconds) == text)
    }

    @Test(arguments: [
        "", "Sun", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994", "Sun, 6 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 94 08:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT", "Sun, 06 Nov 1994 8:49:37 GMT",
        "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:00 GMT", "Sun, 06 Nov 1994 08:49:61 GMT",
        "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 32 Nov 1994 08:49:37 GMT", "Sun, 06 Xxx 1994 08:49:37 GMT",
        "Sun, 06 Nov 1969 08:49:37 GMT", "Sun, 06 Nov +994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 UTC",
        "Sun, 06 Nov 1994 08:49:37:00 GMT", "Sun, 06 Nov 1994 ０8:49:37 GMT",
    ])
    func `anything else is no date`(_ text: String) { #expect(IMFFixdate.seconds(text) == nil) }

    @Test func `a leap second is the first one of the next minute`() {
        #expect(IMFFixdate.seconds("Sat, 31 Dec 2016 23:59:60 GMT") == 1_483_228_800)
    }

    @Test func `a moment before 1970 is written as the first one`() {
        #expect(IMFFixdate.text(-5) == "Thu, 01 Jan 1970 00:00:00 GMT")
    }
}
