internal import PavisePrimitives

/// What has to be known to go on with a download: which address, which version of its content, and which bytes of it
/// are there.
package struct DownloadTicket: Hashable, Sendable {
    /// The address that was asked for.
    package let url: String
    /// The strong entity tag of the content, with its quotes (RFC 9110 §8.8.3).
    package let tag: String
    /// How many bytes were there when the ticket was written.
    var count = 0
    /// The key of their ``DownloadDigest``.
    var key: [UInt8] = []
    /// Their tag.
    var digest: [UInt8] = []

    private init(url: String, tag: String) {
        self.url = url
        self.tag = tag
    }

    /// For a version that is known already; `nil` when its tag is not strong.
    package init?(_ url: WebURL, tag: String) {
        guard Self.isStrong(tag) else { return nil }
        self.init(url: url.description, tag: tag)
    }

    /// What an answer allows; `nil` when it names no version, and the download cannot be resumed.
    ///
    /// Nor can one that travels packed: its tag and its ranges are those of the packed bytes, and the file has the
    /// others.
    package init?(_ answer: HTTPResponse, url: WebURL) {
        guard answer.fields["Content-Encoding"].map({ $0.lowercased() == "identity" }) ?? true,
            let tag = answer.fields["ETag"], Self.isStrong(tag)
        else { return nil }
        self.init(url: url.description, tag: tag)
    }

    /// Reads what ``bytes`` gave; `nil` for anything else, and for tickets of versions that kept another digest.
    init?(_ bytes: [UInt8]) {
        guard let value = try? JSONValue.parse(bytes), let url = value["url"]?.string, let tag = value["tag"]?.string,
            Self.isStrong(tag), let count = value["count"]?.integer.flatMap(Int.init(exactly:)), count > 0,
            let key = value["key"]?.string.flatMap(Hex.decode), key.count == 32,
            let digest = value["gmac"]?.string.flatMap(Hex.decode), digest.count == 16
        else { return nil }
        self.init(url: url, tag: tag)
        self.count = count
        self.key = key
        self.digest = digest
    }

    /// The form in a file.
    var bytes: [UInt8] {
        let value = JSONValue.object([
            .init("url", .string(url)), .init("tag", .string(tag)), .init("count", .integer(count)),
            .init("key", .string(Hex.encode(key))), .init("gmac", .string(Hex.encode(digest))),
        ])
        return Array(value.text.utf8)
    }

    // A weak tag does not promise the same bytes.
    private static func isStrong(_ tag: String) -> Bool {
        tag.utf8.count >= 2 && tag.utf8.count <= 1024 && tag.hasPrefix("\"") && tag.hasSuffix("\"")
            && tag.dropFirst().dropLast().utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x22 }
    }
}
