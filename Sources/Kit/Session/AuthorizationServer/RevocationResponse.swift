internal import PavisePrimitives
internal import PaviseTransport

/// What a revocation endpoint's answer means (RFC 7009 §2.2). A pure function of the answer.
enum RevocationResponse: Hashable, Sendable {
    /// The server took the token back, or did not know it any more.
    case done
    /// The server's own no: the same request would get the same answer later. `isUnauthorized` for 401.
    case refused(isUnauthorized: Bool = false)
    /// The server was not reached, or cannot say now. `retryAfter` is what it asked for, in seconds.
    case passing(retryAfter: Int64? = nil)

    /// Errors that a server gives for a reason of its own; asking again helps.
    private static let passingErrors: Set<String> = ["temporarily_unavailable", "server_error", "slow_down"]

    /// Judges what came back, or that nothing did.
    ///
    /// 400 and 401 are what the endpoint itself says, whatever stands in them. Other refusals count when they name an
    /// OAuth error: something in front of a server writes pages. No redirect is followed, and what is trusted is
    /// decided anew each time.
    init(_ result: Result<HTTPResponse, TokenSendFailure>, wallSeconds: Int64 = 0) {
        let response: HTTPResponse
        switch result {
        case .success(let answer): response = answer
        case .failure(.transport):
            self = .passing()
            return
        case .failure(.keyLost):
            self = .refused()
            return
        }
        let clock = IMFFixdate.seconds(response.fields["Date"] ?? "") ?? wallSeconds
        let later = Self.passing(retryAfter: RetryAfter.seconds(response.fields["Retry-After"], wallSeconds: clock))
        let error = response.jsonObject?["error"]?.string
        switch response.status {
        case 200: self = .done
        case 408, 425, 429: self = later
        case 400, 401:
            self =
                Self.passingErrors.contains(error ?? "")
                ? later : .refused(isUnauthorized: response.status == 401)
        case 402..<500: self = error.map { !Self.passingErrors.contains($0) } ?? false ? .refused() : later
        default: self = later
        }
    }
}
