/// A lock as a server tells of it (RFC 4918 §14.1, §15.8).
struct ActiveLock: Hashable {
    var owner = ""
    var token = ""

    /// The locks that an answer to PROPFIND names, with the bounds of a listing.
    static func all(in bytes: [UInt8]) throws(SyncFailure) -> [ActiveLock] {
        do throws(NamespacedXMLReader.Problem) { return try read(try NamespacedXMLReader(bytes)) } catch {
            throw .listing("The server's locks cannot be read: \(error).")
        }
    }

    private static func read(_ made: NamespacedXMLReader) throws(NamespacedXMLReader.Problem) -> [ActiveLock] {
        var (reader, path, found) = (made, [String](), [ActiveLock]())
        while found.count < 1_000 {
            switch try reader.next() {
            case .finished: return found
            case .start(let namespace, let name):
                path.append(namespace == "DAV:" ? name : "other")
                if path.last == "activelock" { found.append(ActiveLock()) }
            case .end: path.removeLast()
            case .text(let text):
                guard !found.isEmpty, path.contains("activelock") else { continue }
                // Some servers put what was given as text into an element of their own.
                if path.contains("owner") { found[found.count - 1].owner += text.filter { !$0.isWhitespace } }
                if path.suffix(2) == ["locktoken", "href"] {
                    found[found.count - 1].token += text.filter { !$0.isWhitespace }
                }
            }
        }
        return found
    }
}
