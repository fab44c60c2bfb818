package import PaviseTransport

/// What a server wants of a sign-in before it answers: a level, or one that is recent (RFC 9470).
///
/// ```
/// WWW-Authenticate: Bearer error="insufficient_user_authentication", acr_values="phr", max_age="300"
/// ```
package struct StepUpDemand: Hashable, Sendable {
    /// The levels that will do, the best one first (`acr_values`).
    package let levels: [String]
    /// The longest time since the person showed who they are, in seconds (`max_age`).
    package let maximumAge: Int64?

    /// Reads an answer; `nil` where it demands nothing of the kind, or nothing that a sign-in can be asked for.
    package init?(_ answer: HTTPResponse) {
        guard answer.status == 401 else { return nil }
        let challenges = answer.fields.all("WWW-Authenticate").flatMap { Challenge.parse($0) ?? [] }
        let demand = challenges.first {
            ["bearer", "dpop"].contains($0.scheme) && $0["error"] == "insufficient_user_authentication"
        }
        guard let demand else { return nil }
        levels = (demand["acr_values"] ?? "").split(separator: " ").map(String.init)
        maximumAge = demand["max_age"].flatMap { Int64($0) }
        guard levels.allSatisfy(Self.isLevel), levels.count <= 16, maximumAge.map({ $0 >= 0 }) ?? true,
            !levels.isEmpty || maximumAge != nil
        else { return nil }
    }

    // A level is a name or an address (OpenID Connect Core §2): visible ASCII.
    private static func isLevel(_ text: String) -> Bool {
        text.utf8.count <= 200 && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}
