internal import PavisePrimitives

/// What has to be known to go on with a download: which address, and which version of its content.
struct DownloadTicket: Hashable, Sendable {
    /// The address that was asked for.
    let url: String
    /// The strong entity tag of the content, with its quotes (RFC 9110 §8.8.3).
    let tag: String

    init(url: String, tag: String) {
        self.url = url
        self.tag = tag
    }

    /// What an answer allows; `nil` when it names no version, and the download cannot be resumed.
    init?(_ answer: HTTPResponse, url: WebURL) {
        guard let tag = answer.fields["ETag"], Self.isStrong(tag) else { return nil }
        self.init(url: url.description, tag: tag)
    }

    /// Reads what ``bytes`` gave; `nil` for anything else.
    init?(_ bytes: [UInt8]) {
        guard let value = try? JSONValue.parse(bytes), let url = value["url"]?.string, let tag = value["tag"]?.string,
            Self.isStrong(tag)
        else { return nil }
        self.init(url: url, tag: tag)
    }

    /// The form in a file.
    var bytes: [UInt8] {
        Array(JSONValue.object([.init("url", .string(url)), .init("tag", .string(tag))]).text.utf8)
    }

    // A weak tag does not promise the same bytes.
    private static func isStrong(_ tag: String) -> Bool {
        tag.utf8.count >= 2 && tag.utf8.count <= 1024 && tag.hasPrefix("\"") && tag.hasSuffix("\"")
            && tag.dropFirst().dropLast().utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x22 }
    }
}
