/// What stands in a program's file as text: one pass over the bytes, runs of printable ASCII as `strings` finds them.
struct TextSearch {
    let policy: BuildPolicy
    private(set) var markers: Set<String> = []
    private(set) var flags: Set<String> = []
    private(set) var hosts: Set<String> = []
    /// Those that are not declared.
    private(set) var variables: Set<String> = []
    private(set) var paths: Set<String> = []
    /// Runtimes of sanitizers and of coverage, by the variables that they read.
    private(set) var runtimes: Set<String> = []
    /// What debug information says of files of C that do not look after their stack.
    private(set) var unprotected: Set<String> = []

    // Found text is told at most so long, and so often.
    private static let longest = 200
    private static let most = 100
    // Nothing of it stands in one piece: the program that has this search in it is searched, too.
    private static let debugFlags = ["DDEBUG", "enable-testing", "Onone", "Ounchecked", "sanitize=", "fsanitize="].map {
        "-" + $0
    }
    private static let runtimeVariables = [
        ["ASAN", "OPTIONS"], ["HWASAN", "OPTIONS"], ["LSAN", "OPTIONS"], ["MSAN", "OPTIONS"], ["TSAN", "OPTIONS"],
        ["UBSAN", "OPTIONS"], ["LLVM", "PROFILE", "FILE"], ["GCOV", "PREFIX"],
    ].map { $0.joined(separator: "_") }
    // Of GCC; it is the one that writes them down.
    private static let debugFlagsOfC = ["-O0", "-fprofile-arcs", "-ftest-coverage", "-finstrument-functions"]
    private static let machines = [
        ["Users"], ["home"], ["builds"], ["private", "var", "folders"], ["var", "lib", "jenkins"], ["__w"],
    ].map { "/" + $0.joined(separator: "/") + "/" }

    init(_ policy: BuildPolicy) { self.policy = policy }

    mutating func search(_ bytes: [UInt8]) {
        var start = 0
        var isInside = false
        for index in 0...bytes.count {
            let isText = index < bytes.count && bytes[index] >= 0x20 && bytes[index] < 0x7F
            if isText, !isInside { start = index }
            if !isText, isInside, index - start >= 6 { look(bytes[start..<index]) }
            isInside = isText
        }
    }

    private mutating func look(_ run: ArraySlice<UInt8>) {
        // The whole text: one that speaks of the variable is no runtime. Such runtimes are linked into the program,
        // which takes none of their functions from a library then.
        if (11...17).contains(run.count), let name = Self.runtimeVariables.first(where: { run.elementsEqual($0.utf8) })
        {
            runtimes.insert(name)
        }
        producer(run)
        // The first byte of each pattern decides whether anything is to be compared.
        for index in run.indices {
            switch run[index] {
            case UInt8(ascii: ":"): url(run, index)
            case UInt8(ascii: "-"): flag(run[index...])
            case UInt8(ascii: "/"): path(run, index)
            default: break
            }
            name(run, index)
        }
    }

    // DW_AT_producer (DWARF 5 §3.1.1) of a file of C: `GNU C17 12.2.0 -O2 -fstack-protector-strong`.
    private mutating func producer(_ run: ArraySlice<UInt8>) {
        guard run.starts(with: "GNU C".utf8) else { return }
        let words = run.split(separator: 0x20).map { String(decoding: $0, as: UTF8.self) }
        guard words.count > 2, words[2].first?.isNumber == true else { return }
        flags.formUnion(Self.debugFlagsOfC.filter { words.contains($0) })
        guard !words.contains(where: { $0.hasPrefix("-fstack-protector") }) else { return }
        unprotected.insert("a file of C was compiled without -fstack-protector")
    }

    private mutating func name(_ run: ArraySlice<UInt8>, _ index: Int) {
        let rest = run[index...]
        if rest.starts(with: policy.switchPrefix.utf8), markers.count < Self.most {
            markers.insert(Self.text(rest.prefix { $0 != 0x20 && $0 != 0x22 }))
        }
        for prefix in policy.variablePrefixes where rest.starts(with: prefix.utf8) {
            let isBeginning = index == run.startIndex || !Self.isNameByte(run[index - 1])
            guard isBeginning, variables.count < Self.most else { continue }
            // What is declared takes nobody's place among those that are told.
            let found = Self.text(rest.prefix(while: Self.isNameByte))
            if !policy.declares(found) { variables.insert(found) }
        }
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x5F
    }

    private mutating func flag(_ rest: ArraySlice<UInt8>) {
        for flag in Self.debugFlags where rest.starts(with: flag.utf8) {
            // “-DDEBUGGER” is another flag.
            let next = rest.dropFirst(flag.utf8.count).first
            guard flag.hasSuffix("=") || next.map({ !Self.isNameByte($0 & 0xDF) }) ?? true else { continue }
            flags.insert(flag)
        }
    }

    private mutating func path(_ run: ArraySlice<UInt8>, _ index: Int) {
        let isBeginning = index == run.startIndex || !Self.isPathByte(run[index - 1])
        guard isBeginning, paths.count < Self.most else { return }
        let rest = run[index...]
        guard (Self.machines + policy.machinePaths).contains(where: { rest.starts(with: $0.utf8) }) else { return }
        let path = Self.text(rest.prefix { Self.isPathByte($0) || $0 == 0x2F })
        // A folder of somebody, and something in it: “/home/” alone is a word of a text.
        guard path.split(separator: "/").count >= 3, !policy.buildPaths.contains(where: path.hasPrefix) else { return }
        paths.insert(path)
    }

    private static func isPathByte(_ byte: UInt8) -> Bool {
        isNameByte(byte & 0xDF) || (0x30...0x39).contains(byte) || byte == 0x5F || byte == 0x2D || byte == 0x2E
            || byte == 0x2B
    }

    private mutating func url(_ run: ArraySlice<UInt8>, _ colon: Int) {
        let rest = run[colon...]
        guard rest.starts(with: "://".utf8), colon > run.startIndex, Self.isPathByte(run[colon - 1]) else { return }
        let authority = rest.dropFirst(3).prefix { !"/?# \"'<>".utf8.contains($0) }
        note(host: authority)
        // A name and a password may stand in front of the host (RFC 3986 §3.2).
        if let at = authority.lastIndex(of: UInt8(ascii: "@")) { note(host: authority[(at + 1)...]) }
    }

    private mutating func note(host bytes: ArraySlice<UInt8>) {
        let name =
            bytes.first == UInt8(ascii: "[")
            ? bytes.dropFirst().prefix { $0 != UInt8(ascii: "]") }
            : bytes.prefix { Self.isPathByte($0) && $0 != 0x2B }
        var host = Self.text(name).lowercased()
        while host.hasSuffix(".") { host.removeLast() }
        guard Self.isOfTests(host), !policy.hosts.contains(host), hosts.count < Self.most else { return }
        hosts.insert(host)
    }

    /// Whether a host is one of tests: a name that RFC 2606 and RFC 6761 keep for such, this machine, or a label that
    /// says so.
    static func isOfTests(_ host: String) -> Bool {
        // ::1, and 127.0.0.0/8 in the form of IPv6, in one spelling each.
        if host == "::1" || host.hasPrefix("::ffff:127.") { return true }
        let labels = host.split(separator: ".").map(String.init)
        guard let last = labels.last, !(labels.count == 1 && last != "localhost") else { return false }
        if ["test", "localhost", "example", "invalid", "local", "internal"].contains(last) { return true }
        if labels.suffix(2).first == "example", ["org", "com", "net"].contains(last) { return true }
        if host.hasPrefix("127.") || host == "0.0.0.0" || host.hasPrefix("10.") || host.hasPrefix("192.168.") {
            return true
        }
        return labels.dropLast().contains { ["staging", "stage", "dev", "qa", "uat", "sandbox"].contains($0) }
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes.prefix(longest), as: UTF8.self)
    }
}
