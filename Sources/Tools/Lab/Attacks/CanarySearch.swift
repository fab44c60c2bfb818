internal import PavisePrimitives

/// Looks for secrets in files, in clear and in the usual disguises.
///
/// ```swift
/// let report = try CanarySearch.find(authority.issuedTokens.map(\.value), in: home)
/// return report.isClean            // no file holds any of them, and every file was read
/// ```
///
/// Reads every regular file below a folder, byte by byte, in pieces; follows no link. Names of files are searched too.
/// What could not be read is reported and is never a silent success.
public enum CanarySearch {
    /// How a canary was written where it was found.
    public enum Form: String, CaseIterable, Hashable, Sendable {
        /// As it is.
        case utf8
        /// Its bytes the other way round.
        case reversed
        /// As UTF-16, the low byte first.
        case utf16LittleEndian
        /// As UTF-16, the high byte first.
        case utf16BigEndian
        /// As hexadecimal digits in lower case.
        case hexadecimal
        /// As hexadecimal digits in upper case.
        case upperHexadecimal
        /// Base64 at any of its three offsets, either alphabet.
        case base64
    }

    /// One place that holds a canary.
    public struct Finding: Hashable, Sendable {
        /// Which canary: its index in the list that was searched for. The canary itself is not repeated.
        public let canary: Int
        /// How it was written.
        public let form: Form
        /// The file.
        public let path: String
        /// The byte where it begins; `nil` when it stands in the file's name.
        public let offset: Int?
    }

    /// What a search gave.
    public struct Report: Hashable, Sendable {
        /// All places, at most 1,000.
        public internal(set) var findings: [Finding] = []
        /// Files and folders that could not be read to their end.
        public internal(set) var unread: [String] = []
        /// Links, pipes and devices, which are not opened.
        public internal(set) var skipped: [String] = []
        /// How many files were read.
        public internal(set) var files = 0
        /// How many bytes were read.
        public internal(set) var bytes = 0

        /// Whether nothing was found and nothing was left out.
        public var isClean: Bool { findings.isEmpty && unread.isEmpty }
    }

    /// The shortest canary, in bytes: shorter ones would be found in noise.
    public static let shortestCanary = 6

    /// Searches every file below `folder`.
    ///
    /// - Parameters:
    ///   - canaries: What to look for, each at least ``shortestCanary`` bytes long.
    ///   - byteLimit: The search stops reading after so many bytes and reports the rest as unread. Default 8 GiB.
    ///   - folder: The folder, searched with everything below it.
    ///   - keys: Canaries that are no text, such as the private half of a key; reversed is how a number lies in memory.
    ///     Their indices follow those of `canaries`.
    /// - Throws: ``LabFailure/request(_:)`` for a canary that is too short or no canary at all,
    ///   ``LabFailure/system(_:)`` when `folder` itself cannot be read.
    public static func find(
        _ canaries: [String], keys: [[UInt8]] = [], in folder: String, byteLimit: Int = 8 << 30
    ) throws(LabFailure) -> Report {
        let counts = canaries.map(\.utf8.count) + keys.map(\.count)
        guard !counts.isEmpty, counts.allSatisfy({ $0 >= shortestCanary }) else {
            throw .request("canaries need at least \(shortestCanary) bytes")
        }
        _ = try LabFailure.system { () throws(SystemFailure) in try Folder.entries(of: folder) }
        var walk = CanaryWalk(patterns: CanaryPatterns(canaries, keys: keys), bytesLeft: byteLimit)
        walk.visit(folder, depth: 0)
        return walk.report
    }

    /// Searches bytes that are in memory already: a log, a crash report, a recorded stream.
    public static func find(
        _ canaries: [String], keys: [[UInt8]] = [], in bytes: [UInt8], named name: String
    ) -> [Finding] {
        CanaryPatterns(canaries, keys: keys).matches(in: bytes).map { match in
            Finding(canary: match.canary, form: match.form, path: name, offset: match.offset)
        }
    }
}
