internal import PavisePrimitives

extension AuthorityCore {
    /// The device authorization endpoint (RFC 8628 §3.1).
    func device(_ request: LabRequest) -> LabResponse {
        guard request.method == "POST" else { return LabResponse(status: 405) }
        guard isClient(request) else { return .json(AuthorityFault.text("invalid_client"), status: 401) }
        let now = clock.wallSeconds
        let configuration = state.value.configuration
        let secret = TokenText.fresh("device", configuration.canary)
        let code = String((0..<8).map { _ in "BCDFGHJKLMNPQRSTVWXZ".randomElement() ?? "B" })
        state.change {
            $0.ledger.devices[secret] = AuthorityLedger.Device(
                code: code, scope: request.form("scope") ?? "", expires: now + configuration.codeLifetime)
            $0.ledger.issued.append(IssuedToken(kind: .code, value: secret))
        }
        let answer = JSONValue.fields([
            "device_code": .string(secret), "user_code": .string(code),
            "verification_uri": .string(state.value.address(.device)),
            "verification_uri_complete": .string(state.value.address(.device) + "?user_code=\(code)"),
            "expires_in": .integer(configuration.codeLifetime), "interval": .integer(configuration.deviceInterval),
        ])
        return .json(answer.text)
    }
}

extension AuthorityLedger {
    /// A device that waits for a person.
    struct Device: Sendable {
        var code: String
        var scope: String
        var expires: Int64
        /// Who said yes; an empty name is a no.
        var user: String?
    }

    /// Exchanges a device code, when a person has agreed (RFC 8628 §3.5).
    mutating func redeem(
        device secret: String, configuration: AuthorityConfiguration, at now: Int64, mint: TokenMint
    ) throws(Refusal) -> Answer {
        guard let device = devices[secret] else { throw Refusal(code: "invalid_grant", reason: "unknown device code") }
        guard device.expires > now else { throw Refusal(code: "expired_token", reason: "the code is too old") }
        guard let user = device.user else { throw Refusal(code: "authorization_pending", reason: "nobody has agreed") }
        devices[secret] = nil
        guard !user.isEmpty else { throw Refusal(code: "access_denied", reason: "the person refused") }
        let grant = Grant(
            user: user, scope: device.scope, nonce: nil, redirect: "", challenge: nil, expires: now, signedIn: now)
        return begin(grant, configuration, at: now, mint: mint)
    }
}

extension LabAuthority {
    /// Answers for the person who typed a device's code.
    ///
    /// - Parameters:
    ///   - code: What the device shows.
    ///   - user: Who agrees; `nil` refuses.
    /// - Throws: ``LabFailure/request(_:)`` for a code that no device shows.
    public func approveDevice(_ code: String, as user: String? = "alice") throws(LabFailure) {
        let isKnown = core.state.change { state in
            guard let secret = state.ledger.devices.first(where: { $0.value.code == code })?.key else { return false }
            state.ledger.devices[secret]?.user = user ?? ""
            return true
        }
        guard isKnown else { throw .request("no device shows this code") }
    }
}
