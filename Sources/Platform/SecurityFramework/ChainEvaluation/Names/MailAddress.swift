/// A mailbox as certificates hold it: two are one when their local parts are equal and their hosts differ in case
/// alone.
struct MailAddress: Hashable {
    let local: Substring
    /// In lower case.
    let host: String

    /// Reads `local@host`; `nil` for anything with no or more than one `@`, or an empty side (RFC 5280 §4.2.1.6).
    init?(_ text: String) {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else { return nil }
        local = parts[0]
        host = parts[1].lowercased()
    }
}
