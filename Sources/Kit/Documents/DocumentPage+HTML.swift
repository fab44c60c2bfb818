extension DocumentPage {
    /// The Content-Security-Policy of the page: nothing is loaded but pictures inside it, and the one style sheet whose
    /// digest it names (CSP level 3).
    public static let contentSecurityPolicy =
        "default-src 'none'; img-src data:; style-src 'sha256-\(styleDigest)'; base-uri 'none'; form-action 'none'"

    /// The policy with `sandbox`, which works as a header or as a view's own policy, and not in the page.
    public static let sandboxedPolicy = contentSecurityPolicy + "; sandbox"

    /// The rule list of a view of WebKit, as JSON: every address is blocked, whatever names it, but what lies in the
    /// page itself (its pictures are `data:`).
    ///
    /// Source: Apple, "Creating a content blocker".
    public static let blockingRules = """
        [{"trigger": {"url-filter": ".*"}, "action": {"type": "block"}},
         {"trigger": {"url-filter": "^data:"}, "action": {"type": "ignore-previous-rules"}},
         {"trigger": {"url-filter": "^about:"}, "action": {"type": "ignore-previous-rules"}}]
        """

    /// The fields of an answer for whoever serves the page. `sandbox` works as a header alone.
    public static let headers: [(name: String, value: String)] = [
        ("Content-Type", "text/html; charset=utf-8"),
        ("Content-Security-Policy", sandboxedPolicy + "; frame-ancestors 'none'"),
        ("X-Content-Type-Options", "nosniff"), ("X-DNS-Prefetch-Control", "off"), ("Referrer-Policy", "no-referrer"),
        ("Cache-Control", "no-store"), ("Cross-Origin-Opener-Policy", "same-origin"),
    ]

    /// The whole page, in ASCII: its policy stands before everything that could load something.
    ///
    /// - Parameter notice: Whether what was left out, and the links, stand at its end.
    public func html(notice: Bool = true) -> [UInt8] {
        var result = Array(
            """
            <!DOCTYPE html><html><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" \
            content="\(Self.contentSecurityPolicy)"><meta http-equiv="x-dns-prefetch-control" content="off">\
            <meta name="referrer" content="no-referrer"><meta name="viewport" content="width=device-width">\
            <style>\(Self.style)</style></head><body>
            """.utf8)
        result += body
        if notice { result += noticeBody() }
        return result + Array("</body></html>\n".utf8)
    }

    private func noticeBody() -> [UInt8] {
        var writer = PageWriter(.standard)
        writer.rule()
        writer.open(.p, .omitted)
        writer.text(omissions.sentence)
        writer.close(.p)
        if !links.isEmpty {
            writer.open(.ol)
            for link in links {
                writer.open(.li)
                writer.text(link.address)
                writer.close(.li)
            }
        }
        writer.closeAll()
        return writer.html
    }

    /// The page's only style sheet.
    package static let style =
        "body{font-family:sans-serif;line-height:1.4;max-width:50em;margin:1em auto;padding:0 1em;color:#111;"
        + "background:#fff;overflow-wrap:anywhere}table{border-collapse:collapse}td,th{border:1px solid #bbb;"
        + "padding:.2em .5em;text-align:start;vertical-align:top}pre{white-space:pre-wrap}img{max-width:100%}"
        + ".link{text-decoration:underline}.omitted{color:#555}"
    static let styleDigest = "3ACeAgJbkmcrVfb6APj4i6FblcZFT8rx8fn2sBv1fIg="
}
