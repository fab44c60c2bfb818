#if DEBUG
public import Foundation
public import Pavise

/// A month of nights and answers for demonstrations and tests: the same ones each time, and nobody's. No release build
/// has it.
public enum SampleMonth {
    /// Thirty nights up to `last`, in UTC. A day's night has the same identifier on each device, and at the lab's
    /// server.
    public static func nights(
        through last: LocalDate, in language: MessageLanguage = .english
    ) throws -> [Night] {
        let notes = language == .german ? germanNotes : notes
        return try (0..<30).compactMap { back -> Night? in
            // A night is missing here and there.
            guard back % 11 != 7, let date = LocalDate(days: last.days - back) else { return nil }
            let wobble = Double((back * 7_919) % 97) / 97
            let bed = Date(timeIntervalSince1970: Double(date.days) * 86_400 + 22 * 3_600 + wobble * 5_400)
            let hours = 6.2 + 1.9 * Double((back * 104_729) % 89) / 89
            return try Night(
                id: identifier(of: date), date: date, toBed: rounded(bed), offsetToBed: 0,
                up: rounded(bed.addingTimeInterval(hours * 3_600)), offsetUp: 0, asleepAfter: 5 + Int(wobble * 45),
                awake: (back * 31) % 70, note: notes[back % notes.count]
            )
        }
    }

    /// Answers of three weeks.
    public static func answers(through last: LocalDate) throws -> [Answers] {
        try [(21, 3, 2), (14, 2, 2), (7, 2, 1)].flatMap { back, isi, phq in
            guard let date = LocalDate(days: last.days - back) else { return [Answers]() }
            return [
                try Answers(.isi, edition: Questionnaire.edition, date: date, Array(repeating: isi, count: 7)),
                try Answers(.phq9, edition: Questionnaire.edition, date: date, Array(repeating: phq, count: 8) + [0]),
            ]
        }
    }

    /// A letter with everything that a letter should not have.
    public static let letter = """
        <h1>Sleep clinic</h1><p>Dear patient,</p><p>your next appointment is on <b>Monday at 9:30</b>. Please bring \
        your diary of the last four weeks.</p><script src="https://tracker.example/t.js"></script>
        <p>See <a href="https://clinic.example/directions">how to find us</a>.</p>
        <img src="https://tracker.example/open.gif">
        """

    /// The same in German.
    public static let germanLetter = """
        <h1>Schlafklinik</h1><p>Guten Tag,</p><p>Ihr nächster Termin ist am <b>Montag um 9:30</b>. Bitte bringen Sie \
        Ihr Tagebuch der letzten vier Wochen mit.</p><script src="https://tracker.example/t.js"></script>
        <p>Hier steht, <a href="https://clinic.example/anfahrt">wie Sie uns finden</a>.</p>
        <img src="https://tracker.example/open.gif">
        """

    // A UUID of version 4 by its form (RFC 9562 §5.4), made of the day's number.
    private static func identifier(of date: LocalDate) -> UUID {
        let digits = String(date.days)
        let text = "5A3B1E00-0000-4000-8000-" + String(repeating: "0", count: max(0, 12 - digits.count)) + digits
        return UUID(uuidString: text) ?? UUID()
    }

    /// The nights as records of a person at the lab's server, for `pavise-lab authority --records`.
    ///
    /// - Parameters:
    ///   - person: Whose they are.
    ///   - nights: The nights.
    /// - Returns: JSON.
    public static func records(of person: String, _ nights: [Night]) throws -> Data {
        var records: [String: NightRecord] = [:]
        for night in nights { records["\(person)/nights/\(night.id.uuidString)"] = NightRecord(night) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return try encoder.encode(records)
    }

    private static let notes = ["", "", "Tea after nine", "", "Long walk in the evening", "", "Woke from a dream"]
    private static let germanNotes = ["", "", "Tee nach neun", "", "Abends lange spaziert", "", "Von einem Traum wach"]

    private static func rounded(_ moment: Date) -> Date {
        Date(timeIntervalSince1970: (moment.timeIntervalSince1970 / 300).rounded() * 300)
    }
}
#endif
