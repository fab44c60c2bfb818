internal import Foundation
internal import PavisePrimitives

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
    ///
    /// On Linux the variables of the environment say it, as with gettext: `LC_ALL`, else `LC_MESSAGES`, else `LANG`,
    /// and before them the list in `LANGUAGE`, unless the locale is `C` or `POSIX`.
    public static var current: MessageLanguage {
        #if os(Linux)
        return first(of: wanted { PaviseHome.variable($0) })
        #else
        return first(of: Locale.preferredLanguages)
        #endif
    }

    /// The languages that an environment asks for, the best first.
    static func wanted(_ variable: (String) -> String?) -> [String] {
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].compactMap(variable).first { !$0.isEmpty } ?? ""
        let name = locale.prefix { $0 != "." && $0 != "@" }
        guard !name.isEmpty, name != "C", name != "POSIX" else { return [] }
        return (variable("LANGUAGE") ?? "").split(separator: ":").map(String.init) + [String(name)]
    }

    /// The first of these languages that the catalogue has.
    static func first(of languages: [String]) -> MessageLanguage {
        for wanted in languages {
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
