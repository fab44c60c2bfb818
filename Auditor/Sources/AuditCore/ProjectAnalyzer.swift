/// An Xcode project file, line by line: packages that are not pinned, and release settings of a debug build. A value that
/// a line does not show whole is not judged.
enum ProjectAnalyzer {
    static func report(_ bytes: [UInt8], file: String) -> FileReport {
        let lines = bytes.count { $0 == 10 } + 1
        if bytes.count > FileKind.limit(file) { return FileReport(file: file, lines: lines, notAnalysed: "TOO-LARGE") }
        var findings: [Finding] = []
        var settings: [(line: Int, key: String)] = []
        var isInside = false
        var facts: [String] = []
        var branch = ""
        var gaps: [String]?
        for (index, slice) in bytes.split(separator: 10, omittingEmptySubsequences: false).enumerated() {
            guard slice.count < 2_000 else {
                gaps = ["LONG-LINE"]
                continue
            }
            let line = String(decoding: slice, as: UTF8.self).drop { $0 == "\t" || $0 == " " }
            if line.hasPrefix("buildSettings = {") { (isInside, settings) = (true, []) }
            if isInside, let key = debugSetting(line) { settings.append((index + 1, key)) }
            if line.hasPrefix("name = ") {
                if isInside, isRelease(line) {
                    for setting in settings {
                        var found = finding(
                            "DEBUG-SWITCH", file, setting.line, setting.key,
                            "a release setting is that of a debug build")
                        // Symbols that are left help who reads the program, and open nothing.
                        if isForTesters(line) || setting.key.hasPrefix("STRIP_") { found.severity = .note }
                        findings.append(found)
                    }
                }
                isInside = false
            }
            if line.hasPrefix("productType = \"com.apple.product-type.application\"") {
                if !facts.contains("application") { facts.append("application") }
            }
            let target = line.prefix { $0 != " " }
            if target.hasSuffix("_DEPLOYMENT_TARGET") || target == "SDKROOT" {
                let isMac = target.hasPrefix("MACOSX") || line.hasPrefix("SDKROOT = macosx")
                let fact = isMac ? "for-mac" : "for-devices"
                if !facts.contains(fact), !line.hasPrefix("SDKROOT = auto") { facts.append(fact) }
            }
            if line.hasPrefix("branch = ") { branch = line.dropFirst(9).filter { $0 != ";" && $0 != "\"" } }
            // A branch that is called like a commit is one.
            if line.hasPrefix("kind = branch;"), branch.count != 40 || !branch.allSatisfy(\.isHexDigit) {
                findings.append(finding("DEP-UNPINNED", file, index + 1, "kind", "a package follows a branch"))
            }
            if line.hasPrefix("repositoryURL = \"http://") || line.hasPrefix("repositoryURL = \"git://") {
                findings.append(
                    finding("DEP-UNPINNED", file, index + 1, "repositoryURL", "a package comes without TLS"))
            }
        }
        var report = FileReport(file: file, lines: lines, findings: findings, notAnalysed: nil, facts: facts)
        report.gaps = gaps
        return report
    }

    private static func isRelease(_ line: Substring) -> Bool {
        let name = line.lowercased()
        return ["release", "appstore", "production"].contains { name.contains($0) } && !name.contains("debug")
    }

    /// `Release Test`, `Release-Staging`: what its makers alone get.
    private static func isForTesters(_ line: Substring) -> Bool {
        let name = line.lowercased()
        return ["test", "staging", "stage", "qa", "internal", "develop", "dev", "uat", "profil", "mock", "bench"]
            .contains { name.contains($0) }
    }

    private static func debugSetting(_ line: Substring) -> String? {
        let key = line.prefix { $0 != " " }
        switch key {
        case "ENABLE_TESTABILITY": return line.hasPrefix("ENABLE_TESTABILITY = YES;") ? String(key) : nil
        case "STRIP_INSTALLED_PRODUCT", "STRIP_SWIFT_SYMBOLS": return line.hasPrefix("\(key) = NO;") ? String(key) : nil
        case "SWIFT_OPTIMIZATION_LEVEL": return line.contains("\"-Onone\"") ? String(key) : nil
        case "SWIFT_ACTIVE_COMPILATION_CONDITIONS":
            let words = line.split { !($0.isLetter || $0 == "_") }
            return words.contains("DEBUG") ? String(key) : nil
        default: return nil
        }
    }

    private static func finding(_ rule: String, _ file: String, _ line: Int, _ key: String, _ message: String)
        -> Finding
    {
        Finding(
            rule: rule, severity: .warning, file: file, line: line, message: message, excerpt: key,
            identity: SHA256.hex("\(rule)|\(key)"))
    }
}
