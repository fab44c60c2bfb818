/// An address that came from outside (a message, a web page, another app) and is one of those that the app wrote down.
///
/// ```swift
/// nonisolated enum Target { case invitation, file }
/// let links = DeepLinks<Target>([
///     .init(.invitation, scheme: "https", host: "app.example.org", path: "/invite/:code", query: ["from"]),
///     .init(.file, scheme: "org.example.app", host: "open", path: "/file/:id"),
/// ])
/// let link = try links.read(text)          // link.target == .file, link["id"] == "42"
/// ```
///
/// The text is taken only where every parser reads the same: see ``DeepLinkProblem``. What is found in it is data and
/// never a command: ask the person before anything is changed.
public struct DeepLinks<Target: Hashable & Sendable>: Sendable {
    /// One form that the app takes.
    public struct Form: Sendable {
        let target: Target
        let scheme: String
        let host: String
        let path: [String]
        let query: Set<String>

        /// Writes down a form.
        ///
        /// - Parameters:
        ///   - target: What it stands for.
        ///   - scheme: In lower case: `https`, or the app's own. Never `http`, `file`, `javascript` and their like:
        ///     such a form matches nothing.
        ///   - host: In lower case; compared as a whole.
        ///   - path: Segments that are compared as they are; one that begins with a colon takes any text and names it.
        ///   - query: The names that may stand behind `?`, each at most once. Others are refused.
        public init(_ target: Target, scheme: String, host: String, path: String, query: Set<String> = []) {
            self.target = target
            self.scheme = scheme
            self.host = host
            self.path = path.split(separator: "/").map(String.init)
            self.query = query
        }
    }

    /// An address that is on the list.
    public struct Link: Hashable, Sendable {
        /// Which form it has.
        public let target: Target
        private let values: [String: String]

        init(_ target: Target, _ values: [String: String]) {
            self.target = target
            self.values = values
        }

        /// The decoded text of a named segment or of a query's name; `nil` when it is not there.
        public subscript(name: String) -> String? { values[name] }
    }

    private let forms: [Form]

    /// The list of what is taken.
    public init(_ forms: [Form]) { self.forms = forms }

    /// Reads an address.
    ///
    /// - Throws: ``DeepLinkProblem``.
    public func read(_ text: String) throws(DeepLinkProblem) -> Link {
        let parts = try LinkParts(text)
        var nearest = DeepLinkProblem.unknown
        for form in forms where form.scheme == parts.scheme && form.host == parts.host {
            guard var values = Self.match(form.path, parts.path) else { continue }
            guard Set(parts.query.map(\.name)).isSubset(of: form.query) else {
                nearest = .unknownQuery
                continue
            }
            for (name, value) in parts.query { values[name] = value }
            return Link(form.target, values)
        }
        throw nearest
    }

    private static func match(_ form: [String], _ path: [String]) -> [String: String]? {
        guard form.count == path.count else { return nil }
        var values: [String: String] = [:]
        for (pattern, segment) in zip(form, path) {
            if pattern.hasPrefix(":") {
                values[String(pattern.dropFirst())] = segment
            } else if pattern != segment {
                return nil
            }
        }
        return values
    }
}
