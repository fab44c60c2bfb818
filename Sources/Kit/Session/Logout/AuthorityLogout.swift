package import PavisePrimitives
package import PaviseTransport

/// Ends the session that the browser has with an authority (OpenID Connect RP-Initiated Logout 1.0): opens its page and
/// waits until the browser comes back with the state that went along.
package struct AuthorityLogout: Sendable {
    private let browser: any Browser
    private let entropy: Entropy
    /// The longest address that is opened, in bytes: browsers and servers cut longer ones. An id_token that does not
    /// fit stays here, and the authority asks the person.
    static let addressLimit = 8_000

    /// - Parameter browser: The one that the person signed in with.
    package init(browser: any Browser, entropy: Entropy = .kernel) {
        self.browser = browser
        self.entropy = entropy
    }

    /// What the page is asked for (§2).
    package struct Question: Sendable {
        package let endpoint: WebURL
        package let clientID: String
        /// The id_token of the session, which says whose it is.
        package let hint: SharedSecretBytes?

        package init(endpoint: WebURL, clientID: String, hint: SharedSecretBytes?) {
            self.endpoint = endpoint
            self.clientID = clientID
            self.hint = hint
        }

        package func address(back: String, state: String) -> WebURL {
            let pairs = [("client_id", clientID), ("post_logout_redirect_uri", back), ("state", state)]
            guard let hint else { return endpoint.appending(query: pairs) }
            let whole = endpoint.appending(query: [("id_token_hint", hint.text)] + pairs)
            return whole.description.utf8.count <= AuthorityLogout.addressLimit
                ? whole : endpoint.appending(query: pairs)
        }
    }

    /// Opens the page and waits.
    ///
    /// - Parameters:
    ///   - receiver: For an app to which the system delivers the answer; `nil` listens on `port` of loopback.
    ///   - patience: How long the person may take.
    package func run(
        _ question: Question, receiver: RedirectReceiver?, port: UInt16, patience: Duration
    ) async -> SignOutReport.AuthorityPage {
        do {
            let waiting: any CallbackReceiver =
                if let receiver { try receiver.open() } else { try LoopbackListener(port: port) }
            defer { waiting.stop() }
            let state = try ProofKey.randomText(entropy)
            waiting.start(within: min(patience, .seconds(600))) { query in Self.brings(state, query) }
            try await browser.open(question.address(back: waiting.redirect, state: state))
            try await waiting.wait()
            return .ended
        } catch {
            return .notConfirmed
        }
    }

    // Compared without stopping at the first difference: on loopback any local program may call.
    package static func brings(_ state: String, _ query: String) -> Bool {
        guard query.utf8.count <= 8192, let pairs = FormEncoding.decode(query) else { return false }
        let values = pairs.filter { $0.name == "state" }.map(\.value)
        return values.count == 1 && ConstantTime.equal(values[0], state)
    }
}
