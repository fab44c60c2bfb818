internal import Pavise
internal import PavisePrimitives
internal import PaviseSession

extension CommandFailure {
    /// Words and status for a sign-in that came to nothing.
    init(_ failure: SignInFailure) {
        switch failure {
        case .discovery(let failure): self.init(failure)
        case .callback(let problem): self.init(problem)
        case .withoutPKCE:
            self.init(
                .refused, "The authority does not say that it checks the proof key. Nobody was signed in.", rule: "pkce"
            )
        case .withoutPushing:
            self.init(
                .refused, "The authority does not take pushed requests, which were demanded. Nobody was signed in.",
                rule: "pushed-request")
        case .withoutDeviceGrant:
            self.init(
                .failed,
                "The authority has no sign-in by a code on another device (RFC 8628). Connect without --device, on a "
                    + "machine with a browser.")
        case .clientSecretNotTaken:
            self.init(
                .failed,
                "The authority takes no client secret. It was not sent; connect without --client-secret.")
        case .registration(let problem): self.init(problem)
        case .unusableClientSecret:
            self.init(.usage, "A client secret has 1 to 1024 ASCII characters without line ends (RFC 6749).")
        case .listener(let failure):
            self.init(.failed, "The callback cannot be received: \(failure.description) Another --port may be free.")
        case .redirectInUse: self.init(.failed, "Another sign-in waits for its answer. Try again when it has ended.")
        case .browser(let words): self.init(.failed, "No browser opened: \(Printable.text(words)).")
        case .timeout: self.init(.failed, "Nobody signed in in time. Connect again.")
        case .refused("invalid_client"), .refused("unauthorized_client"):
            self.init(
                .failed,
                "The authority does not know this client, or wants its secret. Give the identifier that it knows with "
                    + "--client-id, and a secret with --client-secret.")
        case .refused("use_attestation_challenge"), .refused("invalid_client_attestation"):
            self.init(
                .refused,
                "The authority signs in attested devices alone, and did not get an attestation that it believes. "
                    + "“pavise device attest ISSUER” enrols this device there, or says why it cannot. "
                    + "Nobody was signed in.",
                rule: "attestation")
        case .refused(let code): self.init(.failed, "The authority refused the sign-in (\(Printable.text(code))).")
        case .unavailable(.trust):
            self.init(
                .refused, "\(DegradedReason.trust.sentence) Nothing was sent and nobody was signed in.",
                rule: "certificate")
        case .unavailable(let reason): self.init(.failed, "\(reason.sentence) Nobody was signed in; try again.")
        case .tokenType:
            self.init(.refused, "The authority gave a token of another type than it was asked for.", rule: "token-type")
        case .withoutBinding:
            self.init(
                .refused,
                "The authority does not bind tokens to a key, which was demanded or was so before. Nobody was "
                    + "signed in; "
                    + "“--dpop never” signs in with tokens that anybody could use who has them.", rule: "dpop")
        case .identity(.keysUntrusted):
            self.init(
                .refused, "The certificate of the server with the authority's keys is refused. Nobody was signed in.",
                rule: "certificate")
        case .identity(.keysUnavailable):
            self.init(.failed, "The authority's keys could not be had. Nobody was signed in; try again.")
        case .identity(let problem):
            self.init(
                .refused, "The authority's id_token was refused (\(problem)). Nobody was signed in.", rule: "id-token")
        case .otherUser:
            self.init(.refused, "Another user signed in than before. Disconnect first.", rule: "same-user")
        case .wrongMethod: self.init(.failed, "This connection signs in with a password.")
        case .store(let failure): self.init(describing: failure)
        case .entropy: self.init(.failed, "The kernel gave no random bytes. Nobody was signed in.")
        case .cancelled: self.init(.failed, "Stopped before the end. Nobody was signed in.")
        }
    }

    /// Words and status for a client that was not registered.
    private init(_ problem: RegistrationProblem) {
        switch problem {
        case .notOffered:
            self.init(
                .failed,
                "The authority registers no clients (RFC 7591). Ask its owner for a client identifier and give it with "
                    + "--client-id.")
        case .refused(let code):
            self.init(.failed, "The authority refused to register a client (\(Printable.text(code))).")
        case .otherRedirects:
            self.init(
                .refused, "The authority registered other redirect addresses than were sent. Nobody was signed in.",
                rule: "registration")
        case .unusableClient:
            self.init(.refused, "The authority registered a client without a usable identifier.", rule: "registration")
        case .unusableAuthentication:
            self.init(
                .refused, "The client that the authority registered must authenticate in a way that was not asked for.",
                rule: "registration")
        case .unusableAnswer:
            self.init(.failed, "The authority's answer to the registration is none. Nobody was signed in.")
        case .unavailable(.trust):
            self.init(
                .refused, "\(DegradedReason.trust.sentence) Nothing was sent and nobody was signed in.",
                rule: "certificate")
        case .unavailable:
            self.init(.failed, "The authority did not answer the registration. Nobody was signed in; try again.")
        }
    }

    /// Words and status for metadata that was not found or not believed.
    init(_ failure: DiscoveryFailure) {
        switch failure {
        case .unusableIssuer: self.init(.usage, "The issuer is an https address without “?” and “#”.")
        case .notFound(let status):
            self.init(
                .failed,
                "The server has no sign-in metadata (\(status)). Name the authority with --issuer, or use --basic.")
        case .notMetadata:
            self.init(
                .failed,
                "What the server gives as sign-in metadata is none: not JSON, doubled, or too large. "
                    + "Name the authority with --issuer, or use --basic.")
        case .otherIssuer(let name):
            self.init(
                .refused, "The metadata speaks for another issuer. Nobody was signed in.", rule: "issuer",
                facts: [.init("issuer", "It names", name)])
        case .missing(let name): self.init(.failed, "The sign-in metadata lacks “\(name)”.")
        case .unusable(let name): self.init(.failed, "In the sign-in metadata “\(name)” is no address.")
        case .withoutTLS(let name):
            self.init(.refused, "In the sign-in metadata “\(name)” is not https. Nobody was signed in.", rule: "ats")
        case .otherAuthority(let name):
            self.init(
                .refused,
                "In the sign-in metadata “\(name)” is at the authority of another connection. Nobody was signed "
                    + "in; remove "
                    + "the connection that is wrong.", rule: "authority")
        case .otherServers(let servers):
            self.init(
                .refused,
                "The authority names servers that nobody agreed to: "
                    + servers.map { "\($0)" }.joined(separator: ", ")
                    + ". Connect again under the same name to look at them. Nothing was sent there.",
                rule: "other-servers")
        case .redirected(let redirect):
            let target = redirect.target.map { "\($0)" } ?? "elsewhere"
            self.init(
                .refused, "The server sends to \(target) for its metadata; metadata is never taken through a redirect.",
                rule: "redirect")
        case .transport(let failure): self.init(failure)
        }
    }

    private init(_ problem: CallbackProblem) {
        switch problem {
        case .refused(let code):
            self.init(.failed, "The sign-in was refused (\(Printable.text(code))). Nobody was signed in.")
        case .otherState: self.init(.refused, Self.foreign, rule: "oauth-state")
        case .otherIssuer, .issuerMissing:
            self.init(.refused, "The callback does not come from this authority. Nobody was signed in.", rule: "issuer")
        case .tokenInAnswer:
            self.init(
                .refused, "The callback carries a token in the open. Nobody was signed in.", rule: "oauth-code-only")
        case .alreadyUsed, .malformed, .codeMissing:
            self.init(.failed, "The callback cannot be used (\(problem)). Nobody was signed in; connect again.")
        }
    }

    private static let foreign =
        "A callback of somebody else's sign-in came (wrong state). Nobody was signed in; connect again."
}
