public import Foundation
internal import Pavise

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
    /// How many documents.
    public let documents: Int
    /// How many statements about the consent.
    public let consents: Int
    /// The server's half.
    public let server: Server

    /// Whether there was nothing of the person but what they said to the text about their data.
    public var isEmpty: Bool { nights + questionnaires + documents == 0 && server == .nothing }

    init(_ contents: DiaryExport?, server report: SignOutReport?, at moment: Date) {
        self.moment = moment
        nights = contents?.nights.count ?? 0
        questionnaires = contents?.answers.count ?? 0
        documents = contents?.documents.count ?? 0
        consents = contents?.consents.count ?? 0
        server =
            switch report?.revocation {
            case nil, .nothing: .nothing
            case .done: .revoked
            case .notOffered, .queued, .failed: .endsByItself
            }
    }
}
