extension RedirectReport {
    /// The statuses that send a client elsewhere (RFC 9110 §15.4); 300 and 304 are answers.
    public static let statuses: Set<Int> = [301, 302, 303, 307, 308]

    /// Reads what an answer asks for. Nothing is followed.
    ///
    /// - Returns: `nil` when the status is no redirect.
    public init?(status: Int, fields: HTTPFields, from: WebURL) {
        guard Self.statuses.contains(status) else { return nil }
        let places = fields.all("Location")
        guard places.count == 1, let target = try? from.resolving(places[0]) else {
            self.init(status: status, from: from, target: nil, concerns: [.unusableTarget])
            return
        }
        var concerns: Set<Concern> = []
        if target.origin != from.origin { concerns.insert(.otherOrigin) }
        if from.origin.scheme == .https && target.origin.scheme == .http { concerns.insert(.downgrade) }
        self.init(status: status, from: from, target: target, concerns: concerns)
    }

    /// The method that a client which follows would use; `nil` when the request must not be repeated by itself.
    ///
    /// 303 turns everything but HEAD into GET; a POST is never replayed after 301 or 302; 307 and 308 keep the method,
    /// and only within the origin (connections C22).
    public func method(after method: String) -> String? {
        guard target != nil, !concerns.contains(.downgrade) else { return nil }
        let isSafe = method == "GET" || method == "HEAD"
        switch status {
        case 303: return method == "HEAD" ? "HEAD" : "GET"
        case 301, 302: return isSafe ? method : nil
        default: return isSafe || !concerns.contains(.otherOrigin) ? method : nil
        }
    }
}
