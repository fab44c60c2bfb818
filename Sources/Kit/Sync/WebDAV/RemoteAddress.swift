public import PaviseTransport

/// Between names and the addresses of a server's folder: decoded once, at this one place (sync/SY17, SY18).
public struct RemoteAddress: Hashable, Sendable {
    /// The folder's address; its path ends with a slash.
    public let folder: WebURL

    /// The folder at `folder`; a slash is added where there is none.
    ///
    /// - Throws: `WebURL.Problem` when the address cannot have one.
    public init(_ folder: WebURL) throws(WebURL.Problem) {
        self.folder = folder.path.hasSuffix("/") ? folder : try folder.replacing(path: folder.path + "/")
    }

    /// The address of an item; that of a folder ends with a slash.
    public func url(of path: SyncPath, isFolder: Bool = false) throws(SyncFailure) -> WebURL {
        let names = path.map { Self.encode($0.text) }.joined(separator: "/")
        do throws(WebURL.Problem) {
            return try folder.replacing(path: folder.path + names + (isFolder && !path.isEmpty ? "/" : ""))
        } catch {
            throw .refused("The name cannot be part of an address.")
        }
    }

    /// What an `href` of a listing names, empty for the folder itself.
    ///
    /// - Throws: ``SyncFailure/listing(_:)`` for an address of another server, outside of the folder, or with a part
    ///   that is no name.
    public func path(of href: String) throws(SyncFailure) -> SyncPath {
        var path: SyncPath = []
        for part in try parts(of: href) {
            guard let name = Self.decode(part).flatMap({ SyncItemName($0) }) else {
                throw .listing("The listing has a name that is none.")
            }
            path.append(name)
        }
        return path
    }

    /// The text of what an `href` names below the folder when it has a name that is none here, but is one somewhere: a
    /// backslash or a control character in it, more than 255 bytes, or another encoding. `nil` for anything else.
    func oddPath(of href: String) -> String? {
        guard let parts = try? parts(of: href) else { return nil }
        let names = parts.map { Self.decode($0) ?? $0 }
        guard names.allSatisfy({ $0 != "." && $0 != ".." && $0.utf8.allSatisfy { $0 != 0 && $0 != 0x2F } }) else {
            return nil
        }
        return names.joined(separator: "/")
    }

    // Below the folder, as they were written.
    private func parts(of href: String) throws(SyncFailure) -> [String] {
        guard var text = path(from: href) else { throw .listing("The listing names another server.") }
        guard let base = Self.decode(folder.path) else { throw .listing("The folder's address is no text.") }
        if text + "/" == folder.path { text += "/" }
        // Compared part by part after decoding: servers write `%7E` and `~` for the same.
        let written = text.split(separator: "/", omittingEmptySubsequences: true).map(String.init)
        let parts = written.map { Self.decode($0) }
        let start = base.split(separator: "/").map { Optional(String($0)) }
        guard text.hasPrefix("/"), parts.count >= start.count, Array(parts.prefix(start.count)) == start else {
            throw .listing("The listing names what is outside of the folder.")
        }
        return Array(written.dropFirst(start.count))
    }

    private func path(from href: String) -> String? {
        guard href.contains("://") else { return href.hasPrefix("//") ? nil : href }
        guard let url = try? WebURL(href), url.origin == folder.origin else { return nil }
        return url.path
    }

    private static let digits = Array("0123456789ABCDEF".utf8)

    static func encode(_ text: String) -> String {
        var out: [UInt8] = []
        for byte in text.utf8 {
            let isPlain =
                (byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A) || (byte >= 0x30 && byte <= 0x39)
                || "-._~".utf8.contains(byte)
            out += isPlain ? [byte] : [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
        return String(decoding: out, as: UTF8.self)
    }

    static func decode(_ text: String) -> String? {
        var out: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                out.append(byte)
                continue
            }
            guard rest.count >= 2, let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16),
                rest.first != UInt8(ascii: "+")
            else { return nil }
            out.append(value)
            rest = rest.dropFirst(2)
        }
        return String(validating: out, as: UTF8.self)
    }
}
