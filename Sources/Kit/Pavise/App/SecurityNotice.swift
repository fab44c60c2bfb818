public import PaviseSession
internal import PaviseTransport

/// What a person should be told, in her language.
///
/// ```swift
/// for await notice in security.notices { banner(notice.title, notice.message) }
/// ```
public struct SecurityNotice: Hashable, Sendable {
    /// What the person can do.
    public let action: SessionNotice.Action
    /// The account that it is about; `nil` where it is about none.
    public let account: String?
    /// Whether somebody may be attacking, and an administrator should know.
    public let isSecurityEvent: Bool
    /// A stable name of what happened, for tests and logs.
    public let code: String
    private let server: String?

    /// One line for a title, in the person's language.
    public var title: String { title(in: .current) }
    /// One or two sentences, in the person's language.
    public var message: String { message(in: .current) }

    /// The title in a language of the catalogue.
    public func title(in language: MessageLanguage) -> String {
        MessageCatalogue.text("notice.\(code).title", language)
    }

    /// The message in a language of the catalogue.
    public func message(in language: MessageLanguage) -> String {
        MessageCatalogue.text("notice.\(code).message", language).replacing("%@", with: server ?? "")
    }

    init(
        _ code: String, _ action: SessionNotice.Action, account: String? = nil, server: String? = nil,
        isSecurityEvent: Bool = false
    ) {
        self.code = code
        self.action = action
        self.account = account
        self.server = server
        self.isSecurityEvent = isSecurityEvent
    }

    /// What a session's state is worth telling; `nil` where there is nothing.
    init?(_ state: SessionState, account: String) {
        switch state {
        case .active, .refreshing, .signedOut, .locked, .unknown: return nil
        case .degraded(let reason):
            let needsHelp = reason == .trust || reason == .configuration
            self.init(
                "degraded.\(reason.rawValue)", needsHelp ? .askForHelp : .tryAgain, account: account,
                isSecurityEvent: reason == .trust)
        case .reloginNeeded(let reason):
            self.init(
                "ended.\(reason.rawValue)", reason == .identityMismatch ? .askForHelp : .signIn, account: account,
                isSecurityEvent: [.identityMismatch, .lostRotation, .keyLost].contains(reason))
        }
    }

    init(_ notice: ServerNotice) {
        switch notice {
        case .renewed(let origin, _): self.init("server.renewed", .tryAgain, server: "\(origin)")
        case .notKept(let origin, _): self.init("server.notKept", .askForHelp, server: "\(origin)")
        }
    }
}
