internal import PavisePrimitives

extension AuthorityCore {
    /// The device authorization endpoint (RFC 8628 §3.1).
    func device(_ request: LabRequest) -> LabResponse {
        guard request.method == "POST" else { return LabResponse(status: 405) }
        guard let client = client(of: request) else {
            return .json(AuthorityFault.text("invalid_client"), status: 401)
        }
        if let refused = withoutAttestation(request, of: client) { return refused }
        let now = clock.wallSeconds
        let configuration = state.value.configuration
        let scope = request.form("scope") ?? ""
        guard configuration.knows(scope) else { return .json(AuthorityFault.text("invalid_scope"), status: 400) }
        let secret = TokenText.fresh("device", configuration.canary)
        let session = configuration.namesSessions ? TokenText.fresh("session", "lab") : nil
        let resources = request.formParameters.filter { $0.name == "resource" }.map(\.value)
        let code = String((0..<8).map { _ in "BCDFGHJKLMNPQRSTVWXZ".randomElement() ?? "B" })
        state.change {
            $0.ledger.devices[secret] = AuthorityLedger.Device(
                code: code, client: client, scope: scope, expires: now + configuration.codeLifetime, session: session,
                interval: configuration.deviceInterval, resources: resources)
            $0.ledger.issued.append(IssuedToken(kind: .code, value: secret))
        }
        let answer = JSONValue.fields([
            "device_code": .string(secret), "user_code": .string(code),
            "verification_uri": .string(state.value.address(.verify)),
            "verification_uri_complete": .string(state.value.address(.verify) + "?user_code=\(code)"),
            "expires_in": .integer(configuration.codeLifetime), "interval": .integer(configuration.deviceInterval),
        ])
        return .json(answer.text)
    }

    /// The page where a person types the code, a name and a password.
    func verify(_ request: LabRequest) -> LabResponse {
        guard request.method == "POST" else {
            let code = request.queryParameters.first { $0.name == "user_code" }?.value ?? ""
            return .html(DevicePage.html(code: code.filter { $0.isASCII && $0.isLetter }))
        }
        guard let user = request.form("username"), let password = request.form("password"),
            state.value.configuration.isPassword(password, of: user)
        else { return .html(DevicePage.html(code: ""), status: 401) }
        let now = clock.wallSeconds
        let isKnown = state.change { $0.ledger.agree(to: request.form("user_code") ?? "", as: user, at: now) }
        return isKnown ? .text("Done. Go back to the program.") : .html(DevicePage.html(code: ""), status: 404)
    }
}

/// The page a person sees who was shown a code.
enum DevicePage {
    /// The form, with the code in it where the address had one: letters only.
    static func html(code: String) -> String {
        """
        <!doctype html><meta charset="utf-8"><title>Lab sign-in by code</title>
        <form method="post"><label>Code <input name="user_code" value="\(code)"></label>
        <label>Name <input name="username" autofocus></label>
        <label>Password <input name="password" type="password"></label>
        <button type="submit">Sign in</button></form>
        """
    }
}

extension AuthorityLedger {
    /// A device that waits for a person.
    struct Device: Sendable {
        var code: String
        var client: String
        var scope: String
        var expires: Int64
        /// The name of the session that it will be (`sid`).
        var session: String?
        /// Seconds that it has to leave between two questions: 5 more after each that came too early.
        var interval: Int64
        /// When it asked last, while nobody had answered.
        var asked: Int64?
        /// The servers that its tokens will be for (RFC 8707).
        var resources: [String]
        /// Who said yes; an empty name is a no.
        var user: String?
        /// When that was: the moment of the sign-in (`auth_time`).
        var answered: Int64?
    }

    /// Answers for the person who typed `code`; an empty name refuses. A code is for one answer: nobody who types it
    /// later signs the device in as somebody else.
    ///
    /// - Returns: Whether a device shows that code, and waits.
    mutating func agree(to code: String, as user: String, at now: Int64) -> Bool {
        let waiting = devices.first { $0.value.code == code && $0.value.user == nil && $0.value.expires > now }
        guard let secret = waiting?.key else { return false }
        devices[secret]?.user = user
        devices[secret]?.answered = now
        return true
    }

    /// Exchanges a device code, when a person has agreed. Who asks too early while nobody has is told to slow down, and
    /// has to leave 5 seconds more from then on (RFC 8628 §3.5).
    mutating func redeem(
        device secret: String, configuration: AuthorityConfiguration, at now: Int64, mint: TokenMint
    ) throws(Refusal) -> GrantedTokens {
        guard let device = devices[secret] else { throw Refusal(code: "invalid_grant", reason: "unknown device code") }
        guard device.client == configuration.clientID else {
            throw Refusal(code: "invalid_grant", reason: "the code of another client")
        }
        guard device.expires > now else { throw Refusal(code: "expired_token", reason: "the code is too old") }
        guard let user = device.user else { throw waits(secret, device, at: now) }
        devices[secret] = nil
        guard !user.isEmpty else { throw Refusal(code: "access_denied", reason: "the person refused") }
        let grant = Grant(
            user: user, scope: configuration.grantedScope ?? device.scope, nonce: nil, redirect: "", challenge: nil,
            expires: now, signedIn: device.answered ?? now, client: device.client, session: device.session,
            resources: device.resources)
        try checkBeginning(grant, configuration.limits, at: now)
        return begin(grant, configuration, at: now, mint: mint)
    }

    private mutating func waits(_ secret: String, _ device: Device, at now: Int64) -> Refusal {
        devices[secret]?.asked = now
        guard let last = device.asked, now - last < device.interval else {
            return Refusal(code: "authorization_pending", reason: "nobody has agreed")
        }
        devices[secret]?.interval += 5
        return Refusal(code: "slow_down", reason: "asked too early")
    }
}

extension LabAuthority {
    /// The codes that devices show now, and that nobody has answered.
    public var deviceCodes: [String] {
        let now = core.clock.wallSeconds
        return core.state.value.ledger.devices.values.filter { $0.user == nil && $0.expires > now }.map(\.code)
    }

    /// Answers for the person who typed a device's code.
    ///
    /// - Parameters:
    ///   - code: What the device shows.
    ///   - user: Who agrees; `nil` refuses.
    /// - Throws: ``LabFailure/request(_:)`` for a code that no device shows, or that somebody has answered.
    public func approveDevice(_ code: String, as user: String? = "alice") throws(LabFailure) {
        let now = core.clock.wallSeconds
        let isKnown = core.state.change { $0.ledger.agree(to: code, as: user ?? "", at: now) }
        guard isKnown else { throw .request("no device shows this code") }
    }
}
