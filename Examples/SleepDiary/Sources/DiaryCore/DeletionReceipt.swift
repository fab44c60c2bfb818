public import Foundation
internal import Pavise
internal import PaviseStorage

/// What was erased, for the person to keep: figures, and nothing of what they wrote.
public struct DeletionReceipt: Codable, Hashable, Sendable {
    /// What became of the sign-in at the server.
    public enum Server: String, Codable, Hashable, Sendable {
        /// Nobody was signed in.
        case nothing
        /// The server took the tokens back.
        case revoked
        /// It was not reached, or did not do it: the tokens end by their own time.
        case endsByItself
    }

    /// When.
    public let moment: Date
    /// How many nights.
    public let nights: Int
    /// How many questionnaires.
    public let questionnaires: Int
    /// How many documents, damaged ones too.
    public let documents: Int
    /// How many statements about the consent.
    public let consents: Int
    /// The server's half.
    public let server: Server
    /// Whether all of it could be counted; what could not be read was erased without a figure.
    public let isCounted: Bool

    /// Whether there was nothing of the person but what they said to the text about their data.
    public var isEmpty: Bool { isCounted && nights + questionnaires + documents == 0 && server == .nothing }

    init(_ figures: Figures, server: Server, at moment: Date) {
        self.moment = moment
        nights = figures.nights ?? 0
        questionnaires = figures.questionnaires ?? 0
        documents = figures.documents ?? 0
        consents = figures.consents ?? 0
        self.server = server
        let all = [figures.nights, figures.questionnaires, figures.documents, figures.consents]
        isCounted = all.allSatisfy { $0 != nil }
    }

    /// How much there is; `nil` where nobody can say.
    struct Figures: Sendable {
        let nights, questionnaires, documents, consents: Int?
    }
}

extension DeletionReceipt.Server {
    init(_ report: SignOutReport?) {
        switch report?.revocation {
        case nil, .nothing: self = .nothing
        case .done: self = .revoked
        case .notOffered, .queued, .failed: self = .endsByItself
        }
    }
}

extension DiarySecurity {
    /// Counts what there is. What cannot be read keeps nothing else from being counted, and nothing is read that is
    /// only counted.
    @concurrent
    func figures() async -> DeletionReceipt.Figures {
        DeletionReceipt.Figures(
            nights: try? await with { try $0.nights().count },
            questionnaires: try? await with { diary in
                try Questionnaire.allCases.reduce(0) { try $0 + diary.answers(to: $1).count }
            },
            documents: try? app.files.list().count, consents: try? await with { try $0.consents().count })
    }
}
