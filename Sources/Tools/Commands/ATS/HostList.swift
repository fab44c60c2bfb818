internal import Foundation
internal import PavisePrimitives
internal import PaviseTransport

/// A list of servers as people keep it: one address a line, blank lines, and comments behind `#`.
///
/// A line that is no address is told and left out; the others are asked all the same. A host that stands in the list
/// twice is asked once.
struct HostList: Equatable, Sendable {
    /// A line that was left out, and why.
    struct BadLine: Equatable, Sendable {
        let number: Int
        let reason: String
    }

    /// More bytes than these are no list of hosts.
    static let limit = 16 << 20
    /// Hosts of a list, at most.
    static let count = 100_000

    private(set) var urls: [WebURL] = []
    private(set) var badLines: [BadLine] = []

    /// Reads a list. Lines end with LF or CR LF; a byte order mark before the first is left out.
    init(_ bytes: [UInt8]) {
        var known: Set<String> = []
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let content = bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes[...]
        for (index, line) in content.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
            let text = Self.address(String(decoding: line, as: UTF8.self))
            guard !text.isEmpty else { continue }
            guard urls.count < Self.count else {
                badLines.append(BadLine(number: index + 1, reason: "The list ends here: \(Self.count) hosts at most."))
                return
            }
            do throws(WebURL.Problem) {
                let url = try Self.url(text)
                if known.insert("\(url)").inserted { urls.append(url) }
            } catch {
                badLines.append(BadLine(number: index + 1, reason: error.description))
            }
        }
    }

    // A `#` that follows a blank, or begins the line, begins a comment; one inside an address is a fragment.
    private static func address(_ line: String) -> String {
        var before: Character = " "
        let text = line.prefix { letter in
            defer { before = letter }
            return letter != "#" || !before.isWhitespace
        }
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    // Letters of other scripts can become a slash or a colon.
    private static func isOfAName(_ byte: UInt8) -> Bool {
        byte == 0x2D || byte == 0x2E || (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte)
    }

    /// The address that a person wrote: a host alone means https, and a host name in letters of any language becomes
    /// its `xn--` form (UTS 46).
    static func url(_ text: String) throws(WebURL.Problem) -> WebURL {
        let whole = text.contains("://") ? text : "https://\(text)"
        guard whole.utf8.count <= 8192, !whole.utf8.allSatisfy({ $0 < 0x80 }) else { return try WebURL(whole) }
        // Only the host becomes another; WebURL judges the result as any other address.
        guard let begin = whole.firstRange(of: "://")?.upperBound else { throw .forbiddenCharacter }
        let end = whole[begin...].firstIndex { "/?#:".contains($0) } ?? whole.endIndex
        let name = String(whole[begin..<end])
        guard !name.contains("@"), let host = InternationalName.ascii(name), host.utf8.allSatisfy(isOfAName)
        else { throw .forbiddenCharacter }
        return try WebURL(whole[..<begin] + host + whole[end...])
    }
}
