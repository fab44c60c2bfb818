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

    /// Takes everything out of a diary but the documents, which lie beside it.
    init(_ diary: Diary, at moment: Date) throws {
        made = moment
        nights = try diary.nights()
        consents = try diary.consents()
        documents = []
        unreadable = 0
        answers = try Questionnaire.allCases.flatMap { questionnaire in
            try diary.answers(to: questionnaire).map {
                Sheet(
                    questionnaire: questionnaire, edition: $0.edition, date: $0.date.description, values: $0.values)
            }
        }
    }
}

// The JSON in pieces, sorted and spaced for people, with dates of ISO 8601. All documents at once may be more than a
// device has memory for.
extension DiaryExport {
    private struct Beginning: Encodable {
        let answers: [Sheet]
        let consents: [Consent]
    }

    private struct End: Encodable {
        let format: String
        let made: Date
        let nights: [Night]
        let unreadable: Int
    }

    /// What stands before the documents.
    func beginning() throws -> Data {
        var json = try Self.json(Beginning(answers: answers, consents: consents))
        // Its closing brace is that of the end.
        json.removeLast()
        json.append(contentsOf: ",\n  \"documents\" : [".utf8)
        return json
    }

    /// A document between both.
    static func piece(_ document: Document, isFirst: Bool) throws -> Data {
        Data((isFirst ? "\n" : ",\n").utf8) + (try json(document))
    }

    /// What stands behind the documents.
    func end(unreadable: Int) throws -> Data {
        let end = End(format: format, made: made, nights: nights, unreadable: unreadable)
        return Data("\n  ],".utf8) + (try Self.json(end)).dropFirst() + Data("\n".utf8)
    }

    private static func json(_ part: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        return try encoder.encode(part)
    }
}
