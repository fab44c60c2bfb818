/// A listing of a WebDAV server: the members of a 207 answer (RFC 4918 §13), read with bounds (sync/SY18).
public struct Multistatus: Hashable, Sendable {
    /// One member, as the server wrote it.
    public struct Member: Hashable, Sendable {
        /// The address, absolute or a path, percent-encoded.
        public var href = ""
        /// Whether it is a collection, which is what WebDAV calls a folder.
        public var isCollection = false
        /// `DAV:getetag`.
        public var etag: String?
        /// `DAV:getcontentlength`.
        public var length: Int?
        /// `DAV:getlastmodified`, a date of HTTP.
        public var modified: String?
        /// ownCloud's and Nextcloud's `id` or `fileid`: survives renames.
        public var fileID: String?
        /// Nextcloud's `data-fingerprint` of the root: another one after a backup was brought back.
        public var fingerprint: String?
        /// The status of the member itself, where it has one that is no success (RFC 4918 §14.24).
        public var failure: Int?
    }

    /// The most members of a listing.
    public static let memberLimit = 100_000

    /// The members, in the server's order.
    public let members: [Member]

    /// Reads an answer.
    ///
    /// - Throws: ``SyncFailure/listing(_:)`` for what is no multistatus, breaks off, has a document type or an entity,
    ///   is deeper than 32 elements, larger than 64 MB, or has more than 100,000 members.
    public init(_ bytes: [UInt8]) throws(SyncFailure) {
        do throws(NamespacedXMLReader.Problem) {
            var parser = MultistatusParser(reader: try NamespacedXMLReader(bytes))
            members = try parser.run()
        } catch {
            throw .listing("The server's listing cannot be read: \(error).")
        }
    }
}

private struct MultistatusParser {
    var reader: NamespacedXMLReader
    private var path: [String] = []
    private var members: [Multistatus.Member] = []
    private var member = Multistatus.Member()
    // Properties count only where their propstat says 200, which may stand behind them.
    private var found = Multistatus.Member()
    private var status = ""
    private var text = ""

    init(reader: NamespacedXMLReader) { self.reader = reader }

    mutating func run() throws(NamespacedXMLReader.Problem) -> [Multistatus.Member] {
        while true {
            switch try reader.next() {
            case .finished: return members
            case .start(let namespace, let name):
                try begin(namespace == "DAV:" ? name : "\(namespace) \(name)")
            case .text(let more): if text.utf8.count <= 65_536 { text += more }
            case .end: try end()
            }
        }
    }

    private mutating func begin(_ name: String) throws(NamespacedXMLReader.Problem) {
        if path.isEmpty, name != "multistatus" { throw .malformed(offset: 0) }
        path.append(name)
        text = ""
        switch path.dropFirst() {
        case ["response"]:
            guard members.count < Multistatus.memberLimit else { throw .tooLarge }
            member = Multistatus.Member()
        case ["response", "propstat"]: (found, status) = (Multistatus.Member(), "")
        case ["response", "propstat", "prop", "resourcetype", "collection"]: found.isCollection = true
        default: break
        }
    }

    private mutating func end() throws(NamespacedXMLReader.Problem) {
        let value = text.trimmed
        switch path.dropFirst() {
        case ["response", "href"]: member.href = value
        case ["response", "status"]: member.failure = Self.code(value).flatMap { (200..<300).contains($0) ? nil : $0 }
        case ["response", "propstat", "status"]: status = value
        case ["response", "propstat", "prop", "getetag"]: found.etag = value.isEmpty ? nil : value
        case ["response", "propstat", "prop", "getlastmodified"]: found.modified = value
        case ["response", "propstat", "prop", "getcontentlength"]:
            found.length = Int(value).flatMap { $0 < 0 ? nil : $0 }
        case ["response", "propstat"] where Self.code(status) == 200: merge()
        case ["response"]: members.append(member)
        case let inner where inner.count == 4 && (inner.last?.hasPrefix("http://owncloud.org/ns ") ?? false):
            if inner.last?.hasSuffix(" id") == true || found.fileID == nil, inner.last?.hasSuffix("id") == true,
                !value.isEmpty
            {
                found.fileID = value
            }
            if inner.last?.hasSuffix(" data-fingerprint") == true { found.fingerprint = value }
        default: break
        }
        path.removeLast()
        text = ""
    }

    private mutating func merge() {
        member.isCollection = member.isCollection || found.isCollection
        member.etag = found.etag ?? member.etag
        member.length = found.length ?? member.length
        member.modified = found.modified ?? member.modified
        member.fileID = found.fileID ?? member.fileID
        member.fingerprint = found.fingerprint ?? member.fingerprint
    }

    // `HTTP/1.1 200 OK`
    private static func code(_ line: String) -> Int? {
        let words = line.split(separator: " ")
        return words.count >= 2 ? Int(words[1]) : nil
    }
}

extension String {
    fileprivate var trimmed: String {
        let blanks: Set<Character> = [" ", "\n", "\t", "\r", "\r\n"]
        var part = self[...]
        while let first = part.first, blanks.contains(first) { part.removeFirst() }
        while let last = part.last, blanks.contains(last) { part.removeLast() }
        return String(part)
    }
}
