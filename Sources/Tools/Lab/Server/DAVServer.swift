internal import PaviseCrypto
internal import PavisePrimitives
internal import Synchronization

/// The lab's WebDAV server (RFC 4918): a tree in memory, with switches for what real servers do wrong, and a hook for a
/// second writer in every window of every request.
public final class DAVServer: Sendable {
    /// What the server does otherwise than it should.
    public struct Switches: Hashable, Sendable {
        /// `If-Match` and `If-None-Match` are passed over.
        public var ignoresConditions = false
        /// LOCK is not known.
        public var hasNoLocks = false
        /// Tags are weak.
        public var hasWeakTags = false
        /// No tag in answers to PUT.
        public var hidesTagAfterWrite = false
        /// No tags at all.
        public var hasNoTags = false
        /// Tags are made of seconds and size: two writes of a second share one.
        public var hasSecondTags = false
        /// Depth: infinity is refused with 403.
        public var refusesInfinity = false
        /// The root is listed without its members.
        public var listsEmptyRoot = false
        /// One member of each listing is in error.
        public var hasMemberInError = false
        /// Each look at a file gives it another tag.
        public var hasRestlessTags = false
        /// Files have ownCloud's identifiers.
        public var hasFileIDs = false
        /// The identifier of the folder itself, where files have some.
        public var rootID = 0
        /// Nextcloud's fingerprint of the data: another one after a backup was brought back.
        public var fingerprint = ""
        /// That many requests of this method are done, and their answers lost.
        public var lostAnswers: [String: Int] = [:]
        /// That many answers to GET break off after so many bytes.
        public var cutReads = 0
        /// Where they break off.
        public var cutAfter = 100
        /// Chunked uploads are taken, as ownCloud and Nextcloud do (version 2): for a root that ends in `files/USER`.
        public var hasChunks = false
        /// Uploads of tus 1.0.0 are taken.
        public var hasResumable = false
        /// What came of a request to write that broke off is kept as the content.
        public var keepsTorso = false
        /// Its clock stands still at this second since 1970.
        public var stoppedAt: Int64?
        /// By how many seconds its clock is ahead.
        public var clockAhead: Int64 = 0
        /// What an answer to a request for a part says of it.
        public var rangeLie: RangeLie?
        /// Which answers to GET and HEAD name the tag of packed bytes: `"v1-3-gzip"`, with which no condition holds.
        /// The bytes stay as they are.
        public var gzipTags: GzipTags?
        /// Tags are weak until the second in which a file was written is over, as apache makes them.
        public var hasYoungWeakTags = false
        /// Listings show the folder as it was before so many requests; what is asked of one address is of now.
        public var lateListings = 0
        /// How long an answer waits after the request was done, in milliseconds.
        public var answersAfter: Int64 = 0

        /// None: the server does as it should.
        public init() {}
    }

    /// Which answers name the tag of packed bytes.
    public enum GzipTags: Hashable, Sendable, CaseIterable {
        /// Those to requests that take gzip, as apache's mod_deflate makes them.
        case whereAccepted
        /// All, as behind a proxy that packs whatever a client says.
        case everywhere
    }

    /// What an answer to a request for a part says of it that is not so.
    public enum RangeLie: Hashable, Sendable, CaseIterable {
        /// It is the part from the beginning on, and says so.
        case otherPart
        /// It says that the whole has another size.
        case otherSize
        /// It says nothing.
        case silence
    }

    /// When a second writer comes.
    public enum Moment: Hashable, Sendable {
        /// Before the request is looked at.
        case before
        /// After its conditions were judged, before it is done: what no condition stops.
        case between
        /// After it was done.
        case after
    }

    enum Node {
        case folder
        case file([UInt8], version: Int, second: Int64)
    }

    struct State {
        var nodes: [[String]: Node] = [[]: .folder]
        var identities: [[String]: Int] = [:]
        var locks: [[String]: [Lock]] = [:]
        var properties: [[String]: [PropertyName: String]] = [:]
        var uploads: [String: [Int: [UInt8]]] = [:]
        var resumable: [String: ResumableUpload] = [:]
        var counter = 0
        var switches = Switches()
        /// The last states, for listings that are late; the oldest first.
        var past: [PastTree] = []
    }

    /// What listings of a moment would have shown.
    struct PastTree {
        let nodes: [[String]: Node]
        let identities: [[String]: Int]
    }

    let state = Mutex(State())
    let looks = Mutex(0)
    private let writer = Mutex<(@Sendable (DAVServer, LabRequest, Moment) -> Void)?>(nil)
    private let time: TimeSource
    private let wait: @Sendable (Int64) -> Void
    /// The folder's path in addresses.
    public let root: String

    /// A server whose folder is at `root`, for example `/dav`.
    ///
    /// - Parameters:
    ///   - root: The folder's path.
    ///   - wait: What an answer does for so many milliseconds, on the thread of its connection: see
    ///     ``Switches/answersAfter``.
    public init(root: String = "/dav", wait: @escaping @Sendable (Int64) -> Void = DAVServer.pause) {
        (self.root, self.wait, time) = (root, wait, .system)
    }

    /// Blocks the thread for so many milliseconds.
    @Sendable public static func pause(_ milliseconds: Int64) {
        _ = Monitor(false).wait(within: milliseconds) { $0 }
    }

    /// Changes the switches.
    public func set(_ change: (inout Switches) -> Void) { state.withLock { change(&$0.switches) } }

    /// Lets a second writer come at each moment of each request; it calls ``write(_:_:)`` and ``remove(_:)``.
    public func secondWriter(_ body: (@Sendable (DAVServer, LabRequest, Moment) -> Void)?) {
        writer.withLock { $0 = body }
    }

    /// What all files hold, by path.
    public var files: [String: [UInt8]] {
        state.withLock { state in
            var found: [String: [UInt8]] = [:]
            for case (let path, .file(let bytes, _, _)) in state.nodes { found[path.joined(separator: "/")] = bytes }
            return found
        }
    }

    /// The paths that are locked.
    public var lockedPaths: Set<String> { state.withLock { Set($0.locks.keys.map { $0.joined(separator: "/") }) } }

    /// The folders.
    public var folders: Set<String> {
        state.withLock { state in
            Set(
                state.nodes.compactMap {
                    if case .folder = $0.value, !$0.key.isEmpty { $0.key.joined(separator: "/") } else { nil }
                })
        }
    }

    /// Somebody else writes a file; its folders are made.
    public func write(_ path: String, _ bytes: [UInt8]) {
        let parts = path.split(separator: "/").map(String.init)
        state.withLock { write(parts, bytes, &$0) }
    }

    private func write(_ parts: [String], _ bytes: [UInt8], _ state: inout State) {
        for count in 0..<parts.count where state.nodes[Array(parts.prefix(count))] == nil {
            state.nodes[Array(parts.prefix(count))] = .folder
        }
        put(parts, bytes, &state)
    }

    /// Writes as another client would that keeps the rules: what somebody has locked is refused to it (RFC 4918 §7).
    ///
    /// - Returns: Whether it was written.
    public func writeAsClient(_ path: String, _ bytes: [UInt8]) -> Bool {
        let parts = path.split(separator: "/").map(String.init)
        // One step: somebody may lock it in between.
        return state.withLock { state in
            guard Self.covering(parts, state).isEmpty else { return false }
            // What appears changes the folder that it is in, which may be locked by itself (RFC 4918 §7.4).
            let new = (0..<parts.count).first { state.nodes[Array(parts.prefix($0 + 1))] == nil }
            if let new, state.locks[Array(parts.prefix(new))] != nil { return false }
            write(parts, bytes, &state)
            return true
        }
    }

    /// Somebody else removes what is at a path.
    public func remove(_ path: String) {
        let parts = path.split(separator: "/").map(String.init)
        state.withLock { Self.remove(parts, &$0) }
    }

    func put(_ path: [String], _ bytes: [UInt8], _ state: inout State) {
        state.counter += 1
        let second = state.switches.stoppedAt ?? time.wallSeconds
        state.nodes[path] = .file(bytes, version: state.counter, second: second)
        if state.identities[path] == nil { state.identities[path] = state.counter }
    }

    static func remove(_ path: [String], _ state: inout State) {
        for other in state.nodes.keys where other.starts(with: path) {
            state.nodes[other] = nil
            state.identities[other] = nil
            state.properties[other] = nil
            state.locks[other] = nil
        }
    }

    func now() -> Int64 { state.withLock { now($0) } }

    func now(_ state: State) -> Int64 { (state.switches.stoppedAt ?? time.wallSeconds) + state.switches.clockAhead }

    /// The answer to a request: what a ``LabServer`` is given as its handler.
    @Sendable public func answer(_ request: LabRequest) -> LabResponse {
        let pause = state.withLock { state in
            state.remember()
            return state.switches.answersAfter
        }
        let answer = answerAtOnce(request)
        if pause > 0 { wait(pause) }
        return answer
    }

    private func answerAtOnce(_ request: LabRequest) -> LabResponse {
        if isResumable(request) { return takeResumable(request).with("Date", IMFFixdate.text(now())) }
        guard !request.isTorn || keepsTorso(request) else { return .hangUp }
        let second = writer.withLock { $0 }
        second?(self, request, .before)
        if let name = chunkName(request.path) {
            return state.withLock { state in takeChunk(request, name, &state) }.with("Date", IMFFixdate.text(now()))
        }
        guard let path = path(request.path) else { return LabResponse(status: 404) }
        // One step, as a condition demands (RFC 9110 §13.2.1), unless somebody is to come in between.
        var answer: LabResponse? = state.withLock { state in
            if let refusal = judge(request, path, &state) { return refusal }
            return second == nil ? act(request, path, &state) : nil
        }
        if let second, answer == nil {
            second(self, request, .between)
            answer = state.withLock { state in act(request, path, &state) }
            second(self, request, .after)
        }
        let isLost = state.withLock { state in
            guard let left = state.switches.lostAnswers[request.method], left > 0 else { return false }
            state.switches.lostAnswers[request.method] = left - 1
            return true
        }
        guard !isLost, var answer else { return .hangUp }
        answer = answer.with("Date", IMFFixdate.text(now())).with("Server", "PaviseLab DAV")
        return answer
    }

    private func keepsTorso(_ request: LabRequest) -> Bool {
        request.method == "PUT" && state.withLock { $0.switches.keepsTorso }
    }

    func path(_ text: String) -> [String]? {
        guard text == root || text.hasPrefix(root + "/") else { return nil }
        // pavise:ignore LENGTH The root is ASCII, where both counts are the same.
        return text.dropFirst(root.utf8.count).split(separator: "/").map { DAVText.decode(String($0)) }
    }

    func href(_ path: [String], isFolder: Bool) -> String {
        let names = path.map { "/" + DAVText.encode($0) }.joined()
        return root + names + (isFolder ? "/" : "")
    }
}

enum DAVText {
    static func decode(_ text: String) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let value = Hex.decode(String(rest.prefix(2)) ?? ""), value.count == 1 {
                bytes += value
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    static func encode(_ text: String) -> String {
        text.utf8.map { byte in
            let isPlain =
                (byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A) || (byte >= 0x30 && byte <= 0x39)
                || "-._~".utf8.contains(byte)
            return isPlain ? String(Character(Unicode.Scalar(byte))) : "%" + Hex.encode([byte]).uppercased()
        }.joined()
    }

    static func escape(_ text: String) -> String {
        var out = ""
        for character in text {
            switch character {
            case "<": out += "&lt;"
            case ">": out += "&gt;"
            case "&": out += "&amp;"
            default: out.append(character)
            }
        }
        return out
    }
}
