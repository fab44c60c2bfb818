extension WebURL {
    /// What `reference` names when it stands in an answer from here, for example in `Location` (RFC 3986 §5.2).
    ///
    /// The whole reference is looked at as it stands, before a `..` takes a part of it away: browsers read
    /// `/\evil.example/../login` as another server's address (WHATWG URL, "relative slash state").
    ///
    /// - Throws: ``Problem`` for what has no reading, or more than one.
    public func resolving(_ reference: String) throws(Problem) -> WebURL {
        guard reference.utf8.count <= 8192 else { throw .tooLong(limit: 8192) }
        guard reference.utf8.allSatisfy(Self.isAllowed) else { throw .forbiddenCharacter }
        if reference.isEmpty || reference.hasPrefix("#") { return self }
        if Self.hasScheme(reference) { return try WebURL(reference) }
        if reference.hasPrefix("//") { return try WebURL("\(origin.scheme):\(reference)") }
        if reference.hasPrefix("?") { return try WebURL("\(origin)\(path)\(reference)") }
        let end = reference.firstIndex { $0 == "?" || $0 == "#" } ?? reference.endIndex
        let folder = path[...(path.lastIndex(of: "/") ?? path.startIndex)]
        let named = String(reference[..<end])
        let whole = named.hasPrefix("/") ? named : folder + named
        return try WebURL("\(origin)\(Self.removingDotSegments(whole))\(reference[end...])")
    }

    // RFC 3986 §3.1: a letter, then letters, digits, `+`, `-` or `.`, up to a colon.
    private static func hasScheme(_ text: String) -> Bool {
        guard let colon = text.firstIndex(of: ":"), text.first?.isLetter == true else { return false }
        return text[..<colon].utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2B, 0x2D, 0x2E: true
            default: false
            }
        }
    }

    // RFC 3986 §5.2.4. A step above the root stays at the root.
    private static func removingDotSegments(_ path: String) -> String {
        var kept: [Substring] = []
        let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        for (index, segment) in segments.enumerated() {
            let isLast = index == segments.count - 1
            switch segment {
            case ".": if isLast { kept.append("") }
            case "..":
                _ = kept.popLast()
                if isLast { kept.append("") }
            default: kept.append(segment)
            }
        }
        return "/" + kept.joined(separator: "/")
    }
}
