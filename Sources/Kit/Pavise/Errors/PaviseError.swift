public import Foundation

/// Why something did not happen: one type for an app, with a stable code, what to do next, and a text in the person's
/// language.
///
/// ```swift
/// do { try work() } catch let error as PaviseError {
///     switch error.recovery {
///     case .signIn: showSignIn()
///     case .unlock: showLock()
///     case .retry(let after): retry(after)
///     default: alert(error.localizedDescription)
///     }
/// }
/// ```
///
/// Neither the texts nor the code hold a secret, an address that a person typed, or anything of a server's answer. Two
/// errors with the same code are equal, whatever is underneath; `catch PaviseError.Code.appLocked` matches by code.
public struct PaviseError: LocalizedError, Hashable, Sendable {
    /// A stable name of what happened. New ones may be added; match those that you know.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The name, for logs and support: never shown alone.
        public let rawValue: String
        /// A code of this name.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// What helps.
    public enum Recovery: Hashable, Sendable {
        /// Sign in again.
        case signIn
        /// Unlock the app, or the device.
        case unlock
        /// Try again, after this many seconds at the earliest.
        case retry(after: Int64)
        /// Show the certificate and let a person decide.
        case approve
        /// Let the person type something else.
        case correct
        /// Ask whoever runs the server, or the administrator.
        case askForHelp
        /// Nothing: it was cancelled, or it is over.
        case none
    }

    /// What happened.
    public let code: Code
    /// What helps.
    public let recovery: Recovery
    /// Whether somebody may be attacking: tell an administrator, and keep it in a log.
    public let isSecurityEvent: Bool
    /// Whether something of what was begun could not be taken back: it goes with the next start of the app, or with
    /// the next try.
    public internal(set) var hasLeftovers = false
    /// A number of this one incident, for example `KXPT-WMBR`: show it beside the text. It stands in the app's log too,
    /// in the event `error.told`, so that who helps finds the line; it is random and says nothing.
    ///
    /// `nil` where nothing was written: for what the person mends at once (unlock, approve, correct) or cancelled, and
    /// for errors that were made outside of ``AppSecurity`` and ``Account``, such as those of a file or a database.
    public internal(set) var supportID: String?
    /// The typed error that it was made from, for code that wants to know exactly.
    public let underlying: any Error

    init(_ code: Code, _ recovery: Recovery, isSecurityEvent: Bool = false, _ underlying: any Error) {
        self.code = code
        self.recovery = recovery
        self.isSecurityEvent = isSecurityEvent
        self.underlying = underlying
    }

    /// One or two sentences in the person's language: what happened, and what to do.
    public var errorDescription: String? { message(in: .current) }

    /// A title of one line, in the person's language.
    public var title: String { title(in: .current) }

    /// The title in a language of the catalogue.
    public func title(in language: MessageLanguage) -> String {
        MessageCatalogue.text("error.\(code.rawValue).title", language)
    }

    /// The sentences in a language of the catalogue.
    public func message(in language: MessageLanguage) -> String {
        var text = MessageCatalogue.text("error.\(code.rawValue).message", language)
        if hasLeftovers { text += " " + MessageCatalogue.text("error.leftovers", language) }
        guard case .retry(let seconds) = recovery, seconds > 0 else { return text }
        return text + " " + MessageCatalogue.text("error.retryIn", language).replacing("%@", with: "\(seconds)")
    }

    /// Two errors are equal when their codes are.
    public static func == (one: PaviseError, other: PaviseError) -> Bool { one.code == other.code }

    /// By the code alone.
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension PaviseError: CustomStringConvertible, CustomDebugStringConvertible {
    /// The code, and the name of the type underneath: what a log may have. The content of ``underlying`` is not in it,
    /// which may be a name, an address or a path; print that itself where a developer looks.
    public var description: String { "\(code.rawValue) (\(type(of: underlying)))" }
    /// The same.
    public var debugDescription: String { description }
}

extension PaviseError.Code {
    /// Lets `catch PaviseError.Code.appLocked` match an error by its code.
    public static func ~= (code: PaviseError.Code, error: any Error) -> Bool { (error as? PaviseError)?.code == code }
}
