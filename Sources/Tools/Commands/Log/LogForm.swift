/// A form in which no line of a log can be seen: a check would find nothing in such bytes, and call them clean.
enum LogForm: String, CaseIterable {
    case gzip, xz
    case zstandard = "Zstandard"
    case bzip2, lz4
    case zip = "ZIP"
    case journal = "journald's own form"
    case utf16 = "UTF-16"
    // Without a mark, which says so otherwise.
    case utf16BigEndian = "UTF-16BE"

    /// The most bytes of a file that tell its form.
    static let markCount = 10

    /// The form of a file that begins so; `nil` for text, and for what nobody knows.
    init?(beginning: [UInt8]) {
        if let unmarked = Self.unmarked(beginning) {
            self = unmarked
            return
        }
        guard let found = Self.allCases.first(where: { $0.marks.contains { beginning.starts(with: $0) } }) else {
            return nil
        }
        self = found
    }

    // Without a mark every other byte of ASCII is 0.
    private static func unmarked(_ beginning: [UInt8]) -> LogForm? {
        guard beginning.count >= 8 else { return nil }
        let zeros = beginning.prefix(8).enumerated().filter { $0.element == 0 }.map(\.offset)
        return zeros == [1, 3, 5, 7] ? .utf16 : zeros == [0, 2, 4, 6] ? .utf16BigEndian : nil
    }

    // RFC 1952; the forms' own descriptions; systemd, "Journal File Format"; Unicode, 23.8.
    private var marks: [[UInt8]] {
        switch self {
        case .gzip: [[0x1F, 0x8B]]
        case .xz: [[0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00]]
        case .zstandard: [[0x28, 0xB5, 0x2F, 0xFD]]
        case .bzip2: (1...9).map { Array("BZh\($0)1AY&SY".utf8) }
        case .lz4: [[0x04, 0x22, 0x4D, 0x18]]
        case .zip: [[0x50, 0x4B, 0x03, 0x04]]
        case .journal: [Array("LPKSHHRH".utf8)]
        case .utf16: [[0xFF, 0xFE], [0xFE, 0xFF]]
        case .utf16BigEndian: []
        }
    }

    // What gives the text.
    private var command: String {
        switch self {
        case .gzip: "zcat FILE"
        case .xz: "xzcat FILE"
        case .zstandard: "zstdcat FILE"
        case .bzip2: "bzcat FILE"
        case .lz4: "lz4cat FILE"
        case .zip: "unzip -p FILE"
        case .journal: "journalctl --file FILE"
        case .utf16: "iconv -f UTF-16 -t UTF-8 FILE"
        case .utf16BigEndian: "iconv -f UTF-16BE -t UTF-8 FILE"
        }
    }

    /// Why it is not checked, and what to do.
    func refusal(of path: String) -> String {
        """
        “\(Printable.text(path))” is no text as it lies there (\(rawValue)), so nothing was looked for. Check what is \
        in it: \(command) | pavise log check -
        """
    }
}
