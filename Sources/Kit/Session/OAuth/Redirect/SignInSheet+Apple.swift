#if canImport(AuthenticationServices) && (os(iOS) || os(macOS))
public import AuthenticationServices
internal import Foundation
public import PaviseTransport

/// The system's own sheet for signing in, which shares no page and no keyboard with the app (RFC 8252 §8.12), and
/// brings the answer back to the app without another app being asked.
///
/// Written against Apple's documentation of `ASWebAuthenticationSession`, never run on an Apple system.
///
/// ```swift
/// let receiver = RedirectReceiver(try RedirectAddress("https://app.example.org/signed-in"))
/// let sheet = SignInSheet(over: receiver) { window }       // the window that the person looks at
/// try await connection.signIn(browser: sheet, receiver: receiver)
/// ```
@MainActor
public final class SignInSheet: NSObject, Browser {
    private let receiver: RedirectReceiver
    private let keepsCookies: Bool
    private let anchor: @MainActor @Sendable () -> ASPresentationAnchor
    private var session: ASWebAuthenticationSession?
    private var shownFor: AppCallback?

    /// A sheet whose answer goes to `receiver`.
    ///
    /// - Parameters:
    ///   - receiver: Gets the answer.
    ///   - keepsCookies: Whether the page sees the cookies of the person's browser. Without them nobody who finds the
    ///     device open is signed in by what the browser remembers.
    ///   - anchor: The app's window over which the sheet is shown, asked when it is. On iOS the window has to be in a
    ///     scene in the foreground: over any other the system shows nothing and ends the sign-in
    ///     (`presentationContextInvalid`).
    public nonisolated init(
        over receiver: RedirectReceiver, keepsCookies: Bool = false,
        anchor: @escaping @MainActor @Sendable () -> ASPresentationAnchor
    ) {
        self.receiver = receiver
        self.keepsCookies = keepsCookies
        self.anchor = anchor
        super.init()
    }

    /// Shows the page. A sheet that the person closes ends the sign-in as ``SignInFailure/cancelled``; one that the
    /// system does not show, or that comes back elsewhere, as ``SignInFailure/browser(_:)``. A sign-in that ends
    /// otherwise, as by its time or by its task, closes the sheet.
    @MainActor
    public func open(_ url: WebURL) async throws(BrowserFailure) {
        guard let address = URL(string: url.description) else { throw BrowserFailure("the address cannot be opened") }
        // The page of a sign-in that is over may still be there, and end later.
        session?.cancel()
        let waiting = receiver.current
        let made = ASWebAuthenticationSession(url: address, callback: receiver.address.callback) {
            // The system calls this on a queue of its own: without `@Sendable` it would be the main actor's and trap
            // there.
            @Sendable [receiver] answer, error in
            let failure = error.map { $0 as NSError }.map { (domain: $0.domain, code: $0.code) }
            receiver.end(waiting, as: SheetEnding(address: answer?.absoluteString, error: failure))
        }
        made.prefersEphemeralWebBrowserSession = !keepsCookies
        made.presentationContextProvider = self
        session = made
        shownFor = waiting
        guard made.start() else { throw BrowserFailure("the system did not show the page") }
        // The time of a sign-in can pass, and its task be cancelled, while the page is there.
        waiting?.whenOver { [weak self] in
            Task { @MainActor [weak self] in self?.close(for: waiting) }
        }
    }

    private func close(for waiting: AppCallback?) {
        guard shownFor === waiting else { return }
        session?.cancel()
        (session, shownFor) = (nil, nil)
    }
}

extension SignInSheet: ASWebAuthenticationPresentationContextProviding {
    /// The window that the app named.
    public func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor { anchor() }
}

extension RedirectAddress {
    fileprivate var callback: ASWebAuthenticationSession.Callback {
        guard isClaimed, let url = URL(string: description), let host = url.host else {
            return .customScheme(String(description.prefix { $0 != ":" }))
        }
        return .https(host: host, path: url.path(percentEncoded: true))
    }
}
#endif
