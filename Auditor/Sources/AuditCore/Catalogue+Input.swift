extension Catalogue {
    static let input: [Rule] = [
        Rule(
            "SQL-STRING", .error, cwe: 89, maswe: "MASWE-0050", masvs: "MASVS-CODE-4", tr: ["O.Source_2"],
            claim: "Text from outside changes the statement.",
            mend: "Bind it as an argument.",
            bad: #"""
                func f(db: OpaquePointer, u: URL) throws {
                    let t = try String(contentsOf: u)
                sqlite3_exec(db, "SELECT * FROM t WHERE a = '" + t + "'", nil, nil, nil) }
                """#,
            good: #"""
                func f(db: OpaquePointer) { sqlite3_exec(db, "SELECT * FROM t", nil, nil, nil) }
                """#),
        Rule(
            "PREDICATE", .warning, cwe: 943, maswe: "MASWE-0050", masvs: "MASVS-CODE-4",
            tr: ["O.Source_1", "O.Source_2"],
            claim: "Text from outside changes the question.",
            mend: "Pass it as an argument of a constant format.",
            bad: #"""
                func f(u: URL) throws {
                    let t = try String(contentsOf: u)
                let p = NSPredicate(format: t)
                use(p) }
                """#,
            good: #"""
                func f(u: URL) throws {
                    let t = try String(contentsOf: u)
                let p = NSPredicate(format: "a == %@", t)
                use(p) }
                """#),
        Rule(
            "FORMAT", .warning, cwe: 134, maswe: "MASWE-0050", masvs: "MASVS-CODE-4", tr: ["O.Source_1"],
            claim: "Text from outside reads memory as arguments.",
            mend: "Write a constant format with %@.",
            bad: #"""
                func f(u: URL) throws {
                    let t = try String(contentsOf: u)
                let s = String(format: t, 1)
                use(s) }
                """#,
            good: #"""
                func f(u: URL) throws {
                    let t = try String(contentsOf: u)
                let s = String(format: "%@", t)
                use(s) }
                """#),
        Rule(
            "REGEX", .warning, cwe: 730, maswe: "MASWE-0050", masvs: "MASVS-CODE-4", tr: ["O.Source_1"],
            claim: "A pattern from outside can take for ever.",
            mend: "Escape it: NSRegularExpression.escapedPattern(for:).",
            bad: #"""
                func f(u: URL) throws { let t = try String(contentsOf: u); let r = try Regex(t); use(r) }
                """#,
            good: #"""
                func f() throws { let r = try Regex("^a+$"); use(r) }
                """#),
        Rule(
            "PATH", .warning, cwe: 22, maswe: "MASWE-0050", masvs: "MASVS-CODE-4", tr: ["O.Source_1"],
            claim: "A name from outside leaves the folder.",
            mend: "Take the last component, or compare the normalised path with its folder.",
            bad: #"""
                func f(u: URL, m: FileManager) throws {
                    let t = try String(contentsOf: u)
                try m.removeItem(atPath: t) }
                """#,
            good: #"""
                func f(m: FileManager) throws { try m.removeItem(atPath: "a") }
                """#),
        Rule(
            "COMMAND", .warning, cwe: 78, maswe: "MASWE-0050", masvs: "MASVS-CODE-4", tr: ["O.Source_1"],
            claim: "Text from outside runs programs.",
            mend: "Choose from a fixed list.",
            bad: #"""
                func f(u: URL) throws {
                    let t = try String(contentsOf: u)
                let p = Process()
                p.arguments = [t] }
                """#,
            good: #"""
                func f() { let p = Process(); p.arguments = ["a"] }
                """#),
        Rule(
            "XXE", .warning, cwe: 611, maswe: "MASWE-0050", masvs: "MASVS-CODE-4", tr: ["O.Source_1"],
            claim: "External entities read files and call servers.",
            mend: "Leave shouldResolveExternalEntities false.",
            bad: #"""
                func f(u: URL) throws {
                    let d = try Data(contentsOf: u)
                let p = XMLParser(data: d)
                p.shouldResolveExternalEntities = true }
                """#,
            good: #"""
                func f(u: URL) throws {
                    let d = try Data(contentsOf: u)
                let p = XMLParser(data: d)
                p.shouldResolveExternalEntities = false }
                """#),
        Rule(
            "ZIP-SLIP", .error, cwe: 22, maswe: "MASWE-0050", masvs: "MASVS-CODE-4", tr: ["O.Source_1"],
            claim: "An entry called ../x is written outside of the folder.",
            mend: "Check each entry's normalised path.",
            bad: #"""
                func f(u: URL, d: URL) throws {
                    let s = try String(contentsOf: u)
                try Zip.unzipFile(URL(string: s)!, destination: d) }
                """#,
            good: #"""
                func f(s: URL, d: URL) throws { try Zip.unzipFile(s, destination: d) }
                """#),
        Rule(
            "ARCHIVE-INSECURE", .error, cwe: 502, maswe: "MASWE-0050", masvs: "MASVS-CODE-4", tr: ["O.Source_1"],
            claim: "An archive creates objects of classes it names.",
            mend: "Use unarchivedObject(ofClass:from:).",
            bad: #"""
                func f(d: Data) { let o = NSKeyedUnarchiver.unarchiveObject(with: d); use(o) }
                """#,
            good: #"""
                func f(d: Data) throws {
                    let o = try NSKeyedUnarchiver.unarchivedObject(ofClass: NSString.self, from: d)
                use(o) }
                """#),
        Rule(
            "REGEX-DOT", .warning, cwe: 20, maswe: "MASWE-0050", masvs: "MASVS-CODE-4", tr: ["O.Source_1"],
            claim: "A dot matches any character: exampleXcom too.",
            mend: "Escape the dots.",
            bad: #"""
                func f() throws { let r = try Regex(#"^https://www.example.com/"#); use(r) }
                """#,
            good: #"""
                func f() throws { let r = try Regex(#"^https://www\.example\.com/"#); use(r) }
                """#),
        Rule(
            "REGEX-ANCHOR", .warning, cwe: 20, maswe: "MASWE-0050", masvs: "MASVS-CODE-4", tr: ["O.Source_1"],
            claim: "The pattern matches inside of a text of an attacker.",
            mend: "Anchor it with ^ and $.",
            bad: #"""
                func f() throws { let r = try Regex("^a|b"); use(r) }
                """#,
            good: #"""
                func f() throws { let r = try Regex("^(a|b)$"); use(r) }
                """#),
        Rule(
            "TAG-FILTER", .warning, cwe: 116, maswe: "MASWE-0050", masvs: "MASVS-CODE-4", tr: ["O.Source_1"],
            claim: "Browsers read more forms of a tag than the pattern.",
            mend: "Use an HTML parser with a list of what is allowed.",
            bad: #"""
                func f() throws { let r = try Regex("<script.*?>.*?</script>"); use(r) }
                """#,
            good: #"""
                func f() throws { let r = try Regex("<b>.*?</b>"); use(r) }
                """#),
        Rule(
            "REDOS", .warning, cwe: 1333, maswe: "MASWE-0050", masvs: "MASVS-CODE-4", tr: ["O.Source_1"],
            claim: "Some texts take exponential time.",
            mend: "Do not nest repetitions.",
            bad: #"""
                func f() throws { let r = try Regex("(a*)*b"); use(r) }
                """#,
            good: #"""
                func f() throws { let r = try Regex("a*b"); use(r) }
                """#),
        Rule(
            "LENGTH", .warning, cwe: 135, maswe: "MASWE-0050", masvs: "MASVS-CODE-4", tr: ["O.Source_1"],
            claim: "Swift and Objective-C count other units.",
            mend: "Use NSRange(range, in: text), or utf16.count.",
            bad: #"""
                func f(s: String) { let r = NSMakeRange(0, s.count); use(r) }
                """#,
            good: #"""
                func f(s: String) { let r = NSMakeRange(0, s.utf16.count); use(r) }
                """#),
    ]
}
