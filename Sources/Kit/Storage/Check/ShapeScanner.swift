/// Looks through the bytes of one file for secrets: text, JSON, XML, or anything binary that holds text.
///
/// One pass, whatever the bytes are; what it remembers is bounded. Values are judged and forgotten.
struct ShapeScanner {
    /// A rule that was broken, with where and what.
    struct Hit: Equatable {
        let rule: StorageRule
        let line: Int
        let detail: String
    }

    // What has been read so far, up to the next character that ends a run.
    private enum Between {
        /// Nothing but blanks, quotes and tags since the last run.
        case nothing(hasTag: Bool)
        /// A colon or an equals sign, and no more.
        case assignment
        /// Other characters: what follows has no name.
        case other
    }

    /// Longer runs are judged by their beginning.
    static let longestRun = 16_384
    /// A file with more says so once.
    static let mostHits = 100

    private(set) var hits: [Hit] = []
    /// Whether a name of the tables of URL loading's cache was seen.
    private(set) var namesURLCache = false
    private var run: [UInt8] = []
    private var runLength = 0
    private var name: [UInt8] = []
    private var between = Between.other
    private var line = 1
    private var isInsideTag = false
    private var tag: [UInt8] = []
    // Inside -----BEGIN …----- and -----END …-----.
    private var label: [UInt8]?
    private var isInsidePEM = false

    /// Reads on.
    mutating func feed(_ bytes: ArraySlice<UInt8>) {
        for byte in bytes { take(byte) }
    }

    /// The file is at its end.
    mutating func finish() { endRun(before: 0) }

    private mutating func take(_ byte: UInt8) {
        if Self.isRun[Int(byte)] {
            runLength += 1
            if isInsideTag, tag.count < 256 { tag.append(byte) }
            if run.count < Self.longestRun { run.append(byte) }
            return
        }
        if !run.isEmpty { endRun(before: byte) }
        if byte == 0x0A { line += 1 }
        separate(byte)
    }

    private mutating func separate(_ byte: UInt8) {
        // No line of a block has quotes or brackets: the text that it stood in ends, also where its own end is missing.
        if isInsidePEM, "\"'<[]{}".utf8.contains(byte) { isInsidePEM = false }
        switch byte {
        case 0x3C:  // <
            isInsideTag = true
            tag.removeAll(keepingCapacity: true)
        case 0x3E where isInsideTag:  // >
            isInsideTag = false
            endTag()
        case 0x22 where isInsideTag, 0x3D where isInsideTag, 0x20 where isInsideTag:
            if tag.count < 256 { tag.append(byte) }
        case 0x22, 0x27, 0x09, 0x0A, 0x0D, 0x20: break
        case 0x3A, 0x3D:  // : =
            if case .nothing = between { between = .assignment } else { between = .other }
        default: between = .other
        }
    }

    // <key>NAME</key> <string>VALUE</string> of property lists; <string name="NAME">VALUE</string> of shared
    // preferences.
    private mutating func endTag() {
        if let named = Self.attributeName(in: tag) {
            name = named
            between = .nothing(hasTag: true)
            return
        }
        if case .nothing = between { between = .nothing(hasTag: true) }
    }

    private static func attributeName(in tag: [UInt8]) -> [UInt8]? {
        let mark = Array("name=\"".utf8)
        guard let start = tag.indices.first(where: { tag[$0...].starts(with: mark) }) else { return nil }
        let value = tag[(start + mark.count)...].prefix { $0 != 0x22 }
        return value.isEmpty ? nil : Array(value)
    }

    private mutating func endRun(before byte: UInt8) {
        defer {
            run.removeAll(keepingCapacity: true)
            runLength = 0
        }
        guard !isInsideTag else { return }
        guard !isPEM(before: byte) else { return }
        judge()
        // Authorization: Bearer VALUE (RFC 9110 §11.6.2): the scheme is not the value.
        if isNamed, Self.schemes.contains(String(decoding: run.prefix(8), as: UTF8.self).lowercased()) {
            between = .assignment
            return
        }
        name = run.count <= 128 ? run : []
        between = .nothing(hasTag: false)
    }

    // RFC 7468 §2: the label stands between five hyphens. What stands between the two lines is no run of its own. In
    // JSON a line's end is an n, which stands in front of the next line.
    private mutating func isPEM(before byte: UInt8) -> Bool {
        if run.suffix(10).elementsEqual("-----BEGIN".utf8) {
            label = []
            return true
        }
        if run.suffix(8).elementsEqual("-----END".utf8), label == nil {
            isInsidePEM = false
            return true
        }
        guard let words = label else { return staysInPEM(before: byte) }
        guard let end = run.indices.first(where: { run[$0...].starts(with: "-----".utf8) }) else {
            label = words.count > 64 ? nil : words + run + [0x20]
            return true
        }
        let text = String(decoding: words + run[..<end], as: UTF8.self)
        if text.contains("PRIVATE KEY") { add(.privateKey, "PEM, \(text)") }
        label = nil
        // A block on one line has its content, and its end, behind the label.
        isInsidePEM = !run.suffix(8).elementsEqual("-----END".utf8)
        return true
    }

    // A block without an end must not hide what follows it: it has no underscores, no addresses, no tokens, and no
    // names of secrets in front of a value.
    private mutating func staysInPEM(before byte: UInt8) -> Bool {
        guard isInsidePEM else { return false }
        if run.count <= 128, ":= \t".utf8.contains(byte), TellingName.speaksOfSecret(run) {
            isInsidePEM = false
            return false
        }
        isInsidePEM = !run.contains(0x5F) && !run.contains(0x40) && ValueShape(run[...]) != .webToken
        return isInsidePEM
    }

    private static let schemes: Set<String> = ["bearer", "basic", "dpop", "digest"]

    /// Whether the run that has just ended is the value of `name`.
    private var isNamed: Bool {
        switch between {
        case .assignment: true
        case .nothing(let hasTag): hasTag
        case .other: false
        }
    }

    private mutating func judge() {
        if run.starts(with: "cfurl_cache".utf8) { namesURLCache = true }
        let shape = ValueShape(run[...])
        switch shape {
        case .webToken: add(.webToken, named("\(runLength) characters"))
        case .emailAddress: add(.emailAddress, named("an address"))
        case .random, nil:
            if isNamed, TellingName.speaksOfSecret(name), Self.isValue(run) {
                add(.namedSecret, "under the name “\(String(decoding: name, as: UTF8.self))”, \(runLength) characters")
            } else if case .random(let kind, _) = shape, !(isNamed && TellingName.speaksOfNoSecret(name)) {
                add(.randomText, named("\(kind), \(runLength) characters"))
            }
        }
    }

    private func named(_ what: String) -> String {
        guard isNamed, !name.isEmpty, name.allSatisfy({ $0.isLetterOrDigit || $0 == 0x5F || $0 == 0x2D }) else {
            return what
        }
        // A name may itself be what must not be shown.
        guard ValueShape(name[...]) == nil else { return what }
        return "\(what), under the name “\(String(decoding: name, as: UTF8.self))”"
    }

    // true, null, 30, Bearer: what stands for a setting, not for a secret.
    private static func isValue(_ run: [UInt8]) -> Bool {
        guard run.count >= 4, !run.starts(with: "//".utf8) else { return false }
        let text = String(decoding: run.prefix(16), as: UTF8.self).lowercased()
        return ![
            "true", "false", "null", "none", "bearer", "basic", "dpop", "digest", "required", "optional", "enabled",
            "disabled", "string", "https",
            "http", "file", "data",
        ].contains(text)
    }

    private mutating func add(_ rule: StorageRule, _ detail: String) {
        guard hits.count < Self.mostHits else { return }
        hits.append(Hit(rule: rule, line: line, detail: detail))
    }

    // Letters and digits, and what base64, JWT and addresses have besides.
    private static let isRun: [Bool] = (0...255).map { (code: Int) in
        let byte = UInt8(code)
        return byte.isLetterOrDigit || "+/_-.@".utf8.contains(byte)
    }
}

extension ShapeScanner {
    /// Judges one name and its value, for formats that are read by a parser.
    mutating func judge(_ value: some StringProtocol, under name: String) {
        feed(Array("\"".utf8)[...])
        feed(Array(name.utf8)[...])
        feed(Array("\": \"".utf8)[...])
        feed(Array(value.utf8)[...])
        feed(Array("\"\u{0B}".utf8)[...])
    }
}
