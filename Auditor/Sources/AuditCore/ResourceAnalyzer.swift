/// Settings, texts and keys that lie in an app's tree, line by line. A finding names the line's name and never its value.
///
/// What a line does not show whole (JSON without line breaks) is not read, and a file over 1 MB is not; both are told.
enum ResourceAnalyzer {
    static func report(_ bytes: [UInt8], file: String, below: String) -> FileReport {
        let name = file.split(separator: "/").last.map(String.init) ?? file
        var findings: [Finding] = []
        var facts: [String] = []
        var gaps: [String] = []
        let isContainer = name.hasSuffix(".p12") || name.hasSuffix(".pfx")
        // DER: a sequence. An empty or other file of that name is none.
        if isContainer, bytes.first == 0x30, bytes.count > 200 {
            findings.append(finding(file, 1, name, "a container of keys is part of the tree", nil))
        } else if !isContainer, bytes.count > FileKind.limit(file) {
            gaps.append("TOO-LARGE")
        } else if !isContainer {
            let text = decoded(bytes)
            let isTexts = name == "InfoPlist.strings"
            // A long list of one name is told once.
            var told: Set<String> = []
            let lines = text.split(omittingEmptySubsequences: false, whereSeparator: endsLine)
            for (index, line) in lines.enumerated() {
                guard line.utf8.count < 4_096 else {
                    gaps = ["LONG-LINE"]
                    continue
                }
                if line.hasPrefix("-----BEGIN"), line.contains("PRIVATE KEY-----") {
                    findings.append(finding(file, index + 1, "PRIVATE KEY", "a private key is part of the tree", nil))
                    continue
                }
                guard let (key, value) = pair(line) else { continue }
                if isTexts, key.hasSuffix("UsageDescription"), !value.allSatisfy(\.isWhitespace) {
                    facts.append("purpose:\(key)")
                }
                if !value.hasPrefix("$"), !value.hasPrefix("crwdns"), isName(key), !Names.isCertificate(key),
                    value.utf8.allSatisfy({ $0 < 128 }),
                    SecretShape.isSecret(value, name: key),
                    // A translation of a word about secrets may have a digit too.
                    !name.hasSuffix(".strings") || value.count(where: \.isNumber) > 2,
                    told.insert(key).inserted
                {
                    findings.append(
                        finding(
                            file, index + 1, key, "a secret is part of the app's resources",
                            SecretShape.isPublic(value) ? .note : nil))
                }
            }
        }
        let isTest = TestCode.isPlace(below)
        var report = FileReport(
            file: file, lines: 0,
            findings: findings.map { finding in
                var finding = finding
                finding.testCode = isTest ? true : nil
                return finding
            }, notAnalysed: nil, facts: isTest ? [] : facts)
        report.gaps = gaps.isEmpty ? nil : gaps
        return report
    }

    /// Carriage return and line feed together are one character of Swift, and not the one of a line feed.
    private static func endsLine(_ character: Character) -> Bool {
        character == "\n" || character == "\r\n" || character == "\r"
    }

    /// A name, and not a sentence that is translated or its place.
    private static func isName(_ key: String) -> Bool {
        key.utf8.allSatisfy { $0 &- 48 < 10 || ($0 | 32) &- 97 < 26 || $0 == 95 || $0 == 45 || $0 == 46 }
    }

    /// Xcode's old files of texts are UTF-16. A mark of the byte order is no part of the first name.
    private static func decoded(_ bytes: [UInt8]) -> String {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return String(decoding: bytes.dropFirst(3), as: UTF8.self) }
        guard bytes.count > 1, bytes[0] == 0xFF && bytes[1] == 0xFE || bytes[0] == 0xFE && bytes[1] == 0xFF else {
            return String(decoding: bytes, as: UTF8.self)
        }
        let isLittle = bytes[0] == 0xFF
        let units = stride(from: 2, to: bytes.count - 1, by: 2).map { index in
            let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
            return isLittle ? second << 8 | first : first << 8 | second
        }
        return String(decoding: units, as: UTF16.self)
    }

    /// `NAME = value`, `NAME[sdk=…] = value`, `export NAME=value`, `"name" = "value";` and `"name": "value",`.
    private static func pair(_ line: Substring) -> (String, String)? {
        guard !line.hasPrefix("//"), !line.hasPrefix("#"),
            let first = line.firstIndex(where: { $0 == "=" || $0 == ":" })
        else { return nil }
        var (end, middle) = (first, first)
        // What stands between the brackets says for which builds the setting is.
        if let open = line[..<first].firstIndex(of: "["), var close = line[first...].firstIndex(of: "]") {
            while line[close...].hasPrefix("]["), let next = line[close...].dropFirst().firstIndex(of: "]") {
                close = next
            }
            if let sign = line[close...].firstIndex(of: "=") { (end, middle) = (open, sign) }
        }
        let skipped: Set<Character> = [" ", "\t", "\"", "'", ";", ",", "\r", "{"]
        func trimmed(_ text: Substring) -> String {
            var text = text.drop { skipped.contains($0) }
            while let last = text.last, skipped.contains(last) { text.removeLast() }
            return String(text)
        }
        var key = trimmed(line[..<end])
        if key.hasPrefix("export ") { key = trimmed(key.dropFirst(7)) }
        let value = trimmed(line[line.index(after: middle)...])
        return key.isEmpty || value.isEmpty || key.utf8.count > 80 ? nil : (key, value)
    }

    private static func finding(_ file: String, _ line: Int, _ key: String, _ message: String, _ severity: Severity?)
        -> Finding
    {
        Finding(
            rule: "SECRET-RESOURCE", severity: severity ?? .error, file: file, line: line, message: message,
            excerpt: key, identity: SHA256.hex("SECRET-RESOURCE|\(key)"))
    }
}
