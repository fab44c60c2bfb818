internal import PavisePrimitives
package import PaviseTransport

/// Says of a type of a server's answers that nothing in it is sensitive, so that it may be cached for an hour.
///
/// Health data, messages, names of people, anything of another person, tokens and keys are sensitive: their types do
/// not conform, and an answer of theirs cannot be given to a ``ResponseCache``.
///
/// ```swift
/// struct Glossary: Decodable, CacheableResponse { let words: [String] }
/// ```
public protocol CacheableResponse: Decodable, Sendable {}

/// Why an answer was not kept. It can be used all the same.
public enum NotCachedReason: Hashable, Sendable {
    /// Only answers to GET with the status 200 are kept (RFC 9111 §3).
    case notPlainSuccess
    /// The server says `no-store`, `no-cache` or `max-age=0` (RFC 9111 §5.2.2), or the answer is stale already by its
    /// `Expires`, `Date` and `Age` (§4.2).
    case forbiddenByServer
    /// The answer sets a cookie.
    case setsCookie
    /// The answer depends on fields that are not part of the key (RFC 9111 §4.1), or on anything at all (`Vary: *`).
    case varies
    /// It is larger than the cache's limit for one answer.
    case tooLarge
}

/// Which answers may be kept, and for how long.
package enum CachingRule {
    /// The longest time, in seconds.
    static let longest: Int64 = 3_600
    /// Request fields that are part of the key.
    static let variedFields = ["accept", "accept-language"]

    /// Whether a request with this method changes nothing at the server (RFC 9110 §9.2.1).
    static func isSafe(_ method: String) -> Bool { ["GET", "HEAD", "OPTIONS", "TRACE"].contains(method) }

    /// Seconds for which an answer may be given again.
    ///
    /// - Parameter now: Seconds since 1970, when the answer came.
    package static func lifetime(
        of response: HTTPResponse, to method: String, now: Int64
    ) -> Result<Int64, NotCachedReason> {
        guard method == "GET", response.status == 200 else { return .failure(.notPlainSuccess) }
        guard response.fields["set-cookie"] == nil else { return .failure(.setsCookie) }
        let varied = tokens(response.fields.all("vary"))
        guard varied.allSatisfy({ variedFields.contains($0) || $0 == "accept-encoding" }) else {
            return .failure(.varies)
        }
        let directives = tokens(response.fields.all("cache-control")) + tokens(response.fields.all("pragma"))
        guard !directives.contains(where: isForbidden) else { return .failure(.forbiddenByServer) }
        let ages = directives.filter { $0 == "max-age" || $0.hasPrefix("max-age=") }
            .map { number($0.dropFirst(8).filter { $0 != "\"" }) }
        // `Expires` holds only where there is no max-age (RFC 9111 §5.3).
        let allowed = ages.isEmpty ? expiry(of: response, now) : ages
        guard let age = age(of: response, now) else { return .failure(.forbiddenByServer) }
        var seconds = longest
        for allowed in allowed {
            // What cannot be read is stale.
            guard let allowed else { return .failure(.forbiddenByServer) }
            seconds = min(seconds, allowed)
        }
        return seconds > age ? .success(seconds - age) : .failure(.forbiddenByServer)
    }

    // Seconds from the server's own moment to its `Expires`. One that is no date, for example 0, is in the past.
    private static func expiry(of response: HTTPResponse, _ now: Int64) -> [Int64?] {
        let sent = date(of: response) ?? now
        return response.fields.all("expires").map { text in IMFFixdate.seconds(text).map { $0 - sent } }
    }

    // How old the answer is on its arrival: what caches on the way say, or what its date says (RFC 9111 §4.2.3).
    private static func age(of response: HTTPResponse, _ now: Int64) -> Int64? {
        var age = max(0, now - (date(of: response) ?? now))
        for text in response.fields.all("age") {
            guard let said = number(text) else { return nil }
            age = max(age, said)
        }
        return age
    }

    private static func date(of response: HTTPResponse) -> Int64? {
        response.fields["date"].flatMap(IMFFixdate.seconds)
    }

    // Digits alone: Int64 would read a sign.
    private static func number(_ text: some StringProtocol) -> Int64? {
        text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int64(text) : nil
    }

    // Also with a list of fields: no-cache="Set-Cookie".
    private static func isForbidden(_ directive: String) -> Bool {
        ["no-store", "no-cache"].contains { directive == $0 || directive.hasPrefix("\($0)=") }
    }

    private static func tokens(_ values: [String]) -> [String] {
        values.flatMap { $0.split(separator: ",") }.map { $0.lowercased().filter { $0 != " " && $0 != "\t" } }
            .filter { !$0.isEmpty }
    }
}

extension NotCachedReason: Error {}
