internal import PaviseTransport

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
    /// The server says `no-store`, `no-cache` or `max-age=0` (RFC 9111 §5.2.2).
    case forbiddenByServer
    /// The answer sets a cookie.
    case setsCookie
    /// The answer depends on fields that are not part of the key (RFC 9111 §4.1), or on anything at all (`Vary: *`).
    case varies
    /// It is larger than the cache's limit for one answer.
    case tooLarge
}

/// Which answers may be kept, and for how long.
enum CachingRule {
    /// The longest time, in seconds.
    static let longest: Int64 = 3_600
    /// Request fields that are part of the key.
    static let variedFields = ["accept", "accept-language"]

    /// Seconds for which an answer may be given again.
    static func lifetime(of response: HTTPResponse, to method: String) -> Result<Int64, NotCachedReason> {
        guard method == "GET", response.status == 200 else { return .failure(.notPlainSuccess) }
        guard response.fields["set-cookie"] == nil else { return .failure(.setsCookie) }
        let varied = tokens(response.fields.all("vary"))
        guard varied.allSatisfy({ variedFields.contains($0) || $0 == "accept-encoding" }) else {
            return .failure(.varies)
        }
        let directives = tokens(response.fields.all("cache-control")) + tokens(response.fields.all("pragma"))
        guard !directives.contains(where: isForbidden) else { return .failure(.forbiddenByServer) }
        var seconds = longest
        for directive in directives where directive.hasPrefix("max-age=") {
            guard let age = Int64(directive.dropFirst(8).filter { $0 != "\"" }), age > 0 else {
                return .failure(.forbiddenByServer)
            }
            seconds = min(seconds, age)
        }
        return .success(seconds)
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
