internal import Pavise
internal import PavisePrimitives
internal import PaviseStorage
internal import PaviseTransport

extension CommandFailure {
    /// Words and status for a connection that did not come about.
    init(_ refusal: ConnectRefusal) {
        switch refusal {
        case .withoutTLS:
            self.init(.refused, "Plain http is not protected. Use https. Nothing was sent.", rule: "ats")
        case .address(let words): self.init(.usage, words)
        case .certificate(let refusal, let origin):
            self = CertificateQuestion.failure(refusal, at: origin, advice: "Nobody can approve this.")
        case .approvalNeeded(let origin):
            self.init(.refused, "The certificate of \(origin) needs approval. Nothing was sent.", rule: "certificate")
        case .weakerMethod(let weaker, isManaged: true):
            self.init(
                .refused, "\(Self.words(weaker)) The administrator lets nobody weaken that.", rule: "downgrade")
        case .weakerMethod(let weaker, isManaged: false):
            self.init(
                .refused,
                "\(Self.words(weaker)) If you know why, connect again with --accept-weaker. Nothing was sent.",
                rule: "downgrade")
        case .onlyPassword(let origin):
            self.init(
                .failed,
                "\(origin) asks for a user name and a password, and offers nothing better. “--basic USER” sends them. "
                    + "Nothing was sent.")
        case .withoutOpenID(let origin, let asksForIt):
            let words =
                asksForIt ? "\(origin) does not offer it, or does not answer" : "it needs the scope openid"
            self.init(
                .refused, "The administrator allows “oidc” alone: \(words). Nothing was sent.", rule: "managed-method")
        case .nameTaken(let existing):
            self.init(
                .failed,
                "“\(existing.name)” is already a connection to \(existing.origin) (\(existing.method.rawValue)). "
                    + "Choose another name with --name, or disconnect that one first.")
        case .otherIssuer(let existing):
            self.init(
                .failed,
                "“\(existing.name)” signs in at \(existing.issuer ?? "its server"). Disconnect it first to change that."
            )
        case .otherProfile(let existing):
            self.init(
                .failed,
                "“\(existing.name)” offers “\((existing.tls ?? .ats).rawValue)” in handshakes. "
                    + "Disconnect it first to change that.")
        case .strangers(let servers):
            self.init(
                .refused,
                "The authority sends the sign-in to servers that you have not named: "
                    + servers.map { "\($0.origin)" }.joined(separator: ", ")
                    + ". If you know them, connect again with --accept-servers. No token was sent.",
                rule: "other-servers", facts: servers.map(\.fact))
        }
    }

    /// What is weaker than what, as a sentence.
    static func words(_ weaker: WeakerSignIn) -> String {
        guard weaker.method != .basic else {
            return "\(weaker.origin) offered a sign-in without a password before (\(weaker.better))."
        }
        return
            "\(weaker.origin) lets people sign in with “\(weaker.method)” now. “\(weaker.better)”, "
            + "which it offered before or does not answer about, is stronger: it also says who signed in."
    }
}

extension NamedServer {
    /// What a person needs to know of it.
    var fact: Report.Fact {
        let known = certificate.map { ", \($0.subject), SPKI SHA-256 \($0.spki)" } ?? ""
        let words = "\(origin) for \(purposes.joined(separator: ", "))\(known)"
        return Report.Fact("server", "Other server", Printable.text(words))
    }
}
