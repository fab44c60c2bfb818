public import Foundation

/// What a person said about keeping their health data (GDPR Art. 9(2)(a)): to which text, when, yes or no.
public struct Consent: Hashable, Sendable, Codable {
    /// The edition of the text that this version of the app shows.
    public static let currentEdition = "2026-11-3"

    /// The edition of the text that they read.
    public let edition: String
    /// When.
    public let moment: Date
    /// Whether they agreed.
    public let isGiven: Bool

    /// A decision.
    public init(edition: String = currentEdition, moment: Date, isGiven: Bool) {
        self.edition = edition
        self.moment = moment
        self.isGiven = isGiven
    }

    /// Whether the last word to the current text is a yes. An earlier text is asked about anew.
    public static func isGiven(_ consents: [Consent]) -> Bool {
        consents.last.map { $0.isGiven && $0.edition == currentEdition } ?? false
    }
}

/// The person has not agreed to the current text about their data, or took it back: nothing was kept. Ask them, and try
/// again after a yes.
public struct ConsentNeeded: Error, Hashable, Sendable {}
