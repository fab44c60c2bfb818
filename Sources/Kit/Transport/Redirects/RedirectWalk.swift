/// Decides redirect after redirect for one request. Pure: no clock, no network; every answer has a decision.
///
/// ```swift
/// var walk = RedirectWalk(.sameOrigin) { ATSDecision($0, isDirect: false, configuration: .strict) }
/// print(walk.step(after: response, to: request))
/// ```
package struct RedirectWalk: Sendable {
    /// What to do with an answer.
    package enum Step: Sendable {
        /// It is the result.
        case finish
        /// Send this next.
        case follow(HTTPRequest, carriesCredentials: Bool)
        /// Ask about the last hop; with consent, send this next, without credentials.
        case ask(HTTPRequest)
    }

    private struct Visit: Hashable {
        let method: String
        let address: String
    }

    /// What happened so far.
    package private(set) var hops: [HopRecord] = []
    private let policy: RedirectPolicy
    private let ats: @Sendable (Origin) -> ATSDecision
    private var visits: Set<Visit> = []
    private var hasCredentials = true

    /// A walk that has not begun.
    package init(_ policy: RedirectPolicy, ats: @escaping @Sendable (Origin) -> ATSDecision) {
        self.policy = policy
        self.ats = ats
    }

    /// Decides about the answer to `request`.
    package mutating func step(after response: HTTPResponse, to request: HTTPRequest) -> Step {
        guard let report = response.redirect else { return .finish }
        visits.insert(Visit(method: request.method, address: request.url.description))
        let next = report.request(after: request)
        let stop = stop(report, next, request)
        let carries = stop == nil && hasCredentials && report.concerns.isEmpty
        let needsConsent = stop == nil && !report.staysHere
        hops.append(
            record(report, request, next, response, stop: stop, carries: carries, needsConsent: needsConsent))
        guard stop == nil, let next else { return .finish }
        if !report.concerns.isEmpty { hasCredentials = false }
        visits.insert(Visit(method: next.method, address: next.url.description))
        return needsConsent ? .ask(next) : .follow(next, carriesCredentials: carries)
    }

    /// Writes the answer to a question into the last hop.
    package mutating func note(_ consent: HopRecord.Consent, target: ServerInspection?) {
        guard let last = hops.indices.last else { return }
        hops[last].consent = consent
        hops[last].target = target
        if consent == .refused, let to = hops[last].to { hops[last].stop = .consentRefused(to.origin) }
    }

    /// Ends the walk at the last hop for a reason that showed later.
    package mutating func note(_ stop: RedirectStop) {
        guard let last = hops.indices.last else { return }
        hops[last].stop = stop
    }

    private func stop(_ report: RedirectReport, _ next: HTTPRequest?, _ request: HTTPRequest) -> RedirectStop? {
        guard let target = report.target else { return .unusableTarget }
        if report.concerns.contains(.downgrade) { return .downgrade }
        guard ats(target.origin).isAllowed else { return .refusedByATS(target.origin) }
        if let allowed = policy.allowedOrigins, !allowed.contains(target.origin) {
            return .originNotAllowed(target.origin)
        }
        if policy.following == .report { return .reported }
        if policy.following == .sameOrigin && !report.staysHere { return .otherOrigin(target.origin) }
        guard let next else { return .notRepeatable(method: request.method) }
        guard !visits.contains(Visit(method: next.method, address: next.url.description)) else { return .loop(target) }
        guard hops.count < policy.limit else { return .tooMany(limit: policy.limit) }
        return nil
    }

    private func record(
        _ report: RedirectReport, _ request: HTTPRequest, _ next: HTTPRequest?, _ response: HTTPResponse,
        stop: RedirectStop?, carries: Bool, needsConsent: Bool
    ) -> HopRecord {
        let isTaken = stop == nil
        return HopRecord(
            number: hops.count + 1, status: report.status, from: report.from, to: report.target,
            methodBefore: request.method, methodAfter: isTaken ? next?.method : nil,
            keepsBody: isTaken && next?.hasBody == true, isSameOrigin: report.concerns.isEmpty,
            isUpgrade: report.isUpgrade, ats: report.target.map { ats($0.origin) }, connection: response.connection,
            carriesCredentials: carries, consent: isTaken && !needsConsent ? .notNeeded : .notAsked, target: nil,
            stop: stop)
    }
}
