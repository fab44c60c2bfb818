#if canImport(PaviseSync)
internal import PaviseSync

/// What a yes to the questions of a synchronising would do.
public enum SyncDanger: CaseIterable, Hashable, Sendable {
    /// Erase nights or documents of this device.
    case erasesHere
    /// Erase documents at the server, and so on the other devices.
    case erasesThere
    /// Give nights or documents another content, or compare all of them anew.
    case changes
}

extension DiarySync.Outcome {
    /// What a yes would do; empty where nothing is asked.
    public var dangers: Set<SyncDanger> { Set(questions.flatMap(\.dangers) + documents.questions.flatMap(\.dangers)) }

    /// How many nights and documents the server does not take. The next run tries again: nobody is asked.
    public var refused: Int {
        questions.count { $0.dangers.isEmpty } + documents.questions.count { $0.dangers.isEmpty }
    }
}

extension RecordReport.Question {
    fileprivate var dangers: [SyncDanger] {
        switch self {
        case .deletions, .emptied: [.erasesHere]
        case .replacements, .otherCollection: [.changes]
        case .refused: []
        }
    }
}

extension SyncReport.Question {
    fileprivate var dangers: [SyncDanger] {
        switch self {
        case .massChange(.deletions(let here, let there, _)):
            [here > 0 ? SyncDanger.erasesHere : nil, there > 0 ? .erasesThere : nil].compactMap { $0 }
        case .massChange(.emptied(.here)): [.erasesThere]
        case .massChange(.emptied(.there)), .damaged: [.erasesHere]
        case .massChange(.replacements), .massChange(.otherRoot), .emptied, .serverTooWeak, .otherOwner: [.changes]
        case .refused: []
        }
    }
}
#endif
