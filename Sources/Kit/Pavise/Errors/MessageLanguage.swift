internal import Foundation

/// A language in which Pavise speaks to people.
public struct MessageLanguage: Hashable, Sendable {
    /// Its code (BCP 47), for example `de`.
    public let code: String

    /// English.
    public static let english = MessageLanguage(code: "en")
    /// German.
    public static let german = MessageLanguage(code: "de")
    /// Every language of the catalogue.
    public static let all: [MessageLanguage] = [.english, .german]

    /// The person's first language that the catalogue has; English where it has none.
    public static var current: MessageLanguage {
        for wanted in Locale.preferredLanguages {
            let code = wanted.prefix { $0 != "-" && $0 != "_" }.lowercased()
            if let language = all.first(where: { $0.code == code }) { return language }
        }
        return .english
    }

    private init(code: String) { self.code = code }
}

/// The texts for people, by name and language.
enum MessageCatalogue {
    static let tables: [MessageLanguage: [String: String]] = [.english: english, .german: german]

    /// The text of `name`; in English where the language lacks it, the name where nobody has it (a check finds both).
    static func text(_ name: String, _ language: MessageLanguage) -> String {
        tables[language]?[name] ?? english[name] ?? name
    }
}
