/// How a page that the system shows for a sign-in came to its end: the one place where that becomes the sign-in's end
/// (FD3).
package enum SheetEnding: Hashable, Sendable {
    /// The system hands over an address, which need not be the receiver's.
    case answer(String)
    /// The person closed the page, or said no to the system's question.
    case closed
    /// The system could not show it, or ended it: why, in words.
    case failed(String)

    /// From what `ASWebAuthenticationSession` calls back with: an address, or an error's domain and code. Neither is
    /// how a page that was closed by the app ends.
    package init(address: String?, error: (domain: String, code: Int)?) {
        switch (address, error) {
        case (let address?, _): self = .answer(address)
        case (nil, nil): self = .closed
        // ASWebAuthenticationSessionError.canceledLogin.
        case (nil, ("com.apple.AuthenticationServices.WebAuthenticationSession", 1)?): self = .closed
        case (nil, let error?): self = .failed("the system did not show the page (\(error.domain) \(error.code))")
        }
    }
}

extension RedirectReceiver {
    /// Ends the sign-in that a page was shown for, as the page ended. One that is over, because its page was left open,
    /// ends no other that waits by now.
    func end(_ waiting: AppCallback?, as ending: SheetEnding) {
        switch ending {
        case .answer(let address):
            guard let query = self.address.query(of: address) else {
                waiting?.fail("the page came back at an address that is not the app's")
                return
            }
            waiting?.take(query)
        case .closed: waiting?.stop()
        case .failed(let reason): waiting?.fail(reason)
        }
    }
}
