public import Foundation

/// Everything that the app keeps of a person, in a form that another program can read (GDPR Art. 20).
public struct DiaryExport: Codable, Sendable {
    /// The answers of one day.
    public struct Sheet: Codable, Hashable, Sendable {
        /// Which questionnaire.
        public let questionnaire: Questionnaire
        /// The wording that the person saw.
        public let edition: String
        /// The day.
        public let date: String
        /// In the order of the items; `null` where one was left out.
        public let values: [Int?]
    }

    /// A document with all its bytes.
    public struct Document: Codable, Hashable, Sendable {
        /// What it is called.
        public let name: String
        /// Its media type.
        public let type: String
        /// Its bytes, base64 in JSON.
        public let content: Data
    }

    /// The form and its version.
    public var format = "org.example.SleepDiary/1"
    /// When it was made.
    public let made: Date
    /// All nights.
    public let nights: [Night]
    /// All answers.
    public let answers: [Sheet]
    /// What was said about consent.
    public let consents: [Consent]
    /// All documents that can be read.
    public let documents: [Document]
    /// How many documents are damaged, and are not in it.
    public let unreadable: Int

    /// Takes everything out of a diary.
    ///
    /// - Parameters:
    ///   - diary: The diary.
    ///   - documents: The documents, which lie beside it.
    ///   - unreadable: How many of them cannot be read.
    ///   - moment: When.
    public init(_ diary: Diary, documents: [Document], unreadable: Int = 0, at moment: Date) throws {
        made = moment
        nights = try diary.nights()
        consents = try diary.consents()
        self.documents = documents
        self.unreadable = unreadable
        answers = try Questionnaire.allCases.flatMap { questionnaire in
            try diary.answers(to: questionnaire).map {
                Sheet(
                    questionnaire: questionnaire, edition: $0.edition, date: $0.date.description, values: $0.values)
            }
        }
    }

    /// The JSON, sorted and spaced for people, with dates of ISO 8601.
    public func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        return try encoder.encode(self)
    }
}
